package graph

import (
	"math"
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/recognizer/nn/onnx/internal/onnxpb"
)

// elementwiseOperators compute each element for itself: a formula of a line.
var elementwiseOperators = map[string]operator{
	"Add": ofTwo(expr.Add), "Sub": ofTwo(expr.Sub), "Mul": ofTwo(expr.Mul), "Div": ofTwo(expr.Div),
	"Sum": ofAny(expr.Add), "Max": ofAny(expr.Max), "Min": ofAny(expr.Min), "Mean": {1, -1, mean},

	"Relu": ofOne(expr.ReLU), "Tanh": ofOne(expr.Tanh), "Sigmoid": ofOne(expr.Sigmoid), "Erf": ofOne(expr.Erf),
	"Exp": ofOne(expr.Exp), "Log": ofOne(expr.Log), "Sqrt": ofOne(expr.Sqrt), "Abs": ofOne(expr.Abs), "Neg": ofOne(expr.Neg),
	"Reciprocal": ofOne(func(x *expr.Expr) *expr.Expr { return expr.Div(expr.Const(1), x) }),
	"Softplus":   ofOne(softplus),
	"Softsign":   ofOne(func(x *expr.Expr) *expr.Expr { return expr.Div(x, expr.Add(expr.Const(1), expr.Abs(x))) }),
	"Mish":       ofOne(func(x *expr.Expr) *expr.Expr { return expr.Mul(x, expr.Tanh(softplus(x))) }),
	"HardSwish":  ofOne(func(x *expr.Expr) *expr.Expr { return expr.Mul(x, hardSigmoid(x, 1./6, 0.5)) }),
	"LeakyRelu":  withAlpha(0.01, expr.LeakyReLU), "Elu": withAlpha(1, expr.ELU),
	"ThresholdedRelu": withAlpha(1, func(x *expr.Expr, alpha float32) *expr.Expr {
		return expr.Mul(x, greater(x, expr.Const(alpha)))
	}),
	"Celu": withAlpha(1, func(x *expr.Expr, alpha float32) *expr.Expr {
		return expr.Scale(alpha, expr.ELU(expr.Scale(1/alpha, x), 1))
	}),
	"Swish": withAlpha(1, func(x *expr.Expr, alpha float32) *expr.Expr {
		return expr.Mul(x, expr.Sigmoid(expr.Scale(alpha, x)))
	}),
	"Selu": withAttributes(func(c *call, x *expr.Expr) *expr.Expr {
		return expr.Scale(c.number("gamma", 1.05070102214813232421875), expr.ELU(x, c.number("alpha", 1.67326319217681884765625)))
	}),
	"HardSigmoid": withAttributes(func(c *call, x *expr.Expr) *expr.Expr {
		return hardSigmoid(x, c.number("alpha", 0.2), c.number("beta", 0.5))
	}),
	"Gelu": withAttributes(func(c *call, x *expr.Expr) *expr.Expr {
		if c.text("approximate", "none") == "tanh" {
			return geluByTanh(x)
		}
		return expr.GELU(x)
	}),
	"Sign": ofOne(func(x *expr.Expr) *expr.Expr {
		zero := expr.Const(0)
		return expr.Sub(greater(x, zero), greater(zero, x))
	}),
	"PRelu": ofTwo(func(x, slope *expr.Expr) *expr.Expr { return expr.Select(x, x, expr.Mul(slope, x)) }),

	// Truth is 1, else 0.
	"Greater": ofTwo(greater), "Less": ofTwo(func(x, y *expr.Expr) *expr.Expr { return greater(y, x) }),
	"GreaterOrEqual": ofTwo(func(x, y *expr.Expr) *expr.Expr { return not(greater(y, x)) }),
	"LessOrEqual":    ofTwo(func(x, y *expr.Expr) *expr.Expr { return not(greater(x, y)) }),
	"Equal":          ofTwo(func(x, y *expr.Expr) *expr.Expr { return not(expr.Add(greater(x, y), greater(y, x))) }),
	"Not":            ofOne(not), "And": ofTwo(expr.Min), "Or": ofTwo(expr.Max),
	"Where": {3, 3, func(c *call) *Value {
		return c.as(c.inputs[1].Type, c.formula(expr.Select(expr.Arg(0), expr.Arg(1), expr.Arg(2)), c.inputs...))
	}},

	"Clip":     {1, 3, clip},
	"Pow":      {2, 2, power},
	"Cast":     {1, 1, func(c *call) *Value { return c.cast(Type(c.integer("to", 0))) }},
	"CastLike": {2, 2, func(c *call) *Value { return c.cast(c.inputs[1].Type) }},

	// Sizes and positions are computed with these.
	"Floor": ofConstants(math.Floor), "Ceil": ofConstants(math.Ceil), "Round": ofConstants(math.RoundToEven),
	"Sin": ofConstants(math.Sin), "Cos": ofConstants(math.Cos),
	"IsNaN": {1, 1, func(c *call) *Value { return c.known(onnxpb.TensorProto_BOOL, nil, []float64{0}) }}, // see plain
}

func ofConstants(f func(float64) float64) operator {
	return operator{1, 1, func(c *call) *Value { return c.each(c.constant(0, "operand"), f) }}
}

func ofOne(f func(x *expr.Expr) *expr.Expr) operator {
	return operator{1, 1, func(c *call) *Value { return c.formula(f(expr.Arg(0)), c.inputs[0]) }}
}

func withAttributes(f func(c *call, x *expr.Expr) *expr.Expr) operator {
	return operator{1, 1, func(c *call) *Value { return c.formula(f(c, expr.Arg(0)), c.inputs[0]) }}
}

