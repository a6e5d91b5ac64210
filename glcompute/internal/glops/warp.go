package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

func planWarp[T any](b *gldevice.Builder[T], o *program.Warp) gldevice.Step {
	const workOfPixel = 60 // sixteen multiplications a displacement, shared by four pixels, and the sample
	return b.Plan(gldevice.NewKernel(o, "warp.glsl", b.Of(o.Out), workOfPixel*gldevice.TexelValues).
		Read("X", b.Of(o.X)).Read("Affine", b.Of(o.Affine)).Read("Grid", b.Of(o.Grid)).Int("width", o.Width).Int("height", o.Height))
}
