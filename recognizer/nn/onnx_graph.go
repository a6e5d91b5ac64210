package nn

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"inkshade/glcompute/program"
)

// walk follows the one path from a graph's input to its output and collects layers.
type walk struct {
	constants map[string]*onnxTensor
	current   []string // names of the value that flows: more than one through Identity
	seen      map[string]bool
	width     int // elements of one sample; 0 while unknown
	rank      int // dimensions with the batch; 0 while unknown
	layers    []Layer
	total     int  // weights so far
	open      bool // the last layer still takes a bias or an activation
	done      bool // Softmax has been passed
}

func networkOf(g *onnxGraph) (Network, error) {
	if g.sparse {
		return Network{}, errors.New("sparse initializers are not supported")
	}
	w := &walk{constants: map[string]*onnxTensor{}, seen: map[string]bool{}}
	for i := range g.initializers {
		t := &g.initializers[i]
		w.constants[t.name] = t
	}
	if err := w.start(g); err != nil {
		return Network{}, err
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if err := w.node(n); err != nil {
			return Network{}, fmt.Errorf("%s: %w", n.title(i), err)
		}
	}
	return w.finish(g)
}

// title names a node in messages: Gemm "layer1", or by its number when it has no name.
func (n *onnxNode) title(i int) string {
	if n.name == "" {
		return fmt.Sprintf("node %d (%s)", i+1, n.op)
	}
	return fmt.Sprintf("%s %s", n.op, strconv.Quote(n.name))
}

// start finds the graph's input; before IR version 4 initializers are listed as inputs too.
func (w *walk) start(g *onnxGraph) error {
	var input *onnxValue
	for i := range g.inputs {
		in := &g.inputs[i]
		if w.constants[in.name] != nil {
			continue
		}
		if input != nil {
			return fmt.Errorf("it has several inputs (%s, %s); one is supported", strconv.Quote(input.name), strconv.Quote(in.name))
		}
		input = in
	}
	if input == nil {
		return errors.New("it has no input")
	}
	if input.elemType != onnxFloat {
		return fmt.Errorf("the input %s is %s; float32 is supported", strconv.Quote(input.name), onnxTypeName(input.elemType))
	}
	w.flow(input.name)
	if !input.hasShape {
		return nil
	}
	if len(input.dims) < 2 {
		return fmt.Errorf("the input %s has %d dimensions, want [N,inputs] or [N,1,28,28]", strconv.Quote(input.name), len(input.dims))
	}
	w.rank = len(input.dims)
	dims := make([]int64, 0, len(input.dims))
	for _, d := range input.dims[1:] {
		if !d.fixed {
			return nil
		}
		dims = append(dims, d.size)
	}
	width, err := elements(dims)
	if err != nil {
		return fmt.Errorf("the input %s: %w", strconv.Quote(input.name), err)
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
func (w *walk) node(n *onnxNode) error {
	if !standardDomain(n.domain) {
		return fmt.Errorf("operators of the domain %s are not supported", strconv.Quote(n.domain))
	}
	if len(n.outputs) != 1 {
		return fmt.Errorf("it has %d outputs, want 1", len(n.outputs))
	}
	if n.op == "Constant" {
		return w.constant(n)
	}
	take, ok := onnxOperators[n.op]
	if !ok {
		return fmt.Errorf("the operator %s is not supported", strconv.Quote(n.op))
	}
	if n.op == "Identity" && len(n.inputs) == 1 && w.constants[n.inputs[0]] != nil {
		w.constants[n.outputs[0]] = w.constants[n.inputs[0]]
		return nil
	}
	if w.done && n.op != "Identity" {
		return errors.New("it follows the Softmax, which must be last")
	}
	if err := take(w, n); err != nil {
		return err
	}
	if n.op == "Identity" {
		w.current = append(w.current, n.outputs[0])
		w.seen[n.outputs[0]] = true
		return nil
	}
	w.flow(n.outputs[0])
	return nil
}

// onnxOperators are the operators on the flowing value.
var onnxOperators = map[string]func(w *walk, n *onnxNode) error{
	"Gemm":     (*walk).gemm,
	"MatMul":   (*walk).matMul,
	"Add":      (*walk).add,
	"Flatten":  (*walk).flatten,
	"Reshape":  (*walk).reshape,
	"Softmax":  (*walk).softmax,
	"Identity": func(w *walk, n *onnxNode) error { return w.data(n, 0, 1) },
	"Tanh":     func(w *walk, n *onnxNode) error { return w.activation(n, program.Tanh) },
	"Sigmoid":  func(w *walk, n *onnxNode) error { return w.activation(n, program.Sigmoid) },
	"Relu":     func(w *walk, n *onnxNode) error { return w.activation(n, program.ReLU) },
}

// data checks that input i of a node with want inputs is the flowing value.
func (w *walk) data(n *onnxNode, i, want int) error {
	if len(n.inputs) != want {
		return fmt.Errorf("it has %d inputs, want %d", len(n.inputs), want)
	}
	name := n.inputs[i]
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
func (w *walk) push(l Layer) error {
	w.total += len(l.Weights)
	if w.total > MaxModelBytes/4 {
		return fmt.Errorf("the network has more than %d weights", MaxModelBytes/4)
	}
	w.layers = append(w.layers, l)
	w.width, w.rank, w.open = l.Out, 2, true
	return nil
}

func (w *walk) activation(n *onnxNode, f program.Activation) error {
	if err := w.data(n, 0, 1); err != nil {
		return err
	}
	if !w.open {
		return errors.New("it does not follow a Gemm or MatMul")
	}
	w.layers[len(w.layers)-1].Activation = f
	w.open = false
	return nil
}

func (w *walk) finish(g *onnxGraph) (Network, error) {
	if len(w.layers) == 0 {
		return Network{}, errors.New("it has no Gemm or MatMul")
	}
	named := slices.ContainsFunc(g.outputs, func(o onnxValue) bool { return slices.Contains(w.current, o.name) })
	if !named {
		return Network{}, fmt.Errorf("its last value %s is no output of the graph", strconv.Quote(w.current[0]))
	}
	if last := w.layers[len(w.layers)-1].Activation; last != program.Identity {
		return Network{}, fmt.Errorf("it ends in %s; it must end in logits or a Softmax", onnxActivations[last])
	}
	return Network{Layers: w.layers}, nil
}
