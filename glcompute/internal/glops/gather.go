package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

func planGather[T any](b *gldevice.Builder[T], o *program.Gather) gldevice.Step {
	k := gldevice.Kernel[T]{Op: o.Name(), File: "gather.glsl", Reads: []gldevice.Operand[T]{
		{Name: "Index", Matrix: b.Of(o.Index).Lying()}, {Name: "Rows", Matrix: b.Of(o.X)},
	}}
	k.Source.Define("COLUMN", o.X.Cols == 1)
	plainSum(b.Of(o.Out).Lying()).AddTo(&k)
	return b.Plan(k)
}

// planScatterAdd links the rows of the same name first, as links.glsl has them.
func planScatterAdd[T any](b *gldevice.Builder[T], o *program.ScatterAdd) gldevice.Step {
	limit(o.Name(), o.X.Rows, 2*LongestPart/lanes(o.Out.Cols == 1))
	held, index := b.Of(o.Out), b.Of(o.Index).Lying()
	links, out := b.Scratch("links of rows", o.Out.Rows+o.X.Rows, gldevice.TexelValues), held
	if o.InPlace() {
		out = b.InPlace("rows", held)
	}
	link := gldevice.Kernel[T]{
		Op: o.Name(), File: "links.glsl", Out: links, Work: 4 * index.Stride(),
		Reads:    []gldevice.Operand[T]{{Name: "Index", Matrix: index}},
		Uniforms: func(u *gldevice.Uniforms) { u.Int("rows", o.Out.Rows) },
	}
	add := gldevice.Kernel[T]{
		Op: o.Name(), File: "scatter.glsl", Out: out, Work: 8 * (o.X.Rows/o.Out.Rows + 1),
		Reads: []gldevice.Operand[T]{{Name: "Links", Matrix: links}, {Name: "X", Matrix: b.Of(o.X)}},
	}
	if o.InPlace() {
		add.Reads = append(add.Reads, gldevice.Operand[T]{Name: "Held", Matrix: held.Lying()})
	}
	add.Source.Define("IN_PLACE", o.InPlace()).Define("COLUMN", held.Column()).Define("ROWS", held.Rows)
	return b.Plan(link, add)
}
