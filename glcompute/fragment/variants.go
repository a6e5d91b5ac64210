package fragment

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// variant is one way to compute a product.
type variant struct {
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
	{parts: 1},
	{parts: glops.PartsAtOnce},
	{parts: glops.PartsAtOnce * glops.PartsAtOnce},
	{parts: 1, otherOperands: true},
	{parts: 1, span: 64},
	{apart: true},
	{direct: true},
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
		name := "one pass"
		if v.parts > 1 {
			name = fmt.Sprintf("%d parts", v.parts)
		}
		if v.otherOperands {
			name += ", other operands"
		}
		if v.span > 0 {
			name = fmt.Sprintf("spans of %d texels", v.span)
		}
		if v.apart {
			name = glops.ApartName
		}
		if v.direct {
			name = glops.DirectName
		}
		all = append(all, name)
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
