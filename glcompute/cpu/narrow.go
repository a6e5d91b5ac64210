package cpu

// narrow is a length below which gonum's vector loops spend most of their time in starting up.
const narrow = 64

// widened rearranges a product whose loops would run along a short side, as those of an
// output layer with its few classes do, so that they run along a long one. That costs a
// transposition of the smallest matrix involved. Without need it gives g as it is and
// two functions that do nothing.
func (g gemm) widened(b *builder) (wide gemm, before, after func()) {
	nothing := func() {}
	switch {
	case g.transA && g.transB, // gonum would pick the values of b one by one
		g.transB && g.k < narrow && g.k < g.n,               // a·bᵀ: a·b with loops along n
		!g.transA && !g.transB && g.n < narrow && g.n < g.k: // a·b: a·bᵀ with loops along k
		return g.flippedB(b)
	case g.transA && g.n < narrow && g.n < g.m && g.beta == 0: // aᵀ·b: (bᵀ·a)ᵀ with loops along m
		return g.flippedC(b)
	}
	return g, nothing, nothing
}

// flippedB works with a transposed copy of b.
func (g gemm) flippedB(b *builder) (wide gemm, before, after func()) {
	rows, cols := g.k, g.n
	if g.transB {
		rows, cols = cols, rows
	}
	from, to := g.b, b.Scratch(rows*cols)
	g.transB, g.b, g.ldb = !g.transB, to, rows
	return g, func() { transpose(to, from, rows, cols, 0, cols) }, func() {}
}

// flippedC computes cᵀ = b'ᵀ·a'ᵀ.
func (g gemm) flippedC(b *builder) (wide gemm, before, after func()) {
	c := b.Scratch(g.m * g.n)
	wide = gemm{
		transA: !g.transB, transB: !g.transA, m: g.n, n: g.m, k: g.k,
		a: g.b, lda: g.ldb, b: g.a, ldb: g.lda, c: c,
	}
	return wide, func() {}, func() { transpose(g.c, c, g.n, g.m, 0, g.m) }
}
