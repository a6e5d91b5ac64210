package onnx

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"google.golang.org/protobuf/proto"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// array is a tensor for evaluate. Whole numbers too are held in float64.
type array struct {
	kind onnxpb.TensorProto_DataType
	dims []int
	data []float64
}

// fill makes an array element by element.
func fill(dims []int, f func(at []int) float64) array {
	n := 1
	for _, d := range dims {
		n *= d
	}
	a := array{onnxpb.TensorProto_FLOAT, dims, make([]float64, n)}
	at := make([]int, len(dims))
	for i := range a.data {
		rest := i
		for d := len(dims) - 1; d >= 0; d-- {
			at[d], rest = rest%dims[d], rest/dims[d]
		}
		a.data[i] = f(at)
	}
	return a
}

// at reads an element, with the last of the indices where there are more than dimensions and
// zero for dimensions of 1: broadcasting.
func (a array) at(index ...int) float64 {
	index = index[len(index)-len(a.dims):]
	i := 0
	for d, n := range a.dims {
		i *= n
		if n > 1 {
			i += index[d]
		}
	}
	return a.data[i]
}

func (a array) ints() []int {
	out := make([]int, len(a.data))
	for i, v := range a.data {
		out[i] = int(max(min(v, math.MaxInt32), math.MinInt32))
	}
	return out
}

// fields are the inputs and attributes of a node for evaluate.
type fields struct {
	opset int64
	node  *onnxpb.NodeProto
	in    []*array
}

func (f fields) attribute(name string) *onnxpb.AttributeProto {
	for _, a := range f.node.Attribute {
		if a.GetName() == name {
			return a
		}
	}
	return nil
}

func (f fields) i(name string, otherwise int) int {
	if a := f.attribute(name); a != nil {
		return int(a.GetI())
	}
	return otherwise
}

func (f fields) f(name string, otherwise float64) float64 {
	if a := f.attribute(name); a != nil {
		return float64(a.GetF())
	}
	return otherwise
}

// list is an attribute or input n.
func (f fields) list(name string, n int, otherwise []int) []int {
	if a := f.attribute(name); a != nil {
		var out []int
		for _, v := range a.Ints {
			out = append(out, int(v))
		}
		return out
	}
	if n >= 0 && n < len(f.in) && f.in[n] != nil {
		return f.in[n].ints()
	}
	return otherwise
}

// optional is the value of a scalar input, or an attribute, or otherwise.
func (f fields) optional(n int, name string, otherwise float64) float64 {
	if n < len(f.in) && f.in[n] != nil {
		return f.in[n].data[0]
	}
	return f.f(name, otherwise)
}

// evaluate computes a model in float64, operator by operator, as the operators are defined
// (github.com/onnx/onnx, docs/Operators.md). It shares nothing with the reader.
func evaluate(m *onnxpb.ModelProto, input array) array {
	values := map[string]array{}
	for _, p := range m.Graph.Initializer {
		values[p.GetName()] = arrayOf(p)
	}
	for _, in := range m.Graph.Input {
		if _, ok := values[in.GetName()]; !ok {
			values[in.GetName()] = input
		}
	}
	left := leadingTo(m.Graph.Output[0].GetName(), m.Graph.Node)
	for len(left) > 0 {
		before := len(left)
		left = slices.DeleteFunc(left, func(n *onnxpb.NodeProto) bool {
			f := fields{m.OpsetImport[0].GetVersion(), n, nil}
			for _, name := range n.Input {
				v, ok := values[name]
				switch {
				case name == "":
					f.in = append(f.in, nil)
				case !ok:
					return false
				default:
					f.in = append(f.in, &v)
				}
			}
			for i, v := range f.evaluate() {
				if i < len(n.Output) {
					values[n.Output[i]] = v
				}
			}
			return true
		})
		if len(left) == before {
			panic(fmt.Sprintf("%s has no inputs among %v", left[0].GetOpType(), slices.Sorted(maps.Keys(values))))
		}
	}
	return values[m.Graph.Output[0].GetName()]
}

// leadingTo gives the nodes that a value is made of.
func leadingTo(name string, nodes []*onnxpb.NodeProto) []*onnxpb.NodeProto {
	var found []*onnxpb.NodeProto
	needed := []string{name}
	for i := 0; i < len(needed); i++ {
		for _, n := range nodes {
			if slices.Contains(n.Output, needed[i]) && !slices.Contains(found, n) {
				found = append(found, n)
				needed = append(needed, n.Input...)
			}
		}
	}
	return found
}

