package onnx

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// walk follows the one path from a graph's input to its output and collects layers.
type walk struct {
	constants map[string]*onnxpb.TensorProto
	current   []string // names of the value that flows: more than one through Identity
	seen      map[string]bool
	width     int // elements of one sample; 0 while unknown
	rank      int // dimensions with the batch; 0 while unknown
	layers    []layer
	total     int  // weights so far
	open      bool // the last layer still takes a bias or an activation
	done      bool // Softmax has been passed
}

// layer is a product with what follows it.
type layer struct {
	in, out       int
	weights, bias []float32 // [in][out] and [out]
	function      string    // "" for none
}

func networkOf(g *onnxpb.GraphProto) (nn.Network, error) {
	if len(g.SparseInitializer) > 0 {
		return nn.Network{}, errors.New("sparse initializers are not supported")
	}
	w := &walk{constants: map[string]*onnxpb.TensorProto{}, seen: map[string]bool{}}
	for _, t := range g.Initializer {
		w.constants[t.GetName()] = t
	}
	if err := w.start(g); err != nil {
		return nn.Network{}, err
	}
	for i, n := range g.Node {
		if err := w.node(n); err != nil {
			return nn.Network{}, fmt.Errorf("%s: %w", title(n, i), err)
		}
	}
	return w.finish(g)
}

// title names a node in messages: Gemm "layer1", or by its number when it has no name.
func title(n *onnxpb.NodeProto, i int) string {
	if n.GetName() == "" {
		return fmt.Sprintf("node %d (%s)", i+1, n.GetOpType())
	}
	return fmt.Sprintf("%s %s", n.GetOpType(), strconv.Quote(n.GetName()))
}

// start finds the graph's input; before IR version 4 initializers are listed as inputs too.
func (w *walk) start(g *onnxpb.GraphProto) error {
	var input *onnxpb.ValueInfoProto
	for _, in := range g.Input {
		if w.constants[in.GetName()] != nil {
			continue
		}
		if input != nil {
			return fmt.Errorf("it has several inputs (%s, %s); one is supported", strconv.Quote(input.GetName()), strconv.Quote(in.GetName()))
		}
		input = in
	}
	if input == nil {
		return errors.New("it has no input")
	}
	declared := input.GetType().GetTensorType()
	if t := declared.GetElemType(); t != float {
		return fmt.Errorf("the input %s is %s; float is supported", strconv.Quote(input.GetName()), typeName(t))
	}
	w.flow(input.GetName())
	if declared.Shape == nil {
		return nil
	}
	shape := declared.Shape.Dim
	if len(shape) < 2 {
		return fmt.Errorf("the input %s has %d dimensions, want [N,inputs] or [N,1,28,28]", strconv.Quote(input.GetName()), len(shape))
	}
	w.rank = len(shape)
	dims := make([]int64, 0, len(shape))
	for _, d := range shape[1:] {
		if d.DimValue == nil {
			return nil
		}
		dims = append(dims, *d.DimValue)
	}
	width, err := elements(dims)
	if err != nil {
		return fmt.Errorf("the input %s: %w", strconv.Quote(input.GetName()), err)
	}
	w.width = width
	return nil
}

func (w *walk) flow(name string) {
	w.current = []string{name}
	w.seen[name] = true
}

// node takes one operator. The standard demands that nodes come in the order of their
// execution.
func (w *walk) node(n *onnxpb.NodeProto) error {
	if !standardDomain(n.GetDomain()) {
		return fmt.Errorf("operators of the domain %s are not supported", strconv.Quote(n.GetDomain()))
	}
	if len(n.Output) != 1 {
		return fmt.Errorf("it has %d outputs, want 1", len(n.Output))
	}
	if n.GetOpType() == "Constant" {
		return w.constant(n)
	}
	take, ok := operators[n.GetOpType()]
	if !ok {
		return fmt.Errorf("the operator %s is not supported", strconv.Quote(n.GetOpType()))
	}
	if n.GetOpType() == "Identity" && len(n.Input) == 1 && w.constants[n.Input[0]] != nil {
		w.constants[n.Output[0]] = w.constants[n.Input[0]]
		return nil
	}
	if w.done && n.GetOpType() != "Identity" {
		return errors.New("it follows the Softmax, which must be last")
	}
	if err := take(w, n); err != nil {
		return err
	}
	if n.GetOpType() == "Identity" {
		w.current = append(w.current, n.Output[0])
		w.seen[n.Output[0]] = true
		return nil
	}
	w.flow(n.Output[0])
	return nil
}

