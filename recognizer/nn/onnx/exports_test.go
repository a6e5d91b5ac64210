package onnx

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/glcompute"
	"inkshade/glcompute/expr"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// TestExports compares what the reader makes of each export with the operators' definitions,
// for a batch of several samples: the graph of few operations, and the network, on the plain
// reference and on every device.
func TestExports(t *testing.T) {
	var devices []glcompute.Device
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		devices = append(devices, dev)
	}
	for _, c := range exports() {
		t.Run(c.name, func(t *testing.T) {
			data, err := proto.Marshal(c.model)
			if err != nil {
				t.Fatal(err)
			}
			g := built(t, data)
			input := samplesFor(c.model)
			want := evaluate(c.model, input)
			n, width := input.dims[0], len(want.data)/input.dims[0]
			m, err := Read(t.Context(), bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			var rows, wants [][]float64
			for s := range n {
				sample := input.data[s*len(input.data)/n : (s+1)*len(input.data)/n]
				wanted := want.data[s*width : (s+1)*width]
				if want.dims[0] != n { // samples in columns
					wanted = nil
					for i := range width {
						wanted = append(wanted, want.data[i*n+s])
					}
				}
				compareValues(t, "graph", evaluateGraph(t, g, sample), wanted, c.rounded)
				row := seen(c.model, array{dims: input.dims, data: sample})
				wanted = answered(c.model, wanted)
				compareValues(t, "network", answer(c.model, evaluateNetwork(m.Network, row)), wanted, c.rounded)
				rows, wants = append(rows, row), append(wants, wanted)
			}
			computed := map[string][][]float64{}
			for _, dev := range devices {
				kind := string(dev.Info().Kind)
				for s, logits := range infer(t, dev, m.Network, rows) {
					got := answer(c.model, logits)
					compareValues(t, kind, got, wants[s], c.rounded)
					computed[kind] = append(computed[kind], got)
				}
			}
			keep(t, data, kept{Name: c.name, Dims: input.dims, Input: input.data, Shares: ending(c.model) == "Sigmoid", Rounded: c.rounded, Output: computed})
		})
	}
}