func arrayOf(p *onnxpb.TensorProto) array {
	a := array{kind: onnxpb.TensorProto_DataType(p.GetDataType())}
	for _, d := range p.Dims {
		a.dims = append(a.dims, int(d))
	}
	for _, v := range p.FloatData {
		a.data = append(a.data, float64(v))
	}
	for _, v := range p.Int64Data {
		a.data = append(a.data, float64(v))
	}
	for _, v := range p.Int32Data {
		a.data = append(a.data, float64(v))
	}
	a.data = append(a.data, p.DoubleData...)
	for i := 0; i+4 <= len(p.RawData) && a.kind == onnxpb.TensorProto_FLOAT; i += 4 {
		a.data = append(a.data, float64(math.Float32frombits(binary.LittleEndian.Uint32(p.RawData[i:]))))
	}
	for i := 0; i+8 <= len(p.RawData) && a.kind == onnxpb.TensorProto_INT64; i += 8 {
		a.data = append(a.data, float64(int64(binary.LittleEndian.Uint64(p.RawData[i:]))))
	}
	return a
}

func vectorOf(x []int) array {
	return fill([]int{len(x)}, func(at []int) float64 { return float64(x[at[0]]) })
}

var unaryFunctions = map[string]func(f fields, x float64) float64{
	"Relu":        func(_ fields, x float64) float64 { return max(x, 0) },
	"Not":         func(_ fields, x float64) float64 { return 1 - x },
	"Tanh":        func(_ fields, x float64) float64 { return math.Tanh(x) },
	"Sigmoid":     func(_ fields, x float64) float64 { return 1 / (1 + math.Exp(-x)) },
	"Erf":         func(_ fields, x float64) float64 { return math.Erf(x) },
	"Exp":         func(_ fields, x float64) float64 { return math.Exp(x) },
	"Log":         func(_ fields, x float64) float64 { return math.Log(x) },
	"Sqrt":        func(_ fields, x float64) float64 { return math.Sqrt(x) },
	"Abs":         func(_ fields, x float64) float64 { return math.Abs(x) },
	"Neg":         func(_ fields, x float64) float64 { return -x },
	"Reciprocal":  func(_ fields, x float64) float64 { return 1 / x },
	"Softplus":    func(_ fields, x float64) float64 { return math.Log1p(math.Exp(x)) },
	"Softsign":    func(_ fields, x float64) float64 { return x / (1 + math.Abs(x)) },
	"Mish":        func(_ fields, x float64) float64 { return x * math.Tanh(math.Log1p(math.Exp(x))) },
	"HardSwish":   func(_ fields, x float64) float64 { return x * max(0, min(1, x/6+0.5)) },
	"HardSigmoid": func(f fields, x float64) float64 { return max(0, min(1, f.f("alpha", 0.2)*x+f.f("beta", 0.5))) },
	"LeakyRelu":   func(f fields, x float64) float64 { return max(x, 0) + f.f("alpha", 0.01)*min(x, 0) },
	"Elu":         func(f fields, x float64) float64 { return max(x, 0) + f.f("alpha", 1)*math.Expm1(min(x, 0)) },
	"Selu": func(f fields, x float64) float64 {
		return f.f("gamma", 1.0507009873554805) * (max(x, 0) + f.f("alpha", 1.6732632423543772)*math.Expm1(min(x, 0)))
	},
	"Gelu": func(f fields, x float64) float64 {
		if a := f.attribute("approximate"); a != nil && string(a.S) == "tanh" {
			return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		}
		return x / 2 * (1 + math.Erf(x/math.Sqrt2))
	},
	"Identity": func(_ fields, x float64) float64 { return x },
	"Dropout":  func(_ fields, x float64) float64 { return x },
	"Cast": func(f fields, x float64) float64 {
		if to := f.i("to", 0); to != int(onnxpb.TensorProto_FLOAT) && to != int(onnxpb.TensorProto_DOUBLE) {
			return math.Trunc(x)
		}
		return x
	},
	"Clip": func(f fields, x float64) float64 {
		return min(max(x, f.optional(1, "min", math.Inf(-1))), f.optional(2, "max", math.Inf(1)))
	},
}

