package graph

import (
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// productOperators add up products of many values, or take one of many.
var productOperators = map[string]operator{
	"Gemm": {2, 3, gemm}, "MatMul": {2, 2, func(c *call) *Value { return c.matMul(c.inputs[0], c.inputs[1]) }}, "Conv": {2, 3, convolution},
	"MaxPool": {1, 1, pooling(true)}, "AveragePool": {1, 1, pooling(false)},
	"GlobalMaxPool": {1, 1, global(Max)}, "GlobalAveragePool": {1, 1, global(Mean)},
	"ReduceMean": {1, 2, reduction(Mean)}, "ReduceSum": {1, 2, reduction(Sum)},
	"ReduceMax": {1, 2, reduction(Max)}, "ReduceProd": {1, 2, reduction(product)},
	"ReduceMin": {1, 2, reductionOf(expr.Neg, Max, expr.Neg)}, "ReduceL1": {1, 2, reductionOf(expr.Abs, Sum, nil)},
	"ReduceL2": {1, 2, reductionOf(expr.Square, Sum, expr.Sqrt)}, "ReduceSumSquare": {1, 2, reductionOf(expr.Square, Sum, nil)},
	"ReduceLogSum": {1, 2, reductionOf(nil, Sum, expr.Log)}, "ReduceLogSumExp": {1, 2, logSumExp},
	"Softmax": {1, 1, softmax}, "LogSoftmax": {1, 1, softmax},
	"Einsum": {1, -1, einsum}, "ArgMax": {1, 1, argMax}, "Hardmax": {1, 1, hardmax},
}

// gemm is alpha·A'·B' + beta·C.
func gemm(c *call) *Value {
	var sides [2]*Value
	for i, flag := range []string{"transA", "transB"} {
		sides[i] = c.inputs[i]
		if len(sides[i].Dims) != 2 {
			Refuse("its input %d has the shape %v, want two dimensions; a Flatten or Reshape is missing", i+1, sides[i].Dims)
		}
		if c.integer(flag, 0) != 0 {
			sides[i] = c.transpose(sides[i], []int{1, 0})
		}
	}
	result := c.scaled(c.matMul(sides[0], sides[1]), c.number("alpha", 1))
	if bias := c.in(2); bias != nil {
		if !slices.Equal(broadcast(result.Dims, bias.Dims), result.Dims) {
			Refuse("its bias has the shape %v, want [%d]", bias.Dims, result.Dims[1])
		}
		result = c.formula(expr.Add(expr.Arg(0), expr.Arg(1)), result, c.scaled(bias, c.number("beta", 1)))
	}
	return result
}

func (b *builder) scaled(v *Value, factor float32) *Value {
	return b.formula(expr.Scale(factor, expr.Arg(0)), v)
}

// matMul is the product over the last two dimensions, the others stretched; a single
// dimension is a row on the left and a column on the right.
func (b *builder) matMul(x, y *Value) *Value {
	if len(x.Dims) == 0 || len(y.Dims) == 0 {
		Refuse("its inputs have the shapes %v and %v", x.Dims, y.Dims)
	}
	row, column := len(x.Dims) == 1, len(y.Dims) == 1
	if row {
		x = b.reshape(x, []int{1, x.Dims[0]})
	}
	if column {
		y = b.reshape(y, []int{y.Dims[0], 1})
	}
	m, n := len(x.Dims), len(y.Dims)
	if x.Dims[m-1] != y.Dims[n-2] {
		Refuse("its weights take %d values, its input has %d", y.Dims[n-2], x.Dims[m-1])
	}
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
	switch outer := dims[:len(dims)-2]; {
	case row && column:
		return b.reshape(result, outer)
	case row:
		return b.reshape(result, append(slices.Clone(outer), y.Dims[n-1]))
	case column:
		return b.reshape(result, append(slices.Clone(outer), x.Dims[m-2]))
	}
	return result
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
	if kernel := c.attribute("kernel_shape"); kernel != nil && len(w.Dims) > 2 && !slices.Equal(toInts(numbers(kernel.Ints)), w.Dims[2:]) {
		Refuse("its kernel_shape is %v, its filters have the shape %v", kernel.Ints, w.Dims)
	}
	return c.biased(c.convolve(c.inputs[0], w), c.in(2))
}

// biased adds a value for each channel; bias may be nil.
func (c *call) biased(v, bias *Value) *Value {
	if bias == nil {
		return v
	}
	return c.formula(expr.Add(expr.Arg(0), expr.Arg(1)), v, c.perChannel(bias, v, 1))
}

// convolve makes the convolution of x with the constant filters w. Zeros that were put around
// x by a Pad become padding.
func (c *call) convolve(x, w *Value) *Value {
	if len(x.Dims) == 3 && len(w.Dims) == 3 {
		return c.unrow(c.convolve(c.row(x), c.row(w)))
	}
	image := c.image(x)
	if len(w.Dims) != 4 {
		Refuse("its filters have the shape %v, want [filters,channels,height,width]", w.Dims)
	}
	groups := c.integer("group", 1)
	if groups < 1 || w.Dims[1]*groups != x.Dims[1] || w.Dims[0]%groups != 0 {
		Refuse("its filters have the shape %v in %d groups, its input has %d channels", w.Dims, groups, x.Dims[1])
	}
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
	if len(v.Dims) != 4 {
		Refuse("its input has the shape %v, want [N,channels,height,width]", v.Dims)
	}
	return [2]int(v.Dims[2:])
}

// row makes a picture of one row of [N,channels,width].
func (c *call) row(v *Value) *Value { return c.reshape(v, slices.Insert(slices.Clone(v.Dims), 2, 1)) }

// unrow is the reverse.
func (c *call) unrow(v *Value) *Value { return c.reshape(v, slices.Delete(slices.Clone(v.Dims), 2, 3)) }

// window reads how a window of the given size moves over an image.
func (c *call) window(kernel, image [2]int) Window {
	one := [2]int{1, 1}
	w := Window{Kernel: kernel, Stride: c.pair("strides", one), Dilation: c.pair("dilations", one)}
	if a := c.attribute("pads"); a != nil && len(a.Ints) > 0 {
		n := len(a.Ints) / 2
		if n != 1 && n != 2 || len(a.Ints)%2 > 0 {
			Refuse("its pads are %v, want four", a.Ints)
		}
		for i := range n {
			w.Before[2-n+i], w.After[2-n+i] = within(int(a.Ints[i]), "pads"), within(int(a.Ints[n+i]), "pads")
		}
	}
	for i := range 2 {
		if min(w.Kernel[i], w.Stride[i], w.Dilation[i]) < 1 {
			Refuse("its window of %v moves by %v with dilation %v", w.Kernel, w.Stride, w.Dilation)
		}
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
		if image[i]+w.Before[i]+w.After[i] < w.reach(i) {
			Refuse("its window of %d does not fit the padded image of %d", w.reach(i), image[i]+w.Before[i]+w.After[i])
		}
	}
	return w
}

// pooling takes the largest values, or means. A mean counts the padding, but not what ceil_mode adds, where count_include_pad says so.
func pooling(largest bool) func(c *call) *Value {
	return func(c *call) *Value {
		if len(c.inputs[0].Dims) == 3 {
			c.inputs[0] = c.row(c.inputs[0])
			return c.unrow(pooling(largest)(c))
		}
		w, beyond := c.poolWindow()
		op := Pool{Window: w, Max: largest}
		if !largest && c.integer("count_include_pad", 0) != 0 {
			op.CountBefore = w.Before
			op.CountAfter = [2]int{w.After[0] - beyond[0], w.After[1] - beyond[1]}
		}
		return c.pool(op)
	}
}

// poolWindow rounds the size of the result up where ceil_mode says so: the window may then
// reach beyond the padding, but must begin before the padding after the image.
func (c *call) poolWindow() (w Window, beyond [2]int) {
	image := c.image(c.inputs[0])
	w = c.window(c.pair("kernel_shape", [2]int{}), image)
	if c.integer("ceil_mode", 0) == 0 {
		return w, beyond
	}
	for i := range 2 {
		room := image[i] + w.Before[i] + w.After[i] - w.reach(i)
		if over := room % w.Stride[i]; over > 0 && room-over+w.Stride[i] < image[i]+w.Before[i] {
			beyond[i] = w.Stride[i] - over
			w.After[i] += beyond[i]
		}
	}
	return w, beyond
}

func (c *call) pool(op Pool) *Value {
	x := c.inputs[0]
	image := c.image(x)
	out := op.Output(image)
	for i := range out { // padding that no window reaches
		op.After[i] = max((out[i]-1)*op.Stride[i]+op.reach(i)-image[i]-op.Before[i], 0)
	}
	return c.emit(op, x.Type, []int{x.Dims[0], x.Dims[1], out[0], out[1]}, x)
}

func global(by Reduction) func(c *call) *Value {
	return func(c *call) *Value {
		v := c.inputs[0]
		if len(v.Dims) < 3 {
			Refuse("its input has the shape %v, want [N,channels,...]", v.Dims)
		}
		return c.reduce(by, v, upTo(len(v.Dims))[2:], true)
	}
}

// reductionOf reduces a formula of each value and makes another one of the result; nil is none.
func reductionOf(of func(*expr.Expr) *expr.Expr, by Reduction, then func(*expr.Expr) *expr.Expr) func(c *call) *Value {
	reduce := reduction(by)
	return func(c *call) *Value {
		if of != nil {
			c.inputs[0] = c.formula(of(expr.Arg(0)), c.inputs[0])
		}
		v := reduce(c)
		if then != nil {
			v = c.formula(then(expr.Arg(0)), v)
		}
		return v
	}
}

// logSumExp is ln Σe^x, with e^x at most 1.
func logSumExp(c *call) *Value {
	x := c.inputs[0]
	largest := c.reduce(Max, x, c.axes(), true)
	c.inputs[0] = c.formula(expr.Exp(expr.Sub(expr.Arg(0), expr.Arg(1))), x, largest)
	sum := reduction(Sum)(c)
	return c.formula(expr.Add(expr.Log(expr.Arg(0)), expr.Arg(1)), sum, c.reshape(largest, sum.Dims))
}

// reduction takes its axes as an attribute before opset 18 (ReduceSum 13), then as an input;
// none are all.
func reduction(by Reduction) func(c *call) *Value {
	return func(c *call) *Value {
		return c.reduce(by, c.inputs[0], c.axes(), c.integer("keepdims", 1) != 0)
	}
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
