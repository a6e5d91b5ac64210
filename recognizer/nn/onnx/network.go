package onnx

import (
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/message"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// translator makes a network of a graph, node by node.
type translator struct {
	net     nn.Network
	lines   bool       // are read by it
	shapes  []nn.Shape // of the network's values
	read    []bool     // those that a layer reads
	values  map[*graph.Value]*value
	readers map[*graph.Value]int
	weights int // so far
	budget  *budget.Budget
	title   string // of the node in work
}

// value is a tensor of the graph in the network.
type value struct {
	number int    // of the network's value that holds it
	order  order  // where in that each element lies
	partly bool   // other elements lie there too, or one stands for several
	scale  affine // of the elements by their place, which is still to be done; nil for none
	sole   bool   // nothing else reads what the network's value holds
}

// networkOf translates a graph. The inputs of files that are not ours are pictures, of which
// not everything is said: the smaller of the dimensions that may be channels is taken, of two alike the one that
// needs fewer layers, unless channels says them.
func networkOf(g *graph.Graph, ours bool, channels string, budget *budget.Budget) (nn.Network, error) {
	last, either, d := false, false, g.Inputs[0].Dims // where the channels are
	switch {
	case !ours && len(g.Inputs) > 1:
		return nn.Network{}, message.Errorf("it has several inputs (%.60q, %.60q); export it with the picture as its only one", g.Inputs[0].Name, g.Inputs[1].Name)
	case ours || len(d) != 4:
	case channels != "":
		last = channels == "nhwc"
	default:
		last, either = d[3] < d[1], true
	}
	net, err := translate(g, ours, last, budget)
	if either && (err != nil || d[3] == d[1]) {
		if other, failed := translate(g, ours, !last, budget); failed == nil && (err != nil || len(other.Layers) < len(net.Layers)) {
			return other, nil
		}
	}
	return net, err
}

func translate(g *graph.Graph, ours, channelsLast bool, budget *budget.Budget) (net nn.Network, err error) {
	t := &translator{lines: g.Lines, values: map[*graph.Value]*value{}, readers: g.Readers(), budget: budget}
	defer func() {
		if err != nil && t.title != "" {
			err = message.Errorf("%s: %w", t.title, err)
		}
	}()
	defer graph.Recovered(&err)
	for _, in := range g.Inputs {
		t.input(in, ours, channelsLast)
	}
	nodes, output := logits(g)
	for _, n := range nodes {
		t.take(n)
	}
	t.title = ""
	err = t.end(output)
	return t.net, err
}

// input declares what the network sees of an input. Channels come last in a network. Three of
// them are taken to be those of a grey picture where the file is not ours.
func (t *translator) input(in *graph.Value, ours, channelsLast bool) {
	d, v := in.Dims, &value{number: len(t.shapes), sole: t.readers[in] == 1}
	shape := nn.Vector(in.Elements())
	if len(d) == 4 && channelsLast {
		shape = nn.Shape{Height: d[1], Width: d[2], Channels: d[3]}
	} else if len(d) == 4 && d[1] > 1 {
		shape, v.order = nn.Shape{Height: d[2], Width: d[3], Channels: d[1]}, channelsFirst(d[1], d[2], d[3], false)
	}
	t.values[in] = v
	grey, seen := !ours && shape.Channels == 3, nn.Input{Shape: shape}
	if ours && in.Name != onlyInput {
		seen.Name = in.Name
	}
	if grey {
		seen.Shape.Channels = 1
	}
	t.net.Inputs = append(t.net.Inputs, seen)
	t.shapes, t.read = append(t.shapes, seen.Shape), append(t.read, false)
	if grey {
		v.number = t.add(nn.Convolution{Filters: 3, Window: onePosition}, []int{v.number}, []float32{1, 1, 1}, make([]float32, 3))
	}
}

// Steps for each element of a node: of its arguments and result the order, the factors and the summands are looked through, and a
// formula is evaluated.
const (
	elementSteps = 8
	keyOfStep    = 4 // letters of a formula
)

// orderBytes is what the place of an element takes.
const orderBytes = 4

func (t *translator) take(n *graph.Node) {
	t.title = n.Title
	elements, steps := n.Out.Elements(), elementSteps
	if f, ok := n.Operation.(graph.Formula); ok {
		steps += len(f.Key()) / keyOfStep
	}
	for _, a := range n.Args {
		elements += a.Elements()
	}
	t.spend(orderBytes*n.Out.Elements(), steps*elements)
	switch op := n.Operation.(type) {
	case graph.Reshape:
		t.moved(n, t.values[n.Args[0]], t.values[n.Args[0]].order)
	case graph.MatMul:
		t.product(n)
	case graph.Conv:
		t.convolution(n, op)
	case graph.Pool:
		t.pool(n, op)
	case graph.Reduce:
		t.reduce(n, op)
	case graph.Pad:
		t.pad(n, op)
	case graph.Concat:
		t.concat(n, op)
	case graph.Gather:
		t.picked(n, op.Source)
	case graph.BatchNorm:
		t.batchNorm(n, op)
	case graph.Dropout:
		v := *t.values[n.Args[0]]
		v.number, v.sole = t.add(nn.Dropout{Rate: op.Rate}, []int{v.number}), t.readers[n.Out] == 1
		t.values[n.Out] = &v
	case graph.Formula:
		t.formula(n, op.Expr)
	case graph.Softmax:
		t.softmax(n, op)
	case graph.Largest:
		graph.Refuse("it goes on with the number of the largest value, which is not supported; what says the largest must be last")
	}
}

// softmax is one before the end, made of other operations.
func (t *translator) softmax(n *graph.Node, op graph.Softmax) {
	x, a, b := n.Args[0], expr.Arg(0), expr.Arg(1)
	one := slices.Clone(x.Dims)
	one[op.Axis] = 1
	axes := []int{op.Axis}
	then := func(op graph.Operation, dims []int, args ...*graph.Value) *graph.Value {
		step := &graph.Node{Title: n.Title, Operation: op, Args: args, Out: &graph.Value{Dims: dims}}
		t.take(step)
		return step.Out
	}
	less := then(graph.Formula{Expr: expr.Sub(a, b)}, x.Dims, x, then(graph.Reduce{By: graph.Max, Axes: axes}, one, x))
	powers := then(graph.Formula{Expr: expr.Exp(a)}, x.Dims, less)
	sum := then(graph.Reduce{By: graph.Sum, Axes: axes}, one, powers)
	if op.Log {
		t.values[n.Out] = t.values[then(graph.Formula{Expr: expr.Sub(a, expr.Log(b))}, x.Dims, less, sum)]
	} else {
		t.values[n.Out] = t.values[then(graph.Formula{Expr: expr.Div(a, b)}, x.Dims, powers, sum)]
	}
}

// moved is a result that holds the values of another.
func (t *translator) moved(n *graph.Node, v *value, o order) {
	moved := *v
	moved.order, moved.sole = o, v.sole && t.readers[n.Out] == 1
	t.values[n.Out] = &moved
}

func (t *translator) made(n *graph.Node, number int, o order) *value {
	v := &value{number: number, order: o, sole: t.readers[n.Out] == 1}
	t.values[n.Out] = v
	return v
}

// spend takes from the budget or gives up on a node.
func (t *translator) spend(bytes, steps int) {
	err := t.budget.Spend(bytes, steps)
	graph.Require(err == nil, "%w", err)
}

// layerBytes is about what a layer takes.
const layerBytes = 512

// add appends a layer and gives the number of its result. A small file can name the same
// weights many times; the whole must not become larger than the largest file.
func (t *translator) add(kind nn.Kind, from []int, values ...[]float32) int {
	for _, v := range from {
		t.read[v] = true
	}
	l := nn.Layer{Kind: kind, From: from, Values: values}
	shape, err := l.Shape(t.shapes)
	graph.Require(err == nil, "%w", err)
	bytes := layerBytes + 8*len(from)
	if pick, ok := kind.(nn.Gather); ok {
		bytes += orderBytes * len(pick.From)
	}
	for _, v := range values {
		bytes += 4 * len(v)
		t.weights += len(v)
	}
	graph.Require(t.weights <= MaxBytes/4, "the network has more than %d weights", MaxBytes/4)
	t.spend(bytes, bytes)
	graph.Require(len(t.net.Layers) < nn.MostLayers, "with it the network has more than %d layers", nn.MostLayers)
	t.net.Layers = append(t.net.Layers, l)
	t.shapes, t.read = append(t.shapes, shape), append(t.read, false)
	return len(t.shapes) - 1
}

// as gives the number of the values of v as a shape of the same size.
func (t *translator) as(v *value, s nn.Shape) int {
	switch {
	case t.shapes[v.number] == s:
		return v.number
	case v.number < len(t.net.Inputs) && !t.read[v.number] && s.Channels == 1:
		t.net.Inputs[v.number].Shape, t.shapes[v.number] = s, s
		return v.number
	}
	return t.add(nn.Reshape{To: s}, []int{v.number})
}

// maker is the layer that makes v, if nothing else reads it and nothing is to be done to it.
func (t *translator) maker(v *value) *nn.Layer {
	if i := v.number - len(t.net.Inputs); i >= 0 && v.sole && v.scale == nil {
		return &t.net.Layers[i]
	}
	return nil
}

// maxClasses is the most that networks may have whose last layer has to be added.
const maxClasses = 1 << 12

// end makes a vector of logits of the output: where the last layer does not, as after a nonlinearity,
// with a layer that gives each value back.
func (t *translator) end(output *graph.Value) error {
	size := output.Elements()
	v := t.settled(t.whole(t.values[output], size))
	if s := t.shapes[v.number]; t.lines {
		graph.Require(v.number == len(t.shapes)-1 && s.Height == 1, "its result of %s is not that of the last layer, of a height of 1", s)
		return t.net.Check()
	}
	if v.number == len(t.shapes)-1 && v.order == nil && t.shapes[v.number] == nn.Vector(size) && t.net.Check() == nil {
		return nil
	}
	graph.Require(size <= maxClasses, "it has %d classes; at most %d are possible", size, maxClasses)
	t.spend(8*size*size, size*size)
	identity := make([]float64, size*size)
	for i := range size {
		identity[i*size+i] = 1
	}
	t.dense(v, matrix{identity, size, size})
	return t.net.Check()
}