var binaryFunctions = map[string]func(x, y float64) float64{
	"Add": func(x, y float64) float64 { return x + y }, "Sum": func(x, y float64) float64 { return x + y }, "Mean": func(x, y float64) float64 { return x + y },
	"Sub": func(x, y float64) float64 { return x - y }, "Mul": func(x, y float64) float64 { return x * y },
	"Div": func(x, y float64) float64 { return x / y }, "Pow": math.Pow,
	"Equal": func(x, y float64) float64 { return truth(x == y) }, "And": math.Min, "Or": math.Max,
	"GreaterOrEqual": func(x, y float64) float64 { return truth(x >= y) }, "LessOrEqual": func(x, y float64) float64 { return truth(x <= y) },
	"Greater": func(x, y float64) float64 { return truth(x > y) }, "Less": func(x, y float64) float64 { return truth(x < y) },
	"Max":   func(x, y float64) float64 { return max(x, y) },
	"Min":   func(x, y float64) float64 { return min(x, y) },
	"PRelu": func(x, slope float64) float64 { return max(x, 0) + slope*min(x, 0) },
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (f fields) evaluate() []array {
	op := f.node.GetOpType()
	if g, ok := unaryFunctions[op]; ok {
		x := f.in[0]
		y := fill(x.dims, func(at []int) float64 { return g(f, x.at(at...)) })
		if y.kind = x.kind; op == "Cast" {
			y.kind = onnxpb.TensorProto_DataType(f.i("to", 0))
		}
		return []array{y}
	}
	if g, ok := binaryFunctions[op]; ok {
		y := *f.in[0]
		for _, v := range f.in[1:] {
			x := y
			if x.kind != v.kind {
				panic(fmt.Sprintf("%s of %s and %s", op, x.kind, v.kind))
			}
			y = fill(stretched(x.dims, v.dims), func(at []int) float64 { return g(x.at(at...), v.at(at...)) })
			if y.kind = x.kind; op == "Div" && x.kind == onnxpb.TensorProto_INT64 {
				y = fill(y.dims, func(at []int) float64 { return math.Trunc(y.at(at...)) })
			}
		}
		if op == "Mean" {
			y = fill(y.dims, func(at []int) float64 { return y.at(at...) / float64(len(f.in)) })
		}
		return []array{y}
	}
	if g, ok := otherOperators[op]; ok {
		return g(f)
	}
	panic("evaluate does not know " + op)
}

// normalised brings values to mean 0 and variance 1 over the axes; parameter is a scale (input 1) or
// bias (input 2) of a place.
func normalised(f fields, axes []int, parameter func(input int, at []int) float64) array {
	x := *f.in[0]
	mean := reduction(x, "Mean", axes, true)
	centred := fill(x.dims, func(at []int) float64 { return x.at(at...) - mean.at(at...) })
	variance := reduction(fill(x.dims, func(at []int) float64 { return centred.at(at...) * centred.at(at...) }), "Mean", axes, true)
	return fill(x.dims, func(at []int) float64 {
		return centred.at(at...)/math.Sqrt(variance.at(at...)+f.f("epsilon", 1e-5))*parameter(1, at) + parameter(2, at)
	})
}

func stretched(a, b []int) []int {
	n := max(len(a), len(b))
	dims := make([]int, n)
	for i := range dims {
		dims[i] = 1
		for _, s := range [][]int{a, b} {
			if at := i - n + len(s); at >= 0 {
				dims[i] = max(dims[i], s[at])
			}
		}
	}
	return dims
}

var otherOperators = map[string]func(f fields) []array{
	"Constant": func(f fields) []array { return []array{constantOf(f.node.Attribute[0])} },
	"ConstantOfShape": func(f fields) []array {
		v := 0.0
		a := f.attribute("value")
		if a != nil {
			v = arrayOf(a.T).data[0]
		}
		out := fill(f.in[0].ints(), func([]int) float64 { return v })
		if a != nil {
			out.kind = onnxpb.TensorProto_DataType(a.T.GetDataType())
		}
		return []array{out}
	},
	"Range": func(f fields) []array {
		start, limit, step := f.in[0].data[0], f.in[1].data[0], f.in[2].data[0]
		out := fill([]int{max(int(math.Ceil((limit-start)/step)), 0)}, func(at []int) float64 { return start + float64(at[0])*step })
		out.kind = f.in[0].kind
		return []array{out}
	},
	"Shape": func(f fields) []array {
		n := len(f.in[0].dims)
		out := vectorOf(f.in[0].dims[within(f.i("start", 0), n):within(f.i("end", n), n)])
		out.kind = onnxpb.TensorProto_INT64
		return []array{out}
	},
	"Where": func(f fields) []array {
		dims := stretched(stretched(f.in[0].dims, f.in[1].dims), f.in[2].dims)
		return []array{fill(dims, func(at []int) float64 {
			if f.in[0].at(at...) != 0 {
				return f.in[1].at(at...)
			}
			return f.in[2].at(at...)
		})}
	},
	"Reshape": func(f fields) []array {
		shape := slices.Clone(f.list("shape", 1, nil))
		known, open := 1, -1
		for i, d := range shape {
			if d == 0 {
				shape[i] = f.in[0].dims[i]
			}
			if d == -1 {
				open = i
			} else {
				known *= shape[i]
			}
		}
		if open >= 0 {
			shape[open] = len(f.in[0].data) / known
		}
		return []array{reshaped(*f.in[0], shape)}
	},
	"Flatten": func(f fields) []array {
		at := within(f.i("axis", 1), len(f.in[0].dims))
		rows := 1
		for _, d := range f.in[0].dims[:at] {
			rows *= d
		}
		return []array{reshaped(*f.in[0], []int{rows, len(f.in[0].data) / rows})}
	},
	"Squeeze": func(f fields) []array {
		x := *f.in[0]
		axes := f.list("axes", 1, nil)
		var dims []int
		for i, d := range x.dims {
			if !(axes == nil && d == 1 || slices.Contains(axes, i) || slices.Contains(axes, i-len(x.dims))) {
				dims = append(dims, d)
			}
		}
		return []array{reshaped(x, dims)}
	},
	"Unsqueeze": func(f fields) []array {
		x := *f.in[0]
		axes := f.list("axes", 1, nil)
		n := len(x.dims) + len(axes)
		dims, rest := make([]int, n), x.dims
		for i := range dims {
			if slices.Contains(axes, i) || slices.Contains(axes, i-n) {
				dims[i] = 1
			} else {
				dims[i], rest = rest[0], rest[1:]
			}
		}
		return []array{reshaped(x, dims)}
	},
	"Transpose": func(f fields) []array {
		x := f.in[0]
		order := f.list("perm", -1, nil)
		if order == nil {
			for i := range x.dims {
				order = append([]int{i}, order...)
			}
		}
		dims, from := make([]int, len(order)), make([]int, len(order))
		for i, o := range order {
			dims[i] = x.dims[o]
		}
		return []array{fill(dims, func(at []int) float64 {
			for i, o := range order {
				from[o] = at[i]
			}
			return x.at(from...)
		})}
	},
	"Concat": func(f fields) []array {
		axis := within(f.i("axis", 1), len(f.in[0].dims))
		dims := slices.Clone(f.in[0].dims)
		for _, v := range f.in[1:] {
			dims[axis] += v.dims[axis]
		}
		out := fill(dims, func(at []int) float64 {
			at = slices.Clone(at)
			for _, v := range f.in {
				if at[axis] < v.dims[axis] {
					return v.at(at...)
				}
				at[axis] -= v.dims[axis]
			}
			panic("beyond all parts")
		})
		out.kind = f.in[0].kind
		return []array{out}
	},
	"Gather": func(f fields) []array {
		x, names := f.in[0], f.in[1]
		axis := within(f.i("axis", 0), len(x.dims))
		dims := slices.Concat(x.dims[:axis], names.dims, x.dims[axis+1:])
		out := fill(dims, func(at []int) float64 {
			n := within(int(names.at(at[axis:axis+len(names.dims)]...)), x.dims[axis])
			return x.at(slices.Concat(at[:axis], []int{n}, at[axis+len(names.dims):])...)
		})
		out.kind = x.kind
		return []array{out}
	},
	"Slice": func(f fields) []array {
		x := f.in[0]
		starts, ends := f.list("starts", 1, nil), f.list("ends", 2, nil)
		axes, steps := f.list("axes", 3, nil), f.list("steps", 4, nil)
		picked := make([][]int, len(x.dims))
		for d, n := range x.dims {
			for i := range n {
				picked[d] = append(picked[d], i)
			}
		}
		for i := range starts {
			axis, step := i, 1
			if axes != nil {
				axis = within(axes[i], len(x.dims))
			}
			if steps != nil {
				step = steps[i]
			}
			n := x.dims[axis]
			from, to := starts[i], ends[i]
			if from < 0 {
				from += n
			}
			if to < 0 {
				to += n
			}
			picked[axis] = nil
			if step < 0 {
				for at := min(from, n-1); at > to && at >= 0; at += step {
					picked[axis] = append(picked[axis], at)
				}
				continue
			}
			for at := max(from, 0); at < min(to, n); at += step {
				picked[axis] = append(picked[axis], at)
			}
		}
		dims := make([]int, len(picked))
		for d, p := range picked {
			dims[d] = len(p)
		}
		out := fill(dims, func(at []int) float64 {
			from := make([]int, len(at))
			for d, i := range at {
				from[d] = picked[d][i]
			}
			return x.at(from...)
		})
		out.kind = x.kind
		return []array{out}
	},
	"Pad": func(f fields) []array {
		x := f.in[0]
		amounts := f.list("pads", 1, nil)
		axes := f.list("axes", 3, nil)
		if axes == nil {
			for i := range x.dims {
				axes = append(axes, i)
			}
		}
		before, dims := make([]int, len(x.dims)), slices.Clone(x.dims)
		for i, a := range axes {
			a = within(a, len(x.dims))
			before[a] = amounts[i]
			dims[a] += amounts[i] + amounts[len(axes)+i]
		}
		mode := f.attribute("mode")
		return []array{fill(dims, func(at []int) float64 {
			from := make([]int, len(at))
			for i, n := range x.dims {
				from[i] = at[i] - before[i]
				switch {
				case from[i] >= 0 && from[i] < n:
				case mode == nil:
					return f.optional(2, "value", 0)
				case string(mode.S) == "edge":
					from[i] = min(max(from[i], 0), n-1)
				case string(mode.S) == "wrap":
					from[i] = (from[i] + n) % n
				case from[i] < 0:
					from[i] = -from[i]
				default:
					from[i] = 2*(n-1) - from[i]
				}
			}
			return x.at(from...)
		})}
	},
	"Gemm": func(f fields) []array {
		a, b := f.in[0], f.in[1]
		get := func(x *array, trans bool, r, c int) float64 {
			if trans {
				r, c = c, r
			}
			return x.at(r, c)
		}
		ta, tb := f.i("transA", 0) == 1, f.i("transB", 0) == 1
		m, k, n := a.dims[0], a.dims[1], b.dims[1]
		if ta {
			m, k = k, m
		}
		if tb {
			n = b.dims[0]
		}
		return []array{fill([]int{m, n}, func(at []int) float64 {
			sum := 0.0
			for i := range k {
				sum += get(a, ta, at[0], i) * get(b, tb, i, at[1])
			}
			sum *= f.f("alpha", 1)
			if len(f.in) > 2 && f.in[2] != nil {
				sum += f.f("beta", 1) * f.in[2].at(at...)
			}
			return sum
		})}
	},
	"MatMul": func(f fields) []array { return []array{matrixProduct(*f.in[0], *f.in[1])} },
	"Conv": func(f fields) []array {
		y := convolved(f, *f.in[0], *f.in[1])
		if len(f.in) > 2 && f.in[2] != nil {
			return []array{fill(y.dims, func(at []int) float64 { return y.at(at...) + f.in[2].at(at[1]) })}
		}
		return []array{y}
	},
	"MaxPool":           func(f fields) []array { return []array{pooled(f, true)} },
	"AveragePool":       func(f fields) []array { return []array{pooled(f, false)} },
	"GlobalMaxPool":     func(f fields) []array { return []array{reduction(*f.in[0], "Max", behindChannels(f), true)} },
	"GlobalAveragePool": func(f fields) []array { return []array{reduction(*f.in[0], "Mean", behindChannels(f), true)} },
	"ReduceMean":        reductionNode("Mean"), "ReduceSum": reductionNode("Sum"), "ReduceMax": reductionNode("Max"), "ReduceProd": reductionNode("Prod"),
	"Softmax":    func(f fields) []array { return []array{softmaxed(f, false)} },
	"LogSoftmax": func(f fields) []array { return []array{softmaxed(f, true)} },
	"BatchNormalization": func(f fields) []array {
		x, epsilon := f.in[0], f.f("epsilon", 1e-5)
		return []array{fill(x.dims, func(at []int) float64 {
			c := at[1]
			return (x.at(at...)-f.in[3].at(c))/math.Sqrt(f.in[4].at(c)+epsilon)*f.in[1].at(c) + f.in[2].at(c)
		})}
	},
	"Tile": func(f fields) []array {
		x, repeats := f.in[0], f.in[1].ints()
		dims := slices.Clone(x.dims)
		for i, r := range repeats {
			dims[i] *= r
		}
		return []array{fill(dims, func(at []int) float64 {
			from := slices.Clone(at)
			for i := range from {
				from[i] %= x.dims[i]
			}
			return x.at(from...)
		})}
	},
	"Expand": func(f fields) []array {
		return []array{fill(stretched(f.in[0].dims, f.in[1].ints()), func(at []int) float64 { return f.in[0].at(at...) })}
	},
	"LayerNormalization": func(f fields) []array {
		var axes []int
		for n := len(f.in[0].dims) - 1; n >= (f.i("axis", -1)+len(f.in[0].dims))%len(f.in[0].dims); n-- {
			axes = append(axes, n)
		}
		return []array{normalised(f, axes, func(i int, at []int) float64 { return f.in[i].at(at...) })}
	},
	"InstanceNormalization": func(f fields) []array {
		return []array{normalised(f, behindChannels(f), func(i int, at []int) float64 { return f.in[i].at(at[1]) })}
	},
	"Scaler": func(f fields) []array {
		of := func(name string, at []int) float64 {
			list := f.attribute(name).Floats
			return float64(list[at[1]%len(list)])
		}
		return []array{fill(f.in[0].dims, func(at []int) float64 { return (f.in[0].at(at...) - of("offset", at)) * of("scale", at) })}
	},
	"ZipMap": func(f fields) []array { return []array{*f.in[0]} },
	"QuantizeLinear": func(f fields) []array {
		var zero *array
		if len(f.in) > 2 {
			zero = f.in[2]
		}
		return []array{quantised(*f.in[0], *f.in[1], zero, f.i("axis", 1))}
	},
	"DequantizeLinear": func(f fields) []array {
		zero := &array{data: []float64{0}}
		if len(f.in) > 2 {
			zero = f.in[2]
		}
		return []array{real(*f.in[0], *f.in[1], *zero, f.i("axis", 1))}
	},
	"DynamicQuantizeLinear": func(f fields) []array {
		x := f.in[0]
		low, high := min(slices.Min(x.data), 0), max(slices.Max(x.data), 0)
		scale := array{onnxpb.TensorProto_FLOAT, nil, []float64{(high - low) / 255}}
		zero := array{onnxpb.TensorProto_UINT8, nil, []float64{math.RoundToEven(-low / scale.data[0])}}
		return []array{quantised(*x, scale, &zero, 0), scale, zero}
	},
	"ConvInteger": func(f fields) []array {
		return []array{convolved(f, f.centred(0, 2, 1), f.centred(1, 3, 0))}
	},
	"MatMulInteger": func(f fields) []array {
		return []array{matrixProduct(f.centred(0, 2, len(f.in[0].dims)-2), f.centred(1, 3, len(f.in[1].dims)-1))}
	},
	"QLinearConv": func(f fields) []array {
		x, w := real(*f.in[0], *f.in[1], *f.in[2], 1), real(*f.in[3], *f.in[4], *f.in[5], 0)
		y := convolved(f, x, w)
		if len(f.in) > 8 {
			sum := y
			y = fill(y.dims, func(at []int) float64 {
				return sum.at(at...) + f.in[8].at(at[1])*f.in[1].data[0]*f.in[4].at(at[1])
			})
		}
		return []array{quantised(y, *f.in[6], f.in[7], 1)}
	},
	"QLinearMatMul": func(f fields) []array {
		y := matrixProduct(real(*f.in[0], *f.in[1], *f.in[2], 0), real(*f.in[3], *f.in[4], *f.in[5], 1))
		return []array{quantised(y, *f.in[6], f.in[7], 0)}
	},
}

// behindChannels are the dimensions of input 0 from the third on.
func behindChannels(f fields) []int { return []int{2, 3}[:len(f.in[0].dims)-2] }

func constantOf(a *onnxpb.AttributeProto) array {
	switch {
	case a.T != nil:
		return arrayOf(a.T)
	case a.F != nil:
		return array{onnxpb.TensorProto_FLOAT, nil, []float64{float64(*a.F)}}
	case a.I != nil:
		return array{onnxpb.TensorProto_INT64, nil, []float64{float64(*a.I)}}
	case a.Floats != nil:
		return fill([]int{len(a.Floats)}, func(at []int) float64 { return float64(a.Floats[at[0]]) })
	}
	out := fill([]int{len(a.Ints)}, func(at []int) float64 { return float64(a.Ints[at[0]]) })
	out.kind = onnxpb.TensorProto_INT64
	return out
}

// within counts an axis or place from behind when it is negative.
func within(i, n int) int {
	if i < 0 {
		return i + n
	}
	return i
}

func reshaped(x array, dims []int) array { return array{x.kind, dims, x.data} }

func matrixProduct(a, b array) array {
	m, n, k := a.dims[len(a.dims)-2], b.dims[len(b.dims)-1], a.dims[len(a.dims)-1]
	outer := stretched(a.dims[:len(a.dims)-2], b.dims[:len(b.dims)-2])
	return fill(append(slices.Clone(outer), m, n), func(at []int) float64 {
		left, right := slices.Clone(at), slices.Clone(at)
		sum := 0.0
		for i := range k {
			left[len(at)-1], right[len(at)-2] = i, i
			sum += a.at(left...) * b.at(right...)
		}
		return sum
	})
}

// windowAlong gives kernel, strides, dilations, the padding before and the output size along dimension d of an image.
func windowAlong(f fields, kernel []int, d, size int) (stride, dilation, before, after, out int) {
	one := []int{1, 1}
	stride, dilation = f.list("strides", -1, one)[d], f.list("dilations", -1, one)[d]
	pads := f.list("pads", -1, []int{0, 0, 0, 0})
	before, after = pads[d], pads[2+d]
	reach := dilation*(kernel[d]-1) + 1
	mode := ""
	if a := f.attribute("auto_pad"); a != nil {
		mode = string(a.S)
	}
	if mode == "SAME_UPPER" || mode == "SAME_LOWER" {
		out = (size + stride - 1) / stride
		total := max((out-1)*stride+reach-size, 0)
		if before, after = total/2, total-total/2; mode == "SAME_LOWER" {
			before, after = after, before
		}
		return stride, dilation, before, after, out
	}
	steps := float64(size+before+after-reach) / float64(stride)
	out = int(math.Floor(steps)) + 1
	if f.i("ceil_mode", 0) != 0 {
		if out = int(math.Ceil(steps)) + 1; (out-1)*stride >= size+before {
			out--
		}
	}
	return stride, dilation, before, after, out
}

func convolved(f fields, x, w array) array {
	if len(x.dims) == 3 {
		return unrow(convolved(f.asRow(), row(x), row(w)))
	}
	kernel, groups := w.dims[2:], f.i("group", 1)
	sy, dy, top, _, height := windowAlong(f, kernel, 0, x.dims[2])
	sx, dx, left, _, width := windowAlong(f, kernel, 1, x.dims[3])
	perGroup := w.dims[0] / groups
	return fill([]int{x.dims[0], w.dims[0], height, width}, func(at []int) float64 {
		sum := 0.0
		for c := range w.dims[1] {
			for ky := range kernel[0] {
				for kx := range kernel[1] {
					y, xx := at[2]*sy+ky*dy-top, at[3]*sx+kx*dx-left
					if y >= 0 && y < x.dims[2] && xx >= 0 && xx < x.dims[3] {
						sum += w.at(at[1], c, ky, kx) * x.at(at[0], at[1]/perGroup*w.dims[1]+c, y, xx)
					}
				}
			}
		}
		return sum
	})
}

// row makes a picture of one row of values along one dimension, unrow the reverse.
func row(x array) array { return reshaped(x, slices.Insert(slices.Clone(x.dims), 2, 1)) }

func unrow(x array) array { return reshaped(x, slices.Delete(slices.Clone(x.dims), 2, 3)) }

// asRow gives a node along one dimension that of a picture of one row.
func (f fields) asRow() fields {
	x := row(*f.in[0])
	f.in = append([]*array{&x}, f.in[1:]...)
	f.node = proto.Clone(f.node).(*onnxpb.NodeProto)
	for _, a := range f.node.Attribute {
		switch {
		case a.GetName() == "pads":
			a.Ints = []int64{0, a.Ints[0], 0, a.Ints[1]}
		case a.Ints != nil:
			a.Ints = []int64{1, a.Ints[0]}
		}
	}
	return f
}

func pooled(f fields, largest bool) array {
	x := *f.in[0]
	if len(x.dims) == 3 {
		return unrow(pooled(f.asRow(), largest))
	}
	kernel := f.list("kernel_shape", -1, nil)
	sy, dy, top, bottom, height := windowAlong(f, kernel, 0, x.dims[2])
	sx, dx, left, right, width := windowAlong(f, kernel, 1, x.dims[3])
	padding := f.i("count_include_pad", 0) != 0
	return fill([]int{x.dims[0], x.dims[1], height, width}, func(at []int) float64 {
		best, sum, n := math.Inf(-1), 0.0, 0
		for ky := range kernel[0] {
			for kx := range kernel[1] {
				y, xx := at[2]*sy+ky*dy-top, at[3]*sx+kx*dx-left
				if y >= 0 && y < x.dims[2] && xx >= 0 && xx < x.dims[3] {
					v := x.at(at[0], at[1], y, xx)
					best, sum, n = max(best, v), sum+v, n+1
				} else if padding && y >= -top && y < x.dims[2]+bottom && xx >= -left && xx < x.dims[3]+right {
					n++
				}
			}
		}
		if largest {
			return best
		}
		return sum / float64(n)
	})
}

func reductionNode(by string) func(f fields) []array {
	return func(f fields) []array {
		axes := f.list("axes", 1, nil)
		if len(axes) == 0 {
			if f.i("noop_with_empty_axes", 0) != 0 {
				return []array{*f.in[0]}
			}
			for i := range f.in[0].dims {
				axes = append(axes, i)
			}
		}
		return []array{reduction(*f.in[0], by, axes, f.i("keepdims", 1) != 0)}
	}
}

func reduction(x array, by string, axes []int, keep bool) array {
	small := slices.Clone(x.dims)
	for _, a := range axes {
		small[within(a, len(small))] = 1
	}
	out := fill(small, func([]int) float64 {
		switch by {
		case "Max":
			return math.Inf(-1)
		case "Prod":
			return 1
		}
		return 0
	})
	share := float64(len(out.data)) / float64(len(x.data))
	fill(x.dims, func(at []int) float64 {
		i := 0
		for d, n := range small {
			i *= n
			if n > 1 {
				i += at[d]
			}
		}
		v := x.at(at...)
		switch by {
		case "Max":
			out.data[i] = max(out.data[i], v)
		case "Prod":
			out.data[i] *= v
		case "Mean":
			out.data[i] += v * share
		default:
			out.data[i] += v
		}
		return 0
	})
	if out.kind = x.kind; !keep {
		var dims []int
		for d, n := range x.dims {
			if !slices.Contains(axes, d) && !slices.Contains(axes, d-len(x.dims)) {
				dims = append(dims, n)
			}
		}
		out.dims = dims
	}
	return out
}

func softmaxed(f fields, log bool) array {
	x := *f.in[0]
	var axes []int
	if f.opset >= 13 {
		axes = []int{within(f.i("axis", -1), len(x.dims))}
	} else {
		for d := within(f.i("axis", 1), len(x.dims)); d < len(x.dims); d++ {
			axes = append(axes, d)
		}
	}
	most := reduction(x, "Max", axes, true)
	e := fill(x.dims, func(at []int) float64 { return math.Exp(x.at(at...) - most.at(at...)) })
	sum := reduction(e, "Sum", axes, true)
	return fill(x.dims, func(at []int) float64 {
		if log {
			return x.at(at...) - most.at(at...) - math.Log(sum.at(at...))
		}
		return e.at(at...) / sum.at(at...)
	})
}

// along gives a parameter's value at an index: it has one value, or one for each place on an axis.
func (a array) along(axis int, at []int) float64 {
	if len(a.data) == 1 {
		return a.data[0]
	}
	return a.data[at[within(axis, len(at))]]
}

func quantised(x, scale array, zero *array, axis int) array {
	kind, low, high := onnxpb.TensorProto_UINT8, 0.0, 255.0
	if zero == nil {
		zero = &array{data: []float64{0}}
	} else if kind = zero.kind; kind == onnxpb.TensorProto_INT8 {
		low, high = -128, 127
	}
	q := fill(x.dims, func(at []int) float64 {
		return min(max(math.RoundToEven(x.at(at...)/scale.along(axis, at))+zero.along(axis, at), low), high)
	})
	q.kind = kind
	return q
}

func real(q, scale, zero array, axis int) array {
	return fill(q.dims, func(at []int) float64 {
		return (q.at(at...) - zero.along(axis, at)) * scale.along(axis, at)
	})
}

// centred is input i less the zero point that is input z.
func (f fields) centred(i, z, axis int) array {
	if z >= len(f.in) {
		return *f.in[i]
	}
	return real(*f.in[i], array{data: []float64{1}}, *f.in[z], axis)
}

func (a array) String() string { return fmt.Sprint(a.dims) }
