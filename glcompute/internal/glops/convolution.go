package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// PlanConvolution plans a product of the virtual image matrix of program.Gathered, which is read
// through a table and never stored: source addresses are what start addresses and offsets come to, which
// have been computed beforehand (US 10,255,547, NVIDIA, claim 1). A thread gives a texel of the
// result, whatever the geometry.
func PlanConvolution[T any](b *gldevice.Builder[T], o *program.Product, together Together[T]) (gldevice.Step, error) {
	f := plainSum(b.Of(o.Out).Lying())
	if o.Epilogue != nil {
		var err error
		if f, err = NewFormulas(b, o.Epilogue.Elementwise, o.Epilogue.Sum); err != nil {
			return nil, err
		}
	}
	table, err := b.Table(o.A.Table)
	if err != nil {
		return nil, err
	}
	return together(f, func(f *Formulas[T]) (gldevice.Step, error) {
		k := convolutionKernel(b, o, f)
		k.Table = table
		return b.Plan(k)
	})
}

func convolutionKernel[T any](b *gldevice.Builder[T], o *program.Product, f *Formulas[T]) gldevice.Kernel[T] {
	g := o.Gathered()
	k := gldevice.Kernel[T]{
		Op: o.Name(), File: "convolution.glsl",
		Reads: []gldevice.Operand[T]{{Name: "A", Matrix: b.Of(o.A.Tensor)}, {Name: "B", Matrix: b.Of(o.B.Tensor)}},
		Uniforms: func(u *gldevice.Uniforms) {
			u.Int("positions", g.Rows).Int("pixels", g.SourceRows).Int("images", g.Images).Int("taps", g.Taps).
				Int("sources", g.SourceCols).Int("channels", g.Channels).Int("resultRows", o.Out.Rows).Int("resultCols", o.Out.Cols)
		},
	}
	k.Source.Define("FORM", int(g.Form)).Define("GROUPED", g.Groups > 1).Define("COLUMN", b.Of(o.Out).Column()).
		Define("DEPTHWISE", g.Groups > 1 && g.SourceCols == 1 && g.Channels == 1)
	f.AddTo(&k)
	k.Work += 2 * gldevice.TexelValues * g.Inner
	return k
}
