package onnx

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"inkshade/glcompute/message"
	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// What the parts of a message take in memory, rounded up. An empty message stands in two bytes of a file, and a number of
// eight bytes of memory in one.
const (
	messageBytes = 512
	textBytes    = 32
	numberBytes  = 8
)

// unmarshal decodes a file whose messages fit into the budget, which is found out before anything is allocated.
func unmarshal(data []byte, budget *budget.Budget) (*onnxpb.ModelProto, error) {
	model := &onnxpb.ModelProto{}
	if err := measure(data, model.ProtoReflect().Descriptor(), budget, 0); err != nil {
		return nil, err
	}
	// Fields that we do not know are dropped.
	return model, proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, model)
}

// maxNested is how deep messages may lie in each other: a graph within a graph is three levels.
const maxNested = 200

// measure walks over an encoded message, which lies so deep, and takes from the budget what its parts
// will need.
func measure(b []byte, of protoreflect.MessageDescriptor, budget *budget.Budget, depth int) error {
	if depth > maxNested {
		return message.Errorf("its parts lie more than %d deep in each other", maxNested)
	}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if n = protowire.ConsumeFieldValue(number, kind, b); n < 0 {
			return protowire.ParseError(n)
		}
		value := b[:n]
		b = b[n:]
		field := of.Fields().ByNumber(number)
		if field == nil {
			continue
		}
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		inner, bytes := field.Message() != nil && kind == protowire.BytesType, 0
		switch {
		case inner:
			bytes = messageBytes
		case field.Kind() == protoreflect.StringKind || field.Kind() == protoreflect.BytesKind:
			bytes = textBytes
		case field.IsList() && field.Kind() != protoreflect.FloatKind && field.Kind() != protoreflect.DoubleKind:
			bytes = numberBytes * len(value)
		}
		if err := budget.Spend(bytes, 1); err != nil {
			return message.Errorf("its parts are too many: %w", err)
		}
		if inner {
			if err := measure(value, field.Message(), budget, depth+1); err != nil {
				return message.Errorf("%s: %w", field.Name(), err)
			}
		}
	}
	return nil
}
