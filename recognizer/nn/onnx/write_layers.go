package onnx

import (
	"cmp"
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"

	"inkshade/glcompute"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// writer writes the layers of a network as nodes of a graph.
type writer struct {
	graph  *onnxpb.GraphProto
	values []written // the network's
	layer  string    // number of the layer in work, for names
	names  map[string]int
	err    error // why that cannot be written
}

// written is a value of the network in the graph: a picture [N,channels,height,width], or a
// vector [N,values] of one position.
type written struct {
	name    string
	shape   nn.Shape
	picture bool
}

func graphOf(m *nn.Model) (*onnxpb.GraphProto, error) {
	w := &writer{graph: &onnxpb.GraphProto{Name: proto.String("inkshade")}, names: map[string]int{}}
	lines := m.Preprocessing == nn.LineMaps
	for _, in := range m.Network.Inputs {
		v := written{cmp.Or(in.Name, onlyInput), in.Shape, in.Shape.Positions() > 1}
		w.names[v.name] = 1
		input, dims := v.name, []any{in.Shape.Channels}
		switch {
		case v.picture && lines:
			dims = append(dims, in.Shape.Height, v.name+" width")
		case v.picture:
			dims = append(dims, in.Shape.Height, in.Shape.Width)
		case m.Preprocessing == nn.MNIST28:
			dims = []any{1, 28, 28}
			v.name = w.add("Flatten", "pixels", []string{v.name}, number("axis", 1))
		}
		w.graph.Input = append(w.graph.Input, declared(input, dims...))
		w.values = append(w.values, v)
	}
	shapes := glcompute.Must(m.Network.Shapes())[len(m.Network.Inputs):]
	for i, l := range m.Network.Layers {
		w.layer = fmt.Sprint(i + 1)
		w.values = append(w.values, w.write(l, shapes[i]))
		if w.err != nil {
			return nil, message.Errorf("layer %d (%s): %w", i+1, l.Kind, w.err)
		}
	}
	w.layer = ""
	last := w.values[len(w.values)-1]
	dims := []any{last.shape.Channels, 1, "columns"}
	if !lines {
		last, dims = w.vector(last), dims[:1]
	}
	name := w.add("Softmax", "probabilities", []string{last.name}, number("axis", 1))
	w.graph.Output = append(w.graph.Output, declared(name, dims...))
	return w.graph, nil
}

// write writes a layer and gives its result, which has the shape.
func (w *writer) write(l nn.Layer, shape nn.Shape) written {
	var in []written
	for _, v := range l.From {
		in = append(in, w.values[v])
	}
	out := written{shape: shape, picture: true}
	switch k := l.Kind.(type) {
	case nn.Dense:
		out.name, out.picture = w.dense(in[0], k.Units, l.Values), false
	case nn.Convolution:
		out.name = w.convolution(in[0], shape, k, l.Values)
	case nn.Pooling:
		out.name = w.pooling(in[0], k)
	case nn.BatchNormalisation:
		out.name, out.picture = w.batchNormalisation(in[0], k, l.Values), in[0].picture
	case nn.Add:
		in = w.alike(in)
		op := "Sum"
		if len(in) == 2 {
			op = "Add"
		}
		out.name, out.picture = w.add(op, "layer", names(in)), in[0].picture
	case nn.Concatenate:
		in = w.alike(in)
		out.name, out.picture = w.add("Concat", "layer", names(in), number("axis", 1)), in[0].picture
	case nn.Mask:
		out.name = w.add("Mul", "layer", names(in))
	case nn.Dropout:
		out.name, out.picture = w.add("Dropout", "layer", []string{in[0].name, w.scalar(float32(k.Rate))}), in[0].picture
	case nn.Reshape:
		return w.reshaped(in[0], k.To)
	case nn.Gather:
		flat := w.reshaped(in[0], nn.Vector(in[0].shape.Size()))
		out.name, out.picture = w.add("Gather", "layer", []string{flat.name, storedList(w, "places", k.From)}, number("axis", 1)), false
	case nn.Elementwise:
		in = w.alike(in)
		out.picture = in[0].picture
		if k.Formula == nil {
			out.name = w.function(k.Name, "layer", in[0].name)
		} else {
			out.name = w.formula(k.Formula, "layer", names(in))
		}
	default:
		w.err = message.Errorf("there is no way to write it")
	}
	if k, ok := l.Kind.(nn.Activated); ok && k.Activation() != "" {
		out.name = w.function(k.Activation(), "hidden", out.name)
	}
	return out
}

func names(values []written) []string {
	var all []string
	for _, v := range values {
		all = append(all, v.name)
	}
	return all
}

// add adds a node and gives the name of its result: what, and the number of the layer.
func (w *writer) add(op, what string, inputs []string, attributes ...*onnxpb.AttributeProto) string {
	name := w.name(what)
	w.graph.Node = append(w.graph.Node, &onnxpb.NodeProto{Name: &name, OpType: &op, Input: inputs, Output: []string{name}, Attribute: attributes})
	return name
}

// name is one that is not taken.
func (w *writer) name(what string) string {
	name := what + w.layer
	for w.names[name] > 0 {
		w.names[what+w.layer]++
		name = fmt.Sprintf("%s%s_%d", what, w.layer, w.names[what+w.layer])
	}
	w.names[name]++
	return name
}

// store adds an initializer and gives its name.
func (w *writer) store(what string, data []float32, dims ...int64) string {
	name := w.name(what)
	w.graph.Initializer = append(w.graph.Initializer, tensor(name, data, dims...))
	return name
}

func (w *writer) scalar(v float32) string { return w.store("constant", []float32{v}) }

func (w *writer) shapeOf(shape ...int) string {
	return storedList(w, "shape", shape)
}

func storedList[T int | int32](w *writer, what string, x []T) string {
	name := w.name(what)
	t := &onnxpb.TensorProto{Name: &name, Dims: []int64{int64(len(x))}, DataType: proto.Int32(int32(onnxpb.TensorProto_INT64))}
	for _, v := range x {
		t.Int64Data = append(t.Int64Data, int64(v))
	}
	w.graph.Initializer = append(w.graph.Initializer, t)
	return name
}

func number(name string, v int) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: &name, I: proto.Int64(int64(v)), Type: onnxpb.AttributeProto_INT.Enum()}
}

