package nn

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"inkshade/glcompute/program"
)

// Keys of the ONNX metadata that carry a model's own fields. All others are Metadata.
const (
	keyLabels        = "labels" // a JSON list of strings
	keyPreprocessing = "preprocessing"
)

// What WriteONNX declares. Opset 13 is the first whose Softmax works along one axis.
const (
	onnxIRVersion = 8
	onnxOpsetUsed = 13
)

// onnxActivations are the ONNX operators of the activations; Identity has none.
var onnxActivations = map[program.Activation]string{
	program.Tanh:    "Tanh",
	program.Sigmoid: "Sigmoid",
	program.ReLU:    "Relu",
}

// WriteONNX writes the model as an ONNX file: Flatten (for MNIST28, whose input is
// [N,1,28,28]; others take [N,inputs]), then Gemm and an activation for each layer, then
// Softmax over the classes. The batch size N is free. The same model gives the same bytes.
func WriteONNX(w io.Writer, m *Model) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("the model cannot be written: %w", err)
	}
	labels, err := json.Marshal(m.Labels)
	if err != nil {
		return fmt.Errorf("the labels cannot be written: %w", err)
	}
	file := onnxModel{
		irVersion: onnxIRVersion,
		producer:  "inkshade",
		opsets:    []onnxOpset{{version: onnxOpsetUsed}},
		metadata:  []onnxEntry{{keyLabels, string(labels)}, {keyPreprocessing, m.Preprocessing}},
		graph:     graphOf(m),
	}
	for _, k := range slices.Sorted(maps.Keys(m.Metadata)) {
		if k == keyLabels || k == keyPreprocessing {
			return fmt.Errorf("the metadata key %q is taken by the model's own field", k)
		}
		file.metadata = append(file.metadata, onnxEntry{k, m.Metadata[k]})
	}
	if _, err := w.Write(file.encode()); err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	return nil
}

func graphOf(m *Model) *onnxGraph {
	g := &onnxGraph{name: "inkshade"}
	current := "image"
	add := func(op, output string, attributes []onnxAttribute, more ...string) {
		g.nodes = append(g.nodes, onnxNode{
			name: output, op: op,
			inputs: append([]string{current}, more...), outputs: []string{output},
			attributes: attributes,
		})
		current = output
	}
	input := onnxValue{name: current, elemType: onnxFloat, dims: []onnxDim{{name: "N"}}}
	if m.Preprocessing == MNIST28 {
		for _, size := range []int64{1, 28, 28} {
			input.dims = append(input.dims, onnxDim{size: size, fixed: true})
		}
		add("Flatten", "pixels", []onnxAttribute{{name: "axis", i: 1}})
	} else {
		input.dims = append(input.dims, onnxDim{size: int64(m.Network.Inputs()), fixed: true})
	}
	g.inputs = []onnxValue{input}
	for i, l := range m.Network.Layers {
		weights, bias := fmt.Sprintf("weights%d", i+1), fmt.Sprintf("bias%d", i+1)
		g.initializers = append(g.initializers,
			rawTensor(weights, l.Weights, int64(l.In), int64(l.Out)),
			rawTensor(bias, l.Bias, int64(l.Out)))
		add("Gemm", fmt.Sprintf("layer%d", i+1), nil, weights, bias)
		if op, ok := onnxActivations[l.Activation]; ok {
			add(op, fmt.Sprintf("hidden%d", i+1), nil)
		}
	}
	add("Softmax", "probabilities", []onnxAttribute{{name: "axis", i: 1}})
	g.outputs = []onnxValue{{
		name: current, elemType: onnxFloat,
		dims: []onnxDim{{name: "N"}, {size: int64(m.Network.Classes()), fixed: true}},
	}}
	return g
}

func rawTensor(name string, data []float32, dims ...int64) onnxTensor {
	return onnxTensor{name: name, dims: dims, dataType: onnxFloat, raw: floatBytes(data), hasRaw: true}
}
