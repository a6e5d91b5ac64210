package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planCrossEntropy[T any](b *gldevice.Builder[T], o *program.CrossEntropy) (gldevice.Step, error) {
	return rowReduction(b, o.Name(), "cross_entropy.glsl", b.Of(o.P), b.Of(o.Target), b.Of(o.Loss))
}
