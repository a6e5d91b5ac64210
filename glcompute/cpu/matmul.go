package cpu

import "inkshade/glcompute/program"

func init() {
	register(func(b *builder, op *program.MatMul) func() {
		g := factors(b, op)
		if layer := inVectors(b, op, g); layer != nil {
			return layer
		}
		multiply := product(b, g)
		finish := epilogue(b, op)
		if finish == nil {
			return multiply
		}
		return func() {
			multiply()
			finish()
		}
	})
}

// inVectors is the product with what follows it in vectors of our own, nil where there are none.
func inVectors(b *builder, op *program.MatMul, g gemm) func() {
	switch {
	case g.m == 1:
		return inRow(b, op, g)
	case g.n > 1:
		return inPanels(b, op, g)
	}
	return nil
}

// factors is out = a'·b' or, with Accumulate, out += a'·b'.
func factors(b *builder, op *program.MatMul) gemm {
	m, n, k := op.Dims()
	g := gemm{
		transA: op.TransA, transB: op.TransB, m: m, n: n, k: k,
		a: b.Of(op.A), lda: op.A.Cols, b: b.Of(op.B), ldb: op.B.Cols, c: b.Of(op.Out),
	}
	if op.Accumulate {
		g.beta = 1
	}
	return g
}

// product is the product alone.
func product(b *builder, g gemm) func() {
	switch {
	case g.m == 1:
		return g.row()
	case g.n == 1:
		return g.column()
	case tilesPay:
		wide, before, after := g.widened(b)
		multiply := wide.tiled()
		return func() {
			before()
			multiply()
			after()
		}
	}
	return g.whole()
}

// epilogue is out = f(out + bias), nil when there is nothing to do.
func epilogue(b *builder, op *program.MatMul) func() {
	m, n, _ := op.Dims()
	out, bias, f := b.Of(op.Out), b.Of(op.Bias), op.Activation
	if bias == nil && f == program.Identity {
		return nil
	}
	cost := n * (costCopy + activationCost(f))
	if n == 1 {
		return parallel(m, cost, func(from, to int) {
			column := out[from:to]
			if bias != nil {
				for i := range column {
					column[i] += bias[0]
				}
			}
			activate(column, column, f)
		})
	}
	return parallel(m, cost, func(from, to int) {
		for r := from; r < to; r++ {
			row := out[r*n : (r+1)*n]
			if bias != nil {
				add(row, bias)
			}
			if f != program.Identity {
				activate(row, row, f)
			}
		}
	})
}

// add is y += x.
func add(y, x []float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += v
	}
}
