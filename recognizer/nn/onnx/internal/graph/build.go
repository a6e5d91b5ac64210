package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// builder makes a Graph of a file's nodes, one after another.
type builder struct {
	Graph
	opset     int
	batch     int // of the file's input; 1 where it is free
	free      bool
	beside    Beside
	budget    *budget.Budget
	functions map[[2]string]*onnxpb.FunctionProto // the file's own, by domain and name
	decoded   map[*onnxpb.TensorProto]*Value
	unknown   []string // operators
	first     error    // why a node of a known operator is not understood
	over      error    // what bound of those for a whole file was passed
	computed  int      // values that may still be computed from a picture
	room      int      // nodes that may still be looked at
	title     string   // of the node in work
}

// maxNodes is the most nodes of a file, and maxOperations what those may become: most become one or none.
const (
	maxNodes      = 10_000
	maxOperations = 2 * maxNodes
)

// Build reads a graph for use with one sample. Where the file leaves sizes of an input open,
// those of pictures and of the graph's matrices are tried. Where there are several outputs it
// takes the first that gives values for classes, of a network that reads lines in each of the columns.
func Build(file *onnxpb.ModelProto, opset int, lines bool, beside Beside, budget *budget.Budget) (result *Graph, err error) {
	defer Recovered(&err)
	g := file.Graph
	Require(len(g.SparseInitializer) == 0, "sparse initializers are not supported; save the weights as ordinary tensors")
	inputs := inputsOf(g)
	functions := map[[2]string]*onnxpb.FunctionProto{}
	for _, f := range file.Functions {
		functions[[2]string{f.GetDomain(), f.GetName()}] = f
	}
	shapes := candidates(inputs[0], g)
	Require(len(shapes) > 0, "the input %s leaves sizes open that no picture fits; export it with the shape [N,1,28,28] or [N,784]", quoted(inputs[0].GetName()))
	left := budget.Left()
	for _, dims := range shapes {
		budget.Restore(left) // what was tried before is dropped
		b := &builder{
			Graph: Graph{Lines: lines}, opset: opset, batch: 1, free: true, beside: beside, budget: budget, functions: functions,
			decoded: map[*onnxpb.TensorProto]*Value{}, computed: maxElements, room: maxNodes,
		}
		if declared := dimsOf(inputs[0]); len(declared) > 0 && declared[0].DimValue != nil {
			b.free, b.batch = false, int(min(max(*declared[0].DimValue, 1), maxElements))
		}
		built, failed := b.build(g, inputs, dims)
		if failed == nil {
			return built, nil
		}
		err = cmp.Or(err, failed)
	}
	return nil, err
}

func dimsOf(input *onnxpb.ValueInfoProto) []*onnxpb.TensorShapeProto_Dimension {
	return input.GetType().GetTensorType().GetShape().GetDim()
}

// inputsOf finds the inputs that are fed; before IR version 4 initializers are listed as
// inputs too. The sizes of all but the first must be fixed.
func inputsOf(g *onnxpb.GraphProto) []*onnxpb.ValueInfoProto {
	initial := map[string]bool{}
	for _, t := range g.Initializer {
		initial[t.GetName()] = true
	}
	inputs := slices.DeleteFunc(slices.Clone(g.Input), func(in *onnxpb.ValueInfoProto) bool { return initial[in.GetName()] })
	Require(len(inputs) > 0, "it has no input")
	for i, in := range inputs {
		kind, name := Type(in.GetType().GetTensorType().GetElemType()), quoted(in.GetName())
		Require(elements[kind].bytes > 0, "the input %s is of the type %s; it must be a tensor of numbers", name, typeName(kind))
		_, open := fixed(in)
		Require(i == 0 || !open, "the input %s leaves sizes open; export it with fixed ones", name)
	}
	return inputs
}

// fixed gives the shape of an input with the batch as 1, and 0 for sizes that are open.
func fixed(input *onnxpb.ValueInfoProto) (dims []int, open bool) {
	declared := dimsOf(input)
	dims = make([]int, len(declared))
	for i, d := range declared {
		dims[i] = int(d.GetDimValue())
		open = open || d.DimValue == nil && (i > 0 || len(declared) == 1)
	}
	if len(dims) > 1 {
		dims[0] = 1
	}
	return dims, open || len(dims) == 0
}

// candidates gives the shapes to try for an input: the declared one, or those that its open
// sizes may stand for.
func candidates(input *onnxpb.ValueInfoProto, g *onnxpb.GraphProto) [][]int {
	dims, open := fixed(input)
	switch first := dimsOf(input); {
	case open:
	case len(dims) == 2 && first[0].GetDimValue() == int64(dims[1]): // one picture, or else a batch
		return [][]int{dims, {dims[1], dims[1]}}
	default:
		return [][]int{dims}
	}
	all := [][]int{{1, 28 * 28}}
	for _, side := range []int{28, 32, 64, 20, 14} {
		all = append(all, []int{1, 1, side, side}, []int{1, side, side, 1}, []int{1, side, side}, []int{1, 3, side, side}, []int{1, side, side, 3})
	}
	for _, t := range g.Initializer {
		for _, d := range t.Dims {
			if len(t.Dims) == 2 && len(all) < 64 {
				all = append(all, []int{1, int(d)})
			}
		}
	}
	return slices.DeleteFunc(all, func(c []int) bool {
		for i, d := range dims {
			if len(c) != len(dims) || d != 0 && d != c[i] {
				return true
			}
		}
		return false
	})
}

