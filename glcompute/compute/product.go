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

func (e *executor) planProduct(b *builder, o *program.Product) gldevice.Step {
	if o.A.Sparse != nil {
		return glops.PlanSparse(b, o, atOnce)
	}
	p := glops.NewProduct(b, o)
	s := productShape{m: p.M, quads: p.Sums.Stride(), innerQuads: p.InnerQuads(), then: o.Epilogue, gathered: p.Gathered}
	switch {
	case s.gathered != nil && !s.gathered.Blocks:
		return p.Direct(b, 1)
	case s.innerQuads > glops.LongestPart:
		return e.planSplit(b, p, e.chooseBlock(s.m, s.quads), (s.innerQuads+glops.LongestPart-1)/glops.LongestPart)
	}
	return p.Choose(b, o, variants, e.candidates(s), func(p *product, v glops.Variant) gldevice.Step {
		switch v.Way {
		case glops.Direct:
			return p.Direct(b, 1)
		case glops.Tiled:
			k := p.OfParts(v.Block)
			k.File = "tiled.glsl"
			tiles := glops.Block{Rows: tileRows, Quads: tileQuads}.Over(s.m, s.quads)
			return e.plan(launch{Kernel: k, items: groupSize * tiles, work: k.Work * v.Block.Rows * v.Block.Quads, local: groupSize})
		case glops.Reduced:
			k := p.OfParts(v.Block)
			k.File = "reduced.glsl"
			groups := glops.Block{Rows: v.Block.Rows, Quads: reducedLanes}.Over(s.m, s.quads)
			return e.plan(launch{Kernel: k, items: groupSize * groups, work: k.Work*v.Block.Rows/reducedSlices + 1, local: groupSize})
		case glops.InParts:
			return e.planSplit(b, p, v.Block, v.Parts)
		}
		l := e.launchBlocks(p.OnePass(b, v.Block), v.Block)
		l.otherFetch = v.Way == glops.OtherReads
		return e.plan(l)
	})
}

func (e *executor) planSplit(b *builder, p *product, block glops.Block, parts int) gldevice.Step {
	same := func(matrix) glops.Block { return block }
	return p.Split(b, parts, same, func(k *gldevice.Kernel[*buffer]) gldevice.Step { return e.plan(e.launchBlocks(k, block)) })
}

// launchBlocks gives each block of the kernel's result a thread.
func (e *executor) launchBlocks(k *gldevice.Kernel[*buffer], block glops.Block) launch {
	// Without tests for the edge llvmpipe compiles half as long.
	k.Source.Define("COVERED", k.Out.Rows%block.Rows == 0 && k.Out.Stride()%block.Quads == 0)
	return launch{Kernel: k, items: block.Over(k.Out.Rows, k.Out.Stride()), work: k.Work * block.Rows * block.Quads}
}

// variants are numbered from one. What each is for: 1 to 6 are the blocks of a thread, for
// software renderers and GPUs; 7 and 8 exist because drivers differ in what they cache; 9
// to 12 give a product with few results, such as one drawing, threads enough for a GPU; 13
// reads each value from memory once for 64 rows or columns, which GPUs need and software
// renderers do not; 15 may suit convolutions of few channels on a GPU. docs/benchmarks.md has
// their times.
var variants = []glops.Variant{
	{Name: "blocks of 16 x 16", Way: glops.OnePass, Block: glops.Block{Rows: 16, Quads: 4}},
	{Name: "blocks of 16 x 8", Way: glops.OnePass, Block: glops.Block{Rows: 16, Quads: 2}},
	{Name: "blocks of 8 x 8", Way: glops.OnePass, Block: glops.Block{Rows: 8, Quads: 2}},
	{Name: "blocks of 8 x 4", Way: glops.OnePass, Block: glops.Block{Rows: 8, Quads: 1}},
	{Name: "blocks of 4 x 4", Way: glops.OnePass, Block: glops.Block{Rows: 4, Quads: 1}},
	{Name: "blocks of 1 x 4", Way: glops.OnePass, Block: glops.Block{Rows: 1, Quads: 1}},
	{Name: "blocks of 8 x 8, other fetch", Way: glops.OtherReads, Block: glops.Block{Rows: 8, Quads: 2}},
	{Name: "blocks of 1 x 4, other fetch", Way: glops.OtherReads, Block: glops.Block{Rows: 1, Quads: 1}},
	{Name: "blocks of 1 x 4, 8 parts", Way: glops.InParts, Block: glops.Block{Rows: 1, Quads: 1}, Parts: 8},
	{Name: "blocks of 1 x 4, 64 parts", Way: glops.InParts, Block: glops.Block{Rows: 1, Quads: 1}, Parts: 64},
	{Name: "blocks of 8 x 8, 8 parts", Way: glops.InParts, Block: glops.Block{Rows: 8, Quads: 2}, Parts: 8},
	{Name: "reduced in a workgroup", Way: glops.Reduced, Block: glops.Block{Rows: 1, Quads: 1}},
	{Name: "tiles of 64 x 64 in shared memory", Way: glops.Tiled, Block: glops.Block{Rows: 8, Quads: 2}},
	{Name: glops.ApartName, Way: glops.Apart},
	{Name: glops.DirectName, Way: glops.Direct},
}

