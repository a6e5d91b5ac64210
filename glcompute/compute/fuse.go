package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// pairVariants are the variants of a product in one pass, which the operation after it can
// join: number n of variants is n + gldevice.Apart here.
func pairVariants() []string {
	var names []string
	for _, v := range variants {
		if v.way != onePass {
			break
		}
		names = append(names, v.String())
	}
	return names
}

// Fuse computes a product together with the nonlinearity's gradient or the SGD step that
// takes it, where that is faster (the product itself is neither written nor read again),
// two gradients that are elementwise, and column sums together with the SGD step.
func (e *executor) Fuse(b *builder, first, second program.Op) (gldevice.Step, error) {
	o, ok := first.(*program.MatMul)
	if !ok {
		return glops.FuseOthers(b, first, second, e.planStep)
	}
	o = glops.ByRows(o)
	class, ok := glops.PairClass(o, second)
	m, n, inner := o.Dims()
	s := productShape{m: m, quads: b.Of(o.Out).Stride(), innerQuads: glops.InnerQuads(o)}
	if !ok || e.variant > 0 || s.innerQuads > glops.LongestPart {
		return nil, nil
	}
	return b.ChoosePair(class, e.pairCandidates(s, m*n*inner), first, second, func(v int) (gldevice.Step, error) {
		return e.planPair(b, o, second, variants[v-gldevice.Apart-1].block)
	})
}

// largestUnmeasured is the number of the variant with the largest block that a pair takes by
// rule of thumb. llvmpipe compiles the SGD step behind 16 x 16 values for 5 to 7 seconds when
// it first runs, and behind 16 x 8, which is 2 to 13 % slower, for under 2.
const largestUnmeasured = 2

// pairCandidates are the variants worth measuring for a pair, the default first.
func (e *executor) pairCandidates(s productShape, work int) []int {
	first := max(e.defaultVariant(s), largestUnmeasured)
	all := []int{first + gldevice.Apart}
	if work < glops.WorthMeasuring {
		return all
	}
	for _, v := range e.candidates(s) {
		if v != first && variants[v-1].way == onePass {
			all = append(all, v+gldevice.Apart)
		}
	}
	return append(all, gldevice.Apart)
}

func (e *executor) planPair(b *builder, o *program.MatMul, second program.Op, block glops.Block) (gldevice.Step, error) {
	then, ok := second.(*program.SGD)
	if !ok {
		return e.plan(e.launchBlocks(glops.ProductThenGradient(b, o, second.(*program.ActivationGrad), block), block))
	}
	u, err := glops.InPlace(b, then)
	if err != nil {
		return nil, err
	}
	l := e.launchBlocks(glops.ProductThenUpdate(b, o, then, u, block), block)
	l.Also = []operand{{Name: "V", Matrix: u.V}}
	return e.plan(l)
}
