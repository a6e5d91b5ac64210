package onnx

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Every file that is not understood is an error that names the reason.
func TestRefused(t *testing.T) {
	nan := []float32{1, 2, 3, 4, 5, float32(math.NaN())}
	for name, c := range map[string]struct {
		change func(m *onnxpb.ModelProto, g *onnxpb.GraphProto)
		want   string
	}{
		"operator": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node[1].OpType = proto.String("Conv")
			g.Node[1].Name = proto.String("c1")
		}, `Conv "c1": the operator "Conv" is not supported`},
		"domain":          {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[1].Domain = proto.String("com.microsoft") }, "com.microsoft"},
		"old opset":       {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) { m.OpsetImport[0].Version = proto.Int64(6) }, "opset 6"},
		"new opset":       {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) { m.OpsetImport[0].Version = proto.Int64(99) }, "opset 99"},
		"no opset":        {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) { m.OpsetImport = nil }, "no ONNX opset"},
		"no graph":        {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) { m.Graph = nil }, "no ONNX graph"},
		"no nodes":        {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node = nil }, "no Gemm or MatMul"},
		"short weights":   {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer[0].Dims = []int64{2, 2} }, "bytes, want 16"},
		"shape mismatch":  {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Input[0] = shaped("x", "N", 5) }, "weights take 2 values, its input has 5"},
		"layers mismatch": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { setInitializer(g, tensor("V", testV, 2, 3)) }, "weights take 2 values, its input has 3"},
		"bias mismatch":   {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { setInitializer(g, tensor("b", testB[:2], 2)) }, `bias "b" has the shape [2]`},
		"bias column":     {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { setInitializer(g, tensor("b", testB, 3, 1)) }, `bias "b" has the shape [3 1]`},
		"weights of 3":    {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { setInitializer(g, tensor("W", testW, 1, 2, 3)) }, "want two dimensions"},
		"nan":             {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { setInitializer(g, tensor("W", nan, 2, 3)) }, "finite"},
		"half floats":     {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer[0].DataType = proto.Int32(10) }, `"W" is of the type float16`},
		"unknown type":    {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer[0].DataType = proto.Int32(77) }, "type 77"},
		"external": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Initializer[0].DataLocation = onnxpb.TensorProto_EXTERNAL.Enum()
		}, "another file"},
		"external data": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Initializer[0].ExternalData = []*onnxpb.StringStringEntryProto{entry("location", "w.data")}
		}, "another file"},
		"no weights": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer = g.Initializer[1:] }, `weights "W" are no constant`},
		"input type": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Input[0].Type.TensorType.ElemType = proto.Int32(2) }, "uint8"},
		"two inputs": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Input = append(g.Input, shaped("z", "N", 2))
		}, "several inputs"},
		"no input":   {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Input = nil }, "no input"},
		"flat input": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Input[0] = shaped("x", "N") }, "1 dimensions"},
		"no flatten": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Input[0] = shaped("x", "N", 2, 1)
		}, "Flatten"},
		"transA": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { with(g.Node[0], attr("transA", 1)) }, "transA"},
		"flatten axis": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node[0] = op("Flatten", "x", "h", attr("axis", 2))
		}, "axis = 2"},
		"softmax axis": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { with(g.Node[3], attr("axis", 3)) }, "axis = 3"},
		"early softmax": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node[1].OpType = proto.String("Softmax")
		}, "follows the Softmax"},
		"ends in tanh": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[3].OpType = proto.String("Tanh") }, "ends in Tanh"},
		"two activations": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append(g.Node[:2:2], op("Relu", "t", "t2"), op("Gemm", "t2 V c", "y"))
		}, "does not follow"},
		"branch": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[2].Input[0] = "h" }, "branch"},
		"residual": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append(g.Node[:2:2], op("Add", "t h", "y"))
		}, "two computed values"},
		"late bias": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append(g.Node[:2:2], op("Add", "t b", "t2"), op("Gemm", "t2 V c", "y"))
		}, "does not follow"},
		"undefined input":  {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[0].Input[0] = "nowhere" }, "computed nowhere"},
		"constant input":   {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[0].Input[0] = "W" }, "constant"},
		"input count":      {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[0].Input = []string{"x"} }, "1 inputs"},
		"output":           {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Output[0].Name = proto.String("q") }, "no output"},
		"two outputs":      {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Node[0].Output = []string{"h", "g"} }, "2 outputs"},
		"reshape batch":    {reshapeTo(shapeTensor("s", 2, -1)), "not supported"},
		"reshape width":    {reshapeTo(shapeTensor("s", -1, 3)), "3 values"},
		"reshape vector":   {reshapeTo(shapeTensor("s", -1)), "batch"},
		"reshape zero":     {reshapeTo(shapeTensor("s", -1, 0)), "not supported"},
		"reshape overflow": {reshapeTo(shapeTensor("s", -1, math.MaxInt64, math.MaxInt64)), "not possible"},
		"reshape floats":   {reshapeTo(floatTensor("s", []float32{-1, 2}, 2)), "of the type float"},
		"reshape computed": {reshapeTo(shapeTensor("other", -1, 2)), "computed"},
		"huge dims":        {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer[0].Dims = []int64{1 << 40, 1 << 40} }, "not possible"},
		"large dims":       {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer[0].Dims = []int64{1 << 15, 1 << 15} }, "bytes, want"},
		"negative dims":    {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Initializer[0].Dims = []int64{-2, -3} }, "not possible"},
		"huge input":       {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Input[0] = shaped("x", "N", math.MaxInt64) }, "not possible"},
		"pixels": {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) {
			m.MetadataProps = []*onnxpb.StringStringEntryProto{entry("preprocessing", nn.MNIST28)}
		}, "784 inputs"},
		"labels": {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) {
			m.MetadataProps = []*onnxpb.StringStringEntryProto{entry("labels", "a,b")}
		}, "no JSON list"},
		"label count": {func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) {
			m.MetadataProps = []*onnxpb.StringStringEntryProto{entry("labels", `["a"]`)}
		}, "1 labels for 2"},
		"many nodes": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = slices.Repeat([]*onnxpb.NodeProto{{}}, maxUnpacked/messageBytes)
		}, "graph: its parts are so many"},
		"many names": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node[0].Input = make([]string, maxUnpacked/textBytes)
		}, "graph: node: its parts are so many"},
		"many numbers": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Initializer[0].Int64Data = make([]int64, maxUnpacked/numberBytes)
		}, "graph: initializer: its parts are so many"},
		"weights named again and again": {func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			const side = 1024
			setInitializer(g, tensor("W", make([]float32, side*side), side, side))
			g.Input[0] = shaped("x", "N", side)
			g.Node = nil
			for range 64 {
				g.Node = append(g.Node, op("MatMul", "x W", "x"))
			}
		}, "more than 33554432 weights"},
	} {
		t.Run(name, func(t *testing.T) {
			file := foreign()
			c.change(file, file.Graph)
			m, err := Read(bytes.NewReader(encode(t, file)))
			if err == nil {
				t.Fatalf("read %+v", m)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error %q does not hold %q", err, c.want)
			}
		})
	}
}

