package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planCombine[T any](b *gldevice.Builder[T], o *program.Combine) (gldevice.Step, error) {
	return b.Plan(Combination(o.Name(), b.Of(o.A), b.Of(o.B), b.Of(o.Out), o.Alpha, o.Beta))
}
