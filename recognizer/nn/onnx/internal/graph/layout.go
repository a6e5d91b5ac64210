package graph

import (
	"math"
	"slices"
	"strconv"

	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// layoutOperators move values and change none.
var layoutOperators = map[string]operator{
	"If":              {1, 1, branch},
	"Identity":        {1, 1, func(c *call) *Value { return c.inputs[0] }},
	"Dropout":         {1, 3, dropout},
	"Constant":        {0, 0, constantNode},
	"ConstantOfShape": {1, 1, constantOfShape},
	"Range":           {3, 3, numberRange},
	"Shape":           {1, 1, shapeOf},
	"Reshape":         {1, 2, reshape},
	"Flatten":         {1, 1, flatten},
	"Squeeze":         {1, 2, squeeze},
	"Unsqueeze":       {1, 2, unsqueeze},
	"Transpose":       {1, 1, transpose},
	"Concat": {1, -1, func(c *call) *Value {
		return c.concat(axis(c.integer("axis", 1), len(c.inputs[0].Dims)), c.inputs)
	}},
	"Gather": {2, 2, gather},
	"Slice":  {1, 5, slice},
	"Split":  {1, 2, split},
	"Size": {1, 1, func(c *call) *Value {
		return c.known(onnxpb.TensorProto_INT64, nil, []float64{float64(c.inputs[0].Elements())})
	}},
	"DepthToSpace": {1, 1, depthToSpace},
	"SpaceToDepth": {1, 1, spaceToDepth},
	"Pad":          {1, 4, pad},
	"Tile":         {2, 2, tile},
	"Expand": {2, 2, func(c *call) *Value {
		return c.stretch(c.inputs[0], broadcast(c.inputs[0].Dims, c.checked(c.list("shape", 1))))
	}},
}

// dropout has its rate as an attribute before opset 12, then as an input.
func dropout(c *call) *Value {
	x, rate := c.inputs[0], float64(c.number("ratio", 0.5))
	if v := c.constant(1, "ratio"); v != nil && len(v.Data) == 1 {
		rate = v.Data[0]
	}
	if x.Constant() || !(rate > 0 && rate < 1) {
		return x
	}
	// A rate like 0.4 is a float in a file.
	rate, _ = strconv.ParseFloat(strconv.FormatFloat(rate, 'g', -1, 32), 64)
	return c.emit(Dropout{rate}, x.Type, x.Dims, x)
}

func constantNode(c *call) *Value {
	if a := c.attribute("value"); a != nil {
		return c.tensor(a.GetT())
	}
	if a := c.attribute("value_float"); a != nil {
		return c.scalar(float64(a.GetF()))
	}
	if v := c.floats("value_floats"); v != nil {
		return v
	}
	if a := c.attribute("value_int"); a != nil {
		return c.known(onnxpb.TensorProto_INT64, nil, []float64{float64(a.GetI())})
	}
	a := c.attribute("value_ints")
	Require(a != nil, "it holds no tensor of numbers")
	return c.known(onnxpb.TensorProto_INT64, []int{len(a.Ints)}, numbers(a.Ints))
}

func constantOfShape(c *call) *Value {
	out := c.blank(onnxpb.TensorProto_FLOAT, c.checked(c.list("shape", 0)))
	if a := c.attribute("value"); a != nil {
		value := c.tensor(a.GetT())
		Require(len(value.Data) == 1, "its value has the shape %v", value.Dims)
		out.Type = value.Type
		for i := range out.Data {
			out.Data[i] = value.Data[0]
		}
	}
	return out
}

func numberRange(c *call) *Value {
	var bounds [3]float64 // start, limit, step
	for i, name := range []string{"start", "limit", "step"} {
		v := c.constant(i, name)
		Require(v.Elements() == 1, "its %s has the shape %v", name, v.Dims)
		bounds[i] = v.Data[0]
	}
	steps := (bounds[1] - bounds[0]) / bounds[2]
	Require(steps <= maxElements, "it runs from %g to %g in steps of %g", bounds[0], bounds[1], bounds[2])
	out := c.blank(c.inputs[0].Type, []int{int(math.Ceil(max(steps, 0)))})
	for i := range out.Data {
		out.Data[i] = bounds[0] + float64(i)*bounds[2]
	}
	return out
}

func shapeOf(c *call) *Value {
	dims := c.inputs[0].Dims
	from := bounded(c.integer("start", 0), len(dims))
	to := bounded(c.integer("end", len(dims)), len(dims))
	shape := numbers(dims[from:max(from, to)])
	return c.known(onnxpb.TensorProto_INT64, []int{len(shape)}, shape)
}

// bounded is a place from 0 to n, counted from behind when negative.
func bounded(i, n int) int {
	if i < 0 {
		i += n
	}
	return min(max(i, 0), n)
}

// reshape takes a shape in which 0 keeps a dimension and -1 is what remains. The batch of the
// file, where it is fixed, is 1 here.
func reshape(c *call) *Value {
	v := c.inputs[0]
	shape := c.list("shape", 1)
	if len(shape) > 0 && shape[0] == c.batch && !v.Constant() {
		shape = slices.Clone(shape)
		shape[0] = 1
	}
	dims, rest := make([]int, len(shape)), -1
	for i, d := range shape {
		dims[i] = d
		switch {
		case d == -1 && rest < 0:
			rest, dims[i] = i, 1
		case d == 0 && c.integer("allowzero", 0) == 0 && i < len(v.Dims):
			dims[i] = v.Dims[i]
		}
	}
	dims = c.checked(dims)
	if n := count(dims); rest >= 0 && n > 0 {
		dims[rest] = v.Elements() / n
	}
	Require(count(dims) == v.Elements(), "its input of the shape %v cannot take the shape %v", v.Dims, shape)
	return c.reshape(v, dims)
}

func flatten(c *call) *Value {
	v := c.inputs[0]
	at := c.integer("axis", 1)
	if at != len(v.Dims) {
		at = axis(at, len(v.Dims))
	}
	return c.reshape(v, []int{count(v.Dims[:at]), count(v.Dims[at:])})
}

// squeeze drops dimensions of 1: those of the axes, or all, but for a batch that may be any.
func squeeze(c *call) *Value {
	v := c.inputs[0]
	drop := map[int]bool{}
	for _, a := range c.list("axes", 1) {
		a = axis(a, len(v.Dims))
		Require(v.Dims[a] == 1, "it drops dimension %d of the shape %v", a, v.Dims)
		drop[a] = true
	}
	var dims []int
	for i, d := range v.Dims {
		if !(drop[i] || len(drop) == 0 && d == 1 && (i > 0 || !c.free)) {
			dims = append(dims, d)
		}
	}
	return c.reshape(v, dims)
}

func unsqueeze(c *call) *Value {
	v := c.inputs[0]
	axes := c.list("axes", 1)
	dims := make([]int, len(v.Dims)+len(axes))
	for _, a := range axes {
		dims[axis(a, len(dims))] = 1
	}
	next := 0
	for i := range dims {
		if dims[i] == 1 {
			continue
		}
		Require(next < len(v.Dims), "its axes %v name a dimension twice", axes)
		dims[i] = v.Dims[next]
		next++
	}
	return c.reshape(v, dims)
}

func transpose(c *call) *Value {
	v := c.inputs[0]
	order := c.ints("perm")
	if order == nil {
		order = upTo(len(v.Dims))
		slices.Reverse(order)
	}
	for i, a := range slices.Sorted(slices.Values(order)) {
		Require(i == a && len(order) == len(v.Dims), "its order %v does not fit the shape %v", order, v.Dims)
	}
	return c.transpose(v, order)
}

// gather takes the entries that indices name along an axis.
func gather(c *call) *Value {
	v, names := c.inputs[0], c.constant(1, "indices")
	along := axis(c.integer("axis", 0), len(v.Dims))
	places := c.list("indices", 1)
	for i, n := range places {
		if n < -v.Dims[along] || n >= v.Dims[along] { // they may be many
			Refuse("it takes entry %d of the shape %v", n, v.Dims)
		}
		places[i] = (n + v.Dims[along]) % v.Dims[along]
	}
	return c.reshape(c.taken(v, along, len(places), func(i int) int { return places[i] }), slices.Concat(v.Dims[:along], names.Dims, v.Dims[along+1:]))
}

func slice(c *call) *Value {
	v := c.inputs[0]
	starts, ends, axes, steps := c.list("starts", 1), c.list("ends", 2), c.list("axes", 3), c.list("steps", 4)
	if axes == nil {
		axes = upTo(len(starts))
	}
	if steps == nil {
		steps = slices.Repeat([]int{1}, len(starts))
	}
	Require(len(ends) == len(starts) && len(axes) == len(starts) && len(steps) == len(starts), "its starts %v, ends %v, axes %v and steps %v do not fit each other", starts, ends, axes, steps)
	for i, a := range axes {
		a = axis(a, len(v.Dims))
		from, n := cut(starts[i], ends[i], steps[i], v.Dims[a])
		v = c.taken(v, a, n, func(k int) int { return from + k*steps[i] })
	}
	return v
}

// split cuts into parts along an axis: of the sizes that it says, or equal ones but for the last.
func split(c *call) *Value {
	v, outputs := c.inputs[0], len(c.node.Output)
	along := axis(c.integer("axis", 0), len(v.Dims))
	sizes := c.list("split", 1)
	if each := (v.Dims[along] + outputs - 1) / max(outputs, 1); sizes == nil {
		for i := range outputs {
			sizes = append(sizes, min(each, v.Dims[along]-i*each))
		}
	}
	Require(len(sizes) > 0, "it cuts %v into parts of %v", v.Dims, sizes)
	from := 0
	for _, n := range sizes {
		Require(n >= 1 && n <= v.Dims[along]-from, "it cuts %v into parts of %v", v.Dims, sizes)
		c.more = append(c.more, c.taken(v, along, n, func(k int) int { return from + k }))
		from += n
	}
	first := c.more[0]
	c.more = c.more[1:]
	return first
}

// depthToSpace makes of the channels of a position a block of positions, spaceToDepth the reverse.
func depthToSpace(c *call) *Value {
	v, n := c.inputs[0], c.block()
	d := v.Dims
	split, order := []int{d[0], n, n, d[1] / (n * n), d[2], d[3]}, []int{0, 3, 4, 1, 5, 2}
	if c.text("mode", "DCR") == "CRD" {
		split, order = []int{d[0], d[1] / (n * n), n, n, d[2], d[3]}, []int{0, 1, 4, 2, 5, 3}
	}
	return c.reshape(c.transpose(c.reshape(v, split), order), []int{d[0], d[1] / (n * n), d[2] * n, d[3] * n})
}

func spaceToDepth(c *call) *Value {
	v, n := c.inputs[0], c.block()
	d := v.Dims
	split := c.reshape(v, []int{d[0], d[1], d[2] / n, n, d[3] / n, n})
	return c.reshape(c.transpose(split, []int{0, 3, 5, 1, 2, 4}), []int{d[0], d[1] * n * n, d[2] / n, d[3] / n})
}

// block is the side of the blocks of the two above, whose input has four dimensions.
func (c *call) block() int {
	c.image(c.inputs[0])
	n := c.integer("blocksize", 0)
	Require(n >= 1 && n <= maxElements, "its blocksize is %d", n)
	return n
}

// upTo lists the numbers below n.
func upTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// cut gives the first of n places and how many are taken, by the rules of Slice.
func cut(start, end, step, n int) (from, taken int) {
	Require(step != 0 && step <= maxElements && step >= -maxElements, "its step is %d", step)
	low, high := 0, n // of start and end
	if step < 0 {
		low, high = -1, n-1
	}
	place := func(i int) int {
		if i < 0 {
			i += n
		}
		return min(max(i, low), high)
	}
	from, to := place(start), place(end)
	if step > 0 {
		return from, max((to-from+step-1)/step, 0)
	}
	return from, max((from-to-step-1)/-step, 0)
}

// pad puts values around, as its mode says, or takes off where its amounts are negative.
func pad(c *call) *Value {
	v := c.inputs[0]
	amounts, axes := c.list("pads", 1), c.list("axes", 3)
	if axes == nil {
		axes = upTo(len(v.Dims))
	}
	Require(len(amounts) == 2*len(axes), "its pads %v do not fit the shape %v", amounts, v.Dims)
	op := Pad{Before: make([]int, len(v.Dims)), After: make([]int, len(v.Dims)), Value: float64(c.number("value", 0))}
	if value := c.constant(2, "value"); value != nil && len(value.Data) == 1 {
		op.Value = value.Data[0]
	}
	mode := c.text("mode", "constant")
	for i, a := range axes {
		a = axis(a, len(v.Dims))
		before, after := amounts[i], amounts[len(axes)+i]
		own := v.Dims[a]
		Require(max(before, after) <= maxElements && min(before, after) > -own && own+before+after >= 1, "its pads %v do not fit the shape %v", amounts, v.Dims)
		if mode == "constant" {
			op.Before[a], op.After[a] = max(before, 0), max(after, 0)
			before, after = min(before, 0), min(after, 0)
		}
		c.checked(with(v.Dims, a, own+before+after))
		v = c.taken(v, a, own+before+after, func(k int) int { return beyond(k-before, own, mode) })
	}
	return c.pad(v, op)
}

// beyond is the place among n whose value is repeated at place i around them.
func beyond(i, n int, mode string) int {
	switch mode {
	case "constant", "edge":
		return min(max(i, 0), n-1)
	case "wrap":
		return (i%n + n) % n
	case "reflect":
		round := max(2*(n-1), 1)
		i = (i%round + round) % round
		return min(i, round-i)
	}
	Refuse("it pads in the mode %s; constant, edge, reflect and wrap are understood", mode)
	return 0
}

// tile repeats its input along each dimension.
func tile(c *call) *Value {
	v, repeats := c.inputs[0], c.list("repeats", 1)
	Require(len(repeats) == len(v.Dims), "its repeats %v do not fit the shape %v", repeats, v.Dims)
	for along, n := range repeats {
		own := v.Dims[along]
		c.checked(with(v.Dims, along, own*within(n, "repeats")))
		v = c.taken(v, along, own*n, func(k int) int { return k % own })
	}
	return v
}
