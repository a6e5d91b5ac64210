package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// planColumnSums sums many rows in two stages of the same shader, which leaves in row p
// of its result the sum of the rows p, p + P, p + 2P, ... of its operand, P being the
// number of rows of the result.
func planColumnSums[T any](b *gldevice.Builder[T], o *program.ColumnSums) (gldevice.Step, error) {
	stage := func(from, to gldevice.Matrix[T]) gldevice.Kernel[T] {
		return gldevice.Kernel[T]{
			Op: o.Name(), File: "column_sums.glsl", Reads: operands(from, from), Out: to,
			Work: gldevice.TexelValues * from.Rows / to.Rows,
		}
	}
	x, out := b.Of(o.X), b.Of(o.Out)
	n := parts(x.Rows)
	if n == 1 {
		return b.Plan(stage(x, out))
	}
	sums, err := b.Scratch("column sums", n, x.Cols)
	if err != nil {
		return nil, err
	}
	return b.Plan(stage(x, sums), stage(sums, out))
}
