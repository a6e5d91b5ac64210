package nn

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// Every file that is not understood is an error that names the reason.
func TestRefused(t *testing.T) {
	nan := []float32{1, 2, 3, 4, 5, float32(math.NaN())}
	for name, c := range map[string]struct {
		change func(m *onnxModel, g *onnxGraph)
		want   string
	}{
		"operator":        {func(_ *onnxModel, g *onnxGraph) { g.nodes[1].op = "Conv"; g.nodes[1].name = "c1" }, `Conv "c1": the operator "Conv" is not supported`},
		"domain":          {func(_ *onnxModel, g *onnxGraph) { g.nodes[1].domain = "com.microsoft" }, "com.microsoft"},
		"old opset":       {func(m *onnxModel, _ *onnxGraph) { m.opsets[0].version = 6 }, "opset 6"},
		"new opset":       {func(m *onnxModel, _ *onnxGraph) { m.opsets[0].version = 99 }, "opset 99"},
		"no opset":        {func(m *onnxModel, _ *onnxGraph) { m.opsets = nil }, "no ONNX opset"},
		"no graph":        {func(m *onnxModel, _ *onnxGraph) { m.graph = nil }, "no ONNX graph"},
		"no nodes":        {func(_ *onnxModel, g *onnxGraph) { g.nodes = nil }, "no Gemm or MatMul"},
		"short weights":   {func(_ *onnxModel, g *onnxGraph) { g.initializers[0].dims = []int64{2, 2} }, "bytes, want 16"},
		"shape mismatch":  {func(_ *onnxModel, g *onnxGraph) { g.inputs[0].dims[1].size = 5 }, "weights take 2 values, its input has 5"},
		"layers mismatch": {func(_ *onnxModel, g *onnxGraph) { setInitializer(g, rawTensor("V", testV, 2, 3)) }, "weights take 2 values, its input has 3"},
		"bias mismatch":   {func(_ *onnxModel, g *onnxGraph) { setInitializer(g, rawTensor("b", testB[:2], 2)) }, `bias "b" has the shape [2]`},
		"bias column":     {func(_ *onnxModel, g *onnxGraph) { setInitializer(g, rawTensor("b", testB, 3, 1)) }, `bias "b" has the shape [3 1]`},
		"weights of 3":    {func(_ *onnxModel, g *onnxGraph) { setInitializer(g, rawTensor("W", testW, 1, 2, 3)) }, "want two dimensions"},
		"nan":             {func(_ *onnxModel, g *onnxGraph) { setInitializer(g, rawTensor("W", nan, 2, 3)) }, "finite"},
		"half floats":     {func(_ *onnxModel, g *onnxGraph) { g.initializers[0].dataType = 10 }, `"W" is float16`},
		"unknown type":    {func(_ *onnxModel, g *onnxGraph) { g.initializers[0].dataType = 77 }, "element type 77"},
		"external":        {func(_ *onnxModel, g *onnxGraph) { g.initializers = g.initializers[1:] }, `weights "W" are no constant`},
		"input type":      {func(_ *onnxModel, g *onnxGraph) { g.inputs[0].elemType = 2 }, "uint8"},
		"two inputs": {func(_ *onnxModel, g *onnxGraph) {
			g.inputs = append(g.inputs, onnxValue{name: "z", elemType: onnxFloat})
		}, "several inputs"},
		"no input":   {func(_ *onnxModel, g *onnxGraph) { g.inputs = nil }, "no input"},
		"flat input": {func(_ *onnxModel, g *onnxGraph) { g.inputs[0].dims = g.inputs[0].dims[:1] }, "1 dimensions"},
		"no flatten": {func(_ *onnxModel, g *onnxGraph) {
			g.inputs[0].dims = append(g.inputs[0].dims, onnxDim{size: 1, fixed: true})
		}, "Flatten"},
		"transA": {func(_ *onnxModel, g *onnxGraph) { g.nodes[0].attributes = []onnxAttribute{{name: "transA", i: 1}} }, "transA"},
		"flatten axis": {func(_ *onnxModel, g *onnxGraph) {
			g.nodes[0] = op("Flatten", "x", "h", onnxAttribute{name: "axis", i: 2})
		}, "axis = 2"},
		"softmax axis": {func(_ *onnxModel, g *onnxGraph) { g.nodes[3].attributes = []onnxAttribute{{name: "axis", i: 3}} }, "axis = 3"},
		"early softmax": {func(_ *onnxModel, g *onnxGraph) {
			g.nodes[1].op = "Softmax"
		}, "follows the Softmax"},
		"ends in tanh": {func(_ *onnxModel, g *onnxGraph) { g.nodes[3].op = "Tanh" }, "ends in Tanh"},
		"two activations": {func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append(g.nodes[:2:2], op("Relu", "t", "t2"), op("Gemm", "t2 V c", "y"))
		}, "does not follow"},
		"branch": {func(_ *onnxModel, g *onnxGraph) { g.nodes[2].inputs[0] = "h" }, "branch"},
		"residual": {func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append(g.nodes[:2:2], op("Add", "t h", "y"))
		}, "two computed values"},
		"late bias": {func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append(g.nodes[:2:2], op("Add", "t b", "t2"), op("Gemm", "t2 V c", "y"))
		}, "does not follow"},
		"undefined input":  {func(_ *onnxModel, g *onnxGraph) { g.nodes[0].inputs[0] = "nowhere" }, "computed nowhere"},
		"constant input":   {func(_ *onnxModel, g *onnxGraph) { g.nodes[0].inputs[0] = "W" }, "constant"},
		"input count":      {func(_ *onnxModel, g *onnxGraph) { g.nodes[0].inputs = []string{"x"} }, "1 inputs"},
		"output":           {func(_ *onnxModel, g *onnxGraph) { g.outputs[0].name = "q" }, "no output"},
		"two outputs":      {func(_ *onnxModel, g *onnxGraph) { g.nodes[0].outputs = []string{"h", "g"} }, "2 outputs"},
		"reshape batch":    {reshapeTo(shapeTensor("s", 2, -1)), "not supported"},
		"reshape width":    {reshapeTo(shapeTensor("s", -1, 3)), "3 values"},
		"reshape vector":   {reshapeTo(shapeTensor("s", -1)), "batch"},
		"reshape zero":     {reshapeTo(shapeTensor("s", -1, 0)), "not supported"},
		"reshape overflow": {reshapeTo(shapeTensor("s", -1, math.MaxInt64, math.MaxInt64)), "not possible"},
		"reshape floats":   {reshapeTo(floatTensor("s", []float32{-1, 2}, 2)), "float32"},
		"reshape computed": {reshapeTo(shapeTensor("other", -1, 2)), "computed"},
		"huge dims":        {func(_ *onnxModel, g *onnxGraph) { g.initializers[0].dims = []int64{1 << 40, 1 << 40} }, "not possible"},
		"large dims":       {func(_ *onnxModel, g *onnxGraph) { g.initializers[0].dims = []int64{1 << 15, 1 << 15} }, "bytes, want"},
		"negative dims":    {func(_ *onnxModel, g *onnxGraph) { g.initializers[0].dims = []int64{-2, -3} }, "not possible"},
		"huge input":       {func(_ *onnxModel, g *onnxGraph) { g.inputs[0].dims[1].size = math.MaxInt64 }, "not possible"},
		"pixels":           {func(m *onnxModel, _ *onnxGraph) { m.metadata = []onnxEntry{{"preprocessing", MNIST28}} }, "784 inputs"},
		"labels":           {func(m *onnxModel, _ *onnxGraph) { m.metadata = []onnxEntry{{"labels", "a,b"}} }, "no JSON list"},
		"label count":      {func(m *onnxModel, _ *onnxGraph) { m.metadata = []onnxEntry{{"labels", `["a"]`}} }, "1 labels for 2"},
		"many nodes": {func(_ *onnxModel, g *onnxGraph) {
			g.nodes = make([]onnxNode, maxParts+1)
		}, "more than 4096 parts"},
		"weights named again and again": {func(_ *onnxModel, g *onnxGraph) {
			const side = 1024
			setInitializer(g, rawTensor("W", make([]float32, side*side), side, side))
			g.inputs[0].dims[1].size = side
			g.nodes = nil
			for range 64 {
				g.nodes = append(g.nodes, op("MatMul", "x W", "x"))
			}
		}, "more than 33554432 weights"},
	} {
		t.Run(name, func(t *testing.T) {
			file := foreign()
			c.change(file, file.graph)
			m, err := ReadONNX(bytes.NewReader(file.encode()))
			if err == nil {
				t.Fatalf("read %+v", m)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error %q does not hold %q", err, c.want)
			}
		})
	}
}

