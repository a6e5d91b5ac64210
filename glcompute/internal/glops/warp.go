package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

func planWarp[T any](b *gldevice.Builder[T], o *program.Warp) gldevice.Step {
	const workOfPixel = 60 // sixteen multiplications a displacement, shared by four pixels, and the sample
	return b.Plan(gldevice.Kernel[T]{
		Op: o.Name(), File: "warp.glsl", Out: b.Of(o.Out), Work: workOfPixel * gldevice.TexelValues,
		Reads: []gldevice.Operand[T]{
			{Name: "X", Matrix: b.Of(o.X)}, {Name: "Affine", Matrix: b.Of(o.Affine)}, {Name: "Grid", Matrix: b.Of(o.Grid)},
		},
		Uniforms: func(u *gldevice.Uniforms) { u.Int("width", o.Width).Int("height", o.Height) },
	})
}
