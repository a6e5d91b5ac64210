// Package nn describes neural networks: graphs of layers, float32 parameters, labels. It records
// their forward and training passes as programs of glcompute. A network is data and knows no
// device; package onnx reads and writes it as a file.
package nn

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// Network is a graph of layers. Its values are numbered, the inputs first and then the results of
// the layers; a layer reads values of smaller numbers. The last layer gives logits, a vector with
// one for each class; the softmax that makes them probabilities is implied. A sample is a row
// of the values of all inputs, one input after another.
type Network struct {
	Inputs []Input
	Layers []Layer
}

// Input is what a network is given of each sample.
type Input struct {
	Name  string // may be empty where there is one
	Shape Shape
}

// Layer is a kind with what it reads and the values of its parameters.
type Layer struct {
	Kind   Kind
	From   []int       // numbers of the values that it reads
	Values [][]float32 // row-major, in the order of Layer.Parameters
}

// Sequence is a network whose layers each read the one before; the first reads the input. The
// layers' From is filled in.
func Sequence(input Shape, layers ...Layer) Network {
	net := Network{Inputs: []Input{{Shape: input}}, Layers: layers}
	for i := range layers {
		layers[i].From = []int{i}
	}
	return net
}

// NewNetwork makes a multi-layer perceptron with sizes[0] inputs, sizes[len-1] classes and the
// hidden layers between, all with the nonlinearity function. See Network.Initialise for its
// values. It panics on fewer than two sizes or one < 1.
func NewNetwork(sizes []int, function string, seed int64) Network {
	if len(sizes) < 2 || slices.Min(sizes) < 1 {
		panic(fmt.Sprintf("nn: network of sizes %v; it needs inputs and classes, all at least 1", sizes))
	}
	last := len(sizes) - 1
	net := Perceptron(sizes[0], sizes[1:last], sizes[last], function)
	return glcompute.Must(net, net.Initialise(seed))
}

// Perceptron is NewNetwork without values.
func Perceptron(inputs int, hidden []int, classes int, function string) Network {
	var layers []Layer
	for _, units := range hidden {
		layers = append(layers, Layer{Kind: Dense{Units: units, Function: function}})
	}
	return Sequence(Vector(inputs), append(layers, Layer{Kind: Dense{Units: classes}})...)
}

// Initialise gives all parameters their initial values, which are the same for the same seed.
// An error says what does not fit in the graph.
func (n Network) Initialise(seed int64) error {
	shapes, err := n.Shapes()
	if err != nil {
		return err
	}
	for i := range n.Layers {
		l := &n.Layers[i]
		rng := rand.New(rand.NewPCG(uint64(seed), uint64(i+1)))
		l.Values = nil
		for _, info := range l.Parameters(shapes) {
			l.Values = append(l.Values, info.values(rng))
		}
	}
	return nil
}

func (info ParameterInfo) values(rng *rand.Rand) []float32 {
	x := make([]float32, info.Rows*info.Cols)
	if info.Initial != nil {
		for i := range x {
			x[i] = info.Initial(rng)
		}
	}
	return x
}

// What a network may be: a device takes long to prepare more, and a file of a few lines can ask for any number.
const (
	MostLayers   = 2000
	mostReads    = 1000    // values that a layer reads
	mostComputed = 1 << 26 // values of one sample
)

