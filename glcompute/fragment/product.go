package fragment

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

type product = glops.Product[*texture]

// planProduct plans the variant that suits the shape, by measurement where there is a
// place to keep what was measured.
func (e *executor) planProduct(b *builder, o *program.Product) (gldevice.Step, error) {
	if o.A.Sparse != nil {
		return glops.PlanSparse(b, o, e.inTurn)
	}
	p, err := glops.NewProduct(b, o)
	if err != nil {
		return nil, err
	}
	quads := p.InnerQuads()
	switch {
	case p.Sums.Memory.targets() > 1 && p.Formulas.OfSums() > 1:
		return glops.PlanApart(b, o, e.planProduct, e.planElementwise)
	case p.Gathered != nil && (e.values == 1 || !p.Gathered.Blocks):
		return e.planVariant(b, p, variant{direct: true})
	case e.values == 1:
		return e.planVariant(b, p, variant{span: glops.LongestPart})
	case quads > glops.LongestPart:
		return e.planVariant(b, p, variant{parts: (quads + glops.LongestPart - 1) / glops.LongestPart})
	}
	candidates := e.candidates(p.Sums.Memory, quads, o.Epilogue, p.Gathered)
	if p.Multiplications() < glops.WorthMeasuring {
		candidates = candidates[:1]
	}
	return b.Choose(p.Class(o), candidates, func(v int) (gldevice.Step, error) {
		switch x := variants[v-1]; {
		case x.apart && o.Epilogue != nil:
			return glops.PlanApart(b, o, e.planProduct, e.planElementwise)
		case x.apart, x.direct && p.Gathered == nil:
			v = candidates[0] // it is always taken, where it can be
		}
		p, err := glops.NewProduct(b, o) // a trial writes elsewhere
		if err != nil {
			return nil, err
		}
		return e.planVariant(b, p, variants[v-1])
	})
}

// planVariant plans a product and what becomes of its sums. Of results that must be drawn one after
// another the one that is made of the sums is drawn with the product.
func (e *executor) planVariant(b *builder, p *product, v variant) (gldevice.Step, error) {
	return e.inTurn(b, p.Formulas, func(f *formulas) (gldevice.Step, error) {
		if f.OfSums() > 0 {
			sums := *p
			sums.Formulas = f
			return e.planSums(b, &sums, v)
		}
		return b.Plan(glops.ElementsKernel(p.Op, f))
	})
}

// planSums plans a product of which a fragment takes all results.
func (e *executor) planSums(b *builder, p *product, v variant) (gldevice.Step, error) {
	block := func(out matrix) glops.Block { return glops.Block{Rows: out.Memory.targets(), Quads: 1} }
	plan := func(k gldevice.Kernel[*texture]) (gldevice.Step, error) {
		return e.plan(b, drawn{Kernel: k, often: often, mirrors: e.mirrors != v.otherOperands})
	}
	switch {
	case v.direct:
		return p.Direct(b, p.Sums.Memory.targets())
	case v.span > 0:
		return p.InSpans(b, block(p.Sums), v.span, plan)
	case v.parts == 1:
		return plan(p.OnePass(b, block(p.Sums)))
	}
	return p.Split(b, v.parts, block, plan)
}

// variant is one way to compute a product.
type variant struct {
	name          string
	parts         int  // of the inner length, summed side by side and then together; 1: none
	span          int  // texels of the inner length of a pass that adds to the one before it; 0: all
	otherOperands bool // read in the way that the renderer does not prefer
	apart         bool // what follows the product is a pass of its own
	direct        bool // a convolution a pixel at a time, for few channels
}

// variants are numbered from one. How many rows a fragment computes is the layout's
// affair: eight with one texel each, so that twelve texels are read for 128
// multiplications, or one, with five for sixteen. A product with few results, such as one
// drawing, has too few fragments for a GPU unless its inner length is split. A long inner
// length in spans is for software renderers: the four columns of 1,024 rows that neighbouring
// fragments read do not fit a processor's first cache, and those of 256 do.
// docs/benchmarks.md has the times.
var variants = []variant{
	{name: "one pass", parts: 1},
	{name: "8 parts", parts: glops.PartsAtOnce},
	{name: "64 parts", parts: glops.PartsAtOnce * glops.PartsAtOnce},
	{name: "one pass, other operands", parts: 1, otherOperands: true},
	{name: "spans of 64 texels", parts: 1, span: 64},
	{name: glops.ApartName, apart: true},
	{name: glops.DirectName, direct: true},
}

