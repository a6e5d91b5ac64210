package onnx

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Keys of the ONNX metadata that carry a model's own fields. All others are Metadata.
const (
	keyLabels        = "labels" // a JSON list of strings
	keyPreprocessing = "preprocessing"
)

const float = int32(onnxpb.TensorProto_FLOAT)

// What Write declares. Opset 13 is the first whose Softmax works along one axis.
const (
	irVersion = 8
	opsetUsed = 13
)

// activations are the ONNX operators of nonlinearities.
var activations = map[string]string{"tanh": "Tanh", "sigmoid": "Sigmoid", "relu": "Relu"}

// Write writes the model as an ONNX file: Flatten (for MNIST28, whose input is [N,1,28,28];
// others take [N,inputs]), then Gemm and an activation for each layer, then Softmax over the
// classes. The batch size N is free. The same model gives the same bytes.
func Write(w io.Writer, m *nn.Model) error {
	if err := m.Check(); err != nil {
		return fmt.Errorf("the model cannot be written: %w", err)
	}
	for i, l := range m.Network.Layers {
		dense, ok := l.Kind.(nn.Dense)
		if _, known := activations[dense.Function]; !ok || l.From[0] != i || dense.Function != "" && !known {
			return fmt.Errorf("the model cannot be written: there is no way yet to write its layer %d, %s", i+1, l.Kind)
		}
	}
	labels, err := json.Marshal(m.Labels)
	if err != nil {
		return fmt.Errorf("the labels cannot be written: %w", err)
	}
	file := &onnxpb.ModelProto{
		IrVersion:     proto.Int64(irVersion),
		ProducerName:  proto.String("inkshade"),
		OpsetImport:   []*onnxpb.OperatorSetIdProto{{Version: proto.Int64(opsetUsed)}},
		MetadataProps: []*onnxpb.StringStringEntryProto{entry(keyLabels, string(labels)), entry(keyPreprocessing, m.Preprocessing)},
	}
	for _, k := range slices.Sorted(maps.Keys(m.Metadata)) {
		if k == keyLabels || k == keyPreprocessing {
			return fmt.Errorf("the metadata key %q is taken by the model's own field", k)
		}
		file.MetadataProps = append(file.MetadataProps, entry(k, m.Metadata[k]))
	}
	data, err := marshal(file, graphOf(m))
	if err != nil {
		return fmt.Errorf("the model cannot be written: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("writing the model: %w", err)
	}
	return nil
}

// marshal writes the graph last, against the order of the field numbers but within the
// rules of protobuf: a file cut short anywhere then lacks a part of the graph, and no
// reader can take it for whole.
func marshal(file *onnxpb.ModelProto, graph *onnxpb.GraphProto) ([]byte, error) {
	options := proto.MarshalOptions{Deterministic: true}
	data, err := options.Marshal(file)
	if err != nil {
		return nil, err
	}
	return options.MarshalAppend(data, &onnxpb.ModelProto{Graph: graph})
}

func entry(key, value string) *onnxpb.StringStringEntryProto {
	return &onnxpb.StringStringEntryProto{Key: &key, Value: &value}
}

func graphOf(m *nn.Model) *onnxpb.GraphProto {
	g := &onnxpb.GraphProto{Name: proto.String("inkshade")}
	current := "image"
	add := func(op, output string, attributes []*onnxpb.AttributeProto, more ...string) {
		g.Node = append(g.Node, &onnxpb.NodeProto{
			Name: &output, OpType: &op,
			Input: append([]string{current}, more...), Output: []string{output},
			Attribute: attributes,
		})
		current = output
	}
	if m.Preprocessing == nn.MNIST28 {
		g.Input = append(g.Input, value(current, 1, 28, 28))
		add("Flatten", "pixels", axis1())
	} else {
		g.Input = append(g.Input, value(current, int64(m.Network.Width())))
	}
	sizes := m.Network.Sizes()
	for i, l := range m.Network.Layers {
		weights, bias := fmt.Sprintf("weights%d", i+1), fmt.Sprintf("bias%d", i+1)
		g.Initializer = append(g.Initializer,
			tensor(weights, l.Values[0], int64(sizes[i]), int64(sizes[i+1])),
			tensor(bias, l.Values[1], int64(sizes[i+1])))
		add("Gemm", fmt.Sprintf("layer%d", i+1), nil, weights, bias)
		if op, ok := activations[l.Kind.(nn.Dense).Function]; ok {
			add(op, fmt.Sprintf("hidden%d", i+1), nil)
		}
	}
	add("Softmax", "probabilities", axis1())
	g.Output = append(g.Output, value(current, int64(m.Network.Classes())))
	return g
}

// axis1 is the attribute axis = 1.
func axis1() []*onnxpb.AttributeProto {
	return []*onnxpb.AttributeProto{{Name: proto.String("axis"), I: proto.Int64(1), Type: onnxpb.AttributeProto_INT.Enum()}}
}

// value declares a float tensor of the shape [N, dims...].
func value(name string, dims ...int64) *onnxpb.ValueInfoProto {
	shape := &onnxpb.TensorShapeProto{Dim: []*onnxpb.TensorShapeProto_Dimension{{DimParam: proto.String("N")}}}
	for _, d := range dims {
		shape.Dim = append(shape.Dim, &onnxpb.TensorShapeProto_Dimension{DimValue: &d})
	}
	return &onnxpb.ValueInfoProto{Name: &name, Type: &onnxpb.TypeProto{
		TensorType: &onnxpb.TypeProto_Tensor{ElemType: proto.Int32(float), Shape: shape},
	}}
}

func tensor(name string, data []float32, dims ...int64) *onnxpb.TensorProto {
	raw := make([]byte, 0, 4*len(data))
	for _, v := range data {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return &onnxpb.TensorProto{Name: &name, Dims: dims, DataType: proto.Int32(float), RawData: raw}
}
