package fragment

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// pairInOnePass is the number of the variant of a pair that follows gldevice.Apart.
const pairInOnePass = gldevice.Apart + 1

var pairVariants = []string{"one pass"}

// Fuse draws a product together with the nonlinearity's gradient or the SGD step that takes
// it, where that is faster (the product itself is neither drawn nor read again),
// two gradients that are elementwise, and column sums together with the SGD step.
func (e *executor) Fuse(b *builder, first, second program.Op) (gldevice.Step, error) {
	o, ok := first.(*program.MatMul)
	if !ok {
		return glops.FuseOthers(b, first, second, e.planStep)
	}
	o = glops.ByRows(o)
	class, ok := glops.PairClass(o, second)
	if !ok {
		return nil, nil
	}
	inOnePass := func(int) (gldevice.Step, error) { return e.planPair(b, o, second) }
	if e.values == 1 { // the unpacked product has one variant only
		return inOnePass(pairInOnePass)
	}
	m, n, inner := o.Dims()
	quads := glops.InnerQuads(o)
	if e.variant > 0 || quads > glops.LongestPart {
		return nil, nil
	}
	candidates := []int{pairInOnePass, gldevice.Apart}
	if e.defaultVariant(b.Of(o.Out).Memory, quads) != onePass {
		candidates = []int{gldevice.Apart, pairInOnePass}
	}
	if m*n*inner < glops.WorthMeasuring {
		candidates = candidates[:1]
	}
	return b.ChoosePair(class, candidates, first, second, inOnePass)
}

// planPair plans both in one pass, or in two where the weights of an SGD step lie in planes.
func (e *executor) planPair(b *builder, o *program.MatMul, second program.Op) (gldevice.Step, error) {
	block := glops.Block{Rows: b.Of(o.Out).Memory.targets(), Quads: 1}
	product := func(k gldevice.Kernel[*texture], also []gldevice.Operand[*texture]) (gldevice.Step, error) {
		k.Also = also
		return e.plan(b, drawn{Kernel: k, often: often, mirrors: e.mirrors})
	}
	then, ok := second.(*program.SGD)
	if !ok {
		return product(glops.ProductThenGradient(b, o, second.(*program.ActivationGrad), block), nil)
	}
	u, err := glops.InPlace(b, then)
	if err != nil {
		return nil, err
	}
	if u.W.Memory.targets() == 1 {
		k := glops.ProductThenUpdate(b, o, then, u, block)
		k.Reads = append(k.Reads, u.Old()...)
		return product(k, []gldevice.Operand[*texture]{{Name: "V", Matrix: u.V}})
	}
	momentum, err := product(glops.ProductThenMomentum(b, o, then, u, block), nil)
	if err != nil {
		return nil, err
	}
	weights, err := b.Plan(glops.Weights(b, then, u))
	return gldevice.Sequence(momentum, weights), err
}
