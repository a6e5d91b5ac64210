package graph

import (
	"slices"

	"inkshade/glcompute/expr"
)

// productOperators add up products of many values, or take one of many.
var productOperators = map[string]operator{
	"Gemm": {2, 3, gemm}, "MatMul": {2, 2, matMul}, "Conv": {2, 3, convolution},
	"MaxPool": {1, 1, maxPool}, "AveragePool": {1, 1, averagePool},
	"GlobalMaxPool": {1, 1, global(Max)}, "GlobalAveragePool": {1, 1, global(Mean)},
	"ReduceMean": {1, 2, reduction(Mean)}, "ReduceSum": {1, 2, reduction(Sum)},
	"ReduceMax": {1, 2, reduction(Max)}, "ReduceProd": {1, 2, reduction(product)},
	"Softmax": {1, 1, softmax}, "LogSoftmax": {1, 1, softmax},
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

func matMul(c *call) *Value { return c.matMul(c.inputs[0], c.inputs[1]) }

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
	result := b.emit(MatMul{}, x.Type, dims, x, y)
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
		if p, ok := n.Operation.(Pad); ok && p.Value == 0 && p.Before[0]+p.Before[1]+p.After[0]+p.After[1] == 0 {
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
	switch len(v.Dims) {
	case 4:
		return [2]int(v.Dims[2:])
	case 3:
		Refuse("it moves along one dimension of the shape %v, as over time; a model of pictures, [N,channels,height,width], is needed", v.Dims)
	}
	Refuse("its input has the shape %v, want [N,channels,height,width]", v.Dims)
	return [2]int{}
}

// window reads how a window of the given size moves over an image.
func (c *call) window(kernel, image [2]int) Window {
	one := [2]int{1, 1}
	w := Window{Kernel: kernel, Stride: c.pair("strides", one), Dilation: c.pair("dilations", one)}
	if a := c.attribute("pads"); a != nil && len(a.Ints) > 0 {
		if len(a.Ints) != 4 {
			Refuse("its pads are %v, want four", a.Ints)
		}
		for i := range 2 {
			w.Before[i], w.After[i] = within(int(a.Ints[i]), "pads"), within(int(a.Ints[2+i]), "pads")
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

func maxPool(c *call) *Value {
	w, _ := c.poolWindow()
	return c.pool(Pool{Window: w, Max: true})
}

// averagePool counts the padding, but not what ceil_mode adds, where count_include_pad says so.
func averagePool(c *call) *Value {
	w, beyond := c.poolWindow()
	op := Pool{Window: w}
	if c.integer("count_include_pad", 0) != 0 {
		op.CountBefore = w.Before
		op.CountAfter = [2]int{w.After[0] - beyond[0], w.After[1] - beyond[1]}
	}
	return c.pool(op)
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
		c.image(c.inputs[0])
		return c.reduce(by, c.inputs[0], []int{2, 3}, true)
	}
}

// reduction takes its axes as an attribute before opset 18 (ReduceSum 13), then as an input;
// none are all.
func reduction(by Reduction) func(c *call) *Value {
	return func(c *call) *Value {
		v := c.inputs[0]
		axes := c.list("axes", 1)
		if len(axes) == 0 {
			if c.integer("noop_with_empty_axes", 0) != 0 {
				return v
			}
			axes = upTo(len(v.Dims))
		}
		for i, a := range axes {
			axes[i] = axis(a, len(v.Dims))
		}
		slices.Sort(axes)
		return c.reduce(by, v, slices.Compact(axes), c.integer("keepdims", 1) != 0)
	}
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
