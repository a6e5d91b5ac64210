package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// Block is what one thread of a product computes: so many rows of so many texels.
type Block struct{ Rows, Quads int }

// Over is the number of blocks that cover m rows of so many texels.
func (b Block) Over(m, quads int) int {
	return ((m + b.Rows - 1) / b.Rows) * ((quads + b.Quads - 1) / b.Quads)
}

// PartsAtOnce is the number of partial results that a pass sums into one, as described in
// the pixel-shader patent (US 7,219,085, Microsoft).
const PartsAtOnce = 8

// LongestPart is the number of texels of the inner length beyond which a product is split
// whether or not that is faster: llvmpipe ends the loops of a shader after 65,535 rounds together,
// and a texel may take two, one of a loop in a loop.
const LongestPart = 30_000

// lanes is the number of results of a thread that finds one after another.
func lanes(column bool) int {
	if column {
		return gldevice.TexelValues
	}
	return 1
}

// limit fails where a thread would take more values than its loops have rounds for.
func limit(op string, values, most int) {
	if values > most {
		gldevice.Fail(message.Errorf("%s: %d values at a time, and OpenGL takes %d; use smaller images, fewer channels or rows, or the CPU", op, values, most))
	}
}

// Product is a program.Product as it lies in memory, where there are no columns: a matrix of one
// column lies as a row (see gldevice.Executor). A factor that is one is the transpose of a row,
// and a result that is one is (A·B)ᵀ = Bᵀ·Aᵀ.
type Product[T any] struct {
	Op             string
	A, B           gldevice.Matrix[T]
	TransA, TransB bool
	Distance       bool
	M, Inner       int                // rows of the result, length of the sums
	Turns          int                // into which the sums can be divided: texels, taps or images
	Sums           gldevice.Matrix[T] // the memory of the result before formulas
	Formulas       *Formulas[T]       // what becomes of the sums
	Gathered       *Gathered          // of a convolution, or nil
}

// NewProduct describes o with what follows it.
func NewProduct[T any](b *gldevice.Builder[T], o *program.Product) *Product[T] {
	p := newProduct(o, b.Of(o.A.Tensor), b.Of(o.B.Tensor), b.Of(o.Out))
	if g := p.Gathered; g != nil {
		limit(p.Op, g.turnLength, LongestPart*gldevice.TexelValues)
		g.table = b.Table(g.entries)
	}
	p.Formulas = after(b, o.Epilogue, p.Sums)
	return p
}

// newProduct describes o without what follows it.
func newProduct[T any](o *program.Product, a, b, out gldevice.Matrix[T]) *Product[T] {
	_, _, inner := o.Dims()
	p := &Product[T]{
		Op: o.Name(), Distance: o.Distance, M: out.Lying().Rows, Inner: inner, Sums: out.Lying(),
		A: a.Lying(), TransA: o.A.Trans != a.Column(), B: b.Lying(), TransB: o.B.Trans != b.Column(),
	}
	if o.A.Table != nil {
		p.gather(o, a, b, out)
		return p
	}
	p.Turns = p.InnerQuads()
	if out.Column() {
		p.A, p.TransA, p.B, p.TransB = p.B, !p.TransB, p.A, !p.TransA
	}
	return p
}

// ApartName is the name of the variant in which what follows a product is a pass of its own.
const ApartName = "apart"

// WorthApart reports whether that may be faster: where what follows, which may be nil, reads or
// writes more matrices of the size of the result than one.
func WorthApart(e *program.Epilogue) bool {
	if e == nil {
		return false
	}
	rows, cols := e.Shape()
	for i, a := range e.Args {
		if i != e.Sum && a.Spread(rows, cols) == program.SpreadNone {
			return true
		}
	}
	return false
}

// InnerQuads is the number of texels of the inner length.
func (p *Product[T]) InnerQuads() int {
	if p.Gathered != nil {
		return p.Turns * p.Gathered.turnQuads
	}
	return (p.Inner + gldevice.TexelValues - 1) / gldevice.TexelValues
}

