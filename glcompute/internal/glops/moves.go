package glops

import (
	"strconv"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// planReshape copies values to their new rows, unless both are the same memory.
func planReshape[T any](b *gldevice.Builder[T], o *program.Reshape) gldevice.Step {
	if b.Aliased(o.Out) {
		return func() {}
	}
	x, out := b.Of(o.X).Lying(), b.Of(o.Out).Lying()
	k := gldevice.Kernel[T]{
		Op: o.Name(), File: "reshape.glsl", Out: out, Work: elementwiseWork,
		Reads: []gldevice.Operand[T]{{Name: "A", Matrix: x}},
	}
	k.Source.Define("WHOLE_TEXELS", x.Cols%gldevice.TexelValues == 0 && out.Cols%gldevice.TexelValues == 0)
	return b.Plan(k)
}

func planTranspose[T any](b *gldevice.Builder[T], o *program.Transpose) gldevice.Step {
	x := b.Of(o.X)
	return b.Plan(gldevice.Kernel[T]{
		Op: o.Name(), File: "transpose.glsl", Reads: []gldevice.Operand[T]{{Name: "A", Matrix: x}}, Out: b.Of(o.Out), Work: elementwiseWork,
	})
}

// mostMoved is the number of matrices that one pass puts side by side.
const mostMoved = 6

func planColumns[T any](b *gldevice.Builder[T], o *program.Columns) gldevice.Step {
	var xs []gldevice.Matrix[T]
	for _, x := range o.Xs {
		xs = append(xs, b.Of(x))
	}
	return columns(b, o.Name(), b.Of(o.Out), xs, o.From)
}

// columns gives out as the sum of the parts, each zero where it has no column.
func columns[T any](b *gldevice.Builder[T], op string, out gldevice.Matrix[T], xs []gldevice.Matrix[T], from []int) gldevice.Step {
	if len(xs) > mostMoved {
		first := b.Scratch("the first columns", out.Rows, out.Cols)
		before := columns(b, op, first, xs[:mostMoved], from)
		return gldevice.Sequence(before, columns(b, op, out, append([]gldevice.Matrix[T]{first}, xs[mostMoved:]...), append([]int{0}, from[mostMoved:]...)))
	}
	k := gldevice.Kernel[T]{Op: op, File: "columns.glsl", Out: out, Work: elementwiseWork}
	k.Source.Define("PARTS", len(xs))
	texels := make([]int, len(xs)) // the texel in which the first column is
	for i, x := range xs {
		shift := (from[i]%gldevice.TexelValues + gldevice.TexelValues) % gldevice.TexelValues
		texels[i] = (from[i] - shift) / gldevice.TexelValues
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: numbered("P", i), Matrix: x})
		k.Source.Define(numbered("SHIFT", i), shift)
	}
	k.Uniforms = func(u *gldevice.Uniforms) {
		for i, texel := range texels {
			u.Int(numbered("from", i), texel)
		}
	}
	return b.Plan(k)
}

// numbered is the name of one of several.
func numbered(name string, i int) string { return name + strconv.Itoa(i) }