// Shapes are those of all values, inputs first. An error says what does not fit in the graph.
func (n Network) Shapes() ([]Shape, error) {
	if err := cmp.Or(
		wrong(len(n.Inputs) == 0, "the network has no inputs"),
		wrong(len(n.Layers) == 0, "the network has no layers"),
		wrong(len(n.Layers) > MostLayers, "the network has more than %d layers", MostLayers),
	); err != nil {
		return nil, err
	}
	var shapes []Shape
	computed := 0
	for i, in := range n.Inputs {
		if !in.Shape.valid() {
			return nil, message.Errorf("input %d has the shape %s; all must be at least 1, and together %d at most", i+1, in.Shape, mostValues)
		}
		shapes = append(shapes, in.Shape)
	}
	for i, l := range n.Layers {
		for _, v := range l.From {
			if v < 0 || v >= len(shapes) {
				return nil, n.at(i, message.Errorf("it reads the value %d, which is not computed before it", v))
			}
		}
		s, err := l.Shape(shapes)
		if err != nil {
			return nil, n.at(i, err)
		}
		if computed += s.Size(); computed > mostComputed {
			return nil, n.at(i, message.Errorf("with it the layers compute more than %d values of one sample; use smaller ones", mostComputed))
		}
		shapes = append(shapes, s)
	}
	return shapes, nil
}

// at says in which layer an error is, if it is one.
func (n Network) at(layer int, err error) error {
	if err == nil {
		return nil
	}
	return message.Errorf("layer %d (%s): %w", layer+1, n.Layers[layer].Kind, err)
}

// Shape is that of the result, by the shapes of all values before it.
func (l Layer) Shape(shapes []Shape) (Shape, error) {
	in := l.reads(shapes)
	_, several := l.Kind.(multiInput)
	if err := cmp.Or(
		wrong(len(in) == 0, "it reads nothing"),
		wrong(len(in) > mostReads, "it reads %d values; at most %d are possible", len(in), mostReads),
		wrong(len(in) > 1 && !several, "it reads %d values, want 1", len(in)),
	); err != nil {
		return Shape{}, err
	}
	s, err := l.Kind.Shape(in)
	if err == nil {
		_, err = functionNamed(l.function())
	}
	return s, cmp.Or(
		err,
		wrong(min(s.Height, s.Width, s.Channels) < 1, "it gives no values; use at least 1"),
		wrong(!s.valid(), "its result of %s is too large; at most %d values are possible", s, mostValues),
	)
}

// Parameters lists what the layer learns or keeps, by the shapes of all values before it.
func (l Layer) Parameters(shapes []Shape) []ParameterInfo {
	if k, ok := l.Kind.(parametrised); ok {
		return k.Parameters(l.reads(shapes))
	}
	return nil
}

// reads picks the shapes of what the layer reads.
func (l Layer) reads(shapes []Shape) []Shape {
	var in []Shape
	for _, v := range l.From {
		in = append(in, shapes[v])
	}
	return in
}

// mustShapes is Shapes of a network that has been checked.
func (n Network) mustShapes() []Shape { return glcompute.Must(n.Shapes()) }

// Width is the number of values of a sample, of all inputs together.
func (n Network) Width() int {
	width := 0
	for _, in := range n.Inputs {
		width += in.Shape.Size()
	}
	return width
}

// Classes is the number of logits, of a network that reads lines in each column.
func (n Network) Classes() int {
	shapes := n.mustShapes()
	return shapes[len(shapes)-1].Channels
}

// Parameters is the number of values of all parameters.
func (n Network) Parameters() int {
	count := 0
	for _, l := range n.Describe() {
		count += l.Parameters
	}
	return count
}

// LayerDescription tells people of a layer.
type LayerDescription struct {
	Kind       string // with its settings, as a file of layers has it
	From       []int  // numbers of the values that it reads, see Network
	Shape      Shape  // of its result
	Parameters int    // number of values of all of them
}

// Describe describes all layers of a network that fits together.
func (n Network) Describe() []LayerDescription {
	shapes := n.mustShapes()
	var all []LayerDescription
	for i, l := range n.Layers {
		d := LayerDescription{Kind: l.Kind.String(), From: l.From, Shape: shapes[len(n.Inputs)+i]}
		for _, info := range l.Parameters(shapes) {
			d.Parameters += info.Rows * info.Cols
		}
		all = append(all, d)
	}
	return all
}

