package graph

import (
	"math"
	"slices"
)

// upscaleOperators make images larger, or change their size otherwise.
var upscaleOperators = map[string]operator{
	"Resize":        {1, 4, resize},
	"Upsample":      {1, 2, resize},
	"ConvTranspose": {2, 3, convTranspose},
}

// resize takes the nearest value or interpolates between two, one dimension after another. Upsample
// came before it.
func resize(c *call) *Value {
	v := c.inputs[0]
	before := c.node.GetOpType() == "Upsample" || c.opset < 11
	mode, coordinates, nearest := c.text("mode", "nearest"), c.text("coordinate_transformation_mode", "half_pixel"), c.text("nearest_mode", "round_prefer_floor")
	scales, sizes := c.constant(2, "scales"), c.constant(3, "sizes")
	if before {
		coordinates, nearest, scales = "asymmetric", "floor", c.constant(1, "scales")
		if older := c.floats("scales"); older != nil {
			scales = older
		}
	}
	Require(c.integer("antialias", 0) == 0 && c.text("keep_aspect_ratio_policy", "stretch") == "stretch", "it resizes with antialias or keep_aspect_ratio_policy, which is not supported")
	axes := c.ints("axes")
	if axes == nil {
		axes = upTo(len(v.Dims))
	}
	bySize := scales == nil || len(scales.Data) == 0
	said := scales
	if bySize {
		said = sizes
	}
	Require(said != nil && len(said.Data) == len(axes) && v.Elements() > 0, "its scales and sizes do not fit the shape %v", v.Dims)
	for i, a := range axes {
		if a = axis(a, len(v.Dims)); a == 0 { // the batch
			continue
		}
		in := v.Dims[a]
		scale := said.Data[i]
		size := math.Floor(float64(float32(in) * float32(scale)))
		if bySize {
			scale, size = scale/float64(in), scale
		}
		out := within(toInts([]float64{size})[0], "sizes")
		c.checked(with(v.Dims, a, out))
		if out == in && scale == 1 {
			continue
		}
		at := make([]float64, out)
		for k := range at {
			at[k] = min(max(coordinate(coordinates, float64(k), scale, in, out), 0), float64(in-1))
		}
		switch mode {
		case "nearest":
			v = c.taken(v, a, out, func(k int) int { return nearestOf(at[k], nearest) })
		case "linear", "bilinear":
			v = c.interpolated(v, a, at)
		default:
			Refuse("it resizes in the mode %s; nearest and linear are understood", mode)
		}
	}
	return v
}

// coordinate is where place k of out lies among in.
func coordinate(mode string, k, scale float64, in, out int) float64 {
	switch {
	case mode == "asymmetric":
		return k / scale
	case out == 1 && (mode == "align_corners" || mode == "pytorch_half_pixel"):
		return 0
	case mode == "align_corners":
		return k * float64(in-1) / float64(out-1)
	case mode == "half_pixel" || mode == "pytorch_half_pixel":
		return (k+0.5)/scale - 0.5
	}
	Refuse("its coordinate_transformation_mode is %s; half_pixel, asymmetric and align_corners are understood", mode)
	return 0
}

func nearestOf(x float64, mode string) int {
	switch mode {
	case "floor":
		x = math.Floor(x)
	case "ceil":
		x = math.Ceil(x)
	case "round_prefer_ceil":
		x = math.Floor(x + 0.5)
	default:
		x = math.Ceil(x - 0.5)
	}
	return int(x)
}

// interpolated multiplies the values along an axis by the shares that two neighbours have of each place.
func (c *call) interpolated(v *Value, along int, at []float64) *Value {
	in, out := v.Dims[along], len(at)
	m := c.blank(float, []int{in, out})
	for k, x := range at {
		low := int(x)
		share := x - float64(low)
		m.Data[low*out+k] += 1 - share
		m.Data[min(low+1, in-1)*out+k] += share
	}
	order := upTo(len(v.Dims))
	last := len(order) - 1
	order[along], order[last] = last, along
	return c.transpose(c.matMul(c.transpose(v, order), m), order)
}

// convTranspose puts zeros between the values, and is then a convolution with the filters turned round.
func convTranspose(c *call) *Value {
	x, w := c.inputs[0], c.constant(1, "filters")
	c.image(x)
	groups := c.integer("group", 1)
	Require(len(w.Dims) == 4 && groups >= 1 && w.Dims[0] == x.Dims[1] && w.Dims[0]%groups == 0, "its filters have the shape %v in %d groups, its input has %d channels", w.Dims, groups, x.Dims[1])
	if mode := c.text("auto_pad", "NOTSET"); mode != "NOTSET" && mode != "VALID" || c.attribute("output_shape") != nil {
		Refuse("it says its output_shape or auto_pad; export it with pads")
	}
	in, out := w.Dims[0], w.Dims[1]*groups
	split := c.reshape(w, []int{groups, in / groups, w.Dims[1], w.Dims[2], w.Dims[3]})
	w = c.reshape(c.transpose(split, []int{0, 2, 1, 3, 4}), []int{out, in / groups, w.Dims[2], w.Dims[3]})
	op := Conv{Groups: groups, Window: c.window([2]int(w.Dims[2:]), [2]int{maxElements, maxElements})}
	extra, stride := c.pair("output_padding", [2]int{}), op.Stride
	op.Stride = [2]int{1, 1}
	for i := range 2 {
		last := w.Dims[2+i] - 1
		w = c.taken(w, 2+i, last+1, func(k int) int { return last - k })
		x = c.spaced(x, 2+i, stride[i])
		op.Before[i], op.After[i] = op.reach(i)-1-op.Before[i], op.reach(i)-1-op.After[i]+extra[i]
		Require(min(op.Before[i], op.After[i]) >= 0 && x.Dims[2+i]+op.Before[i]+op.After[i] >= op.reach(i), "its pads take off more than its filters reach, which is not supported")
	}
	size := op.Output([2]int(x.Dims[2:]))
	return c.biased(c.emit(op, x.Type, []int{x.Dims[0], out, size[0], size[1]}, x, w), c.in(2))
}

// spaced puts n-1 zeros between the values along an axis.
func (c *call) spaced(v *Value, along, n int) *Value {
	if n == 1 {
		return v
	}
	split := slices.Insert(slices.Clone(v.Dims), along+1, 1)
	op := Pad{Before: make([]int, len(split)), After: make([]int, len(split))}
	op.After[along+1] = n - 1
	dims := c.checked(with(v.Dims, along, v.Dims[along]*n))
	wide := c.reshape(c.pad(c.reshape(v, split), op), dims)
	return c.taken(wide, along, dims[along]-n+1, func(k int) int { return k })
}
