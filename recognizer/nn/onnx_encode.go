package nn

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

func appendText(b []byte, num protowire.Number, s string) []byte {
	if s == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, num, protowire.BytesType), s)
}

func appendInt(b []byte, num protowire.Number, v int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, num, protowire.VarintType), uint64(v))
}

func appendMessage(b []byte, num protowire.Number, message []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(b, num, protowire.BytesType), message)
}

// encode writes the graph last, against the order of the field numbers but within the
// rules of protobuf: a file cut short anywhere then lacks a part of the graph, and no
// reader can take it for whole.
func (m *onnxModel) encode() []byte {
	b := appendInt(nil, 1, m.irVersion)
	b = appendText(b, 2, m.producer)
	b = appendText(b, 3, m.producerVersion)
	for _, o := range m.opsets {
		b = appendMessage(b, 8, appendInt(appendText(nil, 1, o.domain), 2, o.version))
	}
	for _, e := range m.metadata {
		b = appendMessage(b, 14, appendText(appendText(nil, 1, e.key), 2, e.value))
	}
	if m.graph != nil {
		b = appendMessage(b, 7, m.graph.encode())
	}
	return b
}

func (g *onnxGraph) encode() []byte {
	var b []byte
	for i := range g.nodes {
		b = appendMessage(b, 1, g.nodes[i].encode())
	}
	b = appendText(b, 2, g.name)
	for i := range g.initializers {
		b = appendMessage(b, 5, g.initializers[i].encode())
	}
	for i := range g.inputs {
		b = appendMessage(b, 11, g.inputs[i].encode())
	}
	for i := range g.outputs {
		b = appendMessage(b, 12, g.outputs[i].encode())
	}
	return b
}

func (n *onnxNode) encode() []byte {
	var b []byte
	for _, s := range n.inputs {
		b = protowire.AppendString(protowire.AppendTag(b, 1, protowire.BytesType), s)
	}
	for _, s := range n.outputs {
		b = protowire.AppendString(protowire.AppendTag(b, 2, protowire.BytesType), s)
	}
	b = appendText(b, 3, n.name)
	b = appendText(b, 4, n.op)
	for i := range n.attributes {
		b = appendMessage(b, 5, n.attributes[i].encode())
	}
	return appendText(b, 7, n.domain)
}

// Values of AttributeProto.type (field 20).
const (
	onnxAttributeFloat  = 1
	onnxAttributeInt    = 2
	onnxAttributeTensor = 4
)

func (a *onnxAttribute) encode() []byte {
	b := appendText(nil, 1, a.name)
	switch {
	case a.tensor != nil:
		b = appendMessage(b, 5, a.tensor.encode())
		return appendInt(b, 20, onnxAttributeTensor)
	case a.f != 0:
		b = protowire.AppendFixed32(protowire.AppendTag(b, 2, protowire.Fixed32Type), math.Float32bits(a.f))
		return appendInt(b, 20, onnxAttributeFloat)
	}
	return appendInt(appendInt(b, 3, a.i), 20, onnxAttributeInt)
}

func (t *onnxTensor) encode() []byte {
	var b []byte
	for _, d := range t.dims {
		b = appendInt(b, 1, d)
	}
	b = appendInt(b, 2, int64(t.dataType))
	if len(t.floats) > 0 {
		b = appendMessage(b, 4, floatBytes(t.floats))
	}
	if len(t.int64s) > 0 {
		var packed []byte
		for _, v := range t.int64s {
			packed = protowire.AppendVarint(packed, uint64(v))
		}
		b = appendMessage(b, 7, packed)
	}
	b = appendText(b, 8, t.name)
	if t.hasRaw {
		b = appendMessage(b, 9, t.raw)
	}
	return b
}

func floatBytes(x []float32) []byte {
	b := make([]byte, 0, 4*len(x))
	for _, v := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func (v *onnxValue) encode() []byte {
	var shape []byte
	for _, d := range v.dims {
		var dim []byte
		if d.fixed {
			dim = appendInt(dim, 1, d.size)
		}
		shape = appendMessage(shape, 1, appendText(dim, 2, d.name))
	}
	tensor := appendMessage(appendInt(nil, 1, int64(v.elemType)), 2, shape)
	return appendMessage(appendText(nil, 1, v.name), 2, appendMessage(nil, 1, tensor))
}
