package graph

import (
	"cmp"

	"inkshade/glcompute/expr"
)

// normaliseOperators bring values to mean 0 and variance 1, those of training and those of the
// picture itself.
var normaliseOperators = map[string]operator{
	"BatchNormalization":    {5, 5, batchNormalization},
	"LayerNormalization":    {2, 3, overLast((*builder).normalised)},
	"InstanceNormalization": {3, 3, groupNormalization},
	"GroupNormalization":    {3, 3, groupNormalization},
	"RMSNormalization":      {2, 2, overLast((*builder).divided)},
	"LRN":                   {1, 1, localResponseNormalization},

	// What scikit-learn exports around a perceptron: standardised inputs, and probabilities with
	// their labels.
	"ai.onnx.ml.Scaler": {1, 1, scaler},
	"ai.onnx.ml.ZipMap": {1, 1, func(c *call) *Value { return c.inputs[0] }},
}

// batchNormalization is (x - mean)/√(variance + ε)·scale + bias for each channel.
func batchNormalization(c *call) *Value {
	Require(c.integer("training_mode", 0) == 0, "it is in training mode; export the model for inference (in PyTorch after model.eval())")
	Require(c.integer("spatial", 1) != 0, "it is not spatial; export the model with opset 9 or newer")
	x := c.inputs[0]
	Require(len(x.Dims) >= 2, "its input has the shape %v, want [N,channels,...]", x.Dims)
	args := []*Value{x}
	for i, name := range []string{"scale", "bias", "mean", "variance"} {
		v := c.constant(i+1, name)
		Require(v.Elements() == x.Dims[1], "its %s has the shape %v for %d channels", name, v.Dims, x.Dims[1])
		args = append(args, v)
	}
	return c.emit(BatchNorm{c.number("epsilon", 1e-5)}, x.Type, x.Dims, args...)
}

// overLast is a normalisation over all dimensions from one on, with a scale and maybe a bias for each place.
func overLast(of func(b *builder, x *Value, axes []int, epsilon float32) *Value) func(c *call) *Value {
	return func(c *call) *Value {
		x := c.inputs[0]
		first := axis(c.integer("axis", -1), len(x.Dims))
		return c.affine(of(c.builder, x, upTo(len(x.Dims))[first:], c.number("epsilon", 1e-5)), c.inputs[1], c.in(2))
	}
}

// groupNormalization is that over groups of channels, or over each channel; before opset 21 with a scale and bias for each of those.
func groupNormalization(c *call) *Value {
	x := c.inputs[0]
	Require(len(x.Dims) >= 3, "its input has the shape %v, want [N,channels,...]", x.Dims)
	groups := c.integer("num_groups", x.Dims[1])
	Require(x.Elements() > 0 && groups >= 1 && x.Dims[1]%groups == 0, "its input of the shape %v is not %d groups of channels", x.Dims, groups)
	grouped := c.reshape(x, []int{x.Dims[0], groups, x.Elements() / (x.Dims[0] * groups)})
	y := c.normalised(grouped, []int{2}, c.number("epsilon", 1e-5))
	if c.opset >= 21 {
		y = c.reshape(y, x.Dims)
	}
	return c.reshape(c.affine(y, c.perChannel(c.inputs[1], y, 1), c.perChannel(c.inputs[2], y, 1)), x.Dims)
}

// localResponseNormalization is x/(bias + alpha·mean of x²)^beta over neighbouring channels, beyond
// which are zeros.
func localResponseNormalization(c *call) *Value {
	x, size := c.inputs[0], c.integer("size", 1)
	Require(len(x.Dims) >= 3 && size >= 1 && size <= 2*x.Dims[1], "its size is %d for the shape %v", size, x.Dims)
	a := expr.Arg(0)
	op := Pad{Before: make([]int, len(x.Dims)), After: make([]int, len(x.Dims))}
	op.Before[1], op.After[1] = (size-1)/2, size/2
	squares, sum := c.pad(c.formula(expr.Square(a), x), op), (*Value)(nil)
	for i := range size {
		sum = c.plus(sum, c.taken(squares, 1, x.Dims[1], func(k int) int { return i + k }))
	}
	inner := expr.Add(expr.Const(c.number("bias", 1)), expr.Scale(c.number("alpha", 1e-4)/float32(size), expr.Arg(1)))
	power := expr.Exp(expr.Scale(-c.number("beta", 0.75), expr.Log(inner)))
	return c.formula(expr.Mul(a, power), x, sum)
}

// normalised is (x - m)/√(mean of (x - m)² + ε), m the mean of x over the axes.
func (b *builder) normalised(x *Value, axes []int, epsilon float32) *Value {
	centred := b.formula(expr.Sub(expr.Arg(0), expr.Arg(1)), x, b.reduce(Mean, x, axes, true))
	return b.divided(centred, axes, epsilon)
}

// divided is x/√(mean of x² + ε) over the axes.
func (b *builder) divided(x *Value, axes []int, epsilon float32) *Value {
	a := expr.Arg(0)
	square := b.reduce(Mean, b.formula(expr.Square(a), x), axes, true)
	return b.formula(expr.Div(a, expr.Arg(1)), x, b.formula(expr.Sqrt(expr.Add(a, expr.Const(epsilon))), square))
}

// affine is x·scale + bias; bias may be nil.
func (b *builder) affine(x, scale, bias *Value) *Value {
	return b.plus(b.formula(expr.Mul(expr.Arg(0), expr.Arg(1)), x, scale), bias)
}

// plus is x + y, of which one may be nil.
func (b *builder) plus(x, y *Value) *Value {
	if x == nil || y == nil {
		return cmp.Or(x, y)
	}
	return b.formula(expr.Add(expr.Arg(0), expr.Arg(1)), x, y)
}

// scaler is (x - offset)·scale, with one of each or one for each value.
func scaler(c *call) *Value {
	v := c.inputs[0]
	if offset := c.floats("offset"); offset != nil {
		v = c.formula(expr.Sub(expr.Arg(0), expr.Arg(1)), v, offset)
	}
	if scale := c.floats("scale"); scale != nil {
		v = c.formula(expr.Mul(expr.Arg(0), expr.Arg(1)), v, scale)
	}
	return v
}