// OnePass is the kernel with a block for each thread. Its shader is the executor's blocks.glsl.
func (p *Product[T]) OnePass(b *gldevice.Builder[T], block Block) *gldevice.Kernel[T] {
	return p.Formulas.AddTo(p.kernel(block).
		Define("PARTIAL", false).Define("ACCUMULATE", false).Define("STEPS", p.stepsAt(b.Software(), block, p.Turns)))
}

// InSpans plans p with its inner length in spans of so many turns, one pass for each, which adds
// to what the one before it left in the memory of the sums.
func (p *Product[T]) InSpans(b *gldevice.Builder[T], block Block, span int, plan func(*gldevice.Kernel[T]) gldevice.Step) gldevice.Step {
	inner := p.Turns
	var steps []gldevice.Step
	for from := 0; from < inner; from += span {
		to := min(from+span, inner)
		k, formulas := p.kernel(block), p.Formulas
		k.Work = k.Work*(to-from)/inner + 1
		k.Define("PARTIAL", false).Define("ACCUMULATE", from > 0).Define("STEPS", p.stepsAt(b.Software(), block, span, inner)).
			Int("innerFrom", from).Int("innerTo", to)
		if from > 0 {
			k.Read("Old", p.Sums)
		}
		if to < inner {
			formulas = plainSum(p.Sums)
		}
		steps = append(steps, plan(formulas.AddTo(k)))
	}
	return gldevice.Sequence(steps...)
}

// OfParts is the kernel whose shader finds the sum of a part of the inner length, and what becomes
// of the whole apart, for an executor's own shaders.
func (p *Product[T]) OfParts(block Block) *gldevice.Kernel[T] {
	return p.Formulas.AddTo(p.kernel(block).Define("PARTIAL", true).Define("STEPS", 1))
}

// kernel is without its results.
func (p *Product[T]) kernel(block Block) *gldevice.Kernel[T] {
	k := &gldevice.Kernel[T]{Op: p.Op, File: "blocks.glsl", Work: 2 * gldevice.TexelValues * gldevice.TexelValues * p.InnerQuads()}
	k.Read("A", p.A).Read("B", p.B).Int("innerQuads", p.Turns).Int("columnQuads", p.Sums.Stride()).Int("innerTo", p.Turns).
		Define("ROWS", block.Rows).Define("QUADS", block.Quads).Define("GROUPS", (block.Rows+3)/4).
		Define("TRANS_A", p.TransA).Define("TRANS_B", p.TransB).Define("DISTANCE", p.Distance).Define("LANES", p.lanes())
	p.addGathered(k)
	return k
}

// stepsAt is the number of texels of the inner length that a round of the product's loop
// takes, a divisor of all lengths. llvmpipe keeps the sums in memory, behind a mask, and a
// round of more texels reads and writes them less often: four gave 1.3 times the speed for
// blocks of one texel, two 1.1 times for wider ones, but 0.85 times where A is transposed. A
// GPU has them in registers, which more texels would take.
func (p *Product[T]) stepsAt(software bool, block Block, lengths ...int) int {
	most := 1
	if p.Gathered != nil {
		lengths = []int{p.Gathered.turnQuads}
	}
	switch {
	case software && block.Quads == 1:
		most = 4
	case software && !p.TransA:
		most = 2
	}
	for _, length := range lengths {
		for length%most > 0 {
			most /= 2
		}
	}
	return most
}

// lanes is how many inner indices of a texel there are: all four, unless there is but one
// texel with one or two.
func (p *Product[T]) lanes() int {
	length := p.Inner
	if p.Gathered != nil {
		length = p.Gathered.turnLength
	}
	if length < 3 {
		return length
	}
	return gldevice.TexelValues
}

