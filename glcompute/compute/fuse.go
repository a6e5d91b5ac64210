package compute

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/program"
)

// Fuse computes a product together with the nonlinearity's gradient or the SGD step that
// takes it: the product itself is neither written nor read again.
func (e *executor) Fuse(b *builder, first, second program.Op) (gldevice.Step, error) {
	o, ok := first.(*program.MatMul)
	if !ok || !glops.Fusible(o) || e.variant > 0 {
		return nil, nil
	}
	product := glops.ByRows(o)
	m, _, inner := product.Dims()
	s := productShape{m: m, quads: b.Of(product.Out).Stride(), innerQuads: (inner + texelValues - 1) / texelValues}
	v := variants[e.defaultVariant(s)-1]
	if v.way != onePass || s.innerQuads > glops.LongestPart {
		return nil, nil
	}
	switch then := second.(type) {
	case *program.ActivationGrad:
		if then.DY == o.Out && then.Y != o.Out {
			return e.plan(e.launchBlocks(glops.ProductThenGradient(b, product, then, v.block), v.block))
		}
	case *program.SGD:
		if then.DW == o.Out && then.Low == nil {
			l := e.launchBlocks(glops.ProductThenUpdate(b, product, then, v.block), v.block)
			l.also = []operand{{Name: "V", Matrix: b.Of(then.V).Lying()}}
			return e.plan(l)
		}
	}
	return nil, nil
}