// infer computes the logits of samples on a device, one after the other.
func infer(t testing.TB, dev glcompute.Device, net nn.Network, samples [][]float64) (logits [][]float64) {
	inference, err := nn.NewInference(dev, net)
	if err != nil {
		t.Fatal(err)
	}
	defer inference.Close()
	row := make([]float32, net.Width())
	for _, sample := range samples {
		for i, v := range sample {
			row[i] = float32(v)
		}
		err := inference.Each([][]float32{row}, func(_ int, values []float32) {
			logits = append(logits, make([]float64, len(values)))
			for i, v := range values {
				logits[len(logits)-1][i] = float64(v)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return logits
}

// kept is what .ci/onnx-peers reads of a model beside its file.
type kept struct {
	Name    string
	Dims    []int                  // of the input
	Input   []float64              // of all samples
	Shares  bool                   // the output is that of the model divided by its sum
	Rounded float64                // how far the rounding of quantised numbers may take the output
	Output  map[string][][]float64 // by what computed it, and by sample
}

// keep writes a model, its input and what it gives into the folder that INKSHADE_EXPORTS
// names, for a comparison with ONNX Runtime.
func keep(t *testing.T, model []byte, k kept) {
	folder := os.Getenv("INKSHADE_EXPORTS")
	if folder == "" {
		return
	}
	values, err := json.Marshal(k)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, strings.ReplaceAll(k.Name, " ", "-"))
	if err := errors.Join(os.WriteFile(path+".onnx", model, 0o666), os.WriteFile(path+".json", values, 0o666)); err != nil {
		t.Fatal(err)
	}
}

// built is the graph of a file.
func built(t testing.TB, data []byte) *graph.Graph {
	t.Helper()
	file, err := unmarshal(data, budget.New(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(file, int(file.OpsetImport[0].GetVersion()), false, nil, budget.New(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func compareValues(t testing.TB, what string, got, want []float64, rounded float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= 1e-5*(1+math.Abs(want[i]))+rounded) {
			t.Errorf("%s, value %d: %g, want %g", what, i, v, want[i])
		}
	}
}

// seen is a sample as the network takes it: channels last, and one of three that are the same
// where the model does not say what it takes.
func seen(m *onnxpb.ModelProto, sample array) []float64 {
	d := sample.dims
	switch {
	case len(d) == 4 && len(m.MetadataProps) > 0:
		return fill([]int{d[2], d[3], d[1]}, func(at []int) float64 { return sample.at(0, at[2], at[0], at[1]) }).data
	case len(d) == 4 && d[1] == 3:
		return sample.data[:len(sample.data)/3]
	case len(d) == 4 && d[3] == 3:
		return fill([]int{d[1], d[2]}, func(at []int) float64 { return sample.at(0, at[0], at[1], 0) }).data
	}
	return sample.data
}

// evaluateNetwork computes the logits of a sample on the plain reference.
func evaluateNetwork(net nn.Network, sample []float64) []float64 {
	params := nn.NewParameters(net)
	p := glcompute.NewProgram()
	input, logits := nn.RecordForward(p, 1, params)
	values := glcompute.Values{input: sample}
	for _, par := range params.All() {
		wide := make([]float64, len(par.Data))
		for i, v := range par.Data {
			wide[i] = float64(v)
		}
		values[p.Variable(par)] = wide
	}
	p.RunReference(values)
	return values[logits]
}

// ending is the operator at the end of a model.
func ending(m *onnxpb.ModelProto) string {
	for _, n := range m.Graph.Node {
		if slices.Contains(n.Output, m.Graph.Output[0].GetName()) {
			return n.GetOpType()
		}
	}
	return ""
}

// answer makes of logits what a model gives: a network leaves out the softmax at its end. Sigmoids
// stay divided by their sum.
func answer(m *onnxpb.ModelProto, logits []float64) []float64 {
	log := ending(m) == "LogSoftmax" || ending(m) == "Log"
	if !log && ending(m) != "Softmax" && ending(m) != "Sigmoid" {
		return logits
	}
	f := fields{13, &onnxpb.NodeProto{}, []*array{{dims: []int{len(logits)}, data: logits}}}
	return softmaxed(f, log).data
}

func answered(m *onnxpb.ModelProto, want []float64) []float64 {
	if ending(m) != "Sigmoid" {
		return want
	}
	sum := 0.0
	for _, v := range want {
		sum += v
	}
	shares := slices.Clone(want)
	for i := range shares {
		shares[i] /= sum
	}
	return shares
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
		{[]any{28, 28}, []int{28, 28}},
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
		g, err := graph.Build(m, 13, false, nil, budget.New(t.Context()))
		if err != nil || !equal(g.Inputs[0].Dims, c.want) {
			t.Errorf("%v: %+v, error %v, want the input %v", c.dims, g, err, c.want)
		}
	}
}

// Where the sizes of an input leave open where the channels are, a person says it, or what fits is
// found.
func TestLayouts(t *testing.T) {
	for right, wrong := range map[string]string{"nchw": "nhwc", "nhwc": "nchw"} {
		e := newExport(13, "N", 3, 3, 3)
		v := "x"
		if right == "nhwc" {
			v = e.add("Transpose", v, attr("perm", []int{0, 3, 1, 2}))
		}
		v = e.add("Relu", e.add("Conv", v, e.weights(2, 3, 2, 2)))
		path := filepath.Join(t.TempDir(), "m.onnx")
		if err := os.WriteFile(path, encode(t, e.finished(e.classes(v, 8))), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, layout := range []string{"", right} {
			m, err := ReadFile(t.Context(), path, layout)
			if err != nil || m.Network.Inputs[0].Shape != (nn.Shape{Height: 3, Width: 3, Channels: 1}) {
				t.Errorf("%s as %q: %+v, error %v", right, layout, m, err)
			}
		}
		m, err := ReadFile(t.Context(), path, wrong)
		if err != nil || !strings.HasPrefix(m.Network.Layers[1].Kind.String(), "gather") {
			t.Errorf("%s as %s: %+v, error %v", right, wrong, m, err)
		}
	}
}

// samplesFor makes inputs from 0 to 1, or of bytes, for a model: as many as its batch, or 2.
func samplesFor(m *onnxpb.ModelProto) array {
	dims := []int{}
	for i, d := range m.Graph.Input[0].Type.TensorType.Shape.Dim {
		if dims = append(dims, int(d.GetDimValue())); i == 0 && d.DimValue == nil {
			dims[0] = 2
		}
	}
	picture := -1 // the dimension of three channels
	if len(dims) == 4 && dims[1] == 3 {
		picture = 1
	} else if len(dims) == 4 && dims[3] == 3 {
		picture = 3
	}
	bytes := m.Graph.Input[0].Type.TensorType.GetElemType() == int32(onnxpb.TensorProto_UINT8)
	return fill(dims, func(at []int) float64 {
		i := 0.0
		for d, n := range dims {
			if d != picture { // whose values are the same
				i = i*float64(n) + float64(at[d])
			}
		}
		v := float64(float32(math.Mod(0.618*(i+1), 1)))
		if bytes {
			return math.Round(255 * v)
		}
		return v
	})
}

// evaluateGraph computes a graph for one sample, with the operators of evaluate.
func evaluateGraph(t testing.TB, g *graph.Graph, sample []float64) []float64 {
	values := map[*graph.Value]array{g.Inputs[0]: {dims: g.Inputs[0].Dims, data: sample}}
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
	case graph.BatchNorm:
		return node("BatchNormalization", attr("epsilon", float64(op.Epsilon)))
	case graph.Dropout:
		return *in[0]
	case graph.MatMul:
		return node("MatMul")
	case graph.Conv:
		return node("Conv", append(window(op.Window), attr("group", op.Groups))...)
	case graph.Pool:
		if op.Max {
			return node("MaxPool", window(op.Window)...)
		}
		return node("AveragePool", append(window(op.Window), attr("count_include_pad", 1))...)
	case graph.Reduce:
		keep := 0
		if len(n.Out.Dims) == len(in[0].dims) {
			keep = 1
		}
		name := map[graph.Reduction]string{graph.Mean: "ReduceMean", graph.Sum: "ReduceSum", graph.Max: "ReduceMax"}[op.By]
		return node(name, attr("axes", op.Axes), attr("keepdims", keep))
	case graph.Reshape:
		return reshaped(*in[0], n.Out.Dims)
	case graph.Concat:
		return node("Concat", attr("axis", op.Axis))
	case graph.Gather:
		return fill(n.Out.Dims, func(at []int) float64 {
			i := 0
			for d, n := range n.Out.Dims {
				i = i*n + at[d]
			}
			return in[0].data[op.Source[i]]
		})
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
