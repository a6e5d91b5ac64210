package nn

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// Kind is what a layer does. Each has a file of its own with all there is to know of it.
type Kind interface {
	// String is the kind with its settings as a file of layers has them: "dense 128 relu".
	String() string
	// Shape is that of the result, or what is wrong with the shapes that the layer reads, of which there is one unless
	// the kind is multiInput.
	Shape(in []Shape) (Shape, error)
	// Record records the layer and gives its result, [batch·positions][channels].
	Record(r *Recorder) *glcompute.Tensor
}

// registration is how a file of layers names a kind; read is nil for one that none can name.
type registration struct {
	usage string
	read  func(w *words) Kind
}

// registered are the kinds by what they are called.
var registered = map[string]registration{}

func register(name, usage string, read func(w *words) Kind) registration {
	registered[name] = registration{usage, read}
	return registered[name]
}

// KindNames are what kinds of layers are called, in order.
func KindNames() []string { return slices.Sorted(maps.Keys(registered)) }

func readKind(line []string) (Kind, error) {
	k := registered[line[0]]
	if k.read == nil {
		known := slices.DeleteFunc(KindNames(), func(name string) bool { return registered[name].read == nil })
		return nil, message.Errorf("%.60q is no kind of layer; use one of %s", line[0], strings.Join(known, ", "))
	}
	w := &words{left: line[1:]}
	kind := k.read(w)
	if err := w.end(); err != nil {
		return nil, message.Errorf("%w; write %s", err, k.usage)
	}
	return kind, nil
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
	*glcompute.Program
	Batch      int
	Shapes     []Shape             // of what the layer reads
	Inputs     []*glcompute.Tensor // what it reads: [Batch·positions][channels]
	Parameters []*glcompute.Tensor // those of Layer.Parameters
	Training   bool                // a step is recorded, not use
	Sparse     *glcompute.Sparse   // what it reads, where that comes as sparse rows; for Dense

	masks []mask
}

// Capabilities that a kind may have. Those of folding are in folded.go.
type (
	// parametrised kinds have what they learn or keep, which Parameters lists for shapes that Shape takes.
	parametrised interface {
		Parameters(in []Shape) []ParameterInfo
	}
	// Activated kinds end in a nonlinearity, an empty one for none; functionNamed finds it.
	Activated interface{ Activation() string }
	// multiInput kinds read several values; all others read one.
	multiInput interface{ readsSeveral() }
	// rearranging kinds give the values that they read, in another place.
	rearranging interface{ rearranges() }
	// Pictured kinds have weights that are pictures, a column each, over what they read of an input of that shape: filters
	// that are moved over it, or all of it.
	Pictured interface {
		Picture(in Shape) (over Shape, filters bool)
	}
	// extensible kinds have a class for each column of every parameter, so that more can be added.
	extensible interface{ withClasses(n int) Kind }
)

// wrong is an error where something is.
func wrong(is bool, format string, args ...any) error {
	if is {
		return message.Errorf(format, args...)
	}
	return nil
}

// identity is the name of no nonlinearity; an empty one stands for it too.
const identity = "identity"

// functionNamed finds a nonlinearity of package expr.
func functionNamed(name string) (glcompute.Function, error) {
	return glcompute.ActivationNamed(cmp.Or(name, identity))
}

// mustFunction is the activation of functionNamed for a kind whose Shape has found it before.
func mustFunction(name string) glcompute.Activation { return glcompute.Must(functionNamed(name)).Of }

// named is the words of a kind with its nonlinearity, if it has one, at the end.
func named(words, function string) string {
	if function == "" || function == identity {
		return words
	}
	return words + " " + function
}

// weightsAndBias are those of units that add up so many inputs each. The weights are drawn, out being what an input goes into:
// before a rectifier normal with variance 2/in (He et al., 2015), otherwise uniform within ±√(6/(in+out)) (Glorot and Bengio,
// 2010), four times that for the sigmoid, whose slope at zero is a quarter.
func weightsAndBias(in, units, out int, function string) []ParameterInfo {
	scale, limit := math.Sqrt(2/float64(in)), math.Sqrt(6/float64(in+out))
	initial := func(rng *rand.Rand) float32 { return float32((2*rng.Float64() - 1) * limit) }
	switch function {
	case "relu", "leaky-relu", "elu", "gelu":
		initial = func(rng *rand.Rand) float32 { return float32(rng.NormFloat64() * scale) }
	case "sigmoid":
		limit *= 4
	}
	return []ParameterInfo{{Name: "weights", Rows: in, Cols: units, Initial: initial}, {Name: "bias", Rows: 1, Cols: units}}
}
