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

// transposed is the order after the dimensions have been put into another one.
func (o order) transposed(dims, axes []int) order {
	step, n := make([]int, len(dims)), 1
	for i, d := range slices.Backward(dims) {
		step[i] = n
		n *= d
	}
	return orderOf(n, func(i int) int {
		at := 0
		for _, a := range slices.Backward(axes) {
			at += i % dims[a] * step[a]
			i /= dims[a]
		}
		return o.of(at)
	})
}

// picture is how an argument [1,channels,height,width] lies in the network.
type picture struct {
	shape     nn.Shape
	exchanged bool // height and width are
}

// pictureOf finds how v lies; windows move over it as it lies there.
func pictureOf(a *graph.Value, v *value) picture {
	if len(a.Dims) != 4 || a.Dims[0] != 1 {
		graph.Refuse("its input has the shape %v, want [N,channels,height,width]", a.Dims)
	}
	c, h, w := a.Dims[1], a.Dims[2], a.Dims[3]
	switch {
	case slices.Equal(v.order, channelsFirst(c, h, w, false)):
		return picture{nn.Shape{Height: h, Width: w, Channels: c}, false}
	case slices.Equal(v.order, channelsFirst(c, h, w, true)):
		return picture{nn.Shape{Height: w, Width: h, Channels: c}, true}
	}
	graph.Refuse("the values of its input have been put into another order, which a network cannot do; export the model with the channels first")
	return picture{}
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
