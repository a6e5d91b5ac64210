package cpu

import (
	"gonum.org/v1/gonum/blas/gonum"

	"inkshade/glcompute/program"
)

func init() {
	register(func(b *builder, op *program.Outer) func() {
		x, y, out := b.Of(op.A), b.Of(op.B), b.Of(op.Out)
		return parallel(len(x), costCopy*len(y), func(from, to int) {
			outer(out[from*len(y):to*len(y)], x[from:to], y, op.Accumulate)
		})
	})
}

// outer is out[i][j] (+)= x[i]·y[j]. Most of a drawing is paper, whose rows are only cleared.
func outer(out, x, y []float32, accumulate bool) {
	var blas gonum.Implementation // its Saxpy is cheap to call
	for i, xi := range x {
		row := out[i*len(y):][:len(y)]
		if !accumulate {
			clear(row)
		}
		if xi != 0 {
			blas.Saxpy(len(y), xi, y, 1, row, 1)
		}
	}
}
