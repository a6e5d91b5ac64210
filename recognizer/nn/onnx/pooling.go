package onnx

import (
	"slices"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

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
	mean := op.By != graph.Max
	row := onePosition
	row.KernelWidth = size
	var kind nn.Kind = nn.Pooling{Mean: mean, Window: row}
	from := v.number
	if s := t.shapes[v.number]; image.Height == 1 && s.Positions() == size {
		kind = nn.GlobalPooling{Mean: mean}
	} else {
		from = t.as(v, image)
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
	var from, first, before []int // of each part its first entry along the axis, and the channels before
	channels, entries := 0, 0
	for k, v := range parts {
		first = append(first, entries)
		entries += n.Args[k].Dims[op.Axis]
		if shape.Channels = n.Args[k].Dims[op.Axis]; !sideBySide {
			shape = nn.Vector(n.Args[k].Elements())
		}
		from, before = append(from, t.as(v, shape)), append(before, channels)
		channels += shape.Channels
	}
	number := t.add(nn.Concatenate{}, from)
	t.made(n, number, orderOf(n.Out.Elements(), func(i int) int {
		row, entry := i/inner/entries, i/inner%entries
		k, begins := slices.BinarySearch(first, entry)
		if !begins {
			k--
		}
		own := n.Args[k].Dims[op.Axis]
		at, c := parts[k].order.of((row*own+entry-first[k])*inner+i%inner), t.shapes[from[k]].Channels
		return at/c*channels + before[k] + at%c
	}))
}
