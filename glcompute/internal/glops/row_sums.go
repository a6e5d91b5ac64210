package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planRowSums[T any](b *gldevice.Builder[T], o *program.RowSums) (gldevice.Step, error) {
	x := b.Of(o.X)
	return rowReduction(b, o.Name(), "row_sums.glsl", x, x, b.Of(o.Out))
}
