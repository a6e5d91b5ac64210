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
	"DequantizeLinear":      {2, 3, dequantizeLinear},
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

// quantised is x/scale + zero within the range of a type.
func (c *call) quantised(x, scale, zero *Value, kind Type) *Value {
	bounds, ok := ranges[kind]
	if !ok {
		Refuse("it quantises to the type %s; whole numbers of 8 and 16 bits are understood", typeName(kind))
	}
	e, args := expr.Div(expr.Arg(0), expr.Arg(1)), []*Value{x, scale}
	if zero != nil {
		e, args = expr.Add(e, expr.Arg(2)), append(args, zero)
	}
	q := c.formula(expr.Clip(e, bounds[0], bounds[1]), args...)
	if q.Constant() {
		for i, v := range q.Data {
			q.Data[i] = math.RoundToEven(v)
		}
	}
	return q
}

// centred is q - zero as a float; zero may be nil.
func (c *call) centred(q, zero *Value) *Value {
	q = c.as(float, q)
	if zero == nil {
		return q
	}
	return c.formula(expr.Sub(expr.Arg(0), expr.Arg(1)), q, zero)
}

// real is (q - zero)·scale.
func (c *call) real(q, scale, zero *Value) *Value {
	return c.formula(expr.Mul(expr.Arg(0), expr.Arg(1)), c.centred(q, zero), scale)
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
	if c.integer("block_size", 0) != 0 {
		Refuse("it quantises in blocks; export it with one scale for a tensor or a channel")
	}
	if n := len(c.inputs[0].Dims); n > 1 {
		return axis(c.integer("axis", 1), n)
	}
	return 0
}

func quantizeLinear(c *call) *Value {
	x, along := c.inputs[0], c.parameterAxis()
	kind := Type(c.integer("output_dtype", int(onnxpb.TensorProto_UINT8)))
	if zero := c.in(2); zero != nil {
		kind = zero.Type
	}
	return c.quantised(x, c.parameter(1, "scale", x, along), c.parameter(2, "zero point", x, along), kind)
}

func dequantizeLinear(c *call) *Value {
	x, along := c.inputs[0], c.parameterAxis()
	return c.real(x, c.parameter(1, "scale", x, along), c.parameter(2, "zero point", x, along))
}

// dynamicQuantizeLinear chooses a scale for its values. Without rounding any will do: 1, and
// zero point 0.
func dynamicQuantizeLinear(c *call) *Value {
	c.more = []*Value{c.scalar(1), c.scalar(0)}
	return c.inputs[0]
}

// convInteger is the convolution of x - zero with w - zero.
func convInteger(c *call) *Value {
	x, w := c.inputs[0], c.constant(1, "filters")
	return c.convolve(c.centred(x, c.parameter(2, "zero point", x, 1)), c.centred(w, c.parameter(3, "zero point", w, 0)))
}

func matMulInteger(c *call) *Value {
	x, w := c.inputs[0], c.inputs[1]
	return c.matMul(c.centred(x, c.parameter(2, "zero point", x, len(x.Dims)-2)), c.centred(w, c.parameter(3, "zero point", w, len(w.Dims)-1)))
}

// qLinearConv has a bias of whole numbers, in units of both scales.
func qLinearConv(c *call) *Value {
	x, w := c.inputs[0], c.constant(3, "filters")
	scaleX, scaleW := c.parameter(1, "scale", x, 1), c.parameter(4, "scale", w, 0)
	y := c.convolve(c.real(x, scaleX, c.parameter(2, "zero point", x, 1)), c.real(w, scaleW, c.parameter(5, "zero point", w, 0)))
	if bias := c.constant(8, "bias"); bias != nil {
		bias = c.as(float, c.perChannel(bias, y, 1))
		unit := c.perChannel(c.constant(4, "scale"), y, 1)
		y = c.formula(expr.Add(expr.Arg(0), expr.Mul(expr.Arg(1), expr.Mul(expr.Arg(2), expr.Arg(3)))), y, bias, scaleX, unit)
	}
	return c.quantised(y, c.parameter(6, "scale", y, 1), c.parameter(7, "zero point", y, 1), c.inputs[7].Type)
}

func qLinearMatMul(c *call) *Value {
	x, w := c.inputs[0], c.inputs[3]
	rows, columns := len(x.Dims)-2, len(w.Dims)-1
	y := c.matMul(c.real(x, c.parameter(1, "scale", x, rows), c.parameter(2, "zero point", x, rows)),
		c.real(w, c.parameter(4, "scale", w, columns), c.parameter(5, "zero point", w, columns)))
	return c.quantised(y, c.parameter(6, "scale", y, len(y.Dims)-2), c.parameter(7, "zero point", y, len(y.Dims)-2), c.inputs[7].Type)
}