// operators are the operators on the flowing value.
var operators = map[string]func(w *walk, n *onnxpb.NodeProto) error{
	"Gemm":     (*walk).gemm,
	"MatMul":   (*walk).matMul,
	"Add":      (*walk).add,
	"Flatten":  (*walk).flatten,
	"Reshape":  (*walk).reshape,
	"Softmax":  (*walk).softmax,
	"Identity": func(w *walk, n *onnxpb.NodeProto) error { return w.data(n, 0, 1) },
	"Tanh":     func(w *walk, n *onnxpb.NodeProto) error { return w.activation(n, "tanh") },
	"Sigmoid":  func(w *walk, n *onnxpb.NodeProto) error { return w.activation(n, "sigmoid") },
	"Relu":     func(w *walk, n *onnxpb.NodeProto) error { return w.activation(n, "relu") },
}

// data checks that input i of a node with want inputs is the flowing value.
func (w *walk) data(n *onnxpb.NodeProto, i, want int) error {
	if len(n.Input) != want {
		return fmt.Errorf("it has %d inputs, want %d", len(n.Input), want)
	}
	name := n.Input[i]
	switch {
	case slices.Contains(w.current, name):
		return nil
	case w.seen[name]:
		return fmt.Errorf("it takes the earlier value %s; graphs that branch are not supported", strconv.Quote(name))
	case w.constants[name] != nil:
		return fmt.Errorf("its input %d is the constant %s, want a computed value", i+1, strconv.Quote(name))
	}
	return fmt.Errorf("its input %s is computed nowhere before it", strconv.Quote(name))
}

// matrix requires rows of width values, where they are known.
func (w *walk) matrix(width int) error {
	if w.rank > 2 {
		return fmt.Errorf("its input has %d dimensions; a Flatten or Reshape to [N,inputs] is missing", w.rank)
	}
	if w.width != 0 && w.width != width {
		return fmt.Errorf("its weights take %d values, its input has %d", width, w.width)
	}
	return nil
}

// push adds a layer. A small file can name the same weights many times; the whole must
// not become larger than the largest file.
func (w *walk) push(l layer) error {
	w.total += len(l.weights)
	if w.total > MaxBytes/4 {
		return fmt.Errorf("the network has more than %d weights", MaxBytes/4)
	}
	w.layers = append(w.layers, l)
	w.width, w.rank, w.open = l.out, 2, true
	return nil
}

func (w *walk) activation(n *onnxpb.NodeProto, function string) error {
	if err := w.data(n, 0, 1); err != nil {
		return err
	}
	if !w.open {
		return errors.New("it does not follow a Gemm or MatMul")
	}
	w.layers[len(w.layers)-1].function = function
	w.open = false
	return nil
}

func (w *walk) finish(g *onnxpb.GraphProto) (nn.Network, error) {
	if len(w.layers) == 0 {
		return nn.Network{}, errors.New("it has no Gemm or MatMul")
	}
	named := slices.ContainsFunc(g.Output, func(o *onnxpb.ValueInfoProto) bool { return slices.Contains(w.current, o.GetName()) })
	if !named {
		return nn.Network{}, fmt.Errorf("its last value %s is no output of the graph", strconv.Quote(w.current[0]))
	}
	if last := w.layers[len(w.layers)-1].function; last != "" {
		return nn.Network{}, fmt.Errorf("it ends in %s; it must end in logits or a Softmax", activations[last])
	}
	var layers []nn.Layer
	for _, l := range w.layers {
		layers = append(layers, nn.Layer{Kind: nn.Dense{Units: l.out, Function: l.function}, Values: [][]float32{l.weights, l.bias}})
	}
	return nn.Sequence(nn.Vector(w.layers[0].in), layers...), nil
}
