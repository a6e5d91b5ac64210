package onnx

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/budget"
	"inkshade/recognizer/budget/budgettest"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// Every file that is not understood is an error that names the reason.
func TestRefused(t *testing.T) {
	type refused struct {
		change func(m *onnxpb.ModelProto)
		want   string
	}
	nan := []float32{1, 2, 3, 4, 5, float32(math.NaN())}
	weights := func(data []float32, dims ...int64) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { setInitializer(m.Graph, tensor("W", data, dims...)) }
	}
	bias := func(data []float32, dims ...int64) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { setInitializer(m.Graph, tensor("b", data, dims...)) }
	}
	dims := func(dims ...int64) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { m.Graph.Initializer[0].Dims = dims }
	}
	kind := func(k int32) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { m.Graph.Initializer[0].DataType = &k }
	}
	opset := func(v int64) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { m.OpsetImport[0].Version = &v }
	}
	input := func(dims ...any) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { m.Graph.Input[0] = shaped("x", dims...) }
	}
	metadata := func(key, value string) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) {
			m.MetadataProps = []*onnxpb.StringStringEntryProto{entry(key, value)}
		}
	}
	// nodes replaces the nodes behind the first few.
	nodes := func(keep int, more ...*onnxpb.NodeProto) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) {
			m.Graph.Node = append(m.Graph.Node[:keep:keep], more...)
			m.Graph.Output[0].Name = &more[len(more)-1].Output[0]
		}
	}
	// first puts a node before the others, which takes their input.
	first := func(n *onnxpb.NodeProto) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) {
			m.Graph.Node[0].Input[0] = n.Output[0]
			m.Graph.Node = append(m.Graph.Node, n)
		}
	}
	reshape := func(shape *onnxpb.TensorProto) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) {
			setInitializer(m.Graph, shape)
			first(op("Reshape", "x s", "f"))(m)
		}
	}
	foreignTo := func(domain, name string) func(m *onnxpb.ModelProto) {
		return func(m *onnxpb.ModelProto) { m.Graph.Node[1].Domain, m.Graph.Node[1].OpType = &domain, &name }
	}
	for name, c := range map[string]refused{
		"old opset": {opset(6), "opset 6; opsets 7 to 25 are understood (onnx.version_converter makes it newer)"},
		"new opset": {opset(99), "opset 99"},
		"no opset":  {func(m *onnxpb.ModelProto) { m.OpsetImport = nil }, "no ONNX opset"},
		"no graph":  {func(m *onnxpb.ModelProto) { m.Graph = nil }, "no ONNX graph"},
		"nested": {func(m *onnxpb.ModelProto) {
			g := m.Graph
			for range maxNested {
				a := &onnxpb.AttributeProto{Name: proto.String("body"), G: g}
				g = &onnxpb.GraphProto{Node: []*onnxpb.NodeProto{{OpType: proto.String("Loop"), Attribute: []*onnxpb.AttributeProto{a}}}}
			}
			m.Graph = g
		}, "lie more than 200 deep in each other"},
		"functions that call each other": {func(m *onnxpb.ModelProto) {
			call := &onnxpb.NodeProto{OpType: proto.String("f"), Domain: proto.String("own")}
			m.Functions = []*onnxpb.FunctionProto{{Name: proto.String("f"), Domain: proto.String("own"), Node: []*onnxpb.NodeProto{call}}}
			m.Graph.Node = append(m.Graph.Node, call)
		}, "nested deeper than 32"},
		"sparse":      {func(m *onnxpb.ModelProto) { m.Graph.SparseInitializer = [][]byte{{}} }, "save the weights as ordinary tensors"},
		"pixels":      {metadata("preprocessing", nn.MNIST28), "784 inputs"},
		"labels":      {metadata("labels", "a,b"), "no JSON list"},
		"label count": {metadata("labels", `["a"]`), "each of its 2 classes, not 1"},
		"many nodes": {func(m *onnxpb.ModelProto) {
			m.Graph.Node = slices.Repeat([]*onnxpb.NodeProto{{}}, budget.Bytes/messageBytes)
		}, "graph: its parts are too many: with it the file needs more than 512 MB of memory"},
		"many names": {func(m *onnxpb.ModelProto) {
			m.Graph.Node[0].Input = make([]string, budget.Bytes/textBytes)
		}, "graph: node: its parts are too many"},
		"many numbers": {func(m *onnxpb.ModelProto) {
			m.Graph.Initializer[0].Int64Data = make([]int64, budget.Bytes/numberBytes)
		}, "graph: initializer: its parts are too many"},

		"two inputs":  {func(m *onnxpb.ModelProto) { m.Graph.Input = append(m.Graph.Input, shaped("z", "N", 2)) }, `several inputs ("x", "z"); export it with the picture as its only one`},
		"no input":    {func(m *onnxpb.ModelProto) { m.Graph.Input = nil }, "no input"},
		"texts":       {func(m *onnxpb.ModelProto) { m.Graph.Input[0].Type.TensorType.ElemType = proto.Int32(8) }, "of the type string"},
		"flat input":  {input("N"), "leaves sizes open that no picture fits"},
		"huge input":  {input("N", math.MaxInt64), "not possible"},
		"no flatten":  {input("N", 2, 1), "a Flatten or Reshape is missing"},
		"no nodes":    {func(m *onnxpb.ModelProto) { m.Graph.Node = nil }, `its output "p" is computed nowhere`},
		"no output":   {func(m *onnxpb.ModelProto) { m.Graph.Output = nil }, "no output"},
		"output":      {func(m *onnxpb.ModelProto) { m.Graph.Output[0].Name = proto.String("q") }, `its output "q" is computed nowhere`},
		"one class":   {nodes(1, op("ReduceMean", "h", "y", attr("axes", []int{1}))), "the shape [1 1]; export it with an output of a number for each class"},
		"in a circle": {func(m *onnxpb.ModelProto) { m.Graph.Node[0].Input[0] = "t" }, "it takes what is made of its own result"},
		"made twice":  {func(m *onnxpb.ModelProto) { m.Graph.Node[1].Output[0] = "h" }, `the value "h" is made twice`},
		"nowhere":     {func(m *onnxpb.ModelProto) { m.Graph.Node[0].Input[0] = "nowhere" }, "is neither made by a node nor stored in the file"},
		"no weights":  {func(m *onnxpb.ModelProto) { m.Graph.Initializer = m.Graph.Initializer[1:] }, `its input "W" is neither made by a node nor stored in the file; export the model with its weights`},

		"unknown": {func(m *onnxpb.ModelProto) {
			m.Graph.Node[0].OpType, m.Graph.Node[2].OpType = proto.String("Loop"), proto.String("CumSum")
		}, "the operators CumSum, Loop are not understood; convolutions, pooling, dense layers and functions of single values are"},
		"no parts": {nodes(1, op("Split", "h", "y", attr("split", []int{}))), "it cuts [1 3] into parts of []"},
		"groups of nothing": {func(m *onnxpb.ModelProto) {
			setInitializer(m.Graph, tensor("n", nil, 0, 2, 3))
			first(op("GroupNormalization", "n n n", "f", attr("num_groups", 1)))(m)
		}, "is not 1 groups of channels"},
		"resized nothing": {func(m *onnxpb.ModelProto) {
			setInitializer(m.Graph, tensor("n", nil, 1, 0))
			setInitializer(m.Graph, shapeTensor("s", 1, 3))
			first(&onnxpb.NodeProto{OpType: proto.String("Resize"), Input: []string{"n", "", "", "s"}, Output: []string{"f"}})(m)
		}, "do not fit the shape [1 0]"},
		"recurrent":      {func(m *onnxpb.ModelProto) { m.Graph.Node[1].OpType = proto.String("GRU") }, "the operator GRU is not understood; recurrent layers read a picture line by line"},
		"fused":          {foreignTo("com.microsoft", "FusedConv"), "the operator com.microsoft.FusedConv is not understood; ONNX Runtime's optimiser makes"},
		"two lines":      {foreignTo("com.example\ninkshade: read ", "Evil"), `the operator "com.example\ninkshade: read .Evil" is not understood`},
		"trees":          {foreignTo("ai.onnx.ml", "TreeEnsembleClassifier"), "the operator ai.onnx.ml.TreeEnsembleClassifier is not understood; trees"},
		"inputs too few": {func(m *onnxpb.ModelProto) { m.Graph.Node[0].Input = []string{"x"} }, "1 inputs"},
		"input left out": {func(m *onnxpb.ModelProto) { m.Graph.Node[0].Input[1] = "" }, "its input 2 is left out"},
		"constants only": {func(m *onnxpb.ModelProto) {
			m.Graph.Node = append(m.Graph.Node[:0], op("Conv", "W W", "y"))
			m.Graph.Output[0].Name = proto.String("y")
		}, "want [N,channels,height,width]"},
		"over time":        {first(op("Conv", "x W", "f")), "want [N,channels,height,width]"},
		"transA":           {func(m *onnxpb.ModelProto) { with(m.Graph.Node[0], attr("transA", 1)) }, "weights take 2 values, its input has 1"},
		"flatten axis":     {first(op("Flatten", "x", "f", attr("axis", 3))), "axis is 3"},
		"softmax axis":     {func(m *onnxpb.ModelProto) { with(m.Graph.Node[3], attr("axis", 3)) }, "axis is 3"},
		"reshape width":    {reshape(shapeTensor("s", -1, 3)), "the shape [1 2] cannot take the shape [-1 3]"},
		"reshape batch":    {reshape(shapeTensor("s", 2, -1)), "its weights take 2 values, its input has 1"},
		"reshape vector":   {reshape(shapeTensor("s", -1)), "want two dimensions"},
		"reshape overflow": {reshape(shapeTensor("s", -1, math.MaxInt64, math.MaxInt64)), "not possible"},
		"reshape computed": {first(op("Reshape", "x x", "f")), "is computed from the picture; it must be constant"},

		"constants without end": {func(m *onnxpb.ModelProto) {
			setInitializer(m.Graph, shapeTensor("s", 1<<12, 1<<13))
			for i := range 100 {
				first(op("ConstantOfShape", "s", fmt.Sprintf("c%d", i)))(m)
			}
		}, "with it the file needs more than 512 MB of memory"},
		"a large picture": {func(m *onnxpb.ModelProto) {
			input("N", 1<<24)(m)
			for i := range 4 {
				first(op("Relu", "x", fmt.Sprintf("r%d", i)))(m)
			}
			m.Graph.Node = append(m.Graph.Node, op("Concat", "r0 r1", "r4", attr("axis", 1)), op("Concat", "r4 r4", "r5", attr("axis", 1)))
			m.Graph.Output[0].Name = proto.String("r5")
		}, "more than 33554432 values are computed for one picture"},
		"short weights": {dims(2, 2), "bytes, want 16"},
		"large dims":    {dims(1<<12, 1<<12), "bytes, want"},
		"huge dims":     {dims(1<<40, 1<<40), "not possible"},
		"negative dims": {dims(-2, -3), "not possible"},
		"many dims":     {dims(slices.Repeat([]int64{1}, 1000)...), "1000 dimensions"},
		"half floats":   {kind(10), "bytes, want 12"},
		"text":          {kind(8), `"W" is of the type string`},
		"unknown type":  {kind(77), "type 77"},
		"external":      {func(m *onnxpb.ModelProto) { m.Graph.Initializer[0].DataLocation = onnxpb.TensorProto_EXTERNAL.Enum() }, "another file"},
		"external data": {func(m *onnxpb.ModelProto) { beside(m.Graph.Initializer[0], "w.data", 0) }, `in another file, "w.data"; save the model as one file`},
		"nan":           {weights(nan, 2, 3), "finite"},
		"constant nan": {func(m *onnxpb.ModelProto) {
			setInitializer(m.Graph, tensor("n", nan[5:]))
			first(op("Add", "x n", "f"))(m)
		}, "a constant that is no finite number"},
		"weights of 3":    {weights(testW, 1, 2, 3), "want two dimensions"},
		"shape mismatch":  {input("N", 5), "weights take 2 values, its input has 5"},
		"layers mismatch": {weights(testW, 3, 2), "weights take 3 values, its input has 2"},
		"bias mismatch":   {bias(testB[:2], 2), "the shapes [1 3] and [2] do not fit each other"},
		"bias column":     {bias(testB, 3, 1), "bias has the shape [3 1], want [3]"},

		"early largest": {nodes(1, op("Hardmax", "h", "k"), op("Relu", "k", "y")), "what says the largest must be last"},
		"weights named again and again": {func(m *onnxpb.ModelProto) {
			const side = 1024
			setInitializer(m.Graph, tensor("W", make([]float32, side*side), side, side))
			m.Graph.Input[0] = shaped("x", "N", side)
			m.Graph.Node = nil
			for i := range 64 {
				m.Graph.Node = append(m.Graph.Node, op("MatMul", fmt.Sprintf("x%d W", i), fmt.Sprintf("x%d", i+1)))
			}
			m.Graph.Node[0].Input[0], m.Graph.Output[0].Name = "x", proto.String("x64")
		}, "more than 33554432 weights"},
	} {
		t.Run(name, func(t *testing.T) {
			file := foreign()
			c.change(file)
			m, err := Read(t.Context(), bytes.NewReader(encode(t, file)))
			if err == nil {
				t.Fatalf("read %+v", m)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error %q does not hold %q", err, c.want)
			}
		})
	}
}

