package graph

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Beside gives length bytes, from offset on, of a file that lies beside the model.
type Beside func(name string, offset, length int64) ([]byte, error)

// maxElements is the most values that a tensor of one sample may have, and a constant, all
// constants together twice that.
const maxElements = 1 << 25

// elementBytes is the size of those types in raw data whose values are numbers to us.
var elementBytes = map[Type]int{
	onnxpb.TensorProto_FLOAT: 4, onnxpb.TensorProto_DOUBLE: 8, onnxpb.TensorProto_FLOAT16: 2, onnxpb.TensorProto_BFLOAT16: 2,
	onnxpb.TensorProto_INT8: 1, onnxpb.TensorProto_INT16: 2, onnxpb.TensorProto_INT32: 4, onnxpb.TensorProto_INT64: 8,
	onnxpb.TensorProto_UINT8: 1, onnxpb.TensorProto_UINT16: 2, onnxpb.TensorProto_UINT32: 4, onnxpb.TensorProto_UINT64: 8,
	onnxpb.TensorProto_BOOL: 1,
}

// typeName is how onnx.proto calls an element type, in small letters: float, double, int64.
func typeName(t Type) string { return strings.ToLower(t.String()) }

// tensor makes a constant from what the file holds.
func tensor(t *onnxpb.TensorProto, beside Beside) (*Value, error) {
	kind := Type(t.GetDataType())
	size, ok := elementBytes[kind]
	if !ok {
		return nil, fmt.Errorf("the tensor %s is of the type %s; numbers of 8 to 64 bits are understood", strconv.Quote(t.GetName()), typeName(kind))
	}
	dims, err := dimensions(t.Dims)
	if err != nil {
		return nil, fmt.Errorf("the tensor %s: %w", strconv.Quote(t.GetName()), err)
	}
	want := count(dims)
	raw := t.RawData
	if t.GetDataLocation() == onnxpb.TensorProto_EXTERNAL || len(t.ExternalData) > 0 {
		if raw, err = external(t, int64(want*size), beside); err != nil {
			return nil, err
		}
	}
	if raw != nil {
		if len(raw) != want*size {
			return nil, fmt.Errorf("the tensor %s of shape %v has %d bytes, want %d", strconv.Quote(t.GetName()), dims, len(raw), want*size)
		}
		data := make([]float64, want)
		if kind == onnxpb.TensorProto_FLOAT { // nearly all, and quicker so
			for i := range data {
				data[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
			}
			return &Value{Type: kind, Dims: dims, Data: data}, nil
		}
		for i := range data {
			data[i] = number(kind, raw[i*size:])
		}
		return &Value{Type: kind, Dims: dims, Data: data}, nil
	}
	data := listed(t, kind)
	if len(data) != want {
		return nil, fmt.Errorf("the tensor %s of shape %v has %d values, want %d", strconv.Quote(t.GetName()), dims, len(data), want)
	}
	return &Value{Type: kind, Dims: dims, Data: data}, nil
}

// maxRank is the most dimensions of a value.
const maxRank = 16

// dimensions checks a shape: at most maxRank of them, none negative, and not more than
// maxElements values.
func dimensions(shape []int64) ([]int, error) {
	if len(shape) > maxRank {
		return nil, fmt.Errorf("%d dimensions are more than %d", len(shape), maxRank)
	}
	dims, total := make([]int, len(shape)), int64(1)
	for i, d := range shape {
		if d < 0 || d > maxElements || total*d > maxElements {
			return nil, fmt.Errorf("the shape %v is not possible", shape)
		}
		dims[i], total = int(d), total*d
	}
	return dims, nil
}

// number reads one value of raw data, which is little-endian.
func number(kind Type, b []byte) float64 {
	order := binary.LittleEndian
	switch kind {
	case onnxpb.TensorProto_FLOAT:
		return float64(math.Float32frombits(order.Uint32(b)))
	case onnxpb.TensorProto_DOUBLE:
		return math.Float64frombits(order.Uint64(b))
	case onnxpb.TensorProto_INT32:
		return float64(int32(order.Uint32(b)))
	case onnxpb.TensorProto_INT64:
		return float64(int64(order.Uint64(b)))
	case onnxpb.TensorProto_UINT32:
		return float64(order.Uint32(b))
	case onnxpb.TensorProto_UINT64:
		return float64(order.Uint64(b))
	case onnxpb.TensorProto_INT8:
		return float64(int8(b[0]))
	case onnxpb.TensorProto_INT16:
		return float64(int16(order.Uint16(b)))
	case onnxpb.TensorProto_UINT8, onnxpb.TensorProto_BOOL:
		return float64(b[0])
	}
	return small(kind, order.Uint16(b))
}

// small reads two bytes: uint16, float16 or bfloat16.
func small(kind Type, bits uint16) float64 {
	switch kind {
	case onnxpb.TensorProto_BFLOAT16:
		return float64(math.Float32frombits(uint32(bits) << 16))
	case onnxpb.TensorProto_FLOAT16:
		exponent, fraction := int(bits>>10&31), float64(bits&1023)
		value := math.Ldexp(fraction, -24)
		switch {
		case exponent == 31 && fraction == 0:
			value = math.Inf(1)
		case exponent == 31:
			value = math.NaN()
		case exponent > 0:
			value = math.Ldexp(1024+fraction, exponent-25)
		}
		if bits>>15 == 1 {
			value = -value
		}
		return value
	}
	return float64(bits)
}

// listed gives the values that stand in a field of their type, or of one that is used for it.
func listed(t *onnxpb.TensorProto, kind Type) []float64 {
	switch kind {
	case onnxpb.TensorProto_FLOAT:
		return numbers(t.FloatData)
	case onnxpb.TensorProto_DOUBLE:
		return numbers(t.DoubleData)
	case onnxpb.TensorProto_INT64:
		return numbers(t.Int64Data)
	case onnxpb.TensorProto_UINT32, onnxpb.TensorProto_UINT64:
		return numbers(t.Uint64Data)
	case onnxpb.TensorProto_FLOAT16, onnxpb.TensorProto_BFLOAT16:
		data := numbers(t.Int32Data)
		for i, bits := range t.Int32Data {
			data[i] = small(kind, uint16(bits))
		}
		return data
	}
	return numbers(t.Int32Data)
}

func numbers[T int | int32 | int64 | uint64 | float32 | float64](x []T) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

// external reads a tensor's bytes from a file beside the model.
func external(t *onnxpb.TensorProto, length int64, beside Beside) ([]byte, error) {
	location, offset := "", int64(0)
	for _, e := range t.ExternalData {
		var err error
		switch e.GetKey() {
		case "location":
			location = e.GetValue()
		case "offset":
			offset, err = strconv.ParseInt(e.GetValue(), 10, 64)
		case "length":
			var n int64
			if n, err = strconv.ParseInt(e.GetValue(), 10, 64); err == nil && n != length {
				return nil, fmt.Errorf("the tensor %s of shape %v has %d bytes in the file %s, want %d", strconv.Quote(t.GetName()), t.Dims, n, strconv.Quote(location), length)
			}
		}
		if err != nil || offset < 0 {
			return nil, fmt.Errorf("the tensor %s has the %s %s in another file, which is no number", strconv.Quote(t.GetName()), e.GetKey(), strconv.Quote(e.GetValue()))
		}
	}
	if beside == nil {
		return nil, fmt.Errorf("the tensor %s lies in another file, %s; save the model as one file", strconv.Quote(t.GetName()), strconv.Quote(location))
	}
	data, err := beside(location, offset, length)
	if err != nil {
		return nil, fmt.Errorf("the tensor %s lies in another file: %w", strconv.Quote(t.GetName()), err)
	}
	return data, nil
}
