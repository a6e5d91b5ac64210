package onnx

import (
	"slices"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx/internal/graph"
)

// order says where the elements of a graph's value lie in the network's value that holds them:
// ONNX has the channels of an image first, a network last. Nil is the order of the elements.
type order []int32

func (o order) of(i int) int {
	if o == nil {
		return i
	}
	return int(o[i])
}

// orderOf makes an order of n elements; nil where each lies at its own place.
func orderOf(n int, of func(i int) int) order {
	o, same := make(order, n), true
	for i := range o {
		o[i] = int32(of(i))
		same = same && int(o[i]) == i
	}
	if same {
		return nil
	}
	return o
}

// channelsFirst is the order of [channels,height,width] in an image, or in one whose height and
// width are exchanged.
func channelsFirst(channels, height, width int, exchanged bool) order {
	return orderOf(channels*height*width, func(i int) int {
		c, y, x := i/(height*width), i/width%height, i%width
		if exchanged {
			return (x*height+y)*channels + c
		}
		return (y*width+x)*channels + c
	})
}

// picture is how an argument [1,channels,height,width] lies in the network.
type picture struct {
	shape     nn.Shape
	exchanged bool // height and width are
}

// picture gives the values of an argument as a picture over which windows move: as they lie, or
// in another order if they lie otherwise.
func (t *translator) picture(a *graph.Value, v *value) (picture, *value) {
	graph.Require(len(a.Dims) == 4 && a.Dims[0] == 1, "its input has the shape %v, want [N,channels,height,width]", a.Dims)
	c, h, w := a.Dims[1], a.Dims[2], a.Dims[3]
	usual, exchanged := channelsFirst(c, h, w, false), channelsFirst(c, h, w, true)
	if slices.Equal(v.order, exchanged) && !slices.Equal(v.order, usual) {
		return picture{nn.Shape{Height: w, Width: h, Channels: c}, true}, v
	}
	return picture{nn.Shape{Height: h, Width: w, Channels: c}, false}, t.arranged(v, a.Elements(), usual)
}

// picked is a result made of elements of an argument, some maybe left out or taken several times.
func (t *translator) picked(n *graph.Node, source []int32) {
	v := t.values[n.Args[0]]
	t.moved(n, v, orderOf(len(source), func(i int) int { return v.order.of(int(source[i])) }))
	taken := make([]bool, n.Args[0].Elements())
	for _, from := range source {
		taken[from] = true
	}
	t.values[n.Out].partly = v.partly || len(source) != len(taken) || slices.Contains(taken, false)
}

// arranged puts the n elements of v into another order, with no others beside them.
func (t *translator) arranged(v *value, n int, o order) *value {
	if v.partly || !slices.Equal(v.order, o) {
		t.settled(v)
		places := make([]int32, n)
		for i := range places {
			places[o.of(i)] = int32(v.order.of(i))
		}
		*v = value{number: t.add(nn.Gather{From: places}, []int{v.number}), order: o}
	}
	return v
}

// whole leaves the n elements of v as they lie if no others do beside them.
func (t *translator) whole(v *value, n int) *value {
	if v.partly {
		return t.arranged(v, n, nil)
	}
	return v
}

// stretched is a computed value repeated to the shape of another.
func (t *translator) stretched(a, to *graph.Value) *value {
	v := t.values[a]
	if a.Elements() == to.Elements() {
		return v
	}
	out := *v
	out.order, out.partly = orderOf(to.Elements(), func(i int) int { return v.order.of(a.Source(to.Dims, i)) }), true
	return &out
}

// result is the order of what is made through windows over the picture.
func (p picture) result(dims []int) order {
	return channelsFirst(dims[1], dims[2], dims[3], p.exchanged)
}

// turned puts height and width of a pair as they lie.
func (p picture) turned(x [2]int) (height, width int) {
	if p.exchanged {
		return x[1], x[0]
	}
	return x[0], x[1]
}