// ByReduction and ByTiles are Options.Variants with which distances and the nearest of them are found as
// Su et al. (2016) compare: the threads of a workgroup share the work of a result and add up, or a workgroup
// shares tiles of the operands, and a thread compares and exchanges.
var (
	ByReduction = map[string]int{glops.ProductName: 12, glops.NearestName: glops.NearestReduced}
	ByTiles     = map[string]int{glops.ProductName: 13, glops.NearestName: glops.NearestExchanged}
)

// Tunables lists the operations that have numbered variants.
func Tunables() []gldevice.Tunable { return glops.Tunables(variants) }

// The workgroups of the ways that use shared memory, as the shaders know them.
const (
	groupSize     = 64
	reducedLanes  = 8 // texels of a row of the result
	reducedSlices = 8 // of the inner length
	tileRows      = 64
	tileQuads     = 16
)

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

// The numbers of the variants that share an inner product between threads.
const (
	manyParts = 10
	fewParts  = 11 // gives the gradient of few filters threads enough
	reduced   = 12
)

// shared is the number of the variant with which a GPU has threads enough for few results of long sums, 0 where it has them anyway.
// On an NVIDIA H200 it takes a quarter to nine tenths of the time of a thread for each result, of very long sums a thirtieth.
func shared(s productShape) int {
	const long, veryLong = 32, 512 // texels of the inner length
	results := s.m * s.quads
	switch {
	case s.innerQuads < long:
		return 0
	case s.innerQuads >= veryLong && results*variants[manyParts-1].Parts <= manyThreads:
		return manyParts
	case results <= manyThreads/2:
		return reduced
	case results < 4*manyThreads && s.m >= variants[fewParts-1].Block.Rows && s.quads >= variants[fewParts-1].Block.Quads:
		return fewParts
	}
	return 0
}

// defaultVariant is the number of the variant that is taken without measuring.
func (e *executor) defaultVariant(s productShape) int {
	block := e.chooseBlock(s.m, s.quads)
	if !e.software {
		if v := shared(s); v > 0 {
			return v
		}
	}
	if s.filterGradient() && block.Rows < variants[fewParts-1].Block.Rows {
		return fewParts
	}
	for i, v := range variants {
		switch {
		case v.Way != glops.OnePass || v.Block != block:
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

func (e *executor) worthTrying(v glops.Variant, s productShape) bool {
	switch v.Way {
	case glops.Apart:
		return glops.WorthApart(s.then)
	case glops.Direct:
		return !e.software && s.gathered.FewChannels()
	}
	threads := v.Block.Over(s.m, s.quads)
	fits := v.Block.Rows <= s.m+s.m/2 && v.Block.Quads <= s.quads
	switch v.Way {
	case glops.OtherReads:
		// llvmpipe reads storage buffers lane by lane.
		return fits && !e.software && threads >= e.minItems/16
	case glops.InParts, glops.Reduced:
		few := threads*max(v.Parts, 1) <= manyThreads && (!e.software || s.m < 8 || s.filterGradient())
		return fits && few && s.innerQuads >= 4*max(v.Parts, reducedSlices)
	case glops.Tiled:
		return !e.software && s.gathered == nil && s.m >= tileRows/2 && s.quads >= tileQuads/2
	}
	// Small blocks read too much where there are rows enough for large ones.
	return fits && threads >= e.minItems/16 && 2*v.Block.Rows >= min(s.m, 16)
}

type formulas = glops.Formulas[*buffer]

// atOnce plans all results of formulas together.
func atOnce(_ *builder, f *formulas, plan func(*formulas) gldevice.Step) gldevice.Step {
	return plan(f)
}
