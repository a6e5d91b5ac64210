package fragment

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

type product = glops.Product[*texture]

func (e *executor) planProduct(b *builder, o *program.Product) gldevice.Step {
	if o.A.Sparse != nil {
		return glops.PlanSparse(b, o, e.inTurn)
	}
	p := glops.NewProduct(b, o)
	quads := p.InnerQuads()
	switch {
	case p.Sums.Memory.targets() > 1 && p.Formulas.OfSums() > 1:
		return glops.PlanApart(b, o)
	case p.Gathered != nil && (e.values == 1 || !p.Gathered.Blocks):
		return e.planVariant(b, p, glops.Variant{Way: glops.Direct})
	case e.values == 1:
		return e.planVariant(b, p, glops.Variant{Way: glops.InSpans, Parts: glops.LongestPart})
	case quads > glops.LongestPart:
		return e.planVariant(b, p, glops.Variant{Way: glops.InParts, Parts: (quads + glops.LongestPart - 1) / glops.LongestPart})
	}
	candidates := e.candidates(p.Sums.Memory, quads, o.Epilogue, p.Gathered)
	return p.Choose(b, o, variants, candidates, func(p *product, v glops.Variant) gldevice.Step { return e.planVariant(b, p, v) })
}

// planVariant plans a product and what becomes of its sums. Of results that must be drawn one after
// another the one that is made of the sums is drawn with the product.
func (e *executor) planVariant(b *builder, p *product, v glops.Variant) gldevice.Step {
	return e.inTurn(b, p.Formulas, func(f *formulas) gldevice.Step {
		if f.OfSums() > 0 {
			sums := *p
			sums.Formulas = f
			return e.planSums(b, &sums, v)
		}
		return b.Plan(glops.ElementsKernel(p.Op, f))
	})
}

// planSums plans a product of which a fragment takes all results.
func (e *executor) planSums(b *builder, p *product, v glops.Variant) gldevice.Step {
	block := func(out matrix) glops.Block { return glops.Block{Rows: out.Memory.targets(), Quads: 1} }
	plan := func(k *gldevice.Kernel[*texture]) gldevice.Step {
		return e.plan(b, drawn{Kernel: k, often: often, mirrors: e.mirrors != (v.Way == glops.OtherReads)})
	}
	switch v.Way {
	case glops.Direct:
		return p.Direct(b, p.Sums.Memory.targets())
	case glops.InSpans:
		return p.InSpans(b, block(p.Sums), v.Parts, plan)
	case glops.InParts:
		return p.Split(b, v.Parts, block, plan)
	}
	return plan(p.OnePass(b, block(p.Sums)))
}

// variants are numbered from one. How many rows a fragment computes is the layout's
// affair: eight with one texel each, so that twelve texels are read for 128
// multiplications, or one, with five for sixteen. A product with few results, such as one
// drawing, has too few fragments for a GPU unless its inner length is split. A long inner
// length in spans is for software renderers: the four columns of 1,024 rows that neighbouring
// fragments read do not fit a processor's first cache, and those of 256 do.
// docs/benchmarks.md has the times.
var variants = []glops.Variant{
	{Name: "one pass", Way: glops.OnePass},
	{Name: "8 parts", Way: glops.InParts, Parts: glops.PartsAtOnce},
	{Name: "64 parts", Way: glops.InParts, Parts: glops.PartsAtOnce * glops.PartsAtOnce},
	{Name: "one pass, other operands", Way: glops.OtherReads},
	{Name: "spans of 64 texels", Way: glops.InSpans, Parts: 64},
	{Name: glops.ApartName, Way: glops.Apart},
	{Name: glops.DirectName, Way: glops.Direct},
}

// The numbers of the variants that are taken without measuring, and the number of texels of
// the inner length from which a software renderer takes spans.
const (
	onePass      = 1
	inParts      = 2
	inManyParts  = 3
	spans        = 5
	longForCache = 224
)

// A product with as few fragments and as long an inner length is taken in parts: one after
// another they would keep few threads busy for long. llvmpipe draws so few in one thread,
// which is worth another pass when it reads so many texels.
const (
	fewFragments = 256
	longForFew   = 8 * glops.PartsAtOnce
	longForMany  = 16 * glops.PartsAtOnce * glops.PartsAtOnce
	longForOne   = 1 << 15
)

// ByReduction and ByTiles are Options.Variants with which distances and the nearest of them are found as
// Su et al. (2016) compare, as far as fragments can: in parts that later passes add up, or blocks of
// eight rows that share what they read, and a fragment compares and exchanges.
var (
	ByReduction = map[string]int{glops.ProductName: inParts, glops.NearestName: glops.NearestReduced}
	ByTiles     = map[string]int{glops.ProductName: onePass, glops.NearestName: glops.NearestExchanged}
)

// Tunables lists the operations that have numbered variants.
func Tunables() []gldevice.Tunable { return glops.Tunables(variants) }

// manyFragments is the number of fragments with which no GPU that people have lacks work.
const manyFragments = 1 << 16

// often is the number of operands of a product, its first, that are read so often that a
// mirror pays.
const often = 2

func (e *executor) defaultVariant(out *texture, innerQuads int) int {
	switch {
	case !e.gl.Info.Software && innerQuads >= longForMany && out.fragments() <= fewFragments:
		return inManyParts
	case innerQuads >= longForFew && out.fragments() <= fewFragments && (!e.gl.Info.Software || innerQuads*out.fragments() >= longForOne):
		return inParts
	case e.gl.Info.Software && innerQuads >= longForCache && out.fragments() > fewFragments:
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
		worth := false
		switch v.Way {
		case glops.OnePass:
			worth = true
		case glops.OtherReads: // llvmpipe is known to read mirrors twice as fast
			worth = !e.gl.Info.Software
		case glops.InParts:
			worth = fragments*v.Parts <= manyFragments && innerQuads >= 4*v.Parts
		case glops.InSpans:
			worth = e.gl.Info.Software && innerQuads >= 2*v.Parts && fragments >= manyFragments/16
		case glops.Apart:
			worth = glops.WorthApart(then)
		case glops.Direct:
			worth = !e.gl.Info.Software && g.FewChannels()
		}
		if worth && i+1 != first {
			all = append(all, i+1)
		}
	}
	return all
}

type formulas = glops.Formulas[*texture]

// inTurn plans formulas of which the render targets may not take all results at once, as those of a matrix in
// planes: then they are drawn one result after another. What a later one reads as it was before is drawn
// beside it, and changes places with it at the end.
func (e *executor) inTurn(b *builder, f *formulas, plan func(*formulas) gldevice.Step) gldevice.Step {
	if len(f.Outs)*f.Outs[0].Memory.targets() <= e.targets {
		return plan(f)
	}
	apart := *f
	apart.Outs = append([]matrix{}, f.Outs...)
	var steps []gldevice.Step
	for k, out := range f.Outs {
		if f.ReadsOld(k) {
			apart.Outs[k] = b.Scratch(fmt.Sprint("result beside ", k), out.Rows, out.Cols)
		}
		steps = append(steps, plan(apart.Only(k)))
	}
	return gldevice.Sequence(append(steps, func() {
		for k, out := range f.Outs {
			if drawn := apart.Outs[k].Memory; drawn != out.Memory {
				out.Memory.surface, drawn.surface = drawn.surface, out.Memory.surface
				out.Memory.mirror.stale, drawn.mirror.stale = true, true
			}
		}
	})...)
}
