package nn

import (
	"errors"
	"math"
	"math/rand/v2"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

// Kind is what a layer does. Each has a file of its own with all there is to know of it.
type Kind interface {
	// String is the kind with its settings as a file of layers has them: "dense 128 relu".
	String() string
	// Shape is that of the result, or what is wrong with the shapes that the layer reads, of which there is one unless
	// the kind is joining.
	Shape(in []Shape) (Shape, error)
	// Parameters lists what the kind learns or keeps, for shapes that Shape takes.
	Parameters(in []Shape) []ParameterInfo
	// Record records the layer and gives its result, [batch·positions][channels].
	Record(r *Recorder) *program.Tensor
}

// ParameterInfo describes a parameter of a layer.
type ParameterInfo struct {
	Name       string
	Rows, Cols int
	Initial    func(rng *rand.Rand) float32 // gives a value at a time; nil for zeros
	Kept       bool                         // it is kept by training steps, not learned by gradients
}

// Recorder is what a kind records a layer with.
type Recorder struct {
	*program.Program
	Batch      int
	Shapes     []Shape           // of what the layer reads
	Inputs     []*program.Tensor // what it reads: [Batch·positions][channels]
	Parameters []*program.Tensor // those of Kind.Parameters
	Training   bool              // a step is recorded, not use
	Sparse     *program.Sparse   // what it reads, where that comes as sparse rows; for Dense

	masks []mask
}

// finished is implemented by kinds that end in a nonlinearity.
type finished interface{ function() string }

// joining is implemented by kinds that read several values; all others read one.
type joining interface{ joins() }

// classifying is implemented by kinds whose classes are the columns of every parameter, so that
// more can be added.
type classifying interface{ withClasses(n int) Kind }

// identity is the name of no nonlinearity; an empty one stands for it too.
const identity = "identity"

// functionNamed finds a nonlinearity of package expr.
func functionNamed(name string) (expr.Function, error) {
	if name == "" {
		name = identity
	}
	return expr.FunctionNamed(name)
}

// mustFunction is functionNamed for a kind whose Shape has found it before.
func mustFunction(name string) expr.Function {
	f, err := functionNamed(name)
	if err != nil {
		panic("nn: " + err.Error())
	}
	return f
}

// named is the words of a kind with its nonlinearity, if it has one, at the end.
func named(words, function string) string {
	if function == "" || function == identity {
		return words
	}
	return words + " " + function
}

// errNothing and errUnits are those of layers that read or give nothing.
var (
	errNothing = errors.New("it reads nothing")
	errUnits   = errors.New("it gives no values; use at least 1")
)

// initialWeights draws weights from in to out units: before a rectifier normal with variance
// 2/in (He et al., 2015), otherwise uniform within ±√(6/(in+out)) (Glorot and Bengio, 2010),
// four times that for the sigmoid, whose slope at zero is a quarter.
func initialWeights(in, out int, function string) func(rng *rand.Rand) float32 {
	switch function {
	case "relu", "leaky-relu", "elu", "gelu":
		scale := math.Sqrt(2 / float64(in))
		return func(rng *rand.Rand) float32 { return float32(rng.NormFloat64() * scale) }
	}
	limit := math.Sqrt(6 / float64(in+out))
	if function == "sigmoid" {
		limit *= 4
	}
	return func(rng *rand.Rand) float32 { return float32((2*rng.Float64() - 1) * limit) }
}
