package graph

import "inkshade/glcompute/expr"

// normaliseOperators bring values to mean 0 and variance 1, those of training and those of the
// picture itself.
var normaliseOperators = map[string]operator{
	"BatchNormalization":    {5, 5, batchNormalization},
	"LayerNormalization":    {2, 3, layerNormalization},
	"InstanceNormalization": {3, 3, instanceNormalization},

	// What scikit-learn exports around a perceptron: standardised inputs, and probabilities with
	// their labels.
	"ai.onnx.ml.Scaler": {1, 1, scaler},
	"ai.onnx.ml.ZipMap": {1, 1, func(c *call) *Value { return c.inputs[0] }},
}

// batchNormalization is (x - mean)/√(variance + ε)·scale + bias for each channel.
func batchNormalization(c *call) *Value {
	if c.integer("training_mode", 0) != 0 {
		Refuse("it is in training mode; export the model for inference (in PyTorch after model.eval())")
	}
	if c.integer("spatial", 1) == 0 {
		Refuse("it is not spatial; export the model with opset 9 or newer")
	}
	x := c.inputs[0]
	if len(x.Dims) < 2 {
		Refuse("its input has the shape %v, want [N,channels,...]", x.Dims)
	}
	args := []*Value{x}
	for i, name := range []string{"scale", "bias", "mean", "variance"} {
		v := c.constant(i+1, name)
		if v.Elements() != x.Dims[1] {
			Refuse("its %s has the shape %v for %d channels", name, v.Dims, x.Dims[1])
		}
		args = append(args, v)
	}
	return c.emit(BatchNorm{c.number("epsilon", 1e-5)}, x.Type, x.Dims, args...)
}

// layerNormalization is that over all dimensions from one on, with a scale and bias for each place.
func layerNormalization(c *call) *Value {
	x := c.inputs[0]
	first := axis(c.integer("axis", -1), len(x.Dims))
	return c.normalised(upTo(len(x.Dims))[first:], c.inputs[1], c.in(2))
}

// instanceNormalization is that over all dimensions behind the channels, with a scale and bias for each channel.
func instanceNormalization(c *call) *Value {
	x := c.inputs[0]
	if len(x.Dims) < 3 {
		Refuse("its input has the shape %v, want [N,channels,...]", x.Dims)
	}
	return c.normalised(upTo(len(x.Dims))[2:], c.perChannel(c.inputs[1], x, 1), c.perChannel(c.inputs[2], x, 1))
}

// normalised is (x - m)/√(mean of (x - m)² + ε)·scale + bias, m the mean of x over the axes; bias may
// be nil.
func (c *call) normalised(axes []int, scale, bias *Value) *Value {
	a, b := expr.Arg(0), expr.Arg(1)
	x := c.inputs[0]
	centred := c.formula(expr.Sub(a, b), x, c.reduce(Mean, x, axes, true))
	variance := c.reduce(Mean, c.formula(expr.Square(a), centred), axes, true)
	deviation := c.formula(expr.Sqrt(expr.Add(a, expr.Const(c.number("epsilon", 1e-5)))), variance)
	y := c.formula(expr.Mul(a, b), c.formula(expr.Div(a, b), centred, deviation), scale)
	if bias == nil {
		return y
	}
	return c.formula(expr.Add(a, b), y, bias)
}

// scaler is (x - offset)·scale, with one of each or one for each value.
func scaler(c *call) *Value {
	e, args := expr.Arg(0), []*Value{c.inputs[0]}
	for _, name := range []string{"offset", "scale"} {
		list := c.attribute(name)
		if list == nil {
			continue
		}
		args = append(args, c.known(float, []int{len(list.Floats)}, numbers(list.Floats)))
		if by := expr.Arg(len(args) - 1); name == "offset" {
			e = expr.Sub(e, by)
		} else {
			e = expr.Mul(e, by)
		}
	}
	return c.formula(e, args...)
}
