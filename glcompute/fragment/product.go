package fragment

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/glops"
	"inkshade/glcompute/internal/program"
)

type product = glops.Product[*texture]

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
	quads := p.InnerQuads()
	switch {
	case p.Sums.Memory.targets() > 1 && p.Formulas.OfSums() > 1:
		return glops.PlanApart(b, o, e.planProduct, e.planElementwise)
	case p.Gathered != nil && (e.values == 1 || !p.Gathered.Blocks):
		return e.planVariant(b, p, variant{direct: true})
	case e.values == 1:
		return e.planVariant(b, p, variant{span: glops.LongestPart})
	case quads > glops.LongestPart:
		return e.planVariant(b, p, variant{parts: (quads + glops.LongestPart - 1) / glops.LongestPart})
	}
	candidates := e.candidates(p.Sums.Memory, quads, o.Epilogue, p.Gathered)
	if p.Multiplications() < glops.WorthMeasuring {
		candidates = candidates[:1]
	}
	return b.Choose(p.Class(o), candidates, func(v int) (gldevice.Step, error) {
		switch x := variants[v-1]; {
		case x.apart && o.Epilogue != nil:
			return glops.PlanApart(b, o, e.planProduct, e.planElementwise)
		case x.apart, x.direct && p.Gathered == nil:
			v = candidates[0] // it is always taken, where it can be
		}
		p, err := glops.NewProduct(b, o) // a trial writes elsewhere
		if err != nil {
			return nil, err
		}
		return e.planVariant(b, p, variants[v-1])
	})
}

// planVariant plans a product and what becomes of its sums. Of results that must be drawn one after
// another the one that is made of the sums is drawn with the product.
func (e *executor) planVariant(b *builder, p *product, v variant) (gldevice.Step, error) {
	return e.inTurn(b, p.Formulas, func(f *formulas) (gldevice.Step, error) {
		if f.OfSums() > 0 {
			return e.planSums(b, p.With(f), v)
		}
		return b.Plan(glops.ElementsKernel(p.Op, f))
	})
}

// planSums plans a product of which a fragment takes all results.
func (e *executor) planSums(b *builder, p *product, v variant) (gldevice.Step, error) {
	block := func(out matrix) glops.Block { return glops.Block{Rows: out.Memory.targets(), Quads: 1} }
	plan := func(k gldevice.Kernel[*texture]) (gldevice.Step, error) {
		return e.plan(b, drawn{Kernel: k, often: often, mirrors: e.mirrors != v.otherOperands})
	}
	switch {
	case v.direct:
		return p.Direct(b, p.Sums.Memory.targets())
	case v.span > 0:
		return p.InSpans(b, block(p.Sums), v.span, plan)
	case v.parts == 1:
		return plan(p.OnePass(b, block(p.Sums)))
	}
	return p.Split(b, v.parts, block, plan)
}
