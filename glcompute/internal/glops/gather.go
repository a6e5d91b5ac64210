package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

func planGather[T any](b *gldevice.Builder[T], o *program.Gather) gldevice.Step {
	out := b.Of(o.Out).Lying()
	k := gldevice.NewKernel(o, "gather.glsl", out, 0).Read("Index", b.Of(o.Index).Lying()).Read("Rows", b.Of(o.X)).Define("COLUMN", o.X.Cols == 1)
	return b.Plan(plainSum(out).AddTo(k))
}

// planScatterAdd links the rows of the same name first, as links.glsl has them.
func planScatterAdd[T any](b *gldevice.Builder[T], o *program.ScatterAdd) gldevice.Step {
	limit(o.Name(), o.X.Rows, 2*LongestPart/lanes(o.Out.Cols == 1))
	held, index := b.Of(o.Out), b.Of(o.Index).Lying()
	links, out := b.Scratch("links of rows", o.Out.Rows+o.X.Rows, gldevice.TexelValues), held
	if o.InPlace() {
		out = b.InPlace("rows", held)
	}
	link := gldevice.NewKernel(o, "links.glsl", links, 4*index.Stride()).Read("Index", index).Int("rows", o.Out.Rows)
	add := gldevice.NewKernel(o, "scatter.glsl", out, 8*(o.X.Rows/o.Out.Rows+1)).Read("Links", links).Read("X", b.Of(o.X)).
		Define("IN_PLACE", o.InPlace()).Define("COLUMN", held.Column()).Define("ROWS", held.Rows)
	if o.InPlace() {
		add.Read("Held", held.Lying())
	}
	return b.Plan(link, add)
}
