package onnx

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/graph"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// TestExports compares what the reader makes of each export with the operators' definitions,
// for a batch of several samples.
func TestExports(t *testing.T) {
	for _, c := range exports() {
		t.Run(c.name, func(t *testing.T) {
			data, err := proto.Marshal(c.model)
			if err != nil {
				t.Fatal(err)
			}
			file, err := unmarshal(data)
			if err != nil {
				t.Fatal(err)
			}
			g, err := graph.Build(file.Graph, int(file.OpsetImport[0].GetVersion()), nil)
			if err != nil {
				t.Fatal(err)
			}
			input := samplesFor(c.model)
			want := evaluate(c.model, input)
			keep(t, c.name, data, input, want)
			n, width := input.dims[0], len(want.data)/input.dims[0]
			for s := range n {
				got := evaluateGraph(t, g, input.data[s*len(input.data)/n:(s+1)*len(input.data)/n])
				if len(got) != width {
					t.Fatalf("%d values, want %d", len(got), width)
				}
				for i, v := range got {
					w := want.data[s*width+i]
					if want.dims[0] != n { // samples in columns
						w = want.data[i*n+s]
					}
					if !(math.Abs(v-w) <= 1e-5*(1+math.Abs(w))+c.rounded) {
						t.Errorf("sample %d, value %d: %g, want %g", s, i, v, w)
					}
				}
			}
		})
	}
}

// keep writes a model, its input and what it gives into the folder that INKSHADE_EXPORTS
// names, for a comparison with ONNX Runtime.
func keep(t *testing.T, name string, model []byte, input, output array) {
	folder := os.Getenv("INKSHADE_EXPORTS")
	if folder == "" {
		return
	}
	values, err := json.Marshal(map[string]any{"name": name, "dims": input.dims, "input": input.data, "output": output.data})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, strings.ReplaceAll(name, " ", "-"))
	if err := errors.Join(os.WriteFile(path+".onnx", model, 0o666), os.WriteFile(path+".json", values, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// A graph is read for one picture, whatever shape the file gives its input, and those that
// it leaves open are those of a picture.
func TestInputShapes(t *testing.T) {
	for _, c := range []struct {
		dims []any
		want []int
	}{
		{[]any{"N", 28, 28}, []int{1, 28, 28}},
		{[]any{"N", 1, 28, 28}, []int{1, 1, 28, 28}},
		{[]any{1, 28, 28, 1}, []int{1, 28, 28, 1}},
		{[]any{16, 784}, []int{1, 784}},
		{[]any{784}, []int{784}},
		{[]any{"N", 3, 14, 14, 1}, []int{1, 3, 14, 14, 1}},
		{[]any{"N", "C", "H", "W"}, []int{1, 1, 28, 28}},
		{[]any{"N", "H", "W", 1}, []int{1, 28, 28, 1}},
		{[]any{"N", "pixels"}, []int{1, 784}},
		{nil, []int{1, 784}},
	} {
		e := newExport(13, c.dims...)
		if c.dims == nil {
			e.model.Graph.Input[0].Type.TensorType.Shape = nil
		}
		width := int64(784)
		if len(c.dims) == 5 {
			width = 588
		}
		flat := e.add("Reshape", "x", list(-1, width))
		m := e.finished(e.add("Gemm", flat, e.weights(width, 10)))
		g, err := graph.Build(m.Graph, 13, nil)
		if err != nil || !equal(g.Input.Dims, c.want) {
			t.Errorf("%v: %+v, error %v, want the input %v", c.dims, g, err, c.want)
		}
	}
}

// samplesFor makes inputs from 0 to 1 for a model: as many as its batch, or 2.
func samplesFor(m *onnxpb.ModelProto) array {
	dims := []int{}
	for i, d := range m.Graph.Input[0].Type.TensorType.Shape.Dim {
		if dims = append(dims, int(d.GetDimValue())); i == 0 && d.DimValue == nil {
			dims[0] = 2
		}
	}
	at := 0.0
	return fill(dims, func([]int) float64 {
		at += 0.618
		return float64(float32(at - math.Floor(at)))
	})
}

// evaluateGraph computes a graph for one sample, with the operators of evaluate.
func evaluateGraph(t testing.TB, g *graph.Graph, sample []float64) []float64 {
	values := map[*graph.Value]array{g.Input: {dims: g.Input.Dims, data: sample}}
	for _, n := range g.Nodes {
		var in []*array
		for _, a := range n.Args {
			v, ok := values[a]
			if a.Constant() {
				v, ok = array{dims: a.Dims, data: a.Data}, true
			}
			if !ok {
				t.Fatalf("%s takes what is not made before it", n.Title)
			}
			in = append(in, &v)
		}
		out := evaluateNode(t, n, in)
		if !equal(out.dims, n.Out.Dims) {
			t.Fatalf("%s: shape %v, want %v", n.Title, n.Out.Dims, out.dims)
		}
		values[n.Out] = out
	}
	return values[g.Output].data
}

func equal(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func evaluateNode(t testing.TB, n *graph.Node, in []*array) array {
	node := func(op string, attributes ...*onnxpb.AttributeProto) array {
		f := fields{13, &onnxpb.NodeProto{OpType: &op, Attribute: attributes}, in}
		return f.evaluate()[0]
	}
	window := func(w graph.Window) []*onnxpb.AttributeProto {
		return []*onnxpb.AttributeProto{
			attr("kernel_shape", w.Kernel[:]), attr("strides", w.Stride[:]), attr("dilations", w.Dilation[:]),
			attr("pads", append(w.Before[:], w.After[:]...)),
		}
	}
	switch op := n.Operation.(type) {
	case graph.Formula:
		var dims []int
		for _, a := range in {
			dims = stretched(dims, a.dims)
		}
		args := make([]float64, len(in))
		return fill(dims, func(at []int) float64 {
			for i, a := range in {
				args[i] = a.at(at...)
			}
			return op.Evaluate(&expr.Values{Args: args})
		})
	case graph.MatMul:
		return node("MatMul")
	case graph.Conv:
		return node("Conv", append(window(op.Window), attr("group", op.Groups))...)
	case graph.Pool:
		if op.Max {
			return node("MaxPool", window(op.Window)...)
		}
		return node("AveragePool", window(op.Window)...)
	case graph.Reduce:
		keep := 0
		if len(n.Out.Dims) == len(in[0].dims) {
			keep = 1
		}
		name := map[graph.Reduction]string{graph.Mean: "ReduceMean", graph.Sum: "ReduceSum", graph.Max: "ReduceMax"}[op.By]
		return node(name, attr("axes", op.Axes), attr("keepdims", keep))
	case graph.Reshape:
		return reshaped(*in[0], n.Out.Dims)
	case graph.Transpose:
		return node("Transpose", attr("perm", op.Order))
	case graph.Concat:
		return node("Concat", attr("axis", op.Axis))
	case graph.Pad:
		return node("Pad", attr("pads", append(op.Before[:len(op.Before):len(op.Before)], op.After...)), attr("value", op.Value))
	case graph.Softmax:
		if op.Log {
			return node("LogSoftmax", attr("axis", op.Axis))
		}
		return node("Softmax", attr("axis", op.Axis))
	}
	t.Fatalf("%s is of the kind %T", n.Title, n.Operation)
	return array{}
}
