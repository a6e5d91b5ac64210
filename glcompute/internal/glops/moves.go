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
	return b.Plan(gldevice.NewKernel(o, "reshape.glsl", out, elementwiseWork).Read("A", x).
		Define("WHOLE_TEXELS", x.Cols%gldevice.TexelValues == 0 && out.Cols%gldevice.TexelValues == 0))
}

func planTranspose[T any](b *gldevice.Builder[T], o *program.Transpose) gldevice.Step {
	return b.Plan(gldevice.NewKernel(o, "transpose.glsl", b.Of(o.Out), elementwiseWork).Read("A", b.Of(o.X)))
}

// mostMoved is the number of matrices that one pass puts side by side.
const mostMoved = 6

func planColumns[T any](b *gldevice.Builder[T], o *program.Columns) gldevice.Step {
	var xs []gldevice.Matrix[T]
	for _, x := range o.Xs {
		xs = append(xs, b.Of(x))
	}
	return columns(b, o, b.Of(o.Out), xs, o.From)
}

// columns gives out as the sum of the parts, each zero where it has no column.
func columns[T any](b *gldevice.Builder[T], op program.Op, out gldevice.Matrix[T], xs []gldevice.Matrix[T], from []int) gldevice.Step {
	if len(xs) > mostMoved {
		first := b.Scratch("the first columns", out.Rows, out.Cols)
		before := columns(b, op, first, xs[:mostMoved], from)
		return gldevice.Sequence(before, columns(b, op, out, append([]gldevice.Matrix[T]{first}, xs[mostMoved:]...), append([]int{0}, from[mostMoved:]...)))
	}
	k := gldevice.NewKernel(op, "columns.glsl", out, elementwiseWork).Define("PARTS", len(xs))
	for i, x := range xs { // from the texel in which the first column is
		shift := (from[i]%gldevice.TexelValues + gldevice.TexelValues) % gldevice.TexelValues
		k.Read(numbered("P", i), x).Define(numbered("SHIFT", i), shift).Int(numbered("from", i), (from[i]-shift)/gldevice.TexelValues)
	}
	return b.Plan(k)
}

func numbered(name string, i int) string { return name + strconv.Itoa(i) }
