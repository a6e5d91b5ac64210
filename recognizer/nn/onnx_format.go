package nn

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// The messages of onnx.proto (github.com/onnx/onnx) as far as we read and write them.
// The numbers in encode and decode are the field numbers of that file.

type onnxModel struct {
	irVersion       int64
	producer        string
	producerVersion string
	opsets          []onnxOpset
	metadata        []onnxEntry
	graph           *onnxGraph
}

type onnxOpset struct {
	domain  string
	version int64
}

type onnxEntry struct{ key, value string }

type onnxGraph struct {
	name            string
	nodes           []onnxNode
	initializers    []onnxTensor
	sparse          bool
	inputs, outputs []onnxValue
}

type onnxNode struct {
	name, op, domain string
	inputs, outputs  []string
	attributes       []onnxAttribute
}

type onnxAttribute struct {
	name   string
	f      float32
	i      int64
	tensor *onnxTensor
}

type onnxTensor struct {
	name     string
	dims     []int64
	dataType int32
	floats   []float32
	int64s   []int64
	raw      []byte
	hasRaw   bool
	external bool
}

// Element types of TensorProto that we understand.
const (
	onnxFloat = 1
	onnxInt64 = 7
)

// onnxTypeNames are the other element types, for messages.
var onnxTypeNames = map[int32]string{
	1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "string",
	9: "bool", 10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64",
	15: "complex128", 16: "bfloat16", 17: "float8e4m3fn", 18: "float8e4m3fnuz", 19: "float8e5m2",
	20: "float8e5m2fnuz", 21: "uint4", 22: "int4", 23: "float4e2m1",
}

func onnxTypeName(t int32) string {
	if s, ok := onnxTypeNames[t]; ok {
		return s
	}
	return fmt.Sprintf("element type %d", t)
}

type onnxValue struct {
	name     string
	elemType int32
	hasShape bool
	dims     []onnxDim
}

// onnxDim is a fixed size, or a name, or neither (any size).
type onnxDim struct {
	size  int64
	name  string
	fixed bool
}

var errWireType = errors.New("a field has the wrong type")

// maxParts is the most elements that a repeated part of a model may have (nodes, their
// inputs, metadata). Each can take two bytes of a file and a hundred of memory.
const maxParts = 1 << 12

// another appends an empty element and gives its place.
func another[T any](s *[]T) (*T, error) {
	if len(*s) == maxParts {
		return nil, fmt.Errorf("more than %d parts of a kind", maxParts)
	}
	var zero T
	*s = append(*s, zero)
	return &(*s)[len(*s)-1], nil
}

// field is one field of a protobuf message as it stands in the file.
type field struct {
	number protowire.Number
	kind   protowire.Type
	varint uint64 // VarintType
	fixed  uint32 // Fixed32Type
	bytes  []byte // BytesType; a part of the file, not a copy
}

// eachField walks over a message. Fields of kinds that ONNX does not use are skipped.
func eachField(b []byte, visit func(f field) error) error {
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		f := field{number: num, kind: kind}
		switch kind {
		case protowire.VarintType:
			f.varint, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			f.fixed, n = protowire.ConsumeFixed32(b)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(b)
		default:
			n = protowire.ConsumeFieldValue(num, kind, b)
		}
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

func (f field) text(dst *string) error {
	if f.kind != protowire.BytesType {
		return errWireType
	}
	*dst = string(f.bytes)
	return nil
}

func (f field) int64(dst *int64) error {
	if f.kind != protowire.VarintType {
		return errWireType
	}
	*dst = int64(f.varint)
	return nil
}

func (f field) int32(dst *int32) error {
	if f.kind != protowire.VarintType {
		return errWireType
	}
	*dst = int32(f.varint)
	return nil
}

// int64s appends a repeated int64, packed or not.
func (f field) int64s(dst *[]int64) error {
	if f.kind == protowire.VarintType {
		*dst = append(*dst, int64(f.varint))
		return nil
	}
	if f.kind != protowire.BytesType {
		return errWireType
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		*dst = append(*dst, int64(v))
		b = b[n:]
	}
	return nil
}

// floats appends a repeated float, packed or not.
func (f field) floats(dst *[]float32) error {
	if f.kind == protowire.Fixed32Type {
		*dst = append(*dst, math.Float32frombits(f.fixed))
		return nil
	}
	if f.kind != protowire.BytesType || len(f.bytes)%4 != 0 {
		return errWireType
	}
	*dst = append(*dst, littleEndianFloats(f.bytes)...)
	return nil
}

func littleEndianFloats(b []byte) []float32 {
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

// anotherText appends a repeated string.
func (f field) anotherText(s *[]string) error {
	t, err := another(s)
	if err != nil {
		return err
	}
	return f.text(t)
}

// anotherMessage appends a repeated message; what names it.
func anotherMessage[T any, P interface {
	*T
	decode(b []byte) error
}](f field, what string, s *[]T) error {
	t, err := another(s)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return f.message(fmt.Sprintf("%s %d", what, len(*s)), P(t).decode)
}

// message decodes an embedded message and names it when it is broken.
func (f field) message(what string, decode func(b []byte) error) error {
	if f.kind != protowire.BytesType {
		return errWireType
	}
	if err := decode(f.bytes); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}
