package compute

import (
	"fmt"
	"slices"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// way is how a variant of the product shares out its work.
type way uint8

const (
	onePass    way = iota // each thread a block, over the whole inner length
	otherFetch            // the same, reading tensors in the way that the renderer does not prefer
	split                 // the inner length in parts over several passes
	reduced               // the threads of a workgroup share an inner product and add up in shared memory
	tiled                 // a workgroup reads tiles of 64 x 64 into shared memory
	apart                 // what follows the product is a pass of its own
	direct                // a convolution a pixel at a time
)

// variant is one way to compute a product.
type variant struct {
	way   way
	block glops.Block
	parts int
}

// variants are numbered from one. What each is for: 1 to 6 are the blocks of a thread, for
// software renderers and GPUs; 7 and 8 exist because drivers differ in what they cache; 9
// to 12 give a product with few results, such as one drawing, threads enough for a GPU; 13
// reads each value from memory once for 64 rows or columns, which GPUs need and software
// renderers do not; 15 may suit convolutions of few channels on a GPU. docs/benchmarks.md has
// their times.
var variants = []variant{
	{way: onePass, block: glops.Block{Rows: 16, Quads: 4}},
	{way: onePass, block: glops.Block{Rows: 16, Quads: 2}},
	{way: onePass, block: glops.Block{Rows: 8, Quads: 2}},
	{way: onePass, block: glops.Block{Rows: 8, Quads: 1}},
	{way: onePass, block: glops.Block{Rows: 4, Quads: 1}},
	{way: onePass, block: glops.Block{Rows: 1, Quads: 1}},
	{way: otherFetch, block: glops.Block{Rows: 8, Quads: 2}},
	{way: otherFetch, block: glops.Block{Rows: 1, Quads: 1}},
	{way: split, block: glops.Block{Rows: 1, Quads: 1}, parts: 8},
	{way: split, block: glops.Block{Rows: 1, Quads: 1}, parts: 64},
	{way: split, block: glops.Block{Rows: 8, Quads: 2}, parts: 8},
	{way: reduced, block: glops.Block{Rows: 1, Quads: 1}},
	{way: tiled, block: glops.Block{Rows: 8, Quads: 2}},
	{way: apart},
	{way: direct},
}

// ByReduction and ByTiles are Options.Variants with which distances and the nearest of them are found as
// Su et al. (2016) compare: the threads of a workgroup share the work of a result and add up, or a workgroup
// shares tiles of the operands, and a thread compares and exchanges.
var (
	ByReduction = map[string]int{glops.ProductName: 12, glops.NearestName: glops.NearestReduced}
	ByTiles     = map[string]int{glops.ProductName: 13, glops.NearestName: glops.NearestExchanged}
)

// Choosable lists the operations that have numbered variants.
func Choosable() []gldevice.Choosable {
	var products []string
	for _, v := range variants {
		products = append(products, v.String())
	}
	return glops.Choosable(products)
}

func (v variant) String() string {
	switch v.way {
	case otherFetch:
		return fmt.Sprintf("blocks of %s, other fetch", v.block)
	case split:
		return fmt.Sprintf("blocks of %s, %d parts", v.block, v.parts)
	case reduced:
		return "reduced in a workgroup"
	case tiled:
		return "tiles of 64 x 64 in shared memory"
	case apart:
		return glops.ApartName
	case direct:
		return glops.DirectName
	}
	return "blocks of " + v.block.String()
}

// The workgroups of the ways that use shared memory, as the shaders know them.
const (
	groupSize     = 64
	reducedLanes  = 8 // texels of a row of the result
	reducedSlices = 8 // of the inner length
	tileRows      = 64
	tileQuads     = 16
)

func tilesOver(m, quads int) int { return glops.Block{Rows: tileRows, Quads: tileQuads}.Over(m, quads) }

// manyThreads is the number of threads with which no GPU that people have lacks work.
const manyThreads = 1 << 16

// productShape is a result of m rows of so many texels, the inner length in texels, what follows, and
// what more a convolution has.
type productShape struct {
	m, quads, innerQuads int
	then                 *program.Epilogue
	gathered             *glops.Gathered
}

// filterGradient reports whether it is that of a convolution: few rows and very long sums.
func (s productShape) filterGradient() bool {
	return s.gathered != nil && s.gathered.Form == program.FilterGradient
}

// largestOfSeveral is the number of the variant with the largest block that several results take
// by rule of thumb: the SGD step behind 16 x 16 values takes llvmpipe twice as long to compile as
// behind 16 x 8, and no less to run.
const largestOfSeveral = 2

// partsOfFilters gives the gradient of few filters threads enough.
var partsOfFilters = variant{way: split, block: glops.Block{Rows: 8, Quads: 2}, parts: 8}

// defaultVariant is the number of the variant that is taken without measuring.
func (e *executor) defaultVariant(s productShape) int {
	block := e.chooseBlock(s.m, s.quads)
	if s.filterGradient() && block.Rows < partsOfFilters.block.Rows {
		return slices.Index(variants, partsOfFilters) + 1
	}
	for i, v := range variants {
		switch {
		case v.way != onePass || v.block != block:
		case s.then != nil && len(s.then.Outs) > 1:
			return max(i+1, largestOfSeveral)
		default:
			return i + 1
		}
	}
	panic(fmt.Sprintf("compute: no variant has blocks of %s", block))
}

// candidates are the variants worth measuring for a shape, the default first.
func (e *executor) candidates(s productShape) []int {
	first := e.defaultVariant(s)
	all := []int{first}
	for i := len(variants); i > 0; i-- {
		if i != first && e.worthTrying(variants[i-1], s) {
			all = append(all, i)
		}
	}
	return all
}

func (e *executor) worthTrying(v variant, s productShape) bool {
	switch v.way {
	case apart:
		return glops.WorthApart(s.then)
	case direct:
		return !e.software && s.gathered.FewChannels()
	}
	threads := v.block.Over(s.m, s.quads)
	fits := v.block.Rows <= s.m+s.m/2 && v.block.Quads <= s.quads
	switch v.way {
	case otherFetch:
		// llvmpipe reads storage buffers lane by lane.
		return fits && !e.software && threads >= e.minItems/16
	case split, reduced:
		few := threads*max(v.parts, 1) <= manyThreads && (!e.software || s.m < 8 || s.filterGradient())
		return fits && few && s.innerQuads >= 4*max(v.parts, reducedSlices)
	case tiled:
		return !e.software && s.gathered == nil && s.m >= tileRows/2 && s.quads >= tileQuads/2
	}
	// Small blocks read too much where there are rows enough for large ones.
	return fits && threads >= e.minItems/16 && 2*v.block.Rows >= min(s.m, 16)
}
