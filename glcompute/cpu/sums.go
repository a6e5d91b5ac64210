package cpu

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"inkshade/glcompute/program"
)

func init() {
	register(func(b *builder, op *program.ColumnSums) func() {
		return sums(blas.Trans, b.Of(op.X), b.Of(op.Out), b.Scratch(op.X.Rows), op.X)
	})
	register(func(b *builder, op *program.RowSums) func() {
		return sums(blas.NoTrans, b.Of(op.X), b.Of(op.Out), b.Scratch(op.X.Cols), op.X)
	})
}

// sums multiplies x, or its transposed, by a vector of ones.
func sums(trans blas.Transpose, x, out, ones []float32, t *program.Tensor) func() {
	for i := range ones {
		ones[i] = 1
	}
	return func() {
		blas32.Implementation().Sgemv(trans, t.Rows, t.Cols, 1, x, t.Cols, ones, 1, 0, out, 1)
	}
}