func withAlpha(otherwise float32, f func(x *expr.Expr, alpha float32) *expr.Expr) operator {
	return withAttributes(func(c *call, x *expr.Expr) *expr.Expr { return f(x, c.number("alpha", otherwise)) })
}

func ofTwo(f func(x, y *expr.Expr) *expr.Expr) operator {
	return operator{2, 2, func(c *call) *Value { return c.formula(f(expr.Arg(0), expr.Arg(1)), c.inputs...) }}
}

func ofAny(f func(x, y *expr.Expr) *expr.Expr) operator {
	return operator{1, -1, func(c *call) *Value { return c.combine(f) }}
}

// combine takes the inputs two by two.
func (c *call) combine(f func(x, y *expr.Expr) *expr.Expr) *Value {
	result := c.inputs[0]
	for _, v := range c.inputs[1:] {
		result = c.formula(f(expr.Arg(0), expr.Arg(1)), result, v)
	}
	return result
}

func mean(c *call) *Value {
	return c.formula(expr.Div(expr.Arg(0), expr.Arg(1)), c.combine(expr.Add), c.scalar(float64(len(c.inputs))))
}

// greater is 1 where x is above y, else 0.
func greater(x, y *expr.Expr) *expr.Expr {
	return expr.Select(expr.Sub(x, y), expr.Const(1), expr.Const(0))
}

// not exchanges truth and its opposite.
func not(x *expr.Expr) *expr.Expr { return expr.Sub(expr.Const(1), x) }

// softplus is ln(1 + e^x), written so that e^x is at most 1.
func softplus(x *expr.Expr) *expr.Expr {
	return expr.Add(expr.ReLU(x), expr.Log(expr.Add(expr.Const(1), expr.Exp(expr.Neg(expr.Abs(x))))))
}

func hardSigmoid(x *expr.Expr, alpha, beta float32) *expr.Expr {
	return expr.Clip(expr.Add(expr.Scale(alpha, x), expr.Const(beta)), 0, 1)
}

// geluByTanh is x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))).
func geluByTanh(x *expr.Expr) *expr.Expr {
	inner := expr.Add(x, expr.Scale(0.044715, expr.Mul(x, expr.Square(x))))
	return expr.Mul(expr.Scale(0.5, x), expr.Add(expr.Const(1), expr.Tanh(expr.Scale(float32(math.Sqrt(2/math.Pi)), inner))))
}

// clip has its bounds as attributes before opset 11, then as inputs. Infinite ones are none.
func clip(c *call) *Value {
	v := c.inputs[0]
	for i, bound := range []struct {
		name string
		of   func(a, b *expr.Expr) *expr.Expr
	}{{"min", expr.Max}, {"max", expr.Min}} {
		limit := c.in(i + 1)
		if a := c.attribute(bound.name); limit == nil && a != nil {
			limit = c.scalar(float64(a.GetF()))
		}
		if limit == nil {
			continue
		}
		Require(limit.Elements() == 1, "its %s has the shape %v, want one number", bound.name, limit.Dims)
		if !limit.Constant() || !math.IsInf(float64(float32(limit.Data[0])), 0) {
			v = c.formula(bound.of(expr.Arg(0), expr.Arg(1)), v, limit)
		}
	}
	return v
}

// power is x^y. Constant exponents that networks use are formulas without a logarithm, which
// has no value below zero.
func power(c *call) *Value {
	x, y := expr.Arg(0), c.inputs[1]
	if y.Constant() && y.Elements() == 1 {
		switch n := y.Data[0]; {
		case n == 0.5:
			return c.formula(expr.Sqrt(x), c.inputs[0])
		case n >= 1 && n <= 8 && n == math.Trunc(n):
			e := x
			for range int(n) - 1 {
				e = expr.Mul(e, x)
			}
			return c.formula(e, c.inputs[0])
		}
	}
	return c.formula(expr.Exp(expr.Mul(expr.Arg(1), expr.Log(x))), c.inputs...)
}

// cast gives constants another type. What is computed stays as it is: it must not be rounded.
func (c *call) cast(to Type) *Value {
	v := c.inputs[0]
	Require(elements[to].bytes > 0, "it makes the type %s; numbers of 8 to 64 bits are understood", typeName(to))
	if !elements[to].whole || elements[v.Type].whole {
		return c.as(to, v)
	}
	Require(v.Constant(), "it rounds computed values to the type %s", typeName(to))
	return c.as(to, c.each(v, math.Trunc))
}

// each is a function of each value of a constant.
func (b *builder) each(v *Value, f func(float64) float64) *Value {
	out := b.blank(v.Type, v.Dims)
	for i, x := range v.Data {
		out.Data[i] = f(x)
	}
	return out
}

// as is the same values under another type.
func (b *builder) as(t Type, v *Value) *Value {
	switch {
	case v.Type == t:
		return v
	case v.Constant():
		return &Value{Type: t, Dims: v.Dims, Data: v.Data}
	}
	return b.emit(Reshape{}, t, v.Dims, v)
}

// perChannel gives a vector, or a single value, the shape with which it is stretched along
// all dimensions of x but one.
func (b *builder) perChannel(v, x *Value, along int) *Value {
	if v.Elements() == 1 {
		return b.reshape(v, nil)
	}
	Require(along >= 0 && along < len(x.Dims) && v.Elements() == x.Dims[along], "its input of the shape %v does not fit %v", v.Dims, x.Dims)
	dims := slices.Repeat([]int{1}, len(x.Dims)-along)
	dims[0] = v.Elements()
	return b.reshape(v, dims)
}