// beside says that a tensor's values lie in another file.
func beside(t *onnxpb.TensorProto, name string, offset int) {
	t.RawData = nil
	t.DataLocation = onnxpb.TensorProto_EXTERNAL.Enum()
	t.ExternalData = []*onnxpb.StringStringEntryProto{entry("location", name), entry("offset", strconv.Itoa(offset))}
}

// Weights may lie in files of the model's folder, and nowhere else.
func TestWeightsBeside(t *testing.T) {
	folder := t.TempDir()
	secret := filepath.Join(t.TempDir(), "w.data")
	content := append([]byte("abc"), foreign().Graph.Initializer[0].RawData...)
	for _, path := range []string{secret, filepath.Join(folder, "w.data")} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(secret, filepath.Join(folder, "link.data")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"w.data": "", "./w.data": "",
		"none.data": `there is no "none.data" beside the model; put it there`,
		"link.data": "escapes", secret: "escapes", "../" + filepath.Base(filepath.Dir(secret)) + "/w.data": "escapes",
		"": "lies in another file", ".": "lies in another file",
	} {
		file := foreign()
		beside(file.Graph.Initializer[0], name, 3)
		path := filepath.Join(folder, "model.onnx")
		if err := os.WriteFile(path, encode(t, file), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := ReadFile(t.Context(), path, "")
		switch {
		case want == "" && (err != nil || !slices.Equal(m.Network.Layers[0].Values[0], testW)):
			t.Errorf("%q: %v, error %v", name, m, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%q: error %v, want %q", name, err, want)
		}
	}
	file := foreign()
	beside(file.Graph.Initializer[0], "w.data", 4)
	path := filepath.Join(folder, "model.onnx")
	if err := os.WriteFile(path, encode(t, file), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadFile(t.Context(), path, ""); err == nil || !strings.Contains(err.Error(), `"w.data" is too short`) {
		t.Errorf("beyond the end: error %v", err)
	}
}

// A file that ends anywhere before its end is refused.
func TestTruncated(t *testing.T) {
	data := encoded(t, sampleModel())
	for n := range data {
		if m, err := Read(t.Context(), bytes.NewReader(data[:n])); err == nil {
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
		_, err := Read(t.Context(), strings.NewReader(start))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", start, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(encoded(f, sampleModel()))
	f.Add(encode(f, foreign()))
	for _, c := range exports() {
		f.Add(encode(f, c.model))
	}
	cut := encode(f, foreign())
	f.Add(cut[:len(cut)-7])
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var m *nn.Model
		var err error
		budgettest.Within(t, func() { m, err = Read(t.Context(), bytes.NewReader(data)) })
		if err != nil {
			if m != nil {
				t.Fatal("an error came with a model")
			}
			return
		}
		if err := m.Check(); err != nil {
			t.Fatalf("a model was read that fails its check: %v", err)
		}
		again, err := Read(t.Context(), bytes.NewReader(encoded(t, m)))
		if err != nil {
			t.Fatalf("what was read cannot be written and read again: %v", err)
		}
		if again.Network.Parameters() != m.Network.Parameters() {
			t.Fatal("writing changed the network")
		}
	})
}
