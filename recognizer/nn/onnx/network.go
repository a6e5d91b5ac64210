package onnx

import (
	"errors"
	"fmt"
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// translation makes dense layers of the chain that leads from a graph's input to its logits.
type translation struct {
	layers  []dense
	current *graph.Value
	before  *affine // of the current value, for the next layer to take in; nil for none
	total   int     // weights so far
}

// dense is a layer y = f((x·W)·columns + bias), whose W may be shared.
type dense struct {
	title         string
	in, out       int
	weight        func(i, j int) float64
	columns, bias []float64
	function      string
	finished      bool // a function has been taken
}

// networkOf translates a graph.
func networkOf(g *graph.Graph) (nn.Network, error) {
	t := &translation{current: g.Input}
	nodes := beforeSoftmax(g.Nodes)
	for _, n := range nodes {
		if err := t.take(n); err != nil {
			return nn.Network{}, fmt.Errorf("%s: %w", n.Title, err)
		}
	}
	if len(t.layers) == 0 {
		return nn.Network{}, errors.New("it has no Gemm or MatMul")
	}
	last := t.layers[len(t.layers)-1]
	if last.finished || t.before != nil {
		return nn.Network{}, fmt.Errorf("%s: it must end in logits or a Softmax", nodes[len(nodes)-1].Title)
	}
	var layers []nn.Layer
	for _, l := range t.layers {
		layers = append(layers, l.layer())
	}
	return nn.Sequence(nn.Vector(t.layers[0].in), layers...), nil
}

// beforeSoftmax leaves out a softmax at the end, which a network implies, and a logarithm
// after it.
func beforeSoftmax(nodes []*graph.Node) []*graph.Node {
	for end := len(nodes) - 1; end >= 0; end-- {
		n := nodes[end]
		switch op := n.Operation.(type) {
		case graph.Reshape:
			continue
		case graph.Formula:
			if op.Key() == expr.Log(expr.Arg(0)).Key() {
				continue
			}
		case graph.Softmax:
			if n.Out.Dims[op.Axis] == n.Out.Elements() {
				return nodes[:end]
			}
		}
		return nodes
	}
	return nodes
}

func (t *translation) take(n *graph.Node) error {
	for _, a := range n.Args {
		if a != t.current && !a.Constant() {
			return errors.New("it takes an earlier value; graphs that branch are not supported")
		}
	}
	t.current = n.Out
	switch op := n.Operation.(type) {
	case graph.Reshape:
		return nil
	case graph.MatMul:
		return t.product(n)
	case graph.Formula:
		if a := affineOf(n); a != nil {
			t.scale(a)
			return nil
		}
		return t.activate(op.Expr)
	case graph.Softmax:
		return errors.New("a Softmax must be last, over the classes")
	}
	return errors.New("the operator is not supported")
}

// product is x·W with the current values as a row, or W·x with them as a column.
func (t *translation) product(n *graph.Node) error {
	x, w := n.Args[0], n.Args[1]
	inputs, outputs := len(w.Dims)-2, len(w.Dims)-1
	if x.Constant() {
		x, w = w, x
		inputs, outputs = len(w.Dims)-1, len(w.Dims)-2
	}
	l := dense{title: n.Title, in: w.Dims[inputs], out: w.Dims[outputs]}
	if x.Elements() != l.in || w.Elements() != l.in*l.out {
		return fmt.Errorf("its input has the shape %v, its weights %v; a Flatten or Reshape to [N,inputs] is missing", x.Dims, w.Dims)
	}
	// A small file can name the same weights many times; the whole must not become larger
	// than the largest file.
	if t.total += l.in * l.out; t.total > MaxBytes/4 {
		return fmt.Errorf("the network has more than %d weights", MaxBytes/4)
	}
	l.weight = func(i, j int) float64 { return w.Data[i*l.out+j] }
	if inputs > outputs {
		l.weight = func(i, j int) float64 { return w.Data[j*l.in+i] }
	}
	l.columns, l.bias = slices.Repeat([]float64{1}, l.out), make([]float64, l.out)
	if a := t.before; a != nil {
		plain := l.weight
		l.weight = func(i, j int) float64 { return a.slope[i] * plain(i, j) }
		for i := range l.in {
			for j := range l.out {
				l.bias[j] += a.shift[i] * plain(i, j)
			}
		}
		t.before = nil
	}
	t.layers = append(t.layers, l)
	return nil
}

// scale takes slope·x + shift into the layer that makes x, or keeps it for the next one.
func (t *translation) scale(a *affine) {
	if len(t.layers) > 0 && !t.layers[len(t.layers)-1].finished {
		last := &t.layers[len(t.layers)-1]
		for j := range last.out {
			last.columns[j] *= a.slope[j]
			last.bias[j] = last.bias[j]*a.slope[j] + a.shift[j]
		}
		return
	}
	if b := t.before; b != nil {
		for i := range a.slope {
			a.shift[i] += a.slope[i] * b.shift[i]
			a.slope[i] *= b.slope[i]
		}
	}
	t.before = a
}

func (t *translation) activate(e *expr.Expr) error {
	f := functionOf(e)
	switch {
	case f == "":
		return errors.New("the function is not supported")
	case len(t.layers) == 0 || t.layers[len(t.layers)-1].finished:
		return errors.New("it does not follow a Gemm or MatMul")
	}
	last := &t.layers[len(t.layers)-1]
	last.function, last.finished = f, true
	return nil
}

// functionOf finds the name of a nonlinearity.
func functionOf(e *expr.Expr) string {
	for _, f := range expr.Functions {
		if e.Key() == f.Of(expr.Arg(0)).Key() {
			return f.Name
		}
	}
	return ""
}

func (l *dense) layer() nn.Layer {
	weights, bias := make([]float32, l.in*l.out), make([]float32, l.out)
	for i := range l.in {
		for j := range l.out {
			weights[i*l.out+j] = float32(l.weight(i, j) * l.columns[j])
		}
	}
	for j, v := range l.bias {
		bias[j] = float32(v)
	}
	return nn.Layer{Kind: nn.Dense{Units: l.out, Function: l.function}, Values: [][]float32{weights, bias}}
}
