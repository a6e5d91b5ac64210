package onnx

import (
	"math"
	"slices"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// onePosition is the window of a convolution that looks at each position for itself.
var onePosition = glcompute.Window{KernelHeight: 1, KernelWidth: 1, StrideY: 1, StrideX: 1, DilationY: 1, DilationX: 1}

// product is a dense layer, or one for each row: a convolution that looks at each position for
// itself.
func (t *translator) product(n *graph.Node) {
	x, w := n.Args[0], n.Args[1]
	m := matrix{w.Data, w.Dims[0], w.Dims[1]}
	v := t.values[x]
	if x.Elements() == m.in {
		t.made(n, t.dense(t.whole(v, m.in), m), nil)
		return
	}
	v = t.settled(t.arranged(v, x.Elements(), nil))
	shape := nn.Shape{Height: x.Elements() / m.in, Width: 1, Channels: m.in}
	if s := t.shapes[v.number]; s.Channels == m.in {
		shape = s
	}
	kind := nn.Convolution{Filters: m.out, Window: onePosition}
	t.made(n, t.add(kind, []int{t.as(v, shape)}, float32s(m.data), make([]float32, m.out)), nil)
}

// matrix are weights from in to out units: that from i to j is data[i·out + j].
type matrix struct {
	data    []float64
	in, out int
}

// dense adds a dense layer for all elements of v. What is still to be done to them becomes part
// of its weights.
func (t *translator) dense(v *value, m matrix) int {
	weights, bias := make([]float32, len(m.data)), make([]float64, m.out)
	for i := range m.in {
		place := v.order.of(i)
		slope, shift := v.scale.at(place)
		for j, w := range m.data[i*m.out : (i+1)*m.out] {
			weights[place*m.out+j] = float32(w * slope)
			bias[j] += w * shift
		}
	}
	return t.add(nn.Dense{Units: m.out}, []int{v.number}, weights, float32s(bias))
}

func (t *translator) convolution(n *graph.Node, op graph.Conv) {
	x, w := n.Args[0], n.Args[1]
	p, v := t.picture(x, t.values[x])
	filters, inGroup, taps := w.Dims[0], w.Dims[1], op.Kernel[0]*op.Kernel[1]
	window := windowOf(p, op.Window)
	padded := window.Top+window.Left+window.Bottom+window.Right > 0
	if s := v.scale; len(s) > 1 && len(s) != p.shape.Channels || padded && slices.ContainsFunc(s, func(a struct{ slope, shift float64 }) bool { return a.shift != 0 }) {
		t.settled(v)
	}
	weights, bias := make([]float32, w.Elements()), make([]float64, filters)
	places := channelsFirst(inGroup, op.Kernel[0], op.Kernel[1], p.exchanged)
	for f := range filters {
		first := f / (filters / op.Groups) * inGroup
		for i, value := range w.Data[f*inGroup*taps : (f+1)*inGroup*taps] {
			slope, shift := v.scale.at(first + i/taps)
			weights[places.of(i)*filters+f] = float32(value * slope)
			bias[f] += value * shift
		}
	}
	kind := nn.Convolution{Filters: filters, Window: window, Groups: op.Groups}
	switch {
	case op.Groups == 1:
		kind.Groups = 0
	case op.Groups == p.shape.Channels:
		kind.Filters, kind.Groups, kind.Depthwise = filters/op.Groups, 0, true
	}
	t.made(n, t.add(kind, []int{t.as(v, p.shape)}, weights, float32s(bias)), p.result(n.Out.Dims))
}

// windowOf is a window over a picture as it lies.
func windowOf(p picture, w graph.Window) glcompute.Window {
	var out glcompute.Window
	out.KernelHeight, out.KernelWidth = p.turned(w.Kernel)
	out.StrideY, out.StrideX = p.turned(w.Stride)
	out.DilationY, out.DilationX = p.turned(w.Dilation)
	out.Top, out.Left = p.turned(w.Before)
	out.Bottom, out.Right = p.turned(w.After)
	return out
}

// batchNorm is a layer of its own where its places are the channels of a network's value, else
// a factor and a summand for each place.
func (t *translator) batchNorm(n *graph.Node, op graph.BatchNorm) {
	x, channels := n.Args[0], n.Args[0].Dims[1]
	v := t.whole(t.values[x], x.Elements())
	shape := t.shapes[v.number]
	if channels == x.Elements() {
		shape = nn.Vector(channels)
	}
	inner := x.Elements() / (x.Dims[0] * channels)
	channel := func(i int) int { return i / inner % channels }
	for i := range x.Elements() {
		if v.order.of(i)%shape.Channels != channel(i) {
			t.moved(n, v, v.order)
			a := affineBy(x.Elements(), shape.Channels, func(i int) (int, float64, float64) {
				scale, shift, mean, variance := n.Args[1].Data, n.Args[2].Data, n.Args[3].Data, n.Args[4].Data
				c := channel(i)
				slope := scale[c] / math.Sqrt(variance[c]+float64(op.Epsilon))
				return v.order.of(i), slope, shift[c] - mean[c]*slope
			})
			t.values[n.Out].scale = a.after(v.scale)
			return
		}
	}
	kind := nn.BatchNormalisation{Epsilon: op.Epsilon}
	if op.Epsilon == 1e-5 {
		kind.Epsilon = 0
	}
	var values [][]float32
	for _, a := range n.Args[1:] {
		values = append(values, float32s(a.Data))
	}
	t.made(n, t.add(kind, []int{t.as(t.settled(v), shape)}, values...), v.order)
}

func float32s(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

func (t *translator) pool(n *graph.Node, op graph.Pool) {
	x := n.Args[0]
	p, v := t.picture(x, t.settled(t.values[x]))
	number := t.add(nn.Pooling{Mean: !op.Max, Window: windowOf(p, op.Window)}, []int{t.as(v, p.shape)})
	t.made(n, number, p.result(n.Out.Dims))
}

// reduce is a pooling of all positions, or one over those values of which each result is made,
// seen as a row of an image.
func (t *translator) reduce(n *graph.Node, op graph.Reduce) {
	x := n.Args[0]
	v := t.settled(t.values[x])
	size := x.Elements() / n.Out.Elements()
	if size == 1 {
		t.moved(n, v, v.order)
		return
	}
	groups := make([]order, n.Out.Elements())
	for i := range x.Elements() {
		at, rest, step := 0, i, 1
		for d, length := range slices.Backward(x.Dims) {
			if !slices.Contains(op.Axes, d) {
				at += rest % length * step
				step *= length
			}
			rest /= length
		}
		groups[at] = append(groups[at], int32(v.order.of(i)))
	}
	step := 1
	for _, g := range groups {
		slices.Sort(g)
		step = max(step, int(g[size-1]-g[0])/(size-1))
	}
	if v.partly || !regular(groups, step) {
		in := *v
		in.order, in.partly, step = slices.Concat(groups...), true, 1
		v = t.arranged(&in, x.Elements(), nil)
		for i := range groups {
			for k := range groups[i] {
				groups[i][k] = int32(i*size + k)
			}
		}
	}
	image := nn.Shape{Height: x.Elements() / (size * step), Width: size, Channels: step}
	places := orderOf(len(groups), func(i int) int {
		first := int(groups[i][0])
		return first/(size*step)*step + first%step
	})
	kind, from := nn.Pooling{Mean: op.By != graph.Max}, v.number // of all positions
	if s := t.shapes[v.number]; image.Height > 1 || s.Positions() != size {
		kind.Window, from = onePosition, t.as(v, image)
		kind.Window.KernelWidth = size
	}
	result := t.made(n, t.add(kind, []int{from}), places)
	if op.By == graph.Sum {
		result.scale = uniform(float64(size), 0)
	}
}

// regular reports whether groups of places are columns of rows of step places, each as high as a group.
func regular(groups []order, step int) bool {
	for _, g := range groups {
		for k, place := range g {
			if int(place-g[0]) != k*step || int(g[0])%(len(g)*step) >= step {
				return false
			}
		}
	}
	return true
}

// pad is a convolution that gives each position back and has padding: zeros, so that another
// value is taken off before and added after.
func (t *translator) pad(n *graph.Node, op graph.Pad) {
	x := n.Args[0]
	copied := *t.values[x]
	if op.Value != 0 {
		copied.scale = uniform(1, -op.Value).after(copied.scale)
	}
	p, v := t.picture(x, t.settled(&copied))
	one := [2]int{1, 1}
	window := windowOf(p, graph.Window{Kernel: one, Stride: one, Dilation: one, Before: [2]int(op.Before[2:]), After: [2]int(op.After[2:])})
	channels := p.shape.Channels
	kind := nn.Convolution{Filters: 1, Window: window, Depthwise: channels > 1}
	number := t.add(kind, []int{t.as(v, p.shape)}, slices.Repeat([]float32{1}, channels), make([]float32, channels))
	result := t.made(n, number, p.result(n.Out.Dims))
	if op.Value != 0 {
		result.scale = uniform(1, op.Value)
	}
}

// concat puts channels side by side where those are what lies along the axis, else all values of
// one part behind those of another.
func (t *translator) concat(n *graph.Node, op graph.Concat) {
	inner := 1
	for _, d := range n.Out.Dims[op.Axis+1:] {
		inner *= d
	}
	var parts []*value
	computed := slices.IndexFunc(n.Args, func(a *graph.Value) bool { return !a.Constant() })
	positions, sideBySide := n.Out.Elements()/n.Out.Dims[op.Axis], true
	for _, a := range n.Args {
		own := a.Dims[op.Axis]
		v := t.values[a]
		if a.Constant() {
			v = t.fixed(a, t.values[n.Args[computed]])
		}
		t.settled(t.whole(v, a.Elements()))
		for i := range a.Elements() {
			sideBySide = sideBySide && v.order.of(i)%own == i/inner%own
		}
		parts = append(parts, v)
	}
	shape := t.shapes[parts[0].number]
	if shape.Positions() != positions {
		shape = nn.Shape{Height: positions, Width: 1}
	}
	var from []int
	channels := 0
	for k, v := range parts {
		if shape.Channels = n.Args[k].Dims[op.Axis]; !sideBySide {
			shape = nn.Vector(n.Args[k].Elements())
		}
		from, channels = append(from, t.as(v, shape)), channels+shape.Channels
	}
	places := make(order, n.Out.Elements())
	first, before := 0, 0 // elements and channels of the parts before
	for k, v := range parts {
		block, own := n.Args[k].Dims[op.Axis]*inner, t.shapes[from[k]].Channels
		for i := range n.Args[k].Elements() {
			at := v.order.of(i)
			places[i/block*n.Out.Dims[op.Axis]*inner+first+i%block] = int32(at/own*channels + before + at%own)
		}
		first, before = first+block, before+own
	}
	t.made(n, t.add(nn.Concatenate{}, from), orderOf(len(places), places.of))
}
