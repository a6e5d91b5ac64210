package compute

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

// Blocks that a thread of the product may compute, from the largest: the larger, the
// fewer reads for each multiplication, and the fewer threads. Multiplications for each
// texel read are 16·rows·quads/(rows + 4·quads): 32 for 16 x 4, 16 for 8 x 2. A GPU keeps
// the sums in registers and has room for 8 x 2; llvmpipe keeps them in the first-level
// cache, where 16 x 4 gave 32 GFLOP/s a core and 16 x 2 gave 26.
var (
	blocksInRegisters = []glops.Block{{Rows: 8, Quads: 2}, {Rows: 8, Quads: 1}, {Rows: 4, Quads: 1}, {Rows: 1, Quads: 1}}
	blocksInCache     = append([]glops.Block{{Rows: 16, Quads: 4}, {Rows: 16, Quads: 2}}, blocksInRegisters...)
)

// chooseBlock takes the largest block that leaves threads enough and wastes few rows.
func (e *executor) chooseBlock(m, quads int) glops.Block {
	for _, b := range e.blocks {
		if b.Rows <= m+m/2 && b.Quads <= quads && b.Over(m, quads) >= e.minItems {
			return b
		}
	}
	return e.blocks[len(e.blocks)-1]
}

type product = glops.Product[*buffer]

// planProduct plans the variant that suits the shape, by measurement where there is a
// place to keep what was measured.
func (e *executor) planProduct(b *builder, o *program.Product) (gldevice.Step, error) {
	if o.A.Sparse != nil {
		return glops.PlanSparse(b, o, atOnce)
	}
	p, err := glops.NewProduct(b, o)
	if err != nil {
		return nil, err
	}
	s := productShape{m: p.M, quads: p.Sums.Stride(), innerQuads: p.InnerQuads(), then: o.Epilogue, gathered: p.Gathered}
	switch {
	case s.gathered != nil && !s.gathered.Blocks:
		return p.Direct(b, 1)
	case s.innerQuads > glops.LongestPart:
		return e.planSplit(b, p, e.chooseBlock(s.m, s.quads), (s.innerQuads+glops.LongestPart-1)/glops.LongestPart)
	}
	candidates := e.candidates(s)
	if p.Multiplications() < glops.WorthMeasuring {
		candidates = candidates[:1]
	}
	return b.Choose(p.Class(o), candidates, func(v int) (gldevice.Step, error) {
		switch way := variants[v-1].way; {
		case way == apart && o.Epilogue != nil:
			return glops.PlanApart(b, o, e.planProduct, e.planElementwise)
		case way == apart, way == tiled && s.gathered != nil, way == direct && s.gathered == nil:
			v = candidates[0] // it is always taken, where it can be
		}
		p, err := glops.NewProduct(b, o) // a trial writes elsewhere
		if err != nil {
			return nil, err
		}
		return e.planVariant(b, p, s, v)
	})
}

// planVariant plans a product as variant number v.
func (e *executor) planVariant(b *builder, p *product, s productShape, v int) (gldevice.Step, error) {
	x := variants[v-1]
	switch x.way {
	case direct:
		return p.Direct(b, 1)
	case tiled:
		k := p.OfParts(x.block)
		k.File = "tiled.glsl"
		return e.plan(launch{Kernel: k, items: groupSize * tilesOver(s.m, s.quads), work: k.Work * x.block.Rows * x.block.Quads, local: groupSize})
	case reduced:
		k := p.OfParts(x.block)
		k.File = "reduced.glsl"
		groups := glops.Block{Rows: x.block.Rows, Quads: reducedLanes}.Over(s.m, s.quads)
		return e.plan(launch{Kernel: k, items: groupSize * groups, work: k.Work*x.block.Rows/reducedSlices + 1, local: groupSize})
	case split:
		return e.planSplit(b, p, x.block, x.parts)
	}
	l := e.launchBlocks(p.OnePass(b, x.block), x.block)
	l.otherFetch = x.way == otherFetch
	return e.plan(l)
}

func (e *executor) planSplit(b *builder, p *product, block glops.Block, parts int) (gldevice.Step, error) {
	same := func(matrix) glops.Block { return block }
	return p.Split(b, parts, same, func(k gldevice.Kernel[*buffer]) (gldevice.Step, error) {
		return e.plan(e.launchBlocks(k, block))
	})
}

