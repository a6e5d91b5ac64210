package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// planAdam makes three steps: both moments from the weights as they were, then the weights.
func planAdam[T any](b *gldevice.Builder[T], o *program.Adam) (gldevice.Step, error) {
	w, m, v := b.Of(o.W), b.Of(o.M), b.Of(o.V)
	settings := gldevice.Operand[T]{Name: "Settings", Matrix: b.Of(o.Settings)}
	moment := func(number int, of gldevice.Matrix[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "adam_moment.glsl", Out: of, Work: elementwiseWork,
			Reads: []gldevice.Operand[T]{{Name: "M", Matrix: of}, {Name: "W", Matrix: w}, {Name: "DW", Matrix: b.Of(o.DW)}, settings},
		}
		k.Source.Define("MOMENT", number)
		return lying(k)
	}
	weights := gldevice.Kernel[T]{
		Op: o.Name(), File: "adam_weights.glsl", Out: w, Work: elementwiseWork,
		Reads: []gldevice.Operand[T]{{Name: "W", Matrix: w}, {Name: "M", Matrix: m}, {Name: "V", Matrix: v}, settings},
	}
	return b.Plan(moment(1, m), moment(2, v), lying(weights))
}
