package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planMap[T any](b *gldevice.Builder[T], o *program.Map) (gldevice.Step, error) {
	x := b.Of(o.X)
	k := elementwise(o.Name(), "map.glsl", x, x, b.Of(o.Out))
	k.Source.Define("ACTIVATION", int(o.Activation))
	return b.Plan(k)
}