func numbers(name string, v ...int) *onnxpb.AttributeProto {
	a := &onnxpb.AttributeProto{Name: &name, Type: onnxpb.AttributeProto_INTS.Enum()}
	for _, n := range v {
		a.Ints = append(a.Ints, int64(n))
	}
	return a
}

func fraction(name string, v float32) *onnxpb.AttributeProto {
	return &onnxpb.AttributeProto{Name: &name, F: &v, Type: onnxpb.AttributeProto_FLOAT.Enum()}
}

// picture gives a value four dimensions.
func (w *writer) picture(v written) written {
	if !v.picture {
		v.name = w.add("Reshape", "picture", []string{v.name, w.shapeOf(-1, v.shape.Channels, 1, 1)})
		v.picture = true
	}
	return v
}

// vector gives a value of one position two dimensions.
func (w *writer) vector(v written) written {
	if v.picture {
		v.name = w.add("Flatten", "vector", []string{v.name}, number("axis", 1))
		v.picture = false
	}
	return v
}

// alike gives all four dimensions where one has them.
func (w *writer) alike(in []written) []written {
	if slices.ContainsFunc(in, func(v written) bool { return v.picture }) {
		for i, v := range in {
			in[i] = w.picture(v)
		}
	}
	return in
}

// reshaped goes through the order in which a network has its values: channels last.
func (w *writer) reshaped(v written, to nn.Shape) written {
	if v.shape.Positions() > 1 && v.shape.Channels > 1 {
		v.name = w.add("Transpose", "channelsLast", []string{v.name}, numbers("perm", 0, 2, 3, 1))
	}
	out := written{shape: to, picture: to.Positions() > 1}
	switch {
	case !out.picture:
		out.name = w.add("Reshape", "layer", []string{v.name, w.shapeOf(-1, to.Channels)})
	case to.Channels == 1:
		out.name = w.add("Reshape", "layer", []string{v.name, w.shapeOf(-1, 1, to.Height, to.Width)})
	default:
		last := w.add("Reshape", "channelsLast", []string{v.name, w.shapeOf(-1, to.Height, to.Width, to.Channels)})
		out.name = w.add("Transpose", "layer", []string{last}, numbers("perm", 0, 3, 1, 2))
	}
	return out
}

// dense multiplies the values of a picture in the order of ONNX, by rows of weights in the same
// order.
func (w *writer) dense(v written, units int, values [][]float32) string {
	weights, size := values[0], v.shape.Size()
	if v.shape.Positions() > 1 && v.shape.Channels > 1 {
		weights = make([]float32, len(weights))
		for i, at := range channelsFirst(v.shape.Channels, v.shape.Height, v.shape.Width, false) {
			copy(weights[i*units:(i+1)*units], values[0][int(at)*units:])
		}
	}
	return w.add("Gemm", "layer", []string{w.vector(v).name, w.store("weights", weights, int64(size), int64(units)), w.store("bias", values[1], int64(units))})
}

func (w *writer) convolution(v written, out nn.Shape, k nn.Convolution, values [][]float32) string {
	filters, groups := out.Channels, max(k.Groups, 1)
	if k.Depthwise {
		groups = v.shape.Channels
	}
	inGroup, weights := v.shape.Channels/groups, make([]float32, len(values[0]))
	places := channelsFirst(inGroup, k.Window.KernelHeight, k.Window.KernelWidth, false)
	for i := range weights {
		size := len(weights) / filters
		weights[i] = values[0][places.of(i%size)*filters+i/size]
	}
	stored := w.store("weights", weights, int64(filters), int64(inGroup), int64(k.Window.KernelHeight), int64(k.Window.KernelWidth))
	attributes := append(window(k.Window), number("group", groups))
	return w.add("Conv", "layer", []string{w.picture(v).name, stored, w.store("bias", values[1], int64(filters))}, attributes...)
}