// The numbers of the variants that are taken without measuring, and the number of texels of
// the inner length from which a software renderer takes spans.
const (
	onePass      = 1
	inParts      = 2
	spans        = 5
	longForCache = 224
)

// A product with as few fragments and as long an inner length is taken in parts: one after
// another they would keep few threads busy for long. llvmpipe draws so few in one thread,
// which is worth another pass when it reads so many texels.
const (
	fewFragments = 256
	longForFew   = 8 * glops.PartsAtOnce
	longForOne   = 1 << 15
)

// ByReduction and ByTiles are Options.Variants with which distances and the nearest of them are found as
// Su et al. (2016) compare, as far as fragments can: in parts that later passes add up, or blocks of
// eight rows that share what they read, and a fragment compares and exchanges.
var (
	ByReduction = map[string]int{glops.ProductName: inParts, glops.NearestName: glops.NearestReduced}
	ByTiles     = map[string]int{glops.ProductName: onePass, glops.NearestName: glops.NearestExchanged}
)

// Choosable lists the operations that have numbered variants.
func Choosable() []gldevice.Choosable {
	var all []string
	for _, v := range variants {
		all = append(all, v.name)
	}
	return glops.Choosable(all)
}

// manyFragments is the number of fragments with which no GPU that people have lacks work.
const manyFragments = 1 << 16

// often is the number of operands of a product, its first, that are read so often that a
// mirror pays.
const often = 2

func (e *executor) defaultVariant(out *texture, innerQuads int) int {
	switch {
	case innerQuads >= longForFew && out.fragments() <= fewFragments && (!e.software || innerQuads*out.fragments() >= longForOne):
		return inParts
	case e.software && innerQuads >= longForCache && out.fragments() > fewFragments:
		return spans
	}
	return onePass
}

// candidates are the variants worth measuring for a result and what follows, the default first.
func (e *executor) candidates(out *texture, innerQuads int, then *program.Epilogue, g *glops.Gathered) []int {
	first := e.defaultVariant(out, innerQuads)
	all := []int{first}
	fragments := out.fragments()
	for i, v := range variants {
		switch {
		case i+1 == first:
		case v.span > 0 && e.software && innerQuads >= 2*v.span && fragments >= manyFragments/16,
			v.apart && glops.WorthApart(then),
			v.direct && !e.software && g.FewChannels(),
			i+1 == onePass,
			v.otherOperands && !e.software, // llvmpipe is known to read mirrors twice as fast
			v.parts > 1 && fragments*v.parts <= manyFragments && innerQuads >= 4*v.parts:
			all = append(all, i+1)
		}
	}
	return all
}

func (e *executor) planElementwise(b *builder, o *program.Elementwise) (gldevice.Step, error) {
	f, err := glops.NewFormulas(b, o, -1)
	if err != nil {
		return nil, err
	}
	return e.inTurn(b, f, func(f *formulas) (gldevice.Step, error) { return b.Plan(glops.ElementsKernel(o.Name(), f)) })
}

func (e *executor) planReduce(b *builder, o *program.Reduce) (gldevice.Step, error) {
	return glops.PlanReduce(b, o, e.inTurn)
}

type formulas = glops.Formulas[*texture]

// inTurn plans formulas of which the render targets may not take all results at once, as those of a matrix in
// planes: then they are drawn one result after another. What a later one reads as it was before is drawn
// beside it, and changes places with it at the end.
func (e *executor) inTurn(b *builder, f *formulas, plan func(*formulas) (gldevice.Step, error)) (gldevice.Step, error) {
	if len(f.Outs)*f.Outs[0].Memory.targets() <= e.targets {
		return plan(f)
	}
	apart := *f
	apart.Outs = append([]matrix{}, f.Outs...)
	var steps []gldevice.Step
	for k, out := range f.Outs {
		if f.ReadsOld(k) {
			beside, err := b.Scratch(fmt.Sprint("result beside ", k), out.Rows, out.Cols)
			if err != nil {
				return nil, err
			}
			apart.Outs[k] = beside
		}
		step, err := plan(apart.Only(k))
		if err != nil {
			return nil, err
		}
		steps = append(steps, step)
	}
	return gldevice.Sequence(append(steps, func() {
		for k, out := range f.Outs {
			if drawn := apart.Outs[k].Memory; drawn != out.Memory {
				out.Memory.surface, drawn.surface = drawn.surface, out.Memory.surface
				out.Memory.mirror.stale, drawn.mirror.stale = true, true
			}
		}
	})...), nil
}
