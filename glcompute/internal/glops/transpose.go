package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planTranspose[T any](b *gldevice.Builder[T], o *program.Transpose) (gldevice.Step, error) {
	x := b.Of(o.X)
	return b.Plan(gldevice.Kernel[T]{
		Op: o.Name(), File: "transpose.glsl", Reads: []gldevice.Operand[T]{{Name: "A", Matrix: x}}, Out: b.Of(o.Out), Work: elementwiseWork,
	})
}
