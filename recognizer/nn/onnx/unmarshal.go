package onnx

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// maxUnpacked limits the memory that a file's messages may take besides its bytes. An empty
// message stands in two bytes of a file, and a number of eight bytes of memory in one.
const maxUnpacked = 256 << 20

// What the parts of a message take in memory, rounded up.
const (
	messageBytes = 512
	textBytes    = 32
	numberBytes  = 8
)

// unmarshal decodes a file whose messages fit into maxUnpacked, which is found out before
// anything is allocated.
func unmarshal(data []byte) (*onnxpb.ModelProto, error) {
	model := &onnxpb.ModelProto{}
	room := maxUnpacked
	if err := measure(data, model.ProtoReflect().Descriptor(), &room, 0); err != nil {
		return nil, err
	}
	// Fields that we do not know are dropped.
	return model, proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(data, model)
}

// maxNested is how deep messages may lie in each other: a graph within a graph is three levels.
const maxNested = 200

// measure walks over an encoded message, which lies so deep, and takes from room what its parts
// will need.
func measure(b []byte, message protoreflect.MessageDescriptor, room *int, depth int) error {
	if depth > maxNested {
		return fmt.Errorf("its parts lie more than %d deep in each other", maxNested)
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
		field := message.Fields().ByNumber(number)
		if field == nil {
			continue
		}
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(value)
		}
		switch {
		case field.Message() != nil && kind == protowire.BytesType:
			*room -= messageBytes
			if err := measure(value, field.Message(), room, depth+1); err != nil {
				return fmt.Errorf("%s: %w", field.Name(), err)
			}
		case field.Kind() == protoreflect.StringKind || field.Kind() == protoreflect.BytesKind:
			*room -= textBytes
		case field.IsList() && field.Kind() != protoreflect.FloatKind && field.Kind() != protoreflect.DoubleKind:
			*room -= numberBytes * len(value)
		}
		if *room < 0 {
			return fmt.Errorf("its parts are so many that they need more than %d MB", maxUnpacked>>20)
		}
	}
	return nil
}