func window(k glcompute.Window) []*onnxpb.AttributeProto {
	return []*onnxpb.AttributeProto{
		numbers("kernel_shape", k.KernelHeight, k.KernelWidth),
		numbers("strides", max(k.StrideY, 1), max(k.StrideX, 1)),
		numbers("pads", k.Top, k.Left, k.Bottom, k.Right),
		numbers("dilations", max(k.DilationY, 1), max(k.DilationX, 1)),
	}
}

// pooling writes a mean of dilated windows, which ONNX has from opset 19 on, as the convolution
// that it is.
func (w *writer) pooling(v written, k nn.Pooling) string {
	switch {
	case k.Global() && k.Mean:
		return w.add("GlobalAveragePool", "layer", []string{w.picture(v).name})
	case k.Global():
		return w.add("GlobalMaxPool", "layer", []string{w.picture(v).name})
	case !k.Mean:
		return w.add("MaxPool", "layer", []string{w.picture(v).name}, window(k.Window)...)
	}
	if max(k.Window.DilationY, k.Window.DilationX) > 1 {
		taps := k.Window.KernelHeight * k.Window.KernelWidth
		shares := slices.Repeat([]float32{1 / float32(taps)}, taps*v.shape.Channels)
		kind := nn.Convolution{Filters: 1, Window: k.Window, Depthwise: true}
		return w.convolution(v, v.shape, kind, [][]float32{shares, make([]float32, v.shape.Channels)})
	}
	return w.add("AveragePool", "layer", []string{w.picture(v).name}, append(window(k.Window)[:3], number("count_include_pad", 1))...)
}

func (w *writer) batchNormalisation(v written, k nn.BatchNormalisation, values [][]float32) string {
	inputs, n := []string{v.name}, int64(v.shape.Channels)
	for i, what := range []string{"scale", "shift", "mean", "variance"} {
		inputs = append(inputs, w.store(what, values[i], n))
	}
	return w.add("BatchNormalization", "layer", inputs, fraction("epsilon", cmp.Or(k.Epsilon, 1e-5)))
}

// functionOperators are the nonlinearities that ONNX has an operator for. Others are written as
// their formulas.
var functionOperators = map[string]struct {
	op         string
	attributes []*onnxpb.AttributeProto
}{
	"tanh": {op: "Tanh"}, "sigmoid": {op: "Sigmoid"}, "relu": {op: "Relu"},
	"leaky-relu": {"LeakyRelu", []*onnxpb.AttributeProto{fraction("alpha", 0.01)}},
	"elu":        {"Elu", []*onnxpb.AttributeProto{fraction("alpha", 1)}},
}

// formulaOperators are those of the primitives of package expr.
var formulaOperators = map[expr.Kind]string{
	expr.OpAdd: "Add", expr.OpSub: "Sub", expr.OpMul: "Mul", expr.OpDiv: "Div", expr.OpMax: "Max", expr.OpMin: "Min",
	expr.OpExp: "Exp", expr.OpLog: "Log", expr.OpSqrt: "Sqrt", expr.OpTanh: "Tanh", expr.OpSigmoid: "Sigmoid", expr.OpSelect: "Where",
}

// function writes a nonlinearity of a value; what is its result's name.
func (w *writer) function(name, what, value string) string {
	if f, ok := functionOperators[name]; ok {
		return w.add(f.op, what, []string{value}, f.attributes...)
	}
	return w.formula(glcompute.Must(expr.FunctionNamed(name)).Of(expr.Arg(0)), what, []string{value})
}

// formula writes one primitive after another; the last gives what.
func (w *writer) formula(e *expr.Expr, what string, operands []string) string {
	op, parts := formulaOperators[e.Kind], e.Args
	switch {
	case e.Kind == expr.LeafOperand:
		return operands[e.Index]
	case e.Kind == expr.LeafConstant:
		return w.scalar(e.Value)
	case op == "":
		w.err = message.Errorf("its formula depends on more than its operands: %s", e.Key())
	case e.Kind == expr.OpSelect && expr.Erf(e.Args[0]).Key() == e.Key():
		op, parts = "Erf", e.Args[:1]
	}
	var inputs []string
	for i, a := range parts {
		name := w.formula(a, "part", operands)
		if op == "Where" && i == 0 {
			name = w.add("Greater", "part", []string{name, w.scalar(0)})
		}
		inputs = append(inputs, name)
	}
	return w.add(op, what, inputs)
}
