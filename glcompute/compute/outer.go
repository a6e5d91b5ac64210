package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// outerRows is the number of rows of which a thread of an outer product computes a texel. A
// texel each keeps the threads so short that llvmpipe needs twice the time.
const outerRows = 16

func (e *executor) planOuter(b *builder, o *program.Outer) (gldevice.Step, error) {
	o = glops.OuterByRows(o)
	out := b.Of(o.Out)
	l := launch{
		Kernel: gldevice.Kernel[*buffer]{
			Op: o.Name(), File: "outer_rows.glsl", Out: out,
			Reads: []operand{{Name: "A", Matrix: b.Of(o.A)}, {Name: "B", Matrix: b.Of(o.B)}},
		},
		items: (out.Rows + outerRows - 1) / outerRows * out.Stride(), work: 2 * gldevice.TexelValues * outerRows,
	}
	l.Source.Define("ACCUMULATE", o.Accumulate).Define("ROWS", outerRows).Define("GROUPS", outerRows/gldevice.TexelValues)
	return e.plan(l)
}
