package graph

import (
	"regexp"
	"slices"
	"strings"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// productOperators add up products of many values, or take one of many.
var productOperators = map[string]operator{
	"Gemm": {2, 3, gemm}, "MatMul": {2, 2, func(c *call) *Value { return c.matMul(c.inputs[0], c.inputs[1]) }}, "Conv": {2, 3, convolution},
	"MaxPool": {1, 1, pooling(true)}, "AveragePool": {1, 1, pooling(false)},
	"GlobalMaxPool": {1, 1, global(Max)}, "GlobalAveragePool": {1, 1, global(Mean)},
	"ReduceMean": {1, 2, reduction(expr.Identity, Mean, expr.Identity)}, "ReduceSum": {1, 2, reduction(expr.Identity, Sum, expr.Identity)},
	"ReduceMax": {1, 2, reduction(expr.Identity, Max, expr.Identity)}, "ReduceProd": {1, 2, reduction(expr.Identity, product, expr.Identity)},
	"ReduceMin": {1, 2, reduction(expr.Neg, Max, expr.Neg)}, "ReduceL1": {1, 2, reduction(expr.Abs, Sum, expr.Identity)},
	"ReduceL2": {1, 2, reduction(expr.Square, Sum, expr.Sqrt)}, "ReduceSumSquare": {1, 2, reduction(expr.Square, Sum, expr.Identity)},
	"ReduceLogSum": {1, 2, reduction(expr.Identity, Sum, expr.Log)}, "ReduceLogSumExp": {1, 2, logSumExp},
	"Softmax": {1, 1, softmax}, "LogSoftmax": {1, 1, softmax},
	"Einsum": {1, -1, einsum}, "ArgMax": {1, 1, argMax}, "Hardmax": {1, 1, hardmax},
}

// gemm is alpha·A'·B' + beta·C.
func gemm(c *call) *Value {
	var sides [2]*Value
	for i, flag := range []string{"transA", "transB"} {
		sides[i] = c.inputs[i]
		Require(len(sides[i].Dims) == 2, "its input %d has the shape %v, want two dimensions; a Flatten or Reshape is missing", i+1, sides[i].Dims)
		if c.integer(flag, 0) != 0 {
			sides[i] = c.transpose(sides[i], []int{1, 0})
		}
	}
	result := c.scaled(c.matMul(sides[0], sides[1]), c.number("alpha", 1))
	bias := c.in(2)
	if bias == nil {
		return result
	}
	Require(slices.Equal(broadcast(result.Dims, bias.Dims), result.Dims), "its bias has the shape %v, want [%d]", bias.Dims, result.Dims[1])
	return c.plus(result, c.scaled(bias, c.number("beta", 1)))
}

func (b *builder) scaled(v *Value, factor float32) *Value {
	return b.formula(expr.Scale(factor, expr.Arg(0)), v)
}

// matMul is the product over the last two dimensions, the others stretched; a single
// dimension is a row on the left and a column on the right.
func (b *builder) matMul(x, y *Value) *Value {
	Require(len(x.Dims) > 0 && len(y.Dims) > 0, "its inputs have the shapes %v and %v", x.Dims, y.Dims)
	row, column := len(x.Dims) == 1, len(y.Dims) == 1
	if row {
		x = b.reshape(x, []int{1, x.Dims[0]})
	}
	if column {
		y = b.reshape(y, []int{y.Dims[0], 1})
	}
	m, n := len(x.Dims), len(y.Dims)
	Require(x.Dims[m-1] == y.Dims[n-2], "its weights take %d values, its input has %d", y.Dims[n-2], x.Dims[m-1])
	dims := append(broadcast(x.Dims[:m-2], y.Dims[:n-2]), x.Dims[m-2], y.Dims[n-1])
	var result *Value
	switch {
	case !x.Constant() && y.Constant() && y.Elements() == y.Dims[n-2]*y.Dims[n-1]:
		result = b.emit(MatMul{}, x.Type, dims, x, b.reshape(y, y.Dims[n-2:]))
	case x.Constant() && !y.Constant() && x.Elements() == x.Dims[m-2]*x.Dims[m-1]:
		result = b.turned(b.matMul(b.turned(y), b.turned(x)))
	default: // each product for itself
		left := b.reshape(x, slices.Insert(slices.Clone(x.Dims), m-1, 1))
		y = b.turned(y)
		right := b.reshape(y, slices.Insert(slices.Clone(y.Dims), n-2, 1))
		products := b.formula(expr.Mul(expr.Arg(0), expr.Arg(1)), left, right)
		result = b.reduce(Sum, products, []int{len(products.Dims) - 1}, false)
	}
	if row {
		dims = slices.Delete(dims, len(dims)-2, len(dims)-1)
	}
	if column {
		dims = dims[:len(dims)-1]
	}
	return b.reshape(result, dims)
}

// turned exchanges the last two dimensions.
func (b *builder) turned(v *Value) *Value {
	order := upTo(len(v.Dims))
	n := len(order)
	order[n-2], order[n-1] = n-1, n-2
	return b.transpose(v, order)
}

func convolution(c *call) *Value {
	w := c.constant(1, "filters")
	kernel := c.ints("kernel_shape")
	Require(kernel == nil || len(w.Dims) < 3 || slices.Equal(kernel, w.Dims[2:]), "its kernel_shape is %v, its filters have the shape %v", kernel, w.Dims)
	return c.biased(c.convolve(c.inputs[0], w), c.in(2))
}

// biased adds a value for each channel; bias may be nil.
func (c *call) biased(v, bias *Value) *Value {
	if bias == nil {
		return v
	}
	return c.plus(v, c.perChannel(bias, v, 1))
}

// convolve makes the convolution of x with the constant filters w. Zeros that were put around
// x by a Pad become padding.
func (c *call) convolve(x, w *Value) *Value {
	if len(x.Dims) == 3 && len(w.Dims) == 3 {
		return c.unrow(c.convolve(c.row(x), c.row(w)))
	}
	image := c.image(x)
	Require(len(w.Dims) == 4, "its filters have the shape %v, want [filters,channels,height,width]", w.Dims)
	groups := c.integer("group", 1)
	Require(groups >= 1 && w.Dims[1]*groups == x.Dims[1] && w.Dims[0]%groups == 0, "its filters have the shape %v in %d groups, its input has %d channels", w.Dims, groups, x.Dims[1])
	op := Conv{Window: c.window([2]int(w.Dims[2:]), image), Groups: groups}
	out := op.Output(image)
	if n := x.From; n != nil {
		if p, ok := n.Operation.(Pad); ok && p.Value == 0 {
			x = n.Args[0]
			for i := range 2 {
				op.Before[i] += p.Before[2+i]
				op.After[i] += p.After[2+i]
			}
		}
	}
	return c.emit(op, x.Type, []int{x.Dims[0], w.Dims[0], out[0], out[1]}, x, w)
}

// image gives height and width of a value [N,channels,height,width].
func (c *call) image(v *Value) [2]int {
	Require(len(v.Dims) == 4, "its input has the shape %v, want [N,channels,height,width]", v.Dims)
	return [2]int(v.Dims[2:])
}

// row makes a picture of one row of [N,channels,width].
func (c *call) row(v *Value) *Value { return c.reshape(v, slices.Insert(slices.Clone(v.Dims), 2, 1)) }

func (c *call) unrow(v *Value) *Value { return c.reshape(v, slices.Delete(slices.Clone(v.Dims), 2, 3)) }

// window reads how a window of the given size moves over an image.
func (c *call) window(kernel, image [2]int) Window {
	one := [2]int{1, 1}
	w := Window{Kernel: kernel, Stride: c.pair("strides", one), Dilation: c.pair("dilations", one)}
	pads := c.ints("pads")
	n := len(pads) / 2
	Require(n <= 2 && len(pads)%2 == 0, "its pads are %v, want four", pads)
	for i := range n {
		w.Before[2-n+i], w.After[2-n+i] = within(pads[i], "pads"), within(pads[n+i], "pads")
	}
	for i := range 2 {
		Require(min(w.Kernel[i], w.Stride[i], w.Dilation[i]) >= 1, "its window of %v moves by %v with dilation %v", w.Kernel, w.Stride, w.Dilation)
		missing := max((image[i]+w.Stride[i]-1)/w.Stride[i]*w.Stride[i]-w.Stride[i]+w.reach(i)-image[i], 0)
		switch mode := c.text("auto_pad", "NOTSET"); mode {
		case "NOTSET", "":
		case "VALID":
			w.Before[i], w.After[i] = 0, 0
		case "SAME_UPPER":
			w.Before[i], w.After[i] = missing/2, missing-missing/2
		case "SAME_LOWER":
			w.Before[i], w.After[i] = missing-missing/2, missing/2
		default:
			Refuse("its auto_pad is %s", mode)
		}
		Require(image[i]+w.Before[i]+w.After[i] >= w.reach(i), "its window of %d does not fit the padded image of %d", w.reach(i), image[i]+w.Before[i]+w.After[i])
	}
	return w
}

// pooling takes the largest values under a window, or means. A mean counts the padding where count_include_pad says so, but not
// what is beyond it: where ceil_mode says so, windows reach beyond, but begin before the end of the padding.
func pooling(largest bool) func(c *call) *Value {
	return func(c *call) *Value {
		if len(c.inputs[0].Dims) == 3 {
			c.inputs[0] = c.row(c.inputs[0])
			return c.unrow(pooling(largest)(c))
		}
		x, image := c.inputs[0], c.image(c.inputs[0])
		op := Pool{Window: c.window(c.pair("kernel_shape", [2]int{}), image), Max: largest}
		var from, to [2]int // the places that count
		for i, size := range op.Output(image) {
			to[i] = image[i]
			if c.integer("count_include_pad", 0) != 0 {
				from[i], to[i] = -op.Before[i], image[i]+op.After[i]
			}
			if c.integer("ceil_mode", 0) != 0 {
				up := (image[i] + op.Before[i] + op.After[i] - op.reach(i) + op.Stride[i] - 1) / op.Stride[i]
				size = max(size, min(up, (image[i]+op.Before[i]-1)/op.Stride[i])+1)
			}
			op.After[i] = max((size-1)*op.Stride[i]+op.reach(i)-image[i]-op.Before[i], 0) // what no window reaches is left out
		}
		out := op.Output(image)
		y := c.emit(op, x.Type, []int{x.Dims[0], x.Dims[1], out[0], out[1]}, x)
		if largest {
			return y
		}
		// The mean takes in all padding.
		for d := range 2 {
			share := c.blank(float, with([]int{1, 1}, d, out[d]))
			for i := range share.Data {
				counted := 0
				for k := range op.Kernel[d] {
					if at := i*op.Stride[d] + k*op.Dilation[d] - op.Before[d]; at >= from[d] && at < to[d] {
						counted++
					}
				}
				Require(counted > 0, "a window of its lies beyond the image")
				share.Data[i] = float64(op.Kernel[d]) / float64(counted)
			}
			if slices.ContainsFunc(share.Data, func(s float64) bool { return s != 1 }) {
				y = c.formula(expr.Mul(expr.Arg(0), expr.Arg(1)), y, share)
			}
		}
		return y
	}
}

func global(by Reduction) func(c *call) *Value {
	return func(c *call) *Value {
		v := c.inputs[0]
		Require(len(v.Dims) >= 3, "its input has the shape %v, want [N,channels,...]", v.Dims)
		return c.reduce(by, v, upTo(len(v.Dims))[2:], true)
	}
}

// reduction reduces a formula of each value, and makes another of the result. The axes are an attribute before opset 18
// (ReduceSum 13), then an input; none are all.
func reduction(of func(*expr.Expr) *expr.Expr, by Reduction, then func(*expr.Expr) *expr.Expr) func(c *call) *Value {
	return func(c *call) *Value {
		v := c.reduce(by, c.formula(of(expr.Arg(0)), c.inputs[0]), c.axes(), c.integer("keepdims", 1) != 0)
		return c.formula(then(expr.Arg(0)), v)
	}
}

// logSumExp is ln Σe^x, with e^x at most 1.
func logSumExp(c *call) *Value {
	x := c.inputs[0]
	largest := c.reduce(Max, x, c.axes(), true)
	c.inputs[0] = c.formula(expr.Exp(expr.Sub(expr.Arg(0), expr.Arg(1))), x, largest)
	sum := reduction(expr.Identity, Sum, expr.Identity)(c)
	return c.formula(expr.Add(expr.Log(expr.Arg(0)), expr.Arg(1)), sum, c.reshape(largest, sum.Dims))
}

// axes are those that a reduction names, in order.
func (c *call) axes() []int {
	rank := len(c.inputs[0].Dims)
	axes := c.list("axes", 1)
	if len(axes) == 0 && c.integer("noop_with_empty_axes", 0) == 0 {
		return upTo(rank)
	}
	for i, a := range axes {
		axes[i] = axis(a, rank)
	}
	slices.Sort(axes)
	return slices.Compact(axes)
}

// softmax works along one axis from opset 13 on, before that over all dimensions from its
// axis on.
func softmax(c *call) *Value {
	v, log := c.inputs[0], c.node.GetOpType() == "LogSoftmax"
	if c.opset >= 13 {
		return c.emit(Softmax{axis(c.integer("axis", -1), len(v.Dims)), log}, v.Type, v.Dims, v)
	}
	at := axis(c.integer("axis", 1), len(v.Dims))
	rows := []int{count(v.Dims[:at]), count(v.Dims[at:])}
	return c.reshape(c.emit(Softmax{1, log}, v.Type, rows, c.reshape(v, rows)), v.Dims)
}

// argMax gives the number of the largest value along an axis.
func argMax(c *call) *Value {
	v := c.inputs[0]
	along := axis(c.integer("axis", 0), len(v.Dims))
	dims := with(v.Dims, along, 1)
	if c.integer("keepdims", 1) == 0 {
		dims = slices.Delete(dims, along, along+1)
	}
	return c.emit(Largest{along}, onnxpb.TensorProto_INT64, dims, v)
}

// hardmax is 1 for the largest value along an axis, else 0; before opset 13 over all dimensions from
// its axis on.
func hardmax(c *call) *Value {
	v, otherwise := c.inputs[0], -1
	if c.opset < 13 {
		otherwise = 1
	}
	return c.emit(Largest{axis(c.integer("axis", otherwise), len(v.Dims))}, v.Type, v.Dims, v)
}

// equations are those of one or two inputs. Labels are letters.
var equations = regexp.MustCompile(`^([A-Za-z]*)(?:,([A-Za-z]*))?->([A-Za-z]*)$`)

// einsum is a sum of products over labelled dimensions, as a product of matrices: [shared,left,summed] by
// [shared,summed,right].
func einsum(c *call) *Value {
	equation := strings.ReplaceAll(c.text("equation", ""), " ", "")
	fits := func(is bool) {
		Require(is, "its equation %q does not fit its inputs, or is not one such as abc,cd->abd of one or two of them", equation)
	}
	parts := equations.FindStringSubmatch(equation)
	fits(parts != nil && len(c.inputs) == 1+strings.Count(equation, ","))
	to, sizes := parts[3], map[rune]int{}
	for i, v := range c.inputs {
		fits(len(v.Dims) == len(parts[1+i]))
		for k, label := range parts[1+i] {
			n, known := sizes[label]
			fits(strings.Count(parts[1+i], string(label)) == 1 && (!known || n == v.Dims[k]))
			sizes[label] = v.Dims[k]
		}
	}
	for _, label := range to {
		_, known := sizes[label]
		fits(known && strings.Count(to, string(label)) == 1)
	}
	result, labels := c.only(c.inputs[0], parts[1], to+parts[2])
	if len(c.inputs) == 2 {
		y, others := c.only(c.inputs[1], parts[2], to+parts[1])
		shared, summed := keep(keep(labels, others), to), drop(keep(labels, others), to)
		left, right := drop(labels, others), drop(others, labels)
		dims := func(labels string) (dims []int) {
			for _, label := range labels {
				dims = append(dims, sizes[label])
			}
			return dims
		}
		s, l, k, r := count(dims(shared)), count(dims(left)), count(dims(summed)), count(dims(right))
		x := c.reshape(c.transpose(result, places(labels, shared+left+summed)), []int{s, l, k})
		y = c.reshape(c.transpose(y, places(others, shared+summed+right)), []int{s, k, r})
		labels = shared + left + right
		result = c.reshape(c.matMul(x, y), dims(labels))
	}
	return c.transpose(result, places(labels, to))
}

// only sums over the dimensions of a value that others do not have, and gives the labels that are left.
func (c *call) only(v *Value, labels, others string) (*Value, string) {
	if axes := places(labels, drop(labels, others)); len(axes) > 0 {
		v = c.reduce(Sum, v, axes, false)
	}
	return v, keep(labels, others)
}

// keep is what labels have in common with others, drop what not.
func keep(labels, others string) string { return drop(labels, drop(labels, others)) }

func drop(labels, others string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(others, r) {
			return -1
		}
		return r
	}, labels)
}

// places says where in labels each of to stands.
func places(labels, to string) []int {
	order := make([]int, 0, len(to))
	for _, label := range to {
		order = append(order, strings.IndexRune(labels, label))
	}
	return order
}
