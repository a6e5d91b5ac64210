package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
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

// planMatMul plans the variant that suits the shape, by measurement where there is a
// place to keep what was measured.
func (e *executor) planMatMul(b *builder, o *program.MatMul) (gldevice.Step, error) {
	o = glops.ByRows(o)
	m, n, inner := o.Dims()
	s := productShape{m: m, quads: b.Of(o.Out).Stride(), innerQuads: glops.InnerQuads(o)}
	if s.innerQuads > glops.LongestPart {
		return e.planSplit(b, o, e.chooseBlock(m, s.quads), (s.innerQuads+glops.LongestPart-1)/glops.LongestPart)
	}
	// A sum that is added to a parameter cannot be tried without changing it.
	if m*n*inner < glops.WorthMeasuring || o.Accumulate {
		return e.planVariant(b, o, s, e.defaultVariant(s))
	}
	return b.Choose(glops.ProductClass(o), e.candidates(s), func(v int) (gldevice.Step, error) {
		return e.planVariant(b, o, s, v)
	})
}

// planVariant plans a product as variant number v.
func (e *executor) planVariant(b *builder, o *program.MatMul, s productShape, v int) (gldevice.Step, error) {
	x := variants[v-1]
	switch x.way {
	case tiled:
		k := glops.Bare(b, o, x.block)
		k.File = "tiled.glsl"
		l := launch{Kernel: k, items: groupSize * tilesOver(s.m, s.quads), work: k.Work * x.block.Rows * x.block.Quads, local: groupSize}
		return e.plan(l)
	case reduced:
		k := glops.Bare(b, o, x.block)
		k.File = "reduced.glsl"
		groups := glops.Block{Rows: x.block.Rows, Quads: reducedLanes}.Over(s.m, s.quads)
		return e.plan(launch{Kernel: k, items: groupSize * groups, work: k.Work*x.block.Rows/reducedSlices + 1, local: groupSize})
	case split:
		return e.planSplit(b, o, x.block, x.parts)
	}
	l := e.launchBlocks(glops.Product(b, o, x.block), x.block)
	l.otherFetch = x.way == otherFetch
	return e.plan(l)
}

func (e *executor) planSplit(b *builder, o *program.MatMul, block glops.Block, parts int) (gldevice.Step, error) {
	same := func(matrix) glops.Block { return block }
	return glops.SplitProduct(b, o, parts, same, func(k gldevice.Kernel[*buffer]) (gldevice.Step, error) {
		return e.plan(e.launchBlocks(k, block))
	})
}

// launchBlocks gives each block of the kernel's result a thread.
func (e *executor) launchBlocks(k gldevice.Kernel[*buffer], block glops.Block) launch {
	return launch{Kernel: k, items: block.Over(k.Out.Rows, k.Out.Stride()), work: k.Work * block.Rows * block.Quads}
}