func reshapeTo(shape onnxTensor) func(m *onnxModel, g *onnxGraph) {
	return func(_ *onnxModel, g *onnxGraph) {
		setInitializer(g, shape)
		g.nodes = append([]onnxNode{op("Reshape", "x s", "f"), op("Gemm", "f W b", "h")}, g.nodes[1:]...)
	}
}

// A file that ends anywhere before its end is refused.
func TestTruncated(t *testing.T) {
	data := encodeModel(t, sampleModel())
	for n := range data {
		if m, err := ReadONNX(bytes.NewReader(data[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes were read as %+v", n, len(data), m)
		}
	}
}

func TestOtherKinds(t *testing.T) {
	for start, want := range map[string]string{
		"":                         "empty",
		"\x89PNG\r\n\x1a\n":        "PNG",
		"PK\x03\x04":               "ZIP",
		"\x89HDF\r\n":              "HDF5",
		"\x1f\x8b\x08":             "gzip",
		`{"a": 1}`:                 "JSON",
		"<html>":                   "HTML",
		"\x1c\x00\x00\x00TFL3\x00": "TensorFlow Lite",
		"Dear reader, ":            "another kind of file",
		"\x00\x00\x08\x03\x00":     "another kind of file",
		"\xff\xff\xff\xff\xff":     "another kind of file",
	} {
		_, err := ReadONNX(strings.NewReader(start))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", start, err, want)
		}
	}
}

// External data are named by data_location, which the encoder does not write.
func TestExternalData(t *testing.T) {
	file := foreign()
	tensor := append(file.graph.initializers[0].encode(), 0x70, 1)
	var back onnxTensor
	if err := back.decode(tensor); err != nil || !back.external {
		t.Fatalf("external %t, error %v", back.external, err)
	}
	if _, err := back.float32s(); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Fatalf("got %v", err)
	}
}

func FuzzReadONNX(f *testing.F) {
	f.Add(encodeModel(f, sampleModel()))
	f.Add(foreign().encode())
	flat := foreign()
	reshapeTo(rawShape("s", 0, -1))(flat, flat.graph)
	f.Add(flat.encode())
	cut := foreign().encode()
	f.Add(cut[:len(cut)-7])
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := ReadONNX(bytes.NewReader(data))
		if err != nil {
			if m != nil {
				t.Fatal("an error came with a model")
			}
			return
		}
		if err := m.Check(); err != nil {
			t.Fatalf("a model was read that fails its check: %v", err)
		}
		again, err := ReadONNX(bytes.NewReader(encodeModel(t, m)))
		if err != nil {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
		if again.Network.Parameters() != m.Network.Parameters() {
			t.Fatal("writing changed the network")
		}
	})
}
