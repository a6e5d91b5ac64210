package graph

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Beside gives length bytes, from offset on, of a file that lies beside the model.
type Beside func(name string, offset, length int64) ([]byte, error)

// maxElements is the most values that a tensor of one sample may have, and a constant.
const maxElements = 1 << 25

// valueBytes is what a value of a constant takes.
const valueBytes = 8

// element is a type whose values are numbers to us.
type element struct {
	bytes int                                   // of one in raw data
	whole bool                                  // it has whole numbers only
	read  func(raw []byte) []float64            // raw data
	list  func(t *onnxpb.TensorProto) []float64 // the field that holds them else
}

var elements = map[Type]element{
	onnxpb.TensorProto_FLOAT:  of[float32](func(t *onnxpb.TensorProto) []float64 { return numbers(t.FloatData) }),
	onnxpb.TensorProto_DOUBLE: of[float64](func(t *onnxpb.TensorProto) []float64 { return numbers(t.DoubleData) }),
	onnxpb.TensorProto_INT64:  of[int64](func(t *onnxpb.TensorProto) []float64 { return numbers(t.Int64Data) }),
	onnxpb.TensorProto_UINT32: of[uint32](unsigned), onnxpb.TensorProto_UINT64: of[uint64](unsigned),
	onnxpb.TensorProto_INT8: of[int8](small), onnxpb.TensorProto_INT16: of[int16](small), onnxpb.TensorProto_INT32: of[int32](small),
	onnxpb.TensorProto_UINT8: of[uint8](small), onnxpb.TensorProto_UINT16: of[uint16](small), onnxpb.TensorProto_BOOL: of[uint8](small),
	onnxpb.TensorProto_FLOAT16: ofBits(half), onnxpb.TensorProto_BFLOAT16: ofBits(brain),
}

func unsigned(t *onnxpb.TensorProto) []float64 { return numbers(t.Uint64Data) }
func small(t *onnxpb.TensorProto) []float64    { return numbers(t.Int32Data) }

// of is a type whose raw data are numbers, little-endian.
func of[T numeric](list func(t *onnxpb.TensorProto) []float64) element {
	one := T(1)
	return element{binary.Size(one), one/2 == 0, func(raw []byte) []float64 { return numbers(decode[T](raw)) }, list}
}

// ofBits is a type of the numbers that 16 bits stand for.
func ofBits(value func(bits uint16) float64) element {
	return element{
		2, false,
		func(raw []byte) []float64 { return widened(decode[uint16](raw), value) },
		func(t *onnxpb.TensorProto) []float64 { return widened(t.Int32Data, value) },
	}
}

// typeName is how onnx.proto calls an element type, in small letters: float, double, int64.
func typeName(t Type) string { return strings.ToLower(t.String()) }

// quoted is a name of the file in a message, the beginning of a long one.
func quoted(name string) string { return fmt.Sprintf("%.*q", shown, name) }

// tensor makes a constant from what the file holds, once.
func (b *builder) tensor(t *onnxpb.TensorProto) *Value {
	if b.decoded[t] == nil {
		b.decoded[t] = b.decode(t)
	}
	return b.decoded[t]
}

func (b *builder) decode(t *onnxpb.TensorProto) *Value {
	kind, name := Type(t.GetDataType()), quoted(t.GetName())
	element, ok := elements[kind]
	Require(ok, "the tensor %s is of the type %s; numbers of 8 to 64 bits are understood", name, typeName(kind))
	dims, err := dimensions(t.Dims)
	Require(err == nil, "the tensor %s: %w", name, err)
	want, raw := count(dims), t.RawData
	if t.GetDataLocation() == onnxpb.TensorProto_EXTERNAL || len(t.ExternalData) > 0 {
		raw = b.external(t, want*element.bytes)
	}
	b.spend(valueBytes*want, want)
	if raw != nil {
		Require(len(raw) == want*element.bytes, "the tensor %s of shape %v has %d bytes, want %d", name, dims, len(raw), want*element.bytes)
		return &Value{Type: kind, Dims: dims, Data: element.read(raw)}
	}
	data := element.list(t)
	Require(len(data) == want, "the tensor %s of shape %v has %d values, want %d", name, dims, len(data), want)
	return &Value{Type: kind, Dims: dims, Data: data}
}

// maxRank is the most dimensions of a value.
const maxRank = 16

// dimensions checks a shape: at most maxRank of them, none negative, and not more than
// maxElements values.
func dimensions[T int | int64](shape []T) ([]int, error) {
	if len(shape) > maxRank {
		return nil, message.Errorf("%d dimensions are more than %d", len(shape), maxRank)
	}
	dims, total := make([]int, len(shape)), int64(1)
	for i := range shape {
		d := int64(shape[i])
		if d < 0 || d > maxElements || total*d > maxElements {
			return nil, message.Errorf("the shape %v is not possible", shape)
		}
		dims[i], total = int(d), total*d
	}
	return dims, nil
}

// decode reads numbers that are stored little-endian.
func decode[T numeric](raw []byte) []T {
	var zero T
	values := make([]T, len(raw)/binary.Size(zero))
	if _, err := binary.Decode(raw, binary.LittleEndian, values); err != nil {
		panic("graph: " + err.Error()) // the sizes fit
	}
	return values
}

// widened makes numbers of their bits.
func widened[T uint16 | int32](bits []T, of func(uint16) float64) []float64 {
	out := make([]float64, len(bits))
	for i, b := range bits {
		out[i] = of(uint16(b))
	}
	return out
}

// brain is a bfloat16.
func brain(bits uint16) float64 { return float64(math.Float32frombits(uint32(bits) << 16)) }

// half is a float16.
func half(bits uint16) float64 {
	value := float64(math.Float32frombits(uint32(bits&0x7fff)<<13)) * 0x1p112 // exponents count from -15 instead of from -127
	switch {
	case value > 0x1p16:
		value = math.NaN()
	case value == 0x1p16:
		value = math.Inf(1)
	}
	return math.Copysign(value, 0.5-float64(bits>>15))
}

type numeric interface {
	int | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

func numbers[T numeric](x []T) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// external reads a tensor's bytes from a file beside the model.
func (b *builder) external(t *onnxpb.TensorProto, length int) []byte {
	name, location, numbers := quoted(t.GetName()), "", map[string]int64{"length": int64(length)}
	for _, e := range t.ExternalData {
		switch key := e.GetKey(); key {
		case "location":
			location = e.GetValue()
		case "offset", "length":
			n, err := strconv.ParseInt(e.GetValue(), 10, 64)
			Require(err == nil && n >= 0, "the tensor %s has the %s %s in another file, which is no number", name, key, quoted(e.GetValue()))
			numbers[key] = n
		}
	}
	Require(numbers["length"] == int64(length), "the tensor %s of shape %v has %d bytes in the file %s, want %d", name, t.Dims, numbers["length"], quoted(location), length)
	Require(b.beside != nil, "the tensor %s lies in another file, %s; save the model as one file", name, quoted(location))
	b.spend(length, length)
	data, err := b.beside(location, numbers["offset"], int64(length))
	Require(err == nil, "the tensor %s lies in another file: %w", name, err)
	return data
}
