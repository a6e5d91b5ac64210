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

// moved is a part of the columns that an operation puts side by side: those of a matrix from
// the column from on, which may be negative, in the place of the first.
type moved[T any] struct {
	gldevice.Matrix[T]
	from int
}

// mostMoved is the number of matrices that one pass puts side by side.
const mostMoved = 6

// columns gives out as the sum of the parts, each zero where it has no column.
func columns[T any](b *gldevice.Builder[T], op string, out gldevice.Matrix[T], parts []moved[T]) gldevice.Step {
	if len(parts) > mostMoved {
		first := b.Scratch("the first columns", out.Rows, out.Cols)
		return gldevice.Sequence(columns(b, op, first, parts[:mostMoved]), columns(b, op, out, append([]moved[T]{{first, 0}}, parts[mostMoved:]...)))
	}
	k := gldevice.Kernel[T]{Op: op, File: "columns.glsl", Out: out, Work: elementwiseWork}
	k.Source.Define("PARTS", len(parts))
	texels := make([]int, len(parts)) // the texel in which the first column is
	for i, p := range parts {
		shift := (p.from%gldevice.TexelValues + gldevice.TexelValues) % gldevice.TexelValues
		texels[i] = (p.from - shift) / gldevice.TexelValues
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: numbered("P", i), Matrix: p.Matrix})
		k.Source.Define(numbered("SHIFT", i), shift)
	}
	k.Uniforms = func(u *gldevice.Uniforms) {
		for i, texel := range texels {
			u.Int(numbered("from", i), texel)
		}
	}
	return b.Plan(k)
}

func planConcat[T any](b *gldevice.Builder[T], o *program.Concat) gldevice.Step {
	var parts []moved[T]
	from := 0
	for _, x := range o.Xs {
		parts = append(parts, moved[T]{b.Of(x), -from})
		from += x.Cols
	}
	return columns(b, o.Name(), b.Of(o.Out), parts)
}

func planSlice[T any](b *gldevice.Builder[T], o *program.Slice) gldevice.Step {
	return columns(b, o.Name(), b.Of(o.Out), []moved[T]{{b.Of(o.X), o.From}})
}

// numbered is the name of one of several.
func numbered(name string, i int) string { return name + strconv.Itoa(i) }
