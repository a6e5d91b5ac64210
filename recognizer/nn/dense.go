package nn

import (
	"fmt"

	"inkshade/glcompute"
)

var _ = register("dense", "dense UNITS [NONLINEARITY], like dense 128 relu", func(w *words) Kind { return Dense{Units: w.count("the number of units"), Function: w.function()} })

// Dense is y[batch][Units] = Function(x[batch][in] · weights[in][Units] + bias[1][Units]) of all
// values of what it reads.
type Dense struct {
	Units    int
	Function string
}

func (k Dense) String() string                { return named(fmt.Sprint("dense ", k.Units), k.Function) }
func (k Dense) Activation() string            { return k.Function }
func (k Dense) withFunction(name string) Kind { return Dense{k.Units, name} }
func (k Dense) withClasses(n int) Kind        { return Dense{n, k.Function} }

// Picture is all of the input.
func (Dense) Picture(in Shape) (over Shape, filters bool) { return in, false }

func (k Dense) Shape([]Shape) (Shape, error) { return Vector(k.Units), nil }

func (k Dense) Parameters(in []Shape) []ParameterInfo {
	return weightsAndBias(in[0].Size(), k.Units, k.Units, k.Function)
}

func (k Dense) Record(r *Recorder) *glcompute.Tensor {
	var sum *glcompute.Tensor
	if r.Sparse != nil {
		sum = r.SparseProduct(r.Sparse, r.Parameters[0])
	} else { // channels come last, so that the rows of all values are the same memory
		x := r.Reshape(r.Inputs[0], r.Batch, r.Shapes[0].Size())
		sum = r.Product(glcompute.Plain(x), glcompute.Plain(r.Parameters[0]))
	}
	return r.AfterSum(sum, r.Parameters[1], mustFunction(k.Function))
}
