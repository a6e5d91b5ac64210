package nn

import (
	"inkshade/glcompute"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/message"
)

var _ = register("elementwise", "elementwise NONLINEARITY, like elementwise relu", func(w *words) Kind { return Elementwise{Name: w.must("the nonlinearity")} })

// Elementwise is a formula over the elements of what the layer reads, all of one shape: operand
// i is what it reads at place i.
type Elementwise struct {
	Name    string // of a nonlinearity of package expr, where there is no Formula
	Formula *expr.Expr
}

func (k Elementwise) String() string {
	if k.Formula != nil {
		return "elementwise " + k.Formula.Key()
	}
	return "elementwise " + k.Name
}

func (Elementwise) readsSeveral() {}

func (k Elementwise) Shape(in []Shape) (Shape, error) {
	operands := 1
	if k.Formula == nil {
		if _, err := expr.FunctionNamed(k.Name); err != nil {
			return Shape{}, err
		}
	} else {
		k.Formula.Leaves(func(leaf *expr.Expr) {
			if leaf.Kind == expr.LeafOperand {
				operands = max(operands, leaf.Index+1)
			}
		})
	}
	return sameShape(in, operands)
}

// sameShape is that of all values that a layer reads, at least so many.
func sameShape(in []Shape, least int) (Shape, error) {
	if len(in) < least {
		return Shape{}, message.Errorf("it reads %d values, want at least %d", len(in), least)
	}
	for _, s := range in[1:] {
		if s != in[0] {
			return Shape{}, message.Errorf("it reads values of the shapes %s and %s, which must be the same", in[0], s)
		}
	}
	return in[0], nil
}

func (k Elementwise) Record(r *Recorder) *glcompute.Tensor {
	if k.Formula == nil {
		return r.Apply(mustFunction(k.Name), r.Inputs[0])
	}
	return r.Elementwise("formula", k.Formula, r.Inputs...)
}
