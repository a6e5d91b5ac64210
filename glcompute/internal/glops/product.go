package glops

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// Block is what one thread of a product computes: so many rows of so many texels.
type Block struct{ Rows, Quads int }

// Over is the number of blocks that cover m rows of so many texels.
func (b Block) Over(m, quads int) int {
	return ((m + b.Rows - 1) / b.Rows) * ((quads + b.Quads - 1) / b.Quads)
}

func (b Block) String() string { return fmt.Sprintf("%d x %d", b.Rows, 4*b.Quads) }

// PartsAtOnce is the number of partial results that a pass sums into one, as described in
// the pixel-shader patent (US 7,219,085, Microsoft).
const PartsAtOnce = 8

// LongestPart is the number of texels of the inner length beyond which a product is split
// whether or not that is faster: llvmpipe ends the loops of a shader after 65,536 rounds.
const LongestPart = 1 << 15

// Product is the kernel of o in one pass with a block for each thread. Its shader is the
// executor's matmul.glsl.
func Product[T any](b *gldevice.Builder[T], o *program.MatMul, block Block) gldevice.Kernel[T] {
	k := onePass(b, o, block, followedByLayer)
	k.Out = b.Of(o.Out)
	return k
}

func onePass[T any](b *gldevice.Builder[T], o *program.MatMul, block Block, followed int) gldevice.Kernel[T] {
	k := product(b, o, block, followed)
	k.Source.Define("PARTIAL", false).Define("STEPS", stepsAt(b.Software(), o.TransA, block, InnerQuads(o)))
	finish(b, o, &k)
	return k
}

