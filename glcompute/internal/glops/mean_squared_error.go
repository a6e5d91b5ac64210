package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planMeanSquaredError[T any](b *gldevice.Builder[T], o *program.MeanSquaredError) (gldevice.Step, error) {
	return rowReduction(b, o.Name(), "mean_squared_error.glsl", b.Of(o.Y), b.Of(o.Target), b.Of(o.Loss))
}