// Split plans p with its inner length split into so many parts, which a first pass
// sums side by side, and more passes reduce eight at a time: an inner product decomposed
// into sub-problems over several passes (US 7,219,085, Microsoft, claim 1). block is what a thread computes
// of a result, in texels always the same; first plans the kernel of the first pass.
func (p *Product[T]) Split(b *gldevice.Builder[T], parts int, block func(gldevice.Matrix[T]) Block, first func(*gldevice.Kernel[T]) gldevice.Step) gldevice.Step {
	inner := p.Turns
	length := (inner + parts - 1) / parts
	parts = (inner + length - 1) / length
	quads := block(p.Sums).Quads
	stride := (p.Sums.Stride() + quads - 1) / quads * quads
	scratch := func(parts int) gldevice.Matrix[T] {
		return b.Scratch("partial sums", p.M, parts*stride*gldevice.TexelValues)
	}

	sums := scratch(parts)
	k := p.kernel(block(sums))
	// The last part may be shorter.
	k.Define("PARTIAL", true).Define("STEPS", p.stepsAt(b.Software(), block(sums), length, inner)).
		Int("partStride", stride).Int("parts", parts).Int("partQuads", length)
	k.Work = k.Work/parts + 1
	steps := []gldevice.Step{first(plainSum(sums).AddTo(k))}
	for last := false; !last; {
		fewer := (parts + PartsAtOnce - 1) / PartsAtOnce
		last = fewer == 1
		k := &gldevice.Kernel[T]{Op: p.Op, File: "partial_sums.glsl", Work: 2 * PartsAtOnce * gldevice.TexelValues}
		k.Read("A", sums).Int("partStride", stride).Int("parts", parts).Define("LAST", last)
		formulas := p.Formulas
		if !last {
			sums = scratch(fewer)
			formulas = plainSum(sums)
		}
		steps = append(steps, b.Plan(formulas.AddTo(k)))
		parts = fewer
	}
	return gldevice.Sequence(steps...)
}

// PlanApart plans a product in its own best variant, and then what follows it.
func PlanApart[T any](b *gldevice.Builder[T], o *program.Product) gldevice.Step {
	alone := *o
	alone.Epilogue = nil
	return gldevice.Sequence(b.Operation(&alone), b.Operation(o.Epilogue.Elementwise))
}

// Variant is one way to compute a product. Executors number theirs from one.
type Variant struct {
	Name  string
	Way   Way
	Block Block // that a thread computes, where the executor has several
	Parts int   // into which the inner length is split, or texels of a span
}

// Way is how a variant of the product shares out its work.
type Way uint8

const (
	OnePass    Way = iota // each thread a block, over the whole inner length
	OtherReads            // the same, reading operands in the way that the renderer does not prefer
	InParts               // the inner length in parts, summed side by side and then together
	InSpans               // spans of the inner length one after another, each of which adds to the one before it
	Reduced               // the threads of a workgroup share an inner product and add up in shared memory
	Tiled                 // a workgroup reads tiles of 64 x 64 into shared memory
	Apart                 // what follows the product is a pass of its own
	Direct                // a convolution a pixel at a time, for few channels
)

// Choose plans o as the one of candidates, which are numbers of variants, that suits its shape, by measurement where there is
// a place to keep what was measured.
func (p *Product[T]) Choose(b *gldevice.Builder[T], o *program.Product, variants []Variant, candidates []int, plan func(*Product[T], Variant) gldevice.Step) gldevice.Step {
	// Less takes a few microseconds in any way.
	const worthMeasuring = 1 << 17
	if p.Sums.Rows*p.Sums.Cols*p.Inner < worthMeasuring {
		candidates = candidates[:1]
	}
	return b.Choose(gldevice.Work{Name: ProductName, Text: p.describe(o), Op: o}, candidates, func(v int) gldevice.Step {
		switch way := variants[v-1].Way; {
		case way == Apart && o.Epilogue != nil:
			return PlanApart(b, o)
		case way == Apart, way == Tiled && p.Gathered != nil, way == Direct && p.Gathered == nil:
			v = candidates[0] // it is always taken, where it can be
		}
		return plan(NewProduct(b, o), variants[v-1]) // a trial writes elsewhere
	})
}
