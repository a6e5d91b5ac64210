package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

func planOuter[T any](b *gldevice.Builder[T], o *program.Outer) (gldevice.Step, error) {
	o = OuterByRows(o)
	k := gldevice.Kernel[T]{
		Op: o.Name(), File: "outer.glsl", Reads: operands(b.Of(o.A), b.Of(o.B)), Out: b.Of(o.Out),
		Work: 2 * gldevice.TexelValues,
	}
	if o.Accumulate {
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Old", Matrix: k.Out})
	}
	k.Source.Define("ACCUMULATE", o.Accumulate)
	return b.Plan(k)
}
