package fragment

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// Fuse draws a product together with the nonlinearity's gradient or the SGD step that takes
// it: the product itself is neither drawn nor read again.
func (e *executor) Fuse(b *builder, first, second program.Op) (gldevice.Step, error) {
	o, ok := first.(*program.MatMul)
	if !ok || !glops.Fusible(o) {
		return nil, nil
	}
	product := glops.ByRows(o)
	// The unpacked product has one variant only.
	if e.values > 1 && (e.variant > 0 || e.defaultVariant(b.Of(o.Out).Memory, innerQuads(product)) != onePass) {
		return nil, nil
	}
	block := glops.Block{Rows: b.Of(o.Out).Memory.targets(), Quads: 1}
	switch then := second.(type) {
	case *program.ActivationGrad:
		if then.DY == o.Out && then.Y != o.Out {
			return e.plan(b, drawn{Kernel: glops.ProductThenGradient(b, product, then, block), often: often, mirrors: e.mirrors})
		}
	case *program.SGD:
		if then.DW == o.Out && then.Low == nil {
			if w := b.Of(then.W).Memory; w.targets() == 1 {
				k := drawn{Kernel: glops.ProductThenUpdate(b, product, then, block), also: b.Of(then.V).Memory, often: often, mirrors: e.mirrors}
				k.Reads = append(k.Reads, oldValues(b, then)...)
				return e.plan(b, k)
			}
			momentum, err := e.plan(b, drawn{Kernel: glops.ProductThenMomentum(b, product, then, block), often: often, mirrors: e.mirrors})
			if err != nil {
				return nil, err
			}
			weights, err := b.Plan(glops.Weights(b, then))
			if err != nil {
				return nil, err
			}
			return gldevice.Sequence(momentum, weights), nil
		}
	}
	return nil, nil
}

// innerQuads is the number of texels of the inner length.
func innerQuads(o *program.MatMul) int {
	_, _, inner := o.Dims()
	return (inner + gldevice.TexelValues - 1) / gldevice.TexelValues
}
