package graph

import (
	"math"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// quantisedOperators compute with whole numbers that stand for others: q for (q - zero)·scale.
// Here they compute with the same numbers but do not round them; what is beyond the range of
// the type is cut off as before, since exporters leave a ReLU to that.
var quantisedOperators = map[string]operator{
	"QuantizeLinear":        {2, 3, quantizeLinear},
	"DequantizeLinear":      {2, 3, func(c *call) *Value { return c.real(0, c.parameterAxis()) }},
	"DynamicQuantizeLinear": {1, 1, dynamicQuantizeLinear},
	"ConvInteger":           {2, 4, convInteger},
	"MatMulInteger":         {2, 4, matMulInteger},
	"QLinearConv":           {8, 9, qLinearConv},
	"QLinearMatMul":         {8, 8, qLinearMatMul},
}

const float = onnxpb.TensorProto_FLOAT

// ranges of the quantised types.
var ranges = map[Type][2]float32{
	onnxpb.TensorProto_UINT8: {0, 255}, onnxpb.TensorProto_INT8: {-128, 127},
	onnxpb.TensorProto_UINT16: {0, 65535}, onnxpb.TensorProto_INT16: {-32768, 32767},
}

// quantised is v/scale + zero within the range of a type; scale and maybe zero are the inputs from i on, along an axis of v.
func (c *call) quantised(v *Value, i, along int, kind Type) *Value {
	bounds, ok := ranges[kind]
	Require(ok, "it quantises to the type %s; whole numbers of 8 and 16 bits are understood", typeName(kind))
	e, args := expr.Div(expr.Arg(0), expr.Arg(1)), []*Value{v, c.parameter(i, "scale", v, along)}
	if zero := c.parameter(i+1, "zero point", v, along); zero != nil {
		e, args = expr.Add(e, expr.Arg(2)), append(args, zero)
	}
	q := c.formula(expr.Clip(e, bounds[0], bounds[1]), args...)
	if q.Constant() {
		return c.each(q, math.RoundToEven)
	}
	return q
}

// centred is q - zero as a float; zero is input i along an axis of q, if there is one.
func (c *call) centred(q *Value, i, along int) *Value {
	zero := c.parameter(i, "zero point", q, along)
	q = c.as(float, q)
	if zero == nil {
		return q
	}
	return c.formula(expr.Sub(expr.Arg(0), expr.Arg(1)), q, zero)
}

// real is (q - zero)·scale of input i; scale and maybe zero are the inputs after it, along an axis.
func (c *call) real(i, along int) *Value {
	q := c.inputs[i]
	return c.formula(expr.Mul(expr.Arg(0), expr.Arg(1)), c.centred(q, i+2, along), c.parameter(i+1, "scale", q, along))
}

// parameter is an input that scales or shifts along an axis of x; nil when it is left out.
func (c *call) parameter(i int, what string, x *Value, along int) *Value {
	v := c.constant(i, what)
	if v == nil {
		return nil
	}
	return c.as(float, c.perChannel(v, x, along))
}

func (c *call) parameterAxis() int {
	Require(c.integer("block_size", 0) == 0, "it quantises in blocks; export it with one scale for a tensor or a channel")
	if n := len(c.inputs[0].Dims); n > 1 {
		return axis(c.integer("axis", 1), n)
	}
	return 0
}

func quantizeLinear(c *call) *Value {
	kind := Type(c.integer("output_dtype", int(onnxpb.TensorProto_UINT8)))
	if zero := c.in(2); zero != nil {
		kind = zero.Type
	}
	return c.quantised(c.inputs[0], 1, c.parameterAxis(), kind)
}

// dynamicQuantizeLinear chooses a scale for its values. Without rounding any will do: 1, and
// zero point 0.
func dynamicQuantizeLinear(c *call) *Value {
	c.more = []*Value{c.scalar(1), c.scalar(0)}
	return c.inputs[0]
}

// convInteger is the convolution of x - zero with w - zero.
func convInteger(c *call) *Value {
	return c.convolve(c.centred(c.inputs[0], 2, 1), c.centred(c.constant(1, "filters"), 3, 0))
}

func matMulInteger(c *call) *Value {
	x, w := c.inputs[0], c.inputs[1]
	return c.matMul(c.centred(x, 2, len(x.Dims)-2), c.centred(w, 3, len(w.Dims)-1))
}

// qLinearConv has a bias of whole numbers, in units of both scales.
func qLinearConv(c *call) *Value {
	x := c.inputs[0]
	c.constant(3, "filters")
	y := c.convolve(c.real(0, 1), c.real(3, 0))
	if bias := c.parameter(8, "bias", y, 1); bias != nil {
		unit := c.perChannel(c.constant(4, "scale"), y, 1)
		y = c.formula(expr.Add(expr.Arg(0), expr.Mul(expr.Arg(1), expr.Mul(expr.Arg(2), expr.Arg(3)))), y, bias, c.parameter(1, "scale", x, 1), unit)
	}
	return c.quantised(y, 6, 1, c.inputs[7].Type)
}

func qLinearMatMul(c *call) *Value {
	y := c.matMul(c.real(0, len(c.inputs[0].Dims)-2), c.real(3, len(c.inputs[3].Dims)-1))
	return c.quantised(y, 6, len(y.Dims)-2, c.inputs[7].Type)
}
