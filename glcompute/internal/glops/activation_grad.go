package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planActivationGrad[T any](b *gldevice.Builder[T], o *program.ActivationGrad) (gldevice.Step, error) {
	k := elementwise(o.Name(), "activation_grad.glsl", b.Of(o.DY), b.Of(o.Y), b.Of(o.DX))
	k.Source.Define("ACTIVATION", int(o.Activation))
	return b.Plan(k)
}
