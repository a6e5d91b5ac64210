package onnx

import (
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"inkshade/glcompute/message"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Keys of the ONNX metadata that carry a model's own fields. All others are Metadata.
const (
	keyLabels        = "labels" // a JSON list of strings
	keyPreprocessing = "preprocessing"
	keyWidths        = "widths" // a JSON list of the widths that inputs of a network that reads lines have to one another, where all widths are free
)

var ownKeys = []string{keyLabels, keyPreprocessing, keyWidths}

// onlyInput is the name in a file of an input that has none.
const onlyInput = "image"

const float = int32(onnxpb.TensorProto_FLOAT)

// What Write declares. Opset 13 is the first whose Softmax works along one axis.
const (
	irVersion = 8
	opsetUsed = 13
)

// Write writes the model as an ONNX file: an operator or a few for each layer, then Softmax over
// the classes. Pictures are [N,channels,height,width], as in ONNX; other inputs [N,values]. The
// batch size N is free. The same model gives the same bytes.
func Write(w io.Writer, m *nn.Model) error {
	data, err := fileOf(m)
	if err != nil {
		return message.Errorf("the model cannot be written: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return message.Errorf("writing the model: %w", err)
	}
	return nil
}

func fileOf(m *nn.Model) ([]byte, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	labels, _ := json.Marshal(m.Labels) // texts and numbers can be written
	file := &onnxpb.ModelProto{
		IrVersion:     proto.Int64(irVersion),
		ProducerName:  proto.String("inkshade"),
		OpsetImport:   []*onnxpb.OperatorSetIdProto{{Version: proto.Int64(opsetUsed)}},
		MetadataProps: []*onnxpb.StringStringEntryProto{entry(keyLabels, string(labels)), entry(keyPreprocessing, m.Preprocessing)},
	}
	if m.Preprocessing == nn.LineMaps {
		var widths []int
		for _, in := range m.Network.Inputs {
			widths = append(widths, in.Shape.Width)
		}
		list, _ := json.Marshal(widths)
		file.MetadataProps = append(file.MetadataProps, entry(keyWidths, string(list)))
	}
	for _, k := range slices.Sorted(maps.Keys(m.Metadata)) {
		if slices.Contains(ownKeys, k) {
			return nil, message.Errorf("the metadata key %q is taken by the model's own field", k)
		}
		file.MetadataProps = append(file.MetadataProps, entry(k, m.Metadata[k]))
	}
	graph, err := graphOf(m)
	if err != nil {
		return nil, err
	}
	// The graph comes last, against the order of the field numbers but within the rules of protobuf: a file cut short
	// anywhere then lacks a part of the graph, and no reader can take it for whole.
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

// declared is a float tensor of the shape [N, dims...]: numbers, or names of what is free.
func declared(name string, dims ...any) *onnxpb.ValueInfoProto {
	shape := &onnxpb.TensorShapeProto{Dim: []*onnxpb.TensorShapeProto_Dimension{{DimParam: proto.String("N")}}}
	for _, d := range dims {
		dim := &onnxpb.TensorShapeProto_Dimension{}
		switch d := d.(type) {
		case int:
			dim.DimValue = proto.Int64(int64(d))
		case string:
			dim.DimParam = &d
		}
		shape.Dim = append(shape.Dim, dim)
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
