package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// export makes a model as an exporter would.
type export struct {
	model  *onnxpb.ModelProto
	random *rand.Rand
	names  int
}

// newExport begins a model with the input "x" of dims, numbers or names.
func newExport(opset int64, dims ...any) *export {
	return &export{
		model: &onnxpb.ModelProto{
			IrVersion:   proto.Int64(8),
			OpsetImport: []*onnxpb.OperatorSetIdProto{{Domain: proto.String(""), Version: &opset}},
			Graph:       &onnxpb.GraphProto{Name: proto.String("test"), Input: []*onnxpb.ValueInfoProto{shaped("x", dims...)}},
		},
		random: rand.New(rand.NewPCG(7, 7)),
	}
}

func (e *export) name(kind string) string {
	e.names++
	return fmt.Sprintf("%s%d", kind, e.names)
}

// add adds a node and gives the name of its result. Strings are inputs, tensors become
// initializers, and attributes are attributes.
func (e *export) add(op string, args ...any) string {
	n := &onnxpb.NodeProto{OpType: &op, Output: []string{e.name(op)}}
	for _, a := range args {
		switch a := a.(type) {
		case string:
			n.Input = append(n.Input, a)
		case *onnxpb.TensorProto:
			n.Input = append(n.Input, e.store(a))
		case *onnxpb.AttributeProto:
			n.Attribute = append(n.Attribute, a)
		default:
			panic(fmt.Sprintf("%s: argument of type %T", op, a))
		}
	}
	e.model.Graph.Node = append(e.model.Graph.Node, n)
	return n.Output[0]
}

// also gives the last node another output.
func (e *export) also() string {
	n := e.model.Graph.Node[len(e.model.Graph.Node)-1]
	n.Output = append(n.Output, e.name("more"))
	return n.Output[len(n.Output)-1]
}

// store adds an initializer and gives its name.
func (e *export) store(t *onnxpb.TensorProto) string {
	if t.GetName() == "" {
		t.Name = proto.String(e.name("c"))
	}
	e.model.Graph.Initializer = append(e.model.Graph.Initializer, t)
	return t.GetName()
}

// weights are random, of a size that keeps activations near 1.
func (e *export) weights(dims ...int64) *onnxpb.TensorProto {
	n, fan := 1, int64(1)
	for i, d := range dims {
		n *= int(d)
		if i > 0 || len(dims) == 2 {
			fan *= d
		}
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(e.random.NormFloat64() / math.Sqrt(float64(fan)))
	}
	t := tensor("", data, dims...)
	t.Name = nil
	return t
}

// positive are random between 1/2 and 3/2.
func (e *export) positive(dims ...int64) *onnxpb.TensorProto {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = 0.5 + e.random.Float32()
	}
	t := tensor("", data, dims...)
	t.Name = nil
	return t
}

// list is a tensor of whole numbers in one dimension.
func list(x ...int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{Dims: []int64{int64(len(x))}, DataType: proto.Int32(int64s), Int64Data: x}
}

// one is a float tensor without dimensions.
func one(x float32) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{DataType: proto.Int32(float), FloatData: []float32{x}}
}

// quantisedTensor holds whole numbers of few bits.
func quantisedTensor(kind onnxpb.TensorProto_DataType, x []int32, dims ...int64) *onnxpb.TensorProto {
	return &onnxpb.TensorProto{Dims: dims, DataType: proto.Int32(int32(kind)), Int32Data: x}
}

// floatsOf is an attribute with the values of a tensor.
func floatsOf(name string, t *onnxpb.TensorProto) *onnxpb.AttributeProto {
	a := &onnxpb.AttributeProto{Name: &name, Type: onnxpb.AttributeProto_FLOATS.Enum()}
	for _, v := range arrayOf(t).data {
		a.Floats = append(a.Floats, float32(v))
	}
	return a
}

// quantisedWeights are int8 from -127 to 127.
func (e *export) quantisedWeights(dims ...int64) *onnxpb.TensorProto {
	n := 1
	for _, d := range dims {
		n *= int(d)
	}
	data := make([]int32, n)
	for i := range data {
		data[i] = int32(e.random.IntN(255)) - 127
	}
	return quantisedTensor(onnxpb.TensorProto_INT8, data, dims...)
}

// classes ends a model on the way of PyTorch: Flatten, Gemm to 5 classes.
func (e *export) classes(v string, width int64) string {
	return e.add("Gemm", e.add("Flatten", v), e.weights(5, width), e.weights(5), attr("transB", 1))
}

