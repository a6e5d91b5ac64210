package graph

import (
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/budget"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Each type is read from raw data and from the field that onnx.proto names for it.
func TestTensors(t *testing.T) {
	for name, c := range map[string]struct {
		kind Type
		raw  string
		list *onnxpb.TensorProto
		want []float64
	}{
		"float":    {onnxpb.TensorProto_FLOAT, "\x00\x00\xc0\xbf\x00\x00\x00\x3e", &onnxpb.TensorProto{FloatData: []float32{-1.5, 0.125}}, []float64{-1.5, 0.125}},
		"double":   {onnxpb.TensorProto_DOUBLE, "\x00\x00\x00\x00\x00\x00\xf8\xbf", &onnxpb.TensorProto{DoubleData: []float64{-1.5}}, []float64{-1.5}},
		"float16":  {onnxpb.TensorProto_FLOAT16, "\x00\xbe\x01\x00\x00\x04\xff\x7b\x00\x80", &onnxpb.TensorProto{Int32Data: []int32{0xbe00, 1, 0x400, 0x7bff, 0x8000}}, []float64{-1.5, math.Ldexp(1, -24), math.Ldexp(1, -14), 65504, math.Copysign(0, -1)}},
		"infinite": {onnxpb.TensorProto_FLOAT16, "\x00\x7c\x00\xfc", &onnxpb.TensorProto{Int32Data: []int32{0x7c00, 0xfc00}}, []float64{math.Inf(1), math.Inf(-1)}},
		"bfloat16": {onnxpb.TensorProto_BFLOAT16, "\xc0\xbf", &onnxpb.TensorProto{Int32Data: []int32{0xbfc0}}, []float64{-1.5}},
		"int8":     {onnxpb.TensorProto_INT8, "\xfe\x05", &onnxpb.TensorProto{Int32Data: []int32{-2, 5}}, []float64{-2, 5}},
		"uint8":    {onnxpb.TensorProto_UINT8, "\xfe", &onnxpb.TensorProto{Int32Data: []int32{254}}, []float64{254}},
		"bool":     {onnxpb.TensorProto_BOOL, "\x01\x00", &onnxpb.TensorProto{Int32Data: []int32{1, 0}}, []float64{1, 0}},
		"int16":    {onnxpb.TensorProto_INT16, "\xfe\xff", &onnxpb.TensorProto{Int32Data: []int32{-2}}, []float64{-2}},
		"uint16":   {onnxpb.TensorProto_UINT16, "\xfe\xff", &onnxpb.TensorProto{Int32Data: []int32{65534}}, []float64{65534}},
		"int32":    {onnxpb.TensorProto_INT32, "\xfe\xff\xff\xff", &onnxpb.TensorProto{Int32Data: []int32{-2}}, []float64{-2}},
		"uint32":   {onnxpb.TensorProto_UINT32, "\xfe\xff\xff\xff", &onnxpb.TensorProto{Uint64Data: []uint64{1<<32 - 2}}, []float64{1<<32 - 2}},
		"int64":    {onnxpb.TensorProto_INT64, "\xff\xff\xff\xff\xff\xff\xff\x7f", &onnxpb.TensorProto{Int64Data: []int64{math.MaxInt64}}, []float64{1 << 63}},
		"uint64":   {onnxpb.TensorProto_UINT64, "\x07\x00\x00\x00\x00\x00\x00\x00", &onnxpb.TensorProto{Uint64Data: []uint64{7}}, []float64{7}},
	} {
		for _, p := range []*onnxpb.TensorProto{{RawData: []byte(c.raw)}, c.list} {
			p.DataType, p.Dims = proto.Int32(int32(c.kind)), []int64{int64(len(c.want))}
			b := &builder{budget: budget.New(t.Context())}
			decode := func() (v *Value, err error) {
				defer Recovered(&err)
				return b.decode(p), nil
			}
			v, err := decode()
			if err != nil || v.Type != c.kind || !slices.EqualFunc(v.Data, c.want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
				t.Errorf("%s: %+v, error %v, want %v", name, v, err, c.want)
			}
			p.Dims[0]++
			if _, err := decode(); err == nil || !strings.Contains(err.Error(), "want") {
				t.Errorf("%s: a value too few: error %v", name, err)
			}
		}
	}
}
