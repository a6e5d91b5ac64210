package nn

import "inkshade/glcompute"

func init() {
	register("add", "add [NONLINEARITY] from NAME, NAME", func(w *words) Kind { return Add{Function: w.function()} })
}

// Add is Function of the sum of all that the layer reads, which has one shape: a residual
// connection (He et al., 2016).
type Add struct{ Function string }

func (k Add) String() string     { return named("add", k.Function) }
func (k Add) Activation() string { return k.Function }
func (Add) readsSeveral()        {}

func (k Add) Shape(in []Shape) (Shape, error) {
	if _, err := functionNamed(k.Function); err != nil {
		return Shape{}, err
	}
	return sameShape(in, 2)
}

func (k Add) Record(r *Recorder) *glcompute.Tensor {
	sum, args := glcompute.Arg(0), r.Inputs[:1]
	for _, x := range r.Inputs[1:] {
		if len(args) == mostOperands {
			sum, args = glcompute.Arg(0), []*glcompute.Tensor{r.Elementwise("add", sum, args...)}
		}
		sum, args = glcompute.Add(sum, glcompute.Arg(len(args))), append(args[:len(args):len(args)], x)
	}
	return r.Elementwise("add", mustFunction(k.Function)(sum), args...)
}

// mostOperands is how many values are added at once: a device reads few at the same time.
const mostOperands = 6