// launchBlocks gives each block of the kernel's result a thread.
func (e *executor) launchBlocks(k gldevice.Kernel[*buffer], block glops.Block) launch {
	// Without tests for the edge llvmpipe compiles half as long.
	k.Source.Define("COVERED", k.Out.Rows%block.Rows == 0 && k.Out.Stride()%block.Quads == 0)
	return launch{Kernel: k, items: block.Over(k.Out.Rows, k.Out.Stride()), work: k.Work * block.Rows * block.Quads}
}

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
	name  string
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
	{"blocks of 16 x 16", onePass, glops.Block{Rows: 16, Quads: 4}, 0},
	{"blocks of 16 x 8", onePass, glops.Block{Rows: 16, Quads: 2}, 0},
	{"blocks of 8 x 8", onePass, glops.Block{Rows: 8, Quads: 2}, 0},
	{"blocks of 8 x 4", onePass, glops.Block{Rows: 8, Quads: 1}, 0},
	{"blocks of 4 x 4", onePass, glops.Block{Rows: 4, Quads: 1}, 0},
	{"blocks of 1 x 4", onePass, glops.Block{Rows: 1, Quads: 1}, 0},
	{"blocks of 8 x 8, other fetch", otherFetch, glops.Block{Rows: 8, Quads: 2}, 0},
	{"blocks of 1 x 4, other fetch", otherFetch, glops.Block{Rows: 1, Quads: 1}, 0},
	{"blocks of 1 x 4, 8 parts", split, glops.Block{Rows: 1, Quads: 1}, 8},
	{"blocks of 1 x 4, 64 parts", split, glops.Block{Rows: 1, Quads: 1}, 64},
	{"blocks of 8 x 8, 8 parts", split, glops.Block{Rows: 8, Quads: 2}, 8},
	{"reduced in a workgroup", reduced, glops.Block{Rows: 1, Quads: 1}, 0},
	{"tiles of 64 x 64 in shared memory", tiled, glops.Block{Rows: 8, Quads: 2}, 0},
	{name: glops.ApartName, way: apart},
	{name: glops.DirectName, way: direct},
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
		products = append(products, v.name)
	}
	return glops.Choosable(products)
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

// partsOfFilters is the number of the variant that gives the gradient of few filters threads enough.
const partsOfFilters = 11

// defaultVariant is the number of the variant that is taken without measuring.
func (e *executor) defaultVariant(s productShape) int {
	block := e.chooseBlock(s.m, s.quads)
	if s.filterGradient() && block.Rows < variants[partsOfFilters-1].block.Rows {
		return partsOfFilters
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
	panic(fmt.Sprintf("compute: no variant has blocks of %v", block))
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

// elementRows is the number of rows of which a thread computes an element on a software
// renderer, where short threads are dear: four took three quarters of the time of one.
const elementRows = 4

func (e *executor) planElementwise(b *builder, o *program.Elementwise) (gldevice.Step, error) {
	f, err := glops.NewFormulas(b, o, -1)
	if err != nil {
		return nil, err
	}
	return e.planFormulas(o.Name(), f)
}

// planTwoFloats makes the step in one pass, where the shared plan needs four.
func (e *executor) planTwoFloats(b *builder, o *program.SGDTwoFloats) (gldevice.Step, error) {
	f, err := glops.TwoFloats(b, o)
	if err != nil {
		return nil, err
	}
	f.Precise = true
	return e.planFormulas(o.Name(), f)
}

func (e *executor) planFormulas(op string, f *formulas) (gldevice.Step, error) {
	l := launch{Kernel: glops.ElementsKernel(op, f)}
	if e.software {
		l.rows = min(elementRows, l.Out.Rows)
	}
	return e.plan(l)
}

func planReduce(b *builder, o *program.Reduce) (gldevice.Step, error) {
	return glops.PlanReduce(b, o, atOnce)
}

type formulas = glops.Formulas[*buffer]

// atOnce plans all results of formulas together.
func atOnce(_ *builder, f *formulas, plan func(*formulas) (gldevice.Step, error)) (gldevice.Step, error) {
	return plan(f)
}
