package onnx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"inkshade/models"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

func encoded(t testing.TB, m *nn.Model) []byte {
	t.Helper()
	var buf bytes.Buffer
	if err := Write(&buf, m); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestRoundTrip(t *testing.T) {
	for _, act := range []string{"", "tanh", "sigmoid", "relu"} {
		for _, sizes := range [][]int{{784, 10}, {784, 12, 10}, {784, 8, 9, 10}, {5, 4, 3}} {
			m := &nn.Model{Network: nn.NewNetwork(sizes, act, 9), Metadata: map[string]string{"data": "drawn", "date": "2026-01-02", "empty": "", "command": "--out \xff"}}
			m.Labels = []string{"0", "\"", "ß", "九", "\n", "a b", "6", "7", "8", "☂"}[:m.Network.Classes()]
			if sizes[0] == 784 {
				m.Preprocessing = nn.MNIST28
			} else {
				m.Preprocessing = "test5"
			}
			first := encoded(t, m)
			got, err := Read(t.Context(), bytes.NewReader(first))
			if err != nil {
				t.Fatalf("%s %v: %v", act, sizes, err)
			}
			if !reflect.DeepEqual(got, m) {
				t.Errorf("%s %v: the model read differs from the one written", act, sizes)
			}
			if !bytes.Equal(encoded(t, got), first) {
				t.Errorf("%s %v: writing again gives other bytes", act, sizes)
			}
		}
	}
}

// The models that ship, some of which version 0.1 wrote, stay what they are, byte by byte.
func TestShippedModelsStay(t *testing.T) {
	for _, name := range models.Names() {
		file, err := models.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Read(t.Context(), bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(encoded(t, m), file) {
			t.Errorf("%s: writing it again gives other bytes", name)
		}
	}
}

func sampleModel() *nn.Model {
	return &nn.Model{
		Network:       nn.NewNetwork([]int{4, 5, 3}, "tanh", 11),
		Labels:        []string{"a", "b", "ß"},
		Preprocessing: "test4",
		Metadata:      map[string]string{"data": "none", "date": "2026-01-02"},
	}
}

func TestWriteRefuses(t *testing.T) {
	broken := sampleModel()
	broken.Network.Layers[0].Values[1][0] = float32(math.NaN())
	taken := sampleModel()
	taken.Metadata["labels"] = "x"
	for name, m := range map[string]*nn.Model{"nan": broken, "key": taken} {
		if err := Write(io.Discard, m); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// The smallest network in every spelling: y = tanh(x·W + b)·V + c with 2 inputs.
var (
	testW = []float32{1, 2, 3, 4, 5, 6} // [2][3]
	testB = []float32{0.5, -0.5, 0.25}
	testV = []float32{1, -1, 2, -2, 3, -3} // [3][2]
	testC = []float32{0.125, 8}
)

const int64s = int32(onnxpb.TensorProto_INT64)

func floatTensor(name string, data []float32, dims ...int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{Name: &name, Dims: dims, DataType: proto.Int32(float), FloatData: data}
}

func shapeTensor(name string, shape ...int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{Name: &name, Dims: []int64{int64(len(shape))}, DataType: proto.Int32(int64s), Int64Data: shape}
}

func rawShape(name string, shape ...int64) *onnxpb.TensorProto {
	t := shapeTensor(name, shape...)
	for _, s := range shape {
		t.RawData = binary.LittleEndian.AppendUint64(t.RawData, uint64(s))
	}
	t.Int64Data = nil
	return t
}

func op(kind, inputs, output string, attributes ...*onnxpb.AttributeProto) *onnxpb.NodeProto {
	return &onnxpb.NodeProto{OpType: &kind, Input: strings.Fields(inputs), Output: []string{output}, Attribute: attributes}
}

// with replaces the attributes of a node.
func with(n *onnxpb.NodeProto, attributes ...*onnxpb.AttributeProto) { n.Attribute = attributes }

func attr(name string, v any) *onnxpb.AttributeProto {
	a := &onnxpb.AttributeProto{Name: &name}
	switch v := v.(type) {
	case int:
		a.I, a.Type = proto.Int64(int64(v)), onnxpb.AttributeProto_INT.Enum()
	case float64:
		a.F, a.Type = proto.Float32(float32(v)), onnxpb.AttributeProto_FLOAT.Enum()
	case []int:
		for _, n := range v {
			a.Ints = append(a.Ints, int64(n))
		}
		a.Type = onnxpb.AttributeProto_INTS.Enum()
	case string:
		a.S, a.Type = []byte(v), onnxpb.AttributeProto_STRING.Enum()
	case *onnxpb.TensorProto:
		a.T, a.Type = v, onnxpb.AttributeProto_TENSOR.Enum()
	default:
		panic(fmt.Sprintf("attribute %s of type %T", name, v))
	}
	return a
}

// shaped declares a float tensor whose dimensions are numbers and names.
func shaped(name string, dims ...any) *onnxpb.ValueInfoProto {
	v := declared(name)
	shape := v.Type.TensorType.Shape
	shape.Dim = nil
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
	return v
}

// foreign is a valid model that each case changes.
func foreign() *onnxpb.ModelProto {
	return &onnxpb.ModelProto{
		IrVersion:   proto.Int64(7),
		OpsetImport: []*onnxpb.OperatorSetIdProto{{Version: proto.Int64(11)}},
		Graph: &onnxpb.GraphProto{
			Name: proto.String("foreign"),
			Node: []*onnxpb.NodeProto{op("Gemm", "x W b", "h"), op("Tanh", "h", "t"), op("Gemm", "t V c", "y"), op("Softmax", "y", "p")},
			Initializer: []*onnxpb.TensorProto{
				tensor("W", testW, 2, 3), tensor("b", testB, 3), tensor("V", testV, 3, 2), tensor("c", testC, 2),
			},
			Input:  []*onnxpb.ValueInfoProto{shaped("x", "N", 2)},
			Output: []*onnxpb.ValueInfoProto{shaped("p", "N", 2)},
		},
	}
}

func encode(t testing.TB, m *onnxpb.ModelProto) []byte {
	t.Helper()
	data, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func setInitializer(g *onnxpb.GraphProto, t *onnxpb.TensorProto) {
	i := slices.IndexFunc(g.Initializer, func(old *onnxpb.TensorProto) bool { return old.GetName() == t.GetName() })
	if i < 0 {
		g.Initializer = append(g.Initializer, t)
		return
	}
	g.Initializer[i] = t
}

func TestSpellings(t *testing.T) {
	quarter := make([]float32, len(testW))
	for i, v := range testW {
		quarter[i] = v * 4
	}
	for name, change := range map[string]func(m *onnxpb.ModelProto, g *onnxpb.GraphProto){
		"as it stands": func(*onnxpb.ModelProto, *onnxpb.GraphProto) {},
		"float_data":   func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { setInitializer(g, floatTensor("W", testW, 2, 3)) },
		"no softmax": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = g.Node[:3]
			g.Output[0].Name = proto.String("y")
		},
		"softmax axis": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { with(g.Node[3], attr("axis", -1)) },
		"opset 13":     func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) { m.OpsetImport[0].Version = proto.Int64(13) },
		"named domain": func(m *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			m.OpsetImport[0].Domain = proto.String("ai.onnx")
			g.Node[0].Domain = proto.String("ai.onnx")
		},
		"other domains": func(m *onnxpb.ModelProto, _ *onnxpb.GraphProto) {
			m.OpsetImport = append([]*onnxpb.OperatorSetIdProto{{Domain: proto.String("ai.onnx.ml"), Version: proto.Int64(3)}}, m.OpsetImport...)
		},
		"transB": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			setInitializer(g, tensor("W", []float32{1, 4, 2, 5, 3, 6}, 3, 2))
			with(g.Node[0], attr("transB", 1), attr("transA", 0))
		},
		"alpha and beta": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			setInitializer(g, tensor("W", quarter, 2, 3))
			setInitializer(g, tensor("b", []float32{1, -1, 0.5}, 1, 3))
			with(g.Node[0], attr("alpha", 0.25), attr("beta", 0.5))
		},
		"matmul and add": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append([]*onnxpb.NodeProto{op("MatMul", "x W", "m"), op("Add", "b m", "h")}, g.Node[1:]...)
		},
		"two biases": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			setInitializer(g, tensor("b1", []float32{0.5}, 1))
			setInitializer(g, tensor("b2", []float32{0, -1, -0.25}, 3))
			g.Node = append([]*onnxpb.NodeProto{op("Gemm", "x W b1", "m"), op("Add", "m b2", "h")}, g.Node[1:]...)
		},
		"identity": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append([]*onnxpb.NodeProto{op("Identity", "x", "x1"), op("Identity", "W", "W1"), op("Gemm", "x W1 b", "h")}, g.Node[1:]...)
		},
		"identity at the end": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append(g.Node, op("Identity", "p", "q"))
			g.Output[0].Name = proto.String("q")
		},
		"probabilities with their labels": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			choose, zip := op("ArrayFeatureExtractor", "p", "l"), op("ZipMap", "p", "z")
			choose.Domain, zip.Domain = proto.String("ai.onnx.ml"), proto.String("ai.onnx.ml")
			g.Node = append(g.Node, choose, zip)
			g.Output = []*onnxpb.ValueInfoProto{shaped("l", "N"), shaped("z", "N", 2)}
		},
		"constant": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			w := tensor("", testW, 2, 3)
			g.Node = append([]*onnxpb.NodeProto{op("Constant", "", "W", attr("value", w))}, g.Node...)
			g.Initializer = g.Initializer[1:]
		},
		"flatten": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Input[0] = shaped("x", 1, 1, 2, 1)
			g.Node = append([]*onnxpb.NodeProto{op("Flatten", "x", "f"), op("Gemm", "f W b", "h")}, g.Node[1:]...)
		},
		"flatten from the end": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			g.Node = append([]*onnxpb.NodeProto{op("Flatten", "x", "f", attr("axis", -1)), op("Gemm", "f W b", "h")}, g.Node[1:]...)
		},
		"reshape": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			setInitializer(g, shapeTensor("s", -1, 2))
			setInitializer(g, rawShape("r", 0, -1))
			g.Input[0] = shaped("x", "N", 2, 1)
			g.Node = append([]*onnxpb.NodeProto{op("Reshape", "x s", "f"), op("Reshape", "f r", "e"), op("Gemm", "e W b", "h")}, g.Node[1:]...)
		},
		"reshape of one": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			setInitializer(g, shapeTensor("s", 1, 2))
			g.Node = append([]*onnxpb.NodeProto{op("Reshape", "x s", "f"), op("Gemm", "f W b", "h")}, g.Node[1:]...)
		},
		"initializers as inputs": func(m *onnxpb.ModelProto, g *onnxpb.GraphProto) {
			m.IrVersion = proto.Int64(3)
			g.Input = append([]*onnxpb.ValueInfoProto{shaped("W", 2, 3), shaped("b", 3)}, g.Input...)
		},
		"open sizes": func(_ *onnxpb.ModelProto, g *onnxpb.GraphProto) { g.Input[0] = shaped("x", "N", "M") },
	} {
		t.Run(name, func(t *testing.T) {
			file := foreign()
			change(file, file.Graph)
			m, err := Read(t.Context(), bytes.NewReader(encode(t, file)))
			if err != nil {
				t.Fatal(err)
			}
			want := nn.Sequence(nn.Vector(2),
				nn.Layer{Kind: nn.Dense{Units: 3, Function: "tanh"}, Values: [][]float32{testW, testB}},
				nn.Layer{Kind: nn.Dense{Units: 2}, Values: [][]float32{testV, testC}})
			if !reflect.DeepEqual(m.Network, want) {
				t.Errorf("got %+v", m.Network)
			}
			if !slices.Equal(m.Labels, []string{"0", "1"}) {
				t.Errorf("labels %q", m.Labels)
			}
		})
	}
}

func TestActivationsAreRead(t *testing.T) {
	for want, f := range functionOperators {
		name := f.op
		file := foreign()
		file.Graph.Node[1].OpType, file.Graph.Node[1].Attribute = &name, f.attributes
		m, err := Read(t.Context(), bytes.NewReader(encode(t, file)))
		if err != nil || m.Network.Layers[0].Kind.(nn.Dense).Function != want {
			t.Errorf("%s: %v, error %v", name, m, err)
		}
	}
}
