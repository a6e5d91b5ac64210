package nn

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

// Add is Function of the sum of all that the layer reads, which has one shape: a residual
// connection (He et al., 2016).
type Add struct{ Function string }

func (k Add) String() string   { return named("add", k.Function) }
func (k Add) function() string { return k.Function }
func (Add) joins()             {}

func readAdd(w *words) Kind { return Add{Function: w.function()} }

func (k Add) Shape(in []Shape) (Shape, error) {
	if _, err := functionNamed(k.Function); err != nil {
		return Shape{}, err
	}
	return sameShape(in, 2)
}

func (k Add) Parameters([]Shape) []ParameterInfo { return nil }

func (k Add) Record(r *Recorder) *program.Tensor {
	sum := expr.Arg(0)
	for i := range r.Inputs[1:] {
		sum = expr.Add(sum, expr.Arg(i+1))
	}
	return r.Elementwise("add", mustFunction(k.Function).Of(sum), r.Inputs...)
}