// finished is the model with an output.
func (e *export) finished(output string) *onnxpb.ModelProto {
	e.model.Graph.Output = []*onnxpb.ValueInfoProto{{Name: &output, Type: &onnxpb.TypeProto{TensorType: &onnxpb.TypeProto_Tensor{ElemType: proto.Int32(float)}}}}
	return e.model
}

// exportCase is a model and how far the rounding of its quantised numbers may take its
// values from the truth.
type exportCase struct {
	name    string
	model   *onnxpb.ModelProto
	rounded float64
}

// exports are a model for each operator and each habit of exporters, with inputs of few
// pixels.
func exports() []exportCase {
	var cases []exportCase
	add := func(name string, opset int64, make func(e *export) string, dims ...any) {
		if dims == nil {
			dims = []any{"N", 1, 6, 6}
		}
		e := newExport(opset, dims...)
		output := make(e)
		cases = append(cases, exportCase{name, e.finished(output), 0})
	}
	rounded := func(most float64) { cases[len(cases)-1].rounded = most }

	// Functions of single values, behind a convolution of 2 filters.
	for name, attributes := range map[string][]*onnxpb.AttributeProto{
		"Relu": nil, "Tanh": nil, "Sigmoid": nil, "Erf": nil, "Exp": nil, "Abs": nil, "Neg": nil, "Softplus": nil, "Softsign": nil,
		"LeakyRelu": {attr("alpha", 0.2)}, "Elu": {attr("alpha", 0.7)}, "Selu": nil, "HardSigmoid": {attr("alpha", 0.3)}, "Identity": nil, "Dropout": nil,
	} {
		add(name, 13, func(e *export) string {
			v := e.add("Conv", "x", e.weights(2, 1, 3, 3), e.weights(2))
			args := []any{v}
			for _, a := range attributes {
				args = append(args, a)
			}
			return e.classes(e.add(name, args...), 32)
		})
	}
	for _, name := range []string{"Log", "Sqrt", "Reciprocal"} {
		add(name, 13, func(e *export) string {
			v := e.add("Softplus", e.add("Conv", "x", e.weights(2, 1, 3, 3), e.weights(2)))
			return e.classes(e.add(name, v), 32)
		})
	}
	add("Gelu", 20, func(e *export) string { return e.classes(e.add("Gelu", "x"), 36) })
	add("Gelu tanh", 20, func(e *export) string { return e.classes(e.add("Gelu", "x", attr("approximate", "tanh")), 36) })
	add("HardSwish", 14, func(e *export) string { return e.classes(e.add("HardSwish", "x"), 36) })
	add("Mish", 18, func(e *export) string { return e.classes(e.add("Mish", "x"), 36) })
	add("Gelu's pieces", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(2, 1, 3, 3), e.weights(2))
		phi := e.add("Add", e.add("Erf", e.add("Div", v, one(math.Sqrt2))), one(1))
		return e.classes(e.add("Mul", e.add("Mul", v, phi), one(0.5)), 32)
	})
	add("Gelu's other pieces", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(2, 1, 3, 3), e.weights(2))
		cube := e.add("Mul", e.add("Pow", v, one(3)), one(0.044715))
		t := e.add("Tanh", e.add("Mul", e.add("Add", v, cube), one(float32(math.Sqrt(2/math.Pi)))))
		return e.classes(e.add("Mul", e.add("Mul", v, one(0.5)), e.add("Add", t, one(1))), 32)
	})
	add("Clip by attributes", 7, func(e *export) string {
		return e.classes(e.add("Clip", "x", attr("min", 0.2), attr("max", 0.6)), 36)
	})
	add("Clip by inputs", 13, func(e *export) string { return e.classes(e.add("Clip", "x", "", one(0.5)), 36) })
	add("PRelu", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3), e.weights(3))
		return e.classes(e.add("PRelu", v, e.weights(3, 1, 1)), 48)
	})
	add("Pow", 13, func(e *export) string { return e.classes(e.add("Pow", "x", one(2)), 36) })
	add("Sub, Div, Sum, Mean, Max, Min", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(2, 1, 3, 3), e.weights(2))
		w := e.add("Div", e.add("Sub", v, e.weights(2, 1, 1)), e.positive(2, 1, 1))
		s := e.add("Sum", v, w, one(0.1))
		return e.classes(e.add("Max", e.add("Mean", s, v), e.add("Min", w, v)), 32)
	})

	// Convolutions and pooling.
	add("Conv with padding, strides", 11, func(e *export) string {
		return e.classes(e.add("Conv", "x", e.weights(3, 1, 3, 3), attr("pads", []int{1, 0, 2, 1}), attr("strides", []int{2, 1}), attr("kernel_shape", []int{3, 3})), 60)
	})
	add("Conv with dilation", 11, func(e *export) string {
		return e.classes(e.add("Conv", "x", e.weights(2, 1, 2, 3), attr("dilations", []int{3, 2})), 12)
	})
	add("Conv in groups", 11, func(e *export) string {
		v := e.add("Conv", "x", e.weights(4, 1, 1, 1), e.weights(4))
		return e.classes(e.add("Conv", e.add("Conv", v, e.weights(6, 2, 3, 3), attr("group", 2)), e.weights(6, 1, 2, 2), attr("group", 6)), 54)
	})
	for _, mode := range []string{"SAME_UPPER", "SAME_LOWER", "VALID"} {
		add("auto_pad "+mode, 7, func(e *export) string {
			v := e.add("Conv", "x", e.weights(2, 1, 4, 4), attr("auto_pad", mode))
			side := int64(6)
			if mode == "VALID" {
				side = 3
			}
			v = e.add("MaxPool", v, attr("kernel_shape", []int{2, 2}), attr("auto_pad", mode))
			if mode == "VALID" {
				side--
			}
			return e.classes(v, 2*side*side)
		})
	}
	add("Pad", 13, func(e *export) string {
		v := e.add("Pad", "x", list(0, 0, 1, 1, 0, 0, 2, 0), one(0))
		return e.classes(e.add("Conv", v, e.weights(2, 1, 3, 3), attr("pads", []int{0, 1, 0, 1}), attr("strides", []int{2, 2})), 32)
	})
	add("Pad by attributes", 7, func(e *export) string {
		v := e.add("Pad", "x", attr("pads", []int{0, 0, 1, 1, 0, 0, 2, 0}), attr("value", 0.5))
		return e.classes(e.add("Conv", v, e.weights(2, 1, 3, 3)), 70)
	})
	add("MaxPool", 11, func(e *export) string {
		return e.classes(e.add("MaxPool", "x", attr("kernel_shape", []int{3, 2}), attr("pads", []int{1, 0, 1, 1}), attr("strides", []int{2, 3})), 6)
	})
	add("MaxPool with ceil_mode", 11, func(e *export) string {
		return e.classes(e.add("MaxPool", "x", attr("kernel_shape", []int{3, 3}), attr("strides", []int{2, 2}), attr("ceil_mode", 1)), 9)
	})
	add("MaxPool with dilation", 11, func(e *export) string {
		return e.classes(e.add("MaxPool", "x", attr("kernel_shape", []int{2, 2}), attr("dilations", []int{2, 3})), 12)
	})
	add("AveragePool", 11, func(e *export) string {
		return e.classes(e.add("AveragePool", "x", attr("kernel_shape", []int{3, 3}), attr("pads", []int{1, 1, 1, 1}), attr("strides", []int{2, 2})), 9)
	})
	add("AveragePool with its padding", 11, func(e *export) string {
		return e.classes(e.add("AveragePool", "x", attr("kernel_shape", []int{3, 3}), attr("pads", []int{1, 1, 1, 1}), attr("strides", []int{2, 2}), attr("count_include_pad", 1)), 9)
	})
	add("AveragePool with ceil_mode", 19, func(e *export) string {
		return e.classes(e.add("AveragePool", "x", attr("kernel_shape", []int{3, 3}), attr("strides", []int{2, 2}), attr("ceil_mode", 1)), 9)
	})
	add("AveragePool with ceil_mode and its padding", 19, func(e *export) string {
		return e.classes(e.add("AveragePool", "x", attr("kernel_shape", []int{2, 2}), attr("strides", []int{2, 3}), attr("pads", []int{1, 1, 0, 1}), attr("ceil_mode", 1), attr("count_include_pad", 1)), 12)
	})
	for _, name := range []string{"GlobalAveragePool", "GlobalMaxPool"} {
		add(name, 11, func(e *export) string {
			return e.classes(e.add(name, e.add("Conv", "x", e.weights(4, 1, 3, 3))), 4)
		})
	}
	add("ReduceMean by attribute", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(4, 1, 3, 3))
		return e.add("Gemm", e.add("ReduceMean", v, attr("axes", []int{2, 3}), attr("keepdims", 0)), e.weights(4, 5))
	})
	add("ReduceMean by input", 18, func(e *export) string {
		v := e.add("Conv", "x", e.weights(4, 1, 3, 3))
		return e.classes(e.add("ReduceMean", v, list(-1, -2)), 4)
	})
	add("ReduceSum, ReduceMax", 18, func(e *export) string {
		v := e.add("Conv", "x", e.weights(4, 1, 3, 3))
		return e.classes(e.add("Concat", e.add("ReduceSum", v, list(2, 3)), e.add("ReduceMax", v, list(2, 3)), attr("axis", 1)), 8)
	})
	add("BatchNormalization", 9, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3))
		v = e.add("BatchNormalization", v, e.positive(3), e.weights(3), e.weights(3), e.positive(3), attr("epsilon", 0.001))
		return e.classes(e.add("Relu", v), 48)
	})
	add("BatchNormalization of vectors", 15, func(e *export) string {
		v := e.add("Gemm", e.add("Flatten", "x"), e.weights(36, 7))
		return e.add("Gemm", e.add("BatchNormalization", v, e.positive(7), e.weights(7), e.weights(7), e.positive(7)), e.weights(7, 5))
	})

	add("InstanceNormalization", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3))
		return e.classes(e.add("Relu", e.add("InstanceNormalization", v, e.positive(3), e.weights(3))), 48)
	})
	add("LayerNormalization", 17, func(e *export) string {
		v := e.add("Gemm", e.add("Flatten", "x"), e.weights(36, 7))
		return e.add("Gemm", e.add("LayerNormalization", v, e.positive(7), e.weights(7)), e.weights(7, 5))
	})
	add("LayerNormalization over the image", 17, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3))
		return e.classes(e.add("LayerNormalization", v, e.positive(3, 4, 4), e.weights(3, 4, 4), attr("axis", 1)), 48)
	})
	add("LayerNormalization by pieces, channels behind", 13, func(e *export) string {
		v := e.add("Transpose", e.add("Conv", "x", e.weights(3, 1, 3, 3)), attr("perm", []int{0, 2, 3, 1}))
		d := e.add("Sub", v, e.add("ReduceMean", v, attr("axes", []int{-1})))
		s := e.add("Sqrt", e.add("Add", e.add("ReduceMean", e.add("Pow", d, one(2)), attr("axes", []int{-1})), one(1e-6)))
		return e.classes(e.add("Transpose", e.add("Mul", e.add("Div", d, s), e.positive(3)), attr("perm", []int{0, 3, 1, 2})), 48)
	})

	add("one channel repeated", 13, func(e *export) string {
		v := e.add("Tile", "x", list(1, 3, 1, 1))
		w := e.add("Expand", "x", list(1, 3, 1, 6))
		return e.classes(e.add("Relu", e.add("Conv", e.add("Add", v, w), e.weights(2, 3, 3, 3))), 32)
	})
	add("Equal, Not, And, Or", 13, func(e *export) string {
		n := e.add("Gather", e.add("Shape", "x"), &onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{2}})
		six := &onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{6}}
		is := e.add("Equal", n, six)
		never := e.add("And", is, e.add("Not", is))
		shape := e.add("Where", e.add("Or", is, never), list(-1, 36), list(-1, 3))
		return e.add("Gemm", e.add("Reshape", "x", shape), e.weights(36, 5))
	})

	add("parts of whole numbers, by a size", 13, func(e *export) string {
		n := e.add("Gather", e.add("Shape", "x"), list(2))
		return e.classes(e.add("Mul", "x", e.add("Where", e.add("Equal", n, list(6)), one(0.5), one(1.5))), 36)
	})

	// Branches.
	add("residual", 13, func(e *export) string {
		v := e.add("Relu", e.add("Conv", "x", e.weights(3, 1, 3, 3), attr("pads", []int{1, 1, 1, 1})))
		w := e.add("Conv", v, e.weights(3, 3, 3, 3), attr("pads", []int{1, 1, 1, 1}))
		return e.classes(e.add("Relu", e.add("Add", w, v)), 108)
	})
	add("dense block", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3), attr("pads", []int{1, 1, 1, 1}))
		w := e.add("Relu", e.add("Conv", v, e.weights(2, 3, 1, 1)))
		return e.classes(e.add("Concat", v, w, "x", attr("axis", -3)), 216)
	})

	add("squeeze and excitation", 13, func(e *export) string {
		v := e.add("Relu", e.add("Conv", "x", e.weights(4, 1, 3, 3)))
		s := e.add("Relu", e.add("Conv", e.add("GlobalAveragePool", v), e.weights(2, 4, 1, 1)))
		s = e.add("Sigmoid", e.add("Conv", s, e.weights(4, 2, 1, 1), e.weights(4)))
		return e.classes(e.add("Mul", v, s), 64)
	})
	add("attention to places", 13, func(e *export) string {
		v := e.add("Relu", e.add("Conv", "x", e.weights(4, 1, 3, 3)))
		pooled := e.add("Concat", e.add("ReduceMean", v, attr("axes", []int{1})), e.add("ReduceMax", v, attr("axes", []int{1})), attr("axis", 1))
		s := e.add("Sigmoid", e.add("Conv", pooled, e.weights(1, 2, 3, 3), attr("pads", []int{1, 1, 1, 1})))
		return e.classes(e.add("Mul", v, s), 64)
	})
	add("normalisation by pieces before a ReLU", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3))
		v = e.add("Add", v, e.add("Relu", v))
		v = e.add("Relu", e.add("Add", e.add("Mul", v, e.positive(3, 1, 1)), e.weights(3, 1, 1)))
		return e.classes(v, 48)
	})
	add("halves joined above one another", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(3, 1, 3, 3))
		v = e.add("Concat", v, e.add("Tanh", v), attr("axis", 2))
		return e.classes(e.add("Conv", v, e.weights(2, 3, 2, 2)), 42)
	})
	add("Where, Greater, Less", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(2, 1, 3, 3))
		w := e.add("Where", e.add("Greater", v, one(0.1)), v, e.add("Mul", v, one(0.3)))
		return e.classes(e.add("Where", e.add("Less", v, e.weights(2, 1, 1)), w, e.add("Neg", v)), 32)
	})
	add("Clip without an end", 13, func(e *export) string {
		v := e.add("Gemm", e.add("Flatten", "x"), e.weights(36, 7))
		return e.add("Gemm", e.add("Clip", v, one(0), one(float32(math.Inf(1)))), e.weights(7, 5))
	})

	// Endings.
	for _, name := range []string{"Softmax", "LogSoftmax"} {
		add(name+" before opset 13", 11, func(e *export) string { return e.add(name, e.classes("x", 36)) })
		add(name+" from opset 13 on", 13, func(e *export) string { return e.add(name, e.classes("x", 36), attr("axis", 1)) })
	}
	add("Log of Softmax", 13, func(e *export) string { return e.add("Log", e.add("Softmax", e.classes("x", 36))) })
	add("Sigmoid at the end", 13, func(e *export) string { return e.add("Sigmoid", e.classes("x", 36)) })
	add("fully convolutional", 13, func(e *export) string {
		v := e.add("GlobalAveragePool", e.add("Conv", e.add("Relu", e.add("Conv", "x", e.weights(4, 1, 3, 3))), e.weights(5, 4, 1, 1), e.weights(5)))
		return e.add("Softmax", e.add("Squeeze", v, list(2, 3)))
	})

	// Habits of exporters.
	add("PyTorch, size taken from the input", 11, func(e *export) string {
		v := e.add("MaxPool", e.add("Relu", e.add("Conv", "x", e.weights(4, 1, 3, 3), e.weights(4))), attr("kernel_shape", []int{2, 2}), attr("strides", []int{2, 2}))
		n := e.add("Gather", e.add("Shape", v), e.add("Constant", attr("value", &onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{0}})), attr("axis", 0))
		rest := e.add("Constant", attr("value", list(-1)))
		shape := e.add("Concat", e.add("Unsqueeze", n, attr("axes", []int{0})), rest, attr("axis", 0))
		return e.add("LogSoftmax", e.add("Gemm", e.add("Reshape", v, shape), e.weights(5, 16), e.weights(5), attr("transB", 1)))
	})
	add("PyTorch, -1 in front", 13, func(e *export) string {
		return e.add("Gemm", e.add("Reshape", "x", e.add("Constant", attr("value", list(-1, 36)))), e.weights(5, 36), e.weights(5), attr("transB", 1), attr("alpha", 0.5), attr("beta", 2.0))
	})
	add("tf2onnx, NHWC", 13, func(e *export) string {
		v := e.add("Transpose", "x", attr("perm", []int{0, 3, 1, 2}))
		v = e.add("Relu", e.add("Conv", v, e.weights(4, 1, 3, 3), e.weights(4)))
		v = e.add("MaxPool", v, attr("kernel_shape", []int{2, 2}), attr("strides", []int{2, 2}))
		v = e.add("Reshape", e.add("Transpose", v, attr("perm", []int{0, 2, 3, 1})), list(-1, 16))
		return e.add("Softmax", e.add("Add", e.add("MatMul", v, e.weights(16, 5)), e.weights(5)))
	}, "N", 6, 6, 1)
	add("tf2onnx, a Reshape instead of the Transpose", 15, func(e *export) string {
		v := e.add("Reshape", "x", list(-1, 1, 6, 6))
		v = e.add("Relu", e.add("Conv", v, e.weights(4, 1, 3, 3), e.weights(4)))
		shape := e.add("Cast", e.add("Shape", v), attr("to", int(onnxpb.TensorProto_INT32)))
		n := e.add("Slice", shape, list(0), list(1), list(0))
		shape = e.add("Cast", e.add("Concat", n, quantisedTensor(onnxpb.TensorProto_INT32, []int32{64}, 1), attr("axis", 0)), attr("to", int(int64s)))
		v = e.add("Reshape", e.add("Transpose", v, attr("perm", []int{0, 2, 3, 1})), shape)
		return e.add("Softmax", e.add("Add", e.add("MatMul", v, e.weights(64, 5)), e.weights(5)))
	}, "N", 6, 6, 1)
	add("Keras, ZeroPadding2D in NHWC", 13, func(e *export) string {
		v := e.add("Pad", "x", list(0, 1, 2, 0, 0, 1, 0, 0))
		v = e.add("Conv", e.add("Transpose", v, attr("perm", []int{0, 3, 1, 2})), e.weights(2, 1, 3, 3))
		v = e.add("Pad", e.add("Transpose", e.add("Relu", v), attr("perm", []int{0, 2, 3, 1})), list(0, 1, 1, 0, 0, 0, 0, 0))
		v = e.add("MaxPool", e.add("Transpose", v, attr("perm", []int{0, 3, 1, 2})), attr("kernel_shape", []int{2, 2}))
		return e.classes(v, 72)
	}, "N", 6, 6, 1)
	add("Keras, per-pixel sums in NHWC", 13, func(e *export) string {
		v := e.add("Transpose", e.add("Conv", e.add("Transpose", "x", attr("perm", []int{0, 3, 1, 2})), e.weights(4, 1, 3, 3)), attr("perm", []int{0, 2, 3, 1}))
		v = e.add("Relu", e.add("Add", e.add("Mul", v, e.positive(4)), e.weights(4)))
		v = e.add("ReduceMean", v, attr("axes", []int{1, 2}), attr("keepdims", 0))
		return e.add("Add", e.add("MatMul", v, e.weights(4, 5)), e.weights(5))
	}, "N", 6, 6, 1)
	add("Keras, pixels divided by 255", 13, func(e *export) string {
		v := e.add("Mul", e.add("Cast", "x", attr("to", int(float))), one(1./255))
		return e.classes(v, 36)
	}, "N", 6, 6)
	add("CNTK", 8, func(e *export) string {
		v := e.add("Div", "x", one(2))
		v = e.add("Add", e.add("Conv", v, e.weights(4, 1, 3, 3), attr("auto_pad", "SAME_UPPER"), attr("dilations", []int{1, 1})), e.weights(4, 1, 1))
		v = e.add("MaxPool", e.add("Relu", v), attr("kernel_shape", []int{2, 2}), attr("strides", []int{2, 2}), attr("auto_pad", "NOTSET"), attr("pads", []int{0, 0, 0, 0}))
		w := e.add("Reshape", e.weights(4, 3, 3, 5), list(36, 5))
		return e.add("Add", e.add("MatMul", e.add("Reshape", v, list(1, 36)), w), e.weights(1, 5))
	}, 1, 1, 6, 6)
	add("weights made of pieces", 13, func(e *export) string {
		w := e.add("Concat", e.add("Transpose", e.weights(2, 36)), e.add("Mul", e.weights(36, 3), one(0.5)), attr("axis", 1))
		b := e.add("Sub", e.add("Squeeze", e.weights(1, 5), list(0)), e.add("Unsqueeze", e.add("Sqrt", e.positive()), list(0)))
		return e.add("Add", e.add("MatMul", e.add("Flatten", "x"), e.add("Identity", w)), b)
	})
	add("Range, ConstantOfShape, Slice of weights", 13, func(e *export) string {
		one64 := &onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{1}}
		r := e.add("Range", e.store(&onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{0}}), e.store(&onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{10}}), e.store(&onnxpb.TensorProto{DataType: proto.Int32(int64s), Int64Data: []int64{2}}))
		w := e.add("Gather", e.weights(10, 36), r, attr("axis", 0)) // [5,36]
		w = e.add("Slice", w, list(-1, 35), list(math.MinInt64, -100), list(0, 1), list(-1, -1))
		b := e.add("Cast", e.add("ConstantOfShape", list(5), attr("value", &onnxpb.TensorProto{Dims: []int64{1}, DataType: one64.DataType, Int64Data: []int64{3}})), attr("to", int(float)))
		return e.add("Gemm", e.add("Flatten", "x"), w, b, attr("transB", 1))
	})
	add("product of the shape", 13, func(e *export) string {
		v := e.add("Conv", "x", e.weights(2, 1, 3, 3))
		shape := e.add("Slice", e.add("Shape", v), list(1), list(math.MaxInt64), list(0))
		width := e.add("ReduceProd", shape, attr("axes", []int{0}), attr("keepdims", 1))
		return e.add("MatMul", e.add("Reshape", v, e.add("Concat", list(-1), width, attr("axis", 0))), e.weights(32, 5))
	})
	add("weights on the left", 13, func(e *export) string {
		column := e.add("Transpose", e.add("Flatten", "x"), attr("perm", []int{1, 0}))
		return e.add("Transpose", e.add("MatMul", e.weights(5, 36), column))
	})
	add("dense along one dimension", 13, func(e *export) string {
		v := e.add("Relu", e.add("Add", e.add("MatMul", "x", e.weights(6, 4)), e.weights(4)))
		return e.classes(v, 24)
	}, "N", 6, 6)
	add("rows transposed", 13, func(e *export) string {
		return e.classes(e.add("Transpose", "x", attr("perm", []int{0, 2, 1})), 36)
	}, "N", 6, 6)
	add("three channels", 13, func(e *export) string {
		v := e.add("Div", e.add("Sub", "x", e.weights(3, 1, 1)), e.positive(3, 1, 1))
		return e.classes(e.add("Relu", e.add("Conv", v, e.weights(2, 3, 3, 3))), 32)
	}, "N", 3, 6, 6)
	add("nodes in any order", 13, func(e *export) string {
		out := e.add("Softmax", e.classes(e.add("Relu", e.add("Conv", "x", e.weights(2, 1, 3, 3))), 32))
		slices.Reverse(e.model.Graph.Node)
		return out
	})
	add("fixed batch", 13, func(e *export) string {
		return e.add("Gemm", e.add("Reshape", e.add("Conv", "x", e.weights(2, 1, 3, 3)), list(4, 32)), e.weights(32, 5))
	}, 4, 1, 6, 6)
	add("double", 13, func(e *export) string {
		w := &onnxpb.TensorProto{Dims: []int64{36, 5}, DataType: proto.Int32(int32(onnxpb.TensorProto_DOUBLE))}
		for range 36 * 5 {
			w.DoubleData = append(w.DoubleData, e.random.NormFloat64()/6)
		}
		v := e.add("Cast", e.add("Flatten", "x"), attr("to", int(onnxpb.TensorProto_DOUBLE)))
		return e.add("Cast", e.add("MatMul", v, w), attr("to", int(float)))
	})

	// Inputs, and a small network of every opset.
	typed := func(kind onnxpb.TensorProto_DataType) {
		cases[len(cases)-1].model.Graph.Input[0].Type.TensorType.ElemType = proto.Int32(int32(kind))
	}
	add("input of bytes", 13, func(e *export) string {
		v := e.add("Div", e.add("Cast", "x", attr("to", int(float))), one(255))
		return e.classes(e.add("Relu", e.add("Conv", v, e.weights(2, 1, 3, 3))), 32)
	})
	typed(onnxpb.TensorProto_UINT8)
	add("input of doubles", 13, func(e *export) string {
		v := e.add("Cast", "x", attr("to", int(float)))
		return e.classes(e.add("Relu", e.add("Conv", v, e.weights(2, 1, 3, 3))), 32)
	})
	typed(onnxpb.TensorProto_DOUBLE)
	add("three channels behind", 13, func(e *export) string {
		v := e.add("Transpose", e.add("Sub", "x", e.weights(3)), attr("perm", []int{0, 3, 1, 2}))
		return e.classes(e.add("Relu", e.add("Conv", v, e.weights(2, 3, 3, 3))), 32)
	}, "N", 6, 6, 3)
	for _, side := range []int{14, 20, 32} {
		add(fmt.Sprintf("side %d", side), 13, func(e *export) string {
			v := e.add("Relu", e.add("Conv", "x", e.weights(2, 1, 3, 3), attr("strides", []int{2, 2}), attr("pads", []int{1, 1, 1, 1})))
			return e.classes(v, int64(side*side/2))
		}, "N", 1, side, side)
	}
	add("scikit-learn", 13, func(e *export) string {
		learning := func() { e.model.Graph.Node[len(e.model.Graph.Node)-1].Domain = proto.String("ai.onnx.ml") }
		e.model.OpsetImport = append(e.model.OpsetImport, &onnxpb.OperatorSetIdProto{Domain: proto.String("ai.onnx.ml"), Version: proto.Int64(1)})
		v := e.add("Scaler", "x", floatsOf("offset", e.weights(36)), floatsOf("scale", e.positive(36)))
		learning()
		v = e.add("Relu", e.add("Add", e.add("MatMul", v, e.weights(36, 7)), e.weights(1, 7)))
		return e.add("Softmax", e.add("Add", e.add("MatMul", v, e.weights(7, 5)), e.weights(1, 5)))
	}, "N", 36)
	for opset := int64(7); opset <= 22; opset++ {
		add(fmt.Sprintf("opset %d", opset), opset, func(e *export) string {
			v := e.add("Conv", "x", e.weights(3, 1, 3, 3), e.weights(3))
			v = e.add("BatchNormalization", v, e.positive(3), e.weights(3), e.weights(3), e.positive(3))
			v = e.add("MaxPool", e.add("Relu", v), attr("kernel_shape", []int{2, 2}), attr("strides", []int{2, 2}))
			v = e.add("Gemm", e.add("Flatten", e.add("Dropout", v)), e.weights(12, 5), e.weights(5))
			return e.add("Softmax", v)
		})
	}

	// Quantised models.
	uint8s := onnxpb.TensorProto_UINT8
	add("QuantizeLinear, DequantizeLinear", 13, func(e *export) string {
		w := e.add("DequantizeLinear", e.quantisedWeights(3, 1, 3, 3), tensor("", []float32{0.002, 0.003, 0.001}, 3), quantisedTensor(onnxpb.TensorProto_INT8, []int32{0, 0, 0}, 3), attr("axis", 0))
		q := func(v string, scale float32, zero int32) string {
			s, z := e.store(one(scale)), e.store(quantisedTensor(uint8s, []int32{zero}))
			return e.add("DequantizeLinear", e.add("QuantizeLinear", v, s, z), s, z)
		}
		return e.classes(q(e.add("Conv", q("x", 1./255, 0), w), 0.01, 20), 48)
	})
	rounded(0.05)
	add("DynamicQuantizeLinear, ConvInteger, MatMulInteger", 13, func(e *export) string {
		q := e.add("DynamicQuantizeLinear", "x")
		scale, zero := e.also(), e.also()
		v := e.add("ConvInteger", q, e.quantisedWeights(2, 1, 3, 3), zero, quantisedTensor(onnxpb.TensorProto_INT8, []int32{3}))
		v = e.add("Mul", e.add("Cast", v, attr("to", int(float))), e.add("Mul", scale, one(0.004)))
		q = e.add("DynamicQuantizeLinear", e.add("Relu", e.add("Flatten", v)))
		scale, zero = e.also(), e.also()
		v = e.add("MatMulInteger", q, e.quantisedWeights(32, 5), zero)
		return e.add("Mul", e.add("Mul", e.add("Cast", v, attr("to", int(float))), scale), one(0.03))
	})
	rounded(0.02)
	add("QLinearConv, QLinearMatMul", 13, func(e *export) string {
		x := e.add("QuantizeLinear", "x", one(1./255), quantisedTensor(uint8s, []int32{0}))
		v := e.add("QLinearConv", x, one(1./255), quantisedTensor(uint8s, []int32{0}),
			e.quantisedWeights(2, 1, 3, 3), tensor("", []float32{0.002, 0.003}, 2), quantisedTensor(onnxpb.TensorProto_INT8, []int32{0, 0}, 2),
			one(0.01), quantisedTensor(uint8s, []int32{0}), quantisedTensor(onnxpb.TensorProto_INT32, []int32{20000, -10000}, 2))
		v = e.add("QLinearMatMul", e.add("Flatten", v), one(0.01), quantisedTensor(uint8s, []int32{0}),
			e.quantisedWeights(32, 5), one(0.02), quantisedTensor(onnxpb.TensorProto_INT8, []int32{0}), one(0.02), quantisedTensor(uint8s, []int32{128}))
		return e.add("DequantizeLinear", v, one(0.02), quantisedTensor(uint8s, []int32{128}))
	})
	rounded(0.05)
	return append(cases, moreExports()...)
}
