package onnx

import (
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// affine is slope·x + shift of the values of a network, by their place: one of each for all, for
// each channel, or for each place.
type affine struct {
	slope, shift []float64
}

func (a *affine) at(place int) (slope, shift float64) {
	i := place % len(a.slope)
	return a.slope[i], a.shift[i]
}

func (a *affine) shifts() bool {
	return slices.ContainsFunc(a.shift, func(v float64) bool { return v != 0 })
}

// uniform is the same slope and shift for all.
func uniform(slope, shift float64) *affine {
	return &affine{[]float64{slope}, []float64{shift}}
}

// affineBy makes one of what each place has, as short as it can be.
func affineBy(size, channels int, at func(i int) (place int, slope, shift float64)) *affine {
	for _, n := range []int{1, channels, size} {
		a := &affine{make([]float64, n), make([]float64, n)}
		seen, fits := make([]bool, n), true
		for i := 0; i < size && fits; i++ {
			place, slope, shift := at(i)
			place %= n
			fits = !seen[place] || a.slope[place] == slope && a.shift[place] == shift
			seen[place], a.slope[place], a.shift[place] = true, slope, shift
		}
		if fits {
			return a
		}
	}
	panic("onnx: two elements in one place")
}

// after is a after b.
func (a *affine) after(b *affine) *affine {
	if b == nil {
		return a
	}
	n := max(len(a.slope), len(b.slope))
	both := &affine{make([]float64, n), make([]float64, n)}
	for i := range n {
		slope, shift := a.at(i)
		first, plus := b.at(i)
		both.slope[i], both.shift[i] = slope*first, slope*plus+shift
	}
	return both
}

// formula is part of the layer before it where that can take it in, or a layer.
func (t *translator) formula(n *graph.Node, e *expr.Expr) {
	if i := computedAlone(n); i >= 0 && graph.Affine(e, i) {
		t.scale(n, e, i)
		return
	}
	if name := graph.FunctionOf(e); name != "" {
		v := t.values[n.Args[0]]
		if v.scale != nil && len(v.scale.slope) > 1 {
			t.settled(v)
		}
		if name == expr.Functions[0].Name || t.attach(v, name) {
			t.moved(n, n.Args[0], v.order)
			return
		}
	}
	base, v := t.base(n)
	shape := t.shapes[v.number]
	t.read[v.number] = true // so that it keeps that shape
	var from []int
	for i, a := range n.Args {
		if a.Constant() {
			from = append(from, t.constant(a, n.Out.Dims, v, shape))
			continue
		}
		operand := t.values[a]
		if a.Elements() == n.Out.Elements() {
			if !slices.Equal(operand.order, v.order) {
				graph.Refuse("the values of its inputs %v and %v lie in different orders, which is not supported", base.Dims, a.Dims)
			}
			if s := operand.scale; s != nil && len(s.slope) == 1 && s.slope[0] != 0 {
				e = e.Replace(expr.Arg(i), scaled(expr.Arg(i), s))
				operand = &value{number: operand.number}
			} else {
				operand = t.settled(operand)
			}
			from = append(from, t.as(operand, shape))
			continue
		}
		from = append(from, t.spread(a, n.Out.Dims, v.order, shape))
	}
	t.made(n, t.add(kindOf(e, len(from)), from), v.order)
}

// computedAlone is the argument that is computed, if it is one, as large as the result.
func computedAlone(n *graph.Node) int {
	found := -1
	for i, a := range n.Args {
		switch {
		case a.Constant():
		case found >= 0 || a.Elements() != n.Out.Elements():
			return -1
		default:
			found = i
		}
	}
	return found
}

// scaled is a uniform a of x.
func scaled(x *expr.Expr, a *affine) *expr.Expr {
	return expr.Add(expr.Scale(float32(a.slope[0]), x), expr.Const(float32(a.shift[0])))
}

// scale keeps slope·x + shift for what follows, if the layer that makes x cannot take it in.
func (t *translator) scale(n *graph.Node, e *expr.Expr, i int) {
	v := t.values[n.Args[i]]
	derivative := e.Derivative(i)
	args := &expr.Values{Args: make([]float64, len(n.Args))}
	a := affineBy(n.Out.Elements(), t.shapes[v.number].Channels, func(element int) (int, float64, float64) {
		for k, c := range n.Args {
			if k != i {
				args.Args[k] = c.Stretched(n.Out.Dims, element)
			}
		}
		return v.order.of(element), derivative.Evaluate(args), e.Evaluate(args)
	})
	t.moved(n, n.Args[i], v.order)
	if l := t.maker(v); l != nil && function(l.Kind) == "" && (len(a.slope) == 1 || len(a.slope) == len(l.Values[1])) {
		columns := len(l.Values[1])
		if slices.ContainsFunc(a.slope, func(v float64) bool { return v != 1 }) {
			for k, w := range l.Values[0] {
				slope, _ := a.at(k % columns)
				l.Values[0][k] = float32(float64(w) * slope)
			}
		}
		for k, b := range l.Values[1] {
			slope, shift := a.at(k)
			l.Values[1][k] = float32(float64(b)*slope + shift)
		}
		return
	}
	t.values[n.Out].scale = a.after(v.scale)
}

// function is the nonlinearity of a dense layer or convolution; "none" of other kinds.
func function(k nn.Kind) string {
	switch k := k.(type) {
	case nn.Dense:
		return k.Function
	case nn.Convolution:
		return k.Function
	}
	return "none"
}

// attach makes a nonlinearity part of the layer that makes v.
func (t *translator) attach(v *value, name string) bool {
	l := t.maker(v)
	if l == nil {
		return false
	}
	switch k := l.Kind.(type) {
	case nn.Dense:
		if k.Function == "" {
			l.Kind = nn.Dense{Units: k.Units, Function: name}
			return true
		}
	case nn.Convolution:
		if k.Function == "" {
			k.Function = name
			l.Kind = k
			return true
		}
	case nn.BatchNormalisation:
		if k.Function == "" {
			l.Kind = nn.BatchNormalisation{Epsilon: k.Epsilon, Function: name}
			return true
		}
	}
	return false
}

// kindOf is the kind of a formula: a sum, a nonlinearity of either, or any other.
func kindOf(e *expr.Expr, operands int) nn.Kind {
	if name := graph.FunctionOf(e); name != "" {
		return nn.Elementwise{Name: name}
	}
	sum := expr.Arg(0)
	for i := 1; i < operands; i++ {
		sum = expr.Add(sum, expr.Arg(i))
	}
	if e.Key() == sum.Key() {
		return nn.Add{}
	}
	for _, f := range expr.Functions {
		if e.Key() == f.Of(sum).Key() {
			return nn.Add{Function: f.Name}
		}
	}
	return nn.Elementwise{Formula: e}
}

// settled does what is still to be done to a value.
func (t *translator) settled(v *value) *value {
	a := v.scale
	v.scale = nil
	switch {
	case a == nil:
	case len(a.slope) == 1 && a.slope[0] != 0:
		v.number = t.add(nn.Elementwise{Formula: scaled(expr.Arg(0), a)}, []int{v.number})
	default:
		v.number = t.eachChannel(v, t.shapes[v.number], a)
	}
	return v
}

// eachChannel is slope·x + shift for the channels of v as a shape, or for all of its values.
func (t *translator) eachChannel(v *value, shape nn.Shape, a *affine) int {
	n := len(a.slope)
	if n == 1 {
		n = shape.Channels
	}
	if n != shape.Channels {
		shape = nn.Vector(n)
	}
	number := t.as(v, shape)
	slope, shift := make([]float32, n), make([]float32, n)
	for i := range n {
		s, b := a.at(i)
		slope[i], shift[i] = float32(s), float32(b)
	}
	kind := nn.Convolution{Filters: 1, Window: onePosition, Depthwise: n > 1}
	return t.add(kind, []int{number}, slope, shift)
}

// base is a computed argument as large as the result, which the others follow.
func (t *translator) base(n *graph.Node) (*graph.Value, *value) {
	for _, a := range n.Args {
		if !a.Constant() && a.Elements() == n.Out.Elements() {
			return a, t.values[a]
		}
	}
	graph.Refuse("it stretches all of its inputs, which is not supported")
	return nil, nil
}

// constant makes a value of the network that is constant, with a shape and the order of v.
func (t *translator) constant(a *graph.Value, dims []int, v *value, shape nn.Shape) int {
	c := affineBy(shape.Size(), shape.Channels, func(i int) (int, float64, float64) {
		return v.order.of(i), 0, a.Stretched(dims, i)
	})
	return t.as(&value{number: t.eachChannel(v, shape, c)}, shape)
}

// spread stretches a computed value to a shape and order: one for each channel over all
// positions, one for each position over all channels, or one for all.
func (t *translator) spread(a *graph.Value, dims []int, o order, s nn.Shape) int {
	x, all := t.values[a], *uniform(1, 0)
	if x.scale != nil && len(x.scale.slope) == 1 {
		all = *x.scale // becomes part of the convolution
	} else {
		x = t.settled(x)
	}
	convolve := func(kind nn.Convolution, from, weights, biases int) int {
		slope, shift := all.at(0)
		return t.add(kind, []int{from}, slices.Repeat([]float32{float32(slope)}, weights), slices.Repeat([]float32{float32(shift)}, biases))
	}
	place := func(i int) int { return x.order.of(a.Source(dims, i)) }
	fits := func(n int, of func(place int) int) bool {
		for i := range s.Size() {
			if a.Elements() != n || place(i) != of(o.of(i)) {
				return false
			}
		}
		return true
	}
	switch {
	case fits(s.Channels, func(at int) int { return at % s.Channels }):
		// Every position sees the one pixel there is through another tap.
		window := onePosition
		window.KernelHeight, window.KernelWidth = s.Height, s.Width
		window.Top, window.Left, window.Bottom, window.Right = s.Height-1, s.Width-1, s.Height-1, s.Width-1
		kind := nn.Convolution{Filters: 1, Window: window, Depthwise: s.Channels > 1}
		return convolve(kind, t.as(x, nn.Vector(s.Channels)), s.Size(), s.Channels)
	case fits(s.Positions(), func(at int) int { return at / s.Channels }):
		plane := t.as(x, nn.Shape{Height: s.Height, Width: s.Width, Channels: 1})
		return convolve(nn.Convolution{Filters: s.Channels, Window: onePosition}, plane, s.Channels, s.Channels)
	case a.Elements() == 1:
		number := convolve(nn.Convolution{Filters: s.Size(), Window: onePosition}, t.as(x, nn.Vector(1)), s.Size(), s.Size())
		return t.as(&value{number: number}, s)
	}
	graph.Refuse("its input of the shape %v is stretched to %v, which is not supported", a.Dims, dims)
	return 0
}

func ones(n int) []float32 { return slices.Repeat([]float32{1}, n) }
