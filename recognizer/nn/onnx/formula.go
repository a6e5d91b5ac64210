package onnx

import (
	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// affine is slope·x + shift of the values of a network, by their place: one of each for all, for
// each channel, or for each place. Nil is x.
type affine []struct{ slope, shift float64 }

func (a affine) at(place int) (slope, shift float64) {
	if a == nil {
		return 1, 0
	}
	of := a[place%len(a)]
	return of.slope, of.shift
}

// uniform is the same slope and shift for all.
func uniform(slope, shift float64) affine { return affine{{slope, shift}} }

// affineBy makes one of what each place has, as short as it can be.
func affineBy(size, channels int, at func(i int) (place int, slope, shift float64)) affine {
	for _, n := range []int{1, channels, size} {
		a, seen, fits := make(affine, n), make([]bool, n), true
		for i := 0; i < size && fits; i++ {
			place, slope, shift := at(i)
			of := &a[place%n]
			fits = !seen[place%n] || of.slope == slope && of.shift == shift
			seen[place%n], of.slope, of.shift = true, slope, shift
		}
		if fits {
			return a
		}
	}
	panic("onnx: two elements in one place")
}

// after is a after b.
func (a affine) after(b affine) affine {
	both := make(affine, max(len(a), len(b)))
	for i := range both {
		slope, shift := a.at(i)
		first, plus := b.at(i)
		both[i].slope, both[i].shift = slope*first, slope*plus+shift
	}
	return both
}

// isUniform tells whether it is the same for all and depends on x.
func (a affine) isUniform() bool { return len(a) == 1 && a[0].slope != 0 }

// formula is part of the layer before it where that can take it in, or a layer.
func (t *translator) formula(n *graph.Node, e *expr.Expr) {
	if i := computedAlone(n); i >= 0 && graph.Affine(e, i) {
		t.scale(n, e, i)
		return
	}
	if name := graph.FunctionOf(e); name != "" {
		v := t.values[n.Args[0]]
		if len(v.scale) > 1 {
			t.settled(v)
		}
		if l := t.maker(v); name == expr.Functions[0].Name || l != nil && l.Activate(name) {
			t.moved(n, v, v.order)
			return
		}
	}
	if t.lines && graph.Masks(n) {
		picture, columns := t.settled(t.whole(t.values[n.Args[0]], n.Out.Elements())), t.settled(t.whole(t.values[n.Args[1]], n.Args[1].Elements()))
		mask := nn.Shape{Height: 1, Width: n.Args[1].Dims[3], Channels: 1}
		t.made(n, t.add(nn.Mask{}, []int{picture.number, t.as(columns, mask)}), picture.order)
		return
	}
	base := t.base(n)
	v := t.whole(t.stretched(base, n.Out), n.Out.Elements())
	t.read[v.number] = true // so that it keeps its shape
	shape := t.shapes[v.number]
	var from []int
	for i, a := range n.Args {
		if a.Constant() {
			from = append(from, t.constant(a, n.Out.Dims, v, shape))
			continue
		}
		operand := v
		if a != base {
			operand = t.stretched(a, n.Out)
		}
		if s := operand.scale; s.isUniform() {
			e = e.Replace(expr.Arg(i), scaled(expr.Arg(i), s))
			operand = &value{number: operand.number, order: operand.order, partly: operand.partly}
		}
		from = append(from, t.as(t.settled(t.arranged(operand, n.Out.Elements(), v.order)), shape))
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
func scaled(x *expr.Expr, a affine) *expr.Expr {
	return expr.Add(expr.Scale(float32(a[0].slope), x), expr.Const(float32(a[0].shift)))
}

// scale keeps slope·x + shift for what follows, if the layer that makes x cannot take it in.
func (t *translator) scale(n *graph.Node, e *expr.Expr, i int) {
	v := t.whole(t.values[n.Args[i]], n.Out.Elements())
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
	t.moved(n, v, v.order)
	l := t.maker(v)
	if fits := l != nil && len(l.Values) > 1 && (len(a) == 1 || len(a) == len(l.Values[1])); !fits || !l.Scale(a.at) {
		t.values[n.Out].scale = a.after(v.scale)
	}
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
	case a.isUniform():
		v.number = t.add(nn.Elementwise{Formula: scaled(expr.Arg(0), a)}, []int{v.number})
	default:
		v.number = t.eachChannel(v, t.shapes[v.number], a)
	}
	return v
}

// eachChannel is slope·x + shift for the channels of v as a shape, or for all of its values.
func (t *translator) eachChannel(v *value, shape nn.Shape, a affine) int {
	n := len(a)
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

// base is the computed argument that the others follow in shape and order: one that is as large as the result, if there is one.
func (t *translator) base(n *graph.Node) (base *graph.Value) {
	for _, a := range n.Args {
		if !a.Constant() && (base == nil || base.Elements() < a.Elements()) {
			base = a
		}
	}
	return base
}

// constant makes a value of the network that is constant, with a shape and the order of v.
func (t *translator) constant(a *graph.Value, dims []int, v *value, shape nn.Shape) int {
	c := affineBy(shape.Size(), shape.Channels, func(i int) (int, float64, float64) {
		return v.order.of(i), 0, a.Stretched(dims, i)
	})
	return t.as(&value{number: t.eachChannel(v, shape, c)}, shape)
}

// fixed makes a constant beside a computed value.
func (t *translator) fixed(a *graph.Value, v *value) *value {
	n := a.Elements()
	first := &value{number: v.number, order: make(order, n), partly: true}
	return &value{number: t.constant(a, a.Dims, t.whole(first, n), nn.Vector(n))}
}
