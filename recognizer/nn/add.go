package nn

import "inkshade/glcompute"

var _ = register("add", "add [NONLINEARITY] from NAME, NAME", func(w *words) Kind { return Add{Function: w.function()} })

// Add is Function of the sum of all that the layer reads, which has one shape: a residual
// connection (He et al., 2016).
type Add struct{ Function string }

func (k Add) String() string     { return named("add", k.Function) }
func (k Add) Activation() string { return k.Function }
func (Add) readsSeveral()        {}

func (k Add) Shape(in []Shape) (Shape, error) { return sameShape(in, 2) }

func (k Add) Record(r *Recorder) *glcompute.Tensor {
	sum, rest := r.Inputs[0], r.Inputs[1:]
	for i, x := range rest {
		e := glcompute.Add(glcompute.Arg(0), glcompute.Arg(1))
		if i == len(rest)-1 {
			e = mustFunction(k.Function)(e)
		}
		sum = r.Elementwise("add", e, sum, x)
	}
	return sum
}
