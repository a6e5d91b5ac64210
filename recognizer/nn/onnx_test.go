package nn

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/program"
)

func encodeModel(t testing.TB, m *Model) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := WriteONNX(&buf, m); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, act := range program.Activations {
		for _, sizes := range [][]int{{784, 10}, {784, 12, 10}, {784, 8, 9, 10}, {5, 4, 3}} {
			m := &Model{Network: NewNetwork(sizes, act, 9), Metadata: map[string]string{"data": "drawn", "date": "2026-01-02", "empty": ""}}
			m.Labels = []string{"0", "\"", "ß", "九", "\n", "a b", "6", "7", "8", "☂"}[:m.Network.Classes()]
			if sizes[0] == 784 {
				m.Preprocessing = MNIST28
			} else {
				m.Preprocessing = "test5"
			}
			first := encodeModel(t, m)
			got, err := ReadONNX(bytes.NewReader(first))
			if err != nil {
				t.Fatalf("%s %v: %v", act, sizes, err)
			}
			if !reflect.DeepEqual(got, m) {
				t.Errorf("%s %v: the model read differs from the one written", act, sizes)
			}
			if !bytes.Equal(encodeModel(t, got), first) {
				t.Errorf("%s %v: writing again gives other bytes", act, sizes)
			}
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	broken := sampleModel()
	broken.Network.Layers[0].Bias[0] = float32(math.NaN())
	taken := sampleModel()
	taken.Metadata["labels"] = "x"
	for name, m := range map[string]*Model{"nan": broken, "key": taken} {
		if err := WriteONNX(io.Discard, m); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// The smallest network in every spelling: y = tanh(x·W + b)·V + c with 2 inputs.
var (
	testW = []float32{1, 2, 3, 4, 5, 6} // [2][3]
	testB = []float32{0.5, -0.5, 0.25}
	testV = []float32{1, -1, 2, -2, 3, -3} // [3][2]
	testC = []float32{0.125, 8}
)

func floatTensor(name string, data []float32, dims ...int64) onnxTensor {
	return onnxTensor{name: name, dims: dims, dataType: onnxFloat, floats: data}
}

func shapeTensor(name string, shape ...int64) onnxTensor {
	return onnxTensor{name: name, dims: []int64{int64(len(shape))}, dataType: onnxInt64, int64s: shape}
}

func rawShape(name string, shape ...int64) onnxTensor {
	t := onnxTensor{name: name, dims: []int64{int64(len(shape))}, dataType: onnxInt64, hasRaw: true}
	for _, s := range shape {
		t.raw = binary.LittleEndian.AppendUint64(t.raw, uint64(s))
	}
	return t
}

func op(kind, inputs, output string, attributes ...onnxAttribute) onnxNode {
	return onnxNode{op: kind, inputs: strings.Fields(inputs), outputs: []string{output}, attributes: attributes}
}

// foreign is a valid model that each case changes.
func foreign() *onnxModel {
	return &onnxModel{
		irVersion: 7,
		opsets:    []onnxOpset{{version: 11}},
		graph: &onnxGraph{
			nodes: []onnxNode{op("Gemm", "x W b", "h"), op("Tanh", "h", "t"), op("Gemm", "t V c", "y"), op("Softmax", "y", "p")},
			initializers: []onnxTensor{
				rawTensor("W", testW, 2, 3), rawTensor("b", testB, 3), rawTensor("V", testV, 3, 2), rawTensor("c", testC, 2),
			},
			inputs:  []onnxValue{{name: "x", elemType: onnxFloat, dims: []onnxDim{{name: "N"}, {size: 2, fixed: true}}}},
			outputs: []onnxValue{{name: "p", elemType: onnxFloat}},
		},
	}
}

func setInitializer(g *onnxGraph, t onnxTensor) {
	i := slices.IndexFunc(g.initializers, func(old onnxTensor) bool { return old.name == t.name })
	if i < 0 {
		g.initializers = append(g.initializers, t)
		return
	}
	g.initializers[i] = t
}

func TestSpellings(t *testing.T) {
	quarter := make([]float32, len(testW))
	for i, v := range testW {
		quarter[i] = v * 4
	}
	for name, change := range map[string]func(m *onnxModel, g *onnxGraph){
		"as it stands":  func(*onnxModel, *onnxGraph) {},
		"float_data":    func(_ *onnxModel, g *onnxGraph) { setInitializer(g, floatTensor("W", testW, 2, 3)) },
		"no softmax":    func(_ *onnxModel, g *onnxGraph) { g.nodes = g.nodes[:3]; g.outputs[0].name = "y" },
		"softmax axis":  func(_ *onnxModel, g *onnxGraph) { g.nodes[3].attributes = []onnxAttribute{{name: "axis", i: -1}} },
		"opset 13":      func(m *onnxModel, _ *onnxGraph) { m.opsets[0].version = 13 },
		"named domain":  func(m *onnxModel, g *onnxGraph) { m.opsets[0].domain = "ai.onnx"; g.nodes[0].domain = "ai.onnx" },
		"other domains": func(m *onnxModel, _ *onnxGraph) { m.opsets = append([]onnxOpset{{"ai.onnx.ml", 3}}, m.opsets...) },
		"transB": func(_ *onnxModel, g *onnxGraph) {
			setInitializer(g, rawTensor("W", transpose(testW, 2, 3), 3, 2))
			g.nodes[0].attributes = []onnxAttribute{{name: "transB", i: 1}, {name: "transA", i: 0}}
		},
		"alpha and beta": func(_ *onnxModel, g *onnxGraph) {
			setInitializer(g, rawTensor("W", quarter, 2, 3))
			setInitializer(g, rawTensor("b", []float32{1, -1, 0.5}, 1, 3))
			g.nodes[0].attributes = []onnxAttribute{{name: "alpha", f: 0.25}, {name: "beta", f: 0.5}}
		},
		"matmul and add": func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append([]onnxNode{op("MatMul", "x W", "m"), op("Add", "b m", "h")}, g.nodes[1:]...)
		},
		"two biases": func(_ *onnxModel, g *onnxGraph) {
			setInitializer(g, rawTensor("b1", []float32{0.5}, 1))
			setInitializer(g, rawTensor("b2", []float32{0, -1, -0.25}, 3))
			g.nodes = append([]onnxNode{op("Gemm", "x W b1", "m"), op("Add", "m b2", "h")}, g.nodes[1:]...)
		},
		"identity": func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append([]onnxNode{op("Identity", "x", "x1"), op("Identity", "W", "W1"), op("Gemm", "x W1 b", "h")}, g.nodes[1:]...)
		},
		"identity at the end": func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append(g.nodes, op("Identity", "p", "q"))
			g.outputs[0].name = "q"
		},
		"constant": func(_ *onnxModel, g *onnxGraph) {
			w := rawTensor("", testW, 2, 3)
			g.nodes = append([]onnxNode{op("Constant", "", "W", onnxAttribute{name: "value", tensor: &w})}, g.nodes...)
			g.initializers = g.initializers[1:]
		},
		"flatten": func(_ *onnxModel, g *onnxGraph) {
			g.inputs[0].dims = []onnxDim{{size: 1, fixed: true}, {size: 1, fixed: true}, {size: 2, fixed: true}, {size: 1, fixed: true}}
			g.nodes = append([]onnxNode{op("Flatten", "x", "f"), op("Gemm", "f W b", "h")}, g.nodes[1:]...)
		},
		"flatten from the end": func(_ *onnxModel, g *onnxGraph) {
			g.nodes = append([]onnxNode{op("Flatten", "x", "f", onnxAttribute{name: "axis", i: -1}), op("Gemm", "f W b", "h")}, g.nodes[1:]...)
		},
		"reshape": func(_ *onnxModel, g *onnxGraph) {
			setInitializer(g, shapeTensor("s", -1, 2))
			setInitializer(g, rawShape("r", 0, -1))
			g.inputs[0].dims = append(g.inputs[0].dims, onnxDim{size: 1, fixed: true})
			g.nodes = append([]onnxNode{op("Reshape", "x s", "f"), op("Reshape", "f r", "e"), op("Gemm", "e W b", "h")}, g.nodes[1:]...)
		},
		"reshape of one": func(_ *onnxModel, g *onnxGraph) {
			setInitializer(g, shapeTensor("s", 1, 2))
			g.nodes = append([]onnxNode{op("Reshape", "x s", "f"), op("Gemm", "f W b", "h")}, g.nodes[1:]...)
		},
		"initializers as inputs": func(m *onnxModel, g *onnxGraph) {
			m.irVersion = 3
			g.inputs = append([]onnxValue{{name: "W", elemType: onnxFloat}, {name: "b", elemType: onnxFloat}}, g.inputs...)
		},
		"open sizes": func(_ *onnxModel, g *onnxGraph) { g.inputs[0].dims[1] = onnxDim{name: "M"} },
	} {
		t.Run(name, func(t *testing.T) {
			file := foreign()
			change(file, file.graph)
			m, err := ReadONNX(bytes.NewReader(file.encode()))
			if err != nil {
				t.Fatal(err)
			}
			want := Network{Layers: []Layer{
				{In: 2, Out: 3, Weights: testW, Bias: testB, Activation: program.Tanh},
				{In: 3, Out: 2, Weights: testV, Bias: testC},
			}}
			if !reflect.DeepEqual(m.Network, want) {
				t.Errorf("got %+v", m.Network)
			}
			if !slices.Equal(m.Labels, []string{"0", "1"}) {
				t.Errorf("labels %q", m.Labels)
			}
		})
	}
}

func TestActivationsAreRead(t *testing.T) {
	for name, want := range map[string]program.Activation{"Tanh": program.Tanh, "Sigmoid": program.Sigmoid, "Relu": program.ReLU} {
		file := foreign()
		file.graph.nodes[1].op = name
		m, err := ReadONNX(bytes.NewReader(file.encode()))
		if err != nil || m.Network.Layers[0].Activation != want {
			t.Errorf("%s: %v, error %v", name, m, err)
		}
	}
}