// Sizes lists the number of values of a sample and of the result of each layer: of a perceptron
// inputs, hidden units and classes, as NewNetwork takes them.
func (n Network) Sizes() []int {
	sizes := []int{n.Width()}
	for _, l := range n.Describe() {
		sizes = append(sizes, l.Shape.Size())
	}
	return sizes
}

// Clone copies the network with its parameters.
func (n Network) Clone() Network {
	clone := Network{Inputs: slices.Clone(n.Inputs)}
	for _, l := range n.Layers {
		clone.Layers = append(clone.Layers, l.Clone())
	}
	return clone
}

// Clone copies the layer with its parameters.
func (l Layer) Clone() Layer {
	clone := Layer{Kind: l.Kind, From: slices.Clone(l.From)}
	for _, v := range l.Values {
		clone.Values = append(clone.Values, slices.Clone(v))
	}
	return clone
}

// Check reports the first thing that makes the network unusable: layers that do not fit each
// other or their parameters, a value that is no finite number, or a last layer that gives no
// logits.
func (n Network) Check() error {
	shapes, err := n.Shapes()
	if err != nil {
		return err
	}
	for i, l := range n.Layers {
		infos := l.Parameters(shapes)
		if err := wrong(len(l.Values) != len(infos), "it has %d parameters, want %d", len(l.Values), len(infos)); err != nil {
			return n.at(i, err)
		}
		for k, info := range infos {
			if v := l.Values[k]; len(v)/info.Cols != info.Rows || len(v)%info.Cols != 0 {
				return n.at(i, message.Errorf("its %s has %d values, want %d times %d", info.Name, len(v), info.Rows, info.Cols))
			}
			if slices.ContainsFunc(l.Values[k], func(v float32) bool { return v-v != 0 }) {
				return n.at(i, message.Errorf("its %s holds a value that is no finite number", info.Name))
			}
		}
	}
	return cmp.Or(n.unread(), n.checkEnd(shapes[len(shapes)-1]))
}

// checkEnd reports why the result of the last layer, of shape s, is no logits.
func (n Network) checkEnd(s Shape) error {
	last := len(n.Layers) - 1
	end := n.Layers[last].function()
	if k, ok := n.Layers[last].Kind.(Elementwise); ok {
		end = k.String()
	}
	return cmp.Or(
		n.at(last, wrong(s.Height != 1, "its result is %s; the last layer must give a vector of logits", s)),
		n.at(last, wrong(end != "", "it ends in %s; the last layer must give logits", end)),
	)
}

// unread reports an input or a layer that no layer reads, but for the last.
func (n Network) unread() error {
	count := n.readers()
	for v, readers := range count[:len(count)-1] {
		switch layer := v - len(n.Inputs); {
		case readers > 0:
		case layer < 0:
			return message.Errorf("no layer reads input %d", v+1)
		default:
			return n.at(layer, message.Errorf("no layer reads its result"))
		}
	}
	return nil
}

// Shape is that of a value of one sample: an image of Height times Width positions with
// Channels values each. A vector has one position.
type Shape struct{ Height, Width, Channels int }

// Vector is the shape of n values.
func Vector(n int) Shape { return Shape{1, 1, n} }

// Positions is the number of rows that a sample has in a tensor [batch·Positions][Channels].
func (s Shape) Positions() int { return s.Height * s.Width }

// Size is the number of values.
func (s Shape) Size() int { return s.Positions() * s.Channels }

// String is "28x28x1" or, of a vector, "10".
func (s Shape) String() string {
	if s.Positions() == 1 {
		return fmt.Sprint(s.Channels)
	}
	return fmt.Sprintf("%dx%dx%d", s.Height, s.Width, s.Channels)
}

// mostValues is the largest size of a value of one sample.
const mostValues = 1 << 24

func (s Shape) valid() bool {
	return min(s.Height, s.Width, s.Channels) >= 1 && s.Height <= mostValues &&
		s.Width <= mostValues/s.Height && s.Channels <= mostValues/s.Height/s.Width
}