func reshapeTo(shape *onnxpb.TensorProto) func(m *onnxpb.ModelProto, g *onnxpb.GraphProto) {
	return func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
		setInitializer(g, shape)
		g.Node = append([]*onnxpb.NodeProto{op("Reshape", "x s", "f"), op("Gemm", "f W b", "h")}, g.Node[1:]...)
	}
}

// A file that ends anywhere before its end is refused.
func TestTruncated(t *testing.T) {
	data := written(t, sampleModel())
	for n := range data {
		if m, err := Read(bytes.NewReader(data[:n])); err == nil {
			t.Fatalf("the first %d of %d bytes were read as %+v", n, len(data), m)
		}
	}
}

func TestOtherKinds(t *testing.T) {
	for start, want := range map[string]string{
		"":                         "empty",
		"\x89PNG\r\n\x1a\n":        "PNG",
		"PK\x03\x04":               "ZIP",
		"\x89HDF\r\n":              "HDF5",
		"\x1f\x8b\x08":             "gzip",
		`{"a": 1}`:                 "JSON",
		"<html>":                   "HTML",
		"\x1c\x00\x00\x00TFL3\x00": "TensorFlow Lite",
		"Dear reader, ":            "another kind of file",
		"\x00\x00\x08\x03\x00":     "another kind of file",
		"\xff\xff\xff\xff\xff":     "another kind of file",
	} {
		_, err := Read(strings.NewReader(start))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", start, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(written(f, sampleModel()))
	f.Add(encode(f, foreign()))
	flat := foreign()
	reshapeTo(rawShape("s", 0, -1))(flat, flat.Graph)
	f.Add(encode(f, flat))
	cut := encode(f, foreign())
	f.Add(cut[:len(cut)-7])
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(bytes.NewReader(data))
		if err != nil {
			if m != nil {
				t.Fatal("an error came with a model")
			}
			return
		}
		if err := m.Check(); err != nil {
			t.Fatalf("a model was read that fails its check: %v", err)
		}
		again, err := Read(bytes.NewReader(written(t, m)))
		if err != nil {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
		if again.Network.Parameters() != m.Network.Parameters() {
			t.Fatal("writing changed the network")
		}
	})
}
