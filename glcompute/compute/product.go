package compute

import (
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
		return glops.PlanSparse(b, o, e.together(b))
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
