package cpu

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
)

// gemm is c[m][n] = a'·b' + beta·c, row-major, with the leading dimensions lda and ldb.
type gemm struct {
	transA, transB bool
	m, n, k        int
	a              []float32
	lda            int
	b              []float32
	ldb            int
	beta           float32
	c              []float32
}

// whole is one call of the BLAS.
func (g gemm) whole() func() {
	bl := blas32.Implementation()
	return func() {
		bl.Sgemm(trans(g.transA), trans(g.transB), g.m, g.n, g.k, 1, g.a, g.lda, g.b, g.ldb, g.beta, g.c, g.n)
	}
}

// tileSizes for gonum's Sgemm, which by itself works in blocks of 64x64x64, too short for its
// vector loops. A call with fewer than four such blocks of c it does in one piece and
// on the calling thread, so tiles of that size bring longer loops, keep what is used
// again and again in the first cache, and are shared out here. Measured on products of
// 128x784x800 and 1024x784x800 against other sizes.
func (g gemm) tileSizes() (m, n, k int) {
	switch {
	case g.transB: // loops of dot products along k
		return 192, 64, 1024
	case g.transA: // loops along n; a tile of c is gone through for each k
		return 32, 192, 256
	default: // loops along n; a tile of b is gone through for each row of c
		return 32, 192, 32
	}
}

// tiled is the product in tiles of c, shared out over the cores.
func (g gemm) tiled() func() {
	tm, tn, tk := g.tileSizes()
	tm, tn, tk = even(g.m, tm, 1), even(g.n, tn, 16), even(g.k, tk, 16)
	across := (g.n + tn - 1) / tn
	tiles := across * ((g.m + tm - 1) / tm)
	bl := blas32.Implementation()
	ta, tb := trans(g.transA), trans(g.transB)
	return parallel(tiles, tm*tn*g.k/flopsPerAddition, func(from, to int) {
		for tile := from; tile < to; tile++ {
			i, j := tile/across*tm, tile%across*tn
			m, n := min(tm, g.m-i), min(tn, g.n-j)
			beta := g.beta
			for l := 0; l < g.k; l += tk {
				ai, bi := i*g.lda+l, l*g.ldb+j
				if g.transA {
					ai = l*g.lda + i
				}
				if g.transB {
					bi = j*g.ldb + l
				}
				bl.Sgemm(ta, tb, m, n, min(tk, g.k-l), 1, g.a[ai:], g.lda, g.b[bi:], g.ldb, beta, g.c[i*g.n+j:], g.n)
				beta = 1
			}
		}
	})
}

// flopsPerAddition is how many multiply-adds of a product take the time of one addition
// of a plain loop.
const flopsPerAddition = 4

// even splits n into equal parts of at most size, rounded up to a multiple of step.
func even(n, size, step int) int {
	parts := (n + size - 1) / size
	part := (n + parts - 1) / parts
	return min((part+step-1)/step*step, n)
}

func trans(yes bool) blas.Transpose {
	if yes {
		return blas.Trans
	}
	return blas.NoTrans
}