// ProductInSpans plans o with its inner length in spans of so many texels, one pass for
// each, which adds to what the one before it left in the result.
func ProductInSpans[T any](b *gldevice.Builder[T], o *program.MatMul, block Block, span int, plan func(gldevice.Kernel[T]) (gldevice.Step, error)) (gldevice.Step, error) {
	inner := InnerQuads(o)
	var steps []gldevice.Step
	for from := 0; from < inner; from += span {
		to := min(from+span, inner)
		part := *o
		if from > 0 {
			part.Bias, part.Accumulate = nil, true
		}
		if to < inner {
			part.Activation = program.Identity
		}
		k := product(b, &part, block, followedByLayer)
		k.Out = b.Of(o.Out)
		k.Work = k.Work*(to-from)/inner + 1
		k.Source.Define("PARTIAL", false).Define("STEPS", stepsAt(b.Software(), o.TransA, block, span, inner))
		k.Uniforms = func(u *gldevice.Uniforms) { u.Int("innerFrom", from).Int("innerTo", to) }
		finish(b, &part, &k)
		step, err := plan(k)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return gldevice.Sequence(steps...), nil
}

// Partial is Product without what follows the sum, over the parts of the inner length, so
// many texels each, that the shader chooses.
func Partial[T any](b *gldevice.Builder[T], o *program.MatMul, block Block, out gldevice.Matrix[T], length int) gldevice.Kernel[T] {
	k := product(b, o, block, followedByLayer)
	k.Out = out
	// The last part may be shorter.
	k.Source.Define("PARTIAL", true).Define("STEPS", stepsAt(b.Software(), o.TransA, block, length, InnerQuads(o))).
		Define("HAS_BIAS", false).Define("ACCUMULATE", false).Define("ACTIVATION", int(program.Identity))
	return k
}

// Bare is Product whose shader has the bare sum of a part, and what follows it apart, for
// an executor's own shaders.
func Bare[T any](b *gldevice.Builder[T], o *program.MatMul, block Block) gldevice.Kernel[T] {
	k := product(b, o, block, followedByLayer)
	k.Out = b.Of(o.Out)
	k.Source.Define("PARTIAL", true).Define("STEPS", 1)
	finish(b, o, &k)
	return k
}

// product is the kernel without its result.
func product[T any](b *gldevice.Builder[T], o *program.MatMul, block Block, followed int) gldevice.Kernel[T] {
	inner, columns := InnerQuads(o), b.Of(o.Out).Stride()
	k := gldevice.Kernel[T]{
		Op: o.Name(), File: "matmul.glsl",
		Reads: operands(b.Of(o.A), b.Of(o.B)),
		Work:  2 * gldevice.TexelValues * gldevice.TexelValues * inner,
		Uniforms: func(u *gldevice.Uniforms) {
			u.Int("innerQuads", inner).Int("columnQuads", columns).Int("innerTo", inner)
		},
	}
	k.Source.Define("ROWS", block.Rows).Define("QUADS", block.Quads).Define("GROUPS", (block.Rows+3)/4).
		Define("TRANS_A", o.TransA).Define("TRANS_B", o.TransB).Define("FOLLOWED", followed).
		Define("LANES", lanes(o))
	return k
}

// stepsAt is the number of texels of the inner length that a round of the product's loop
// takes, a divisor of all lengths. llvmpipe keeps the sums in memory, behind a mask, and a
// round of more texels reads and writes them less often: four gave 1.3 times the speed for
// blocks of one texel, two 1.1 times for wider ones, but 0.85 times where A is transposed. A
// GPU has them in registers, which more texels would take.
func stepsAt(software, transA bool, block Block, lengths ...int) int {
	most := 1
	switch {
	case software && block.Quads == 1:
		most = 4
	case software && !transA:
		most = 2
	}
	for _, length := range lengths {
		for length%most > 0 {
			most /= 2
		}
	}
	return most
}

// finish adds what follows the sum: bias or old values, and the nonlinearity.
func finish[T any](b *gldevice.Builder[T], o *program.MatMul, k *gldevice.Kernel[T]) {
	if o.Bias != nil {
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Bias", Matrix: b.Of(o.Bias)})
	}
	if o.Accumulate {
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Old", Matrix: b.Of(o.Out)})
	}
	k.Source.Define("HAS_BIAS", o.Bias != nil).Define("ONE_BIAS", oneBias(o)).Define("ACCUMULATE", o.Accumulate).
		Define("ACTIVATION", int(o.Activation))
}

// oneBias reports whether all columns have the same bias: those that were rows before ByRows.
func oneBias(o *program.MatMul) bool { return o.Bias != nil && o.Bias.Cols < o.Out.Cols }

// lanes is how many inner indices of a texel there are: all four, unless there is but one
// texel with one or two.
func lanes(o *program.MatMul) int {
	if _, _, inner := o.Dims(); inner < 3 {
		return inner
	}
	return gldevice.TexelValues
}

// InnerQuads is the number of texels of the inner length.
func InnerQuads(o *program.MatMul) int {
	_, _, inner := o.Dims()
	return (inner + gldevice.TexelValues - 1) / gldevice.TexelValues
}

// SplitProduct plans o with its inner length split into so many parts, which a first pass
// sums side by side, and more passes reduce eight at a time: an inner product decomposed
// into sub-problems over several passes (US 7,219,085, Microsoft, claim 1). block is what a thread computes
// of a result, in texels always the same; first plans the kernel of the first pass.
func SplitProduct[T any](b *gldevice.Builder[T], o *program.MatMul, parts int, block func(gldevice.Matrix[T]) Block, first func(gldevice.Kernel[T]) (gldevice.Step, error)) (gldevice.Step, error) {
	m, _, _ := o.Dims()
	inner := InnerQuads(o)
	length := (inner + parts - 1) / parts
	parts = (inner + length - 1) / length
	quads := block(b.Of(o.Out)).Quads
	stride := (b.Of(o.Out).Stride() + quads - 1) / quads * quads
	shape := func(u *gldevice.Uniforms, parts int) { u.Int("partStride", stride).Int("parts", parts) }
	scratch := func(parts int) (gldevice.Matrix[T], error) {
		return b.Scratch("partial sums", m, parts*stride*gldevice.TexelValues)
	}

	sums, err := scratch(parts)
	if err != nil {
		return nil, err
	}
	k := Partial(b, o, block(sums), sums, length)
	k.Work = k.Work/parts + 1
	whole := k.Uniforms
	k.Uniforms = func(u *gldevice.Uniforms) {
		whole(u)
		shape(u, parts)
		u.Int("partQuads", length)
	}
	step, err := first(k)
	if err != nil {
		return nil, err
	}
	steps := []gldevice.Step{step}
	for last := false; !last; {
		fewer := (parts + PartsAtOnce - 1) / PartsAtOnce
		last = fewer == 1
		reads := parts
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "partial_sums.glsl", Work: elementwiseWork,
			Reads:    []gldevice.Operand[T]{{Name: "A", Matrix: sums}},
			Uniforms: func(u *gldevice.Uniforms) { shape(u, reads) },
		}
		k.Source.Define("LAST", last)
		if last {
			k.Out = b.Of(o.Out)
			finish(b, o, &k)
		} else {
			k.Source.Define("HAS_BIAS", false).Define("ACCUMULATE", false).
				Define("ACTIVATION", int(program.Identity))
			if sums, err = scratch(fewer); err != nil {
				return nil, err
			}
			k.Out = sums
		}
		step, err := b.Plan(k)
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
		parts = fewer
	}
	return gldevice.Sequence(steps...), nil
}