// title names a node in messages: Gemm "layer1", or by its number when it has no name.
func title(n *onnxpb.NodeProto, i int) string {
	if n.GetName() == "" {
		return fmt.Sprintf("node %d (%.*s)", i+1, shown, n.GetOpType())
	}
	return fmt.Sprintf("%.*s %s", shown, n.GetOpType(), quoted(n.GetName()))
}

// build makes the graph with dims for the first input.
func (b *builder) build(g *onnxpb.GraphProto, inputs []*onnxpb.ValueInfoProto, dims []int) (_ *Graph, err error) {
	defer Recovered(&err)
	s := b.newScope(0, g.Node, g.Initializer)
	for i, in := range inputs {
		if i > 0 {
			dims, _ = fixed(in)
		}
		v := &Value{Name: in.GetName(), Type: Type(in.GetType().GetTensorType().GetElemType()), Dims: dims}
		_, err := dimensions(dims)
		Require(err == nil && v.Elements() > 0, "the input %s: the shape %v is not possible", quoted(v.Name), dims)
		b.Inputs = append(b.Inputs, v)
		s.values[v.Name] = v
	}
	b.takeAll(s)
	if b.over != nil {
		return nil, b.over
	}
	for _, o := range g.Output {
		if v := beforeLargest(s.values[o.GetName()]); v != nil && v != notUnderstood && !v.Constant() && (oneRow(v.Dims) || b.Lines) {
			b.Output = v
			b.fuse()
			return &b.Graph, nil
		}
	}
	return nil, b.failure(s, g.Output)
}

// beforeLargest is what the largest is taken of, where a value says nothing but that; else the value.
func beforeLargest(v *Value) *Value {
	for at := v; at != nil && at.From != nil; at = at.From.Args[0] {
		switch at.From.Operation.(type) {
		case Largest:
			return at.From.Args[0]
		case Reshape:
			continue
		}
		break
	}
	return v
}

// oneRow reports whether a value has several numbers, all along one dimension: those of classes.
func oneRow(dims []int) bool { return count(dims) > 1 && slices.Max(dims) == count(dims) }

// failure says why none of the outputs can be computed, all unknown operators at once.
func (b *builder) failure(s *scope, outputs []*onnxpb.ValueInfoProto) error {
	switch {
	case len(b.unknown) > 0:
		return unknownOperators(b.unknown)
	case b.first != nil:
		return b.first
	case len(outputs) == 0:
		return message.Errorf("it has no output")
	}
	name := outputs[0].GetName()
	switch v, known := b.value(s, name); {
	case !known:
		return message.Errorf("its output %s is computed nowhere", quoted(name))
	case v.Constant():
		return message.Errorf("its output %s does not depend on the input", quoted(name))
	default:
		return message.Errorf("its output %s has the shape %v; export it with an output of a number for each class, [N,classes]", quoted(name), v.Dims)
	}
}

// MostNamed is how many operators that are not understood, or outputs, a message names.
const MostNamed = 20

// unknownOperators lists operators with what can be done about them.
func unknownOperators(names []string) error {
	slices.Sort(names)
	names = slices.Compact(names)
	names = names[:min(len(names), MostNamed)]
	remedy := message.Errorf("convolutions, pooling, dense layers and functions of single values are: export the model with those alone")
	switch {
	case slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "ai.onnx.ml.") }):
		remedy = message.Errorf("trees and other models of ONNX-ML are no networks: train a neural network for this and export that")
	case slices.ContainsFunc(names, func(s string) bool { return s == "GRU" || s == "LSTM" || s == "RNN" }):
		remedy = message.Errorf("recurrent layers read a picture line by line, a network here sees it at once: train one with convolutions or dense layers instead")
	case slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "com.microsoft.") }):
		remedy = message.Errorf("ONNX Runtime's optimiser makes operators of com.microsoft: take the model as it was before")
	}
	if len(names) == 1 {
		return message.Errorf("the operator %s is not understood; %w", names[0], remedy)
	}
	return message.Errorf("the operators %s are not understood; %w", strings.Join(names, ", "), remedy)
}

// spend takes from the budget or gives up.
func (b *builder) spend(bytes, steps int) { b.within(b.budget.Spend(bytes, steps)) }

// within gives up on the file for an error.
func (b *builder) within(err error) {
	if err == nil {
		return
	}
	if b.over == nil {
		b.over = message.Errorf("%s: %w", b.title, err)
	}
	panic(Refusal{err})
}
