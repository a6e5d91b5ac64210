package program

import "inkshade/glcompute/expr"

// SGD records one step of gradient descent with momentum, in place on w and its momentum v:
//
//	v = momentum·v + dw + decay·(w - anchor)
//	w = w - rate·v
//
// settings is [1][3]: rate, momentum, decay; being a tensor they can change with every replay.
// anchor (may be nil, standing for zeros) is where the decay pulls: the shipped model in
// personal learning, so that what it knew is not forgotten. A step is the training of learnable
// parameters on the GPU in claims 2 and 3 of the pixel-shader patent (US 7,219,085, Microsoft).
func (p *Program) SGD(w, v, dw, anchor, settings *Tensor) {
	args, momentum := stepOf(w, v, dw, anchor, settings)
	p.Update("sgd", []*Tensor{v, w}, []*expr.Expr{
		momentum(expr.Const(0)), expr.Sub(expr.Arg(1), expr.Mul(expr.Arg(3), expr.NewValue(0))),
	}, args...)
}

// stepOf gives the operands of a step, v, w, dw, the three settings and the anchor where it is not nil, and the new momentum of
// parameters w and low. It panics where they do not fit.
func stepOf(w, v, dw, anchor, settings *Tensor) (args []Operand, momentum func(low *expr.Expr) *expr.Expr) {
	requireShape("sgd", "the momentum", v, w.Rows, w.Cols)
	requireShape("sgd", "the gradient", dw, w.Rows, w.Cols)
	requireShape("sgd", "the settings", settings, 1, 3)
	args = []Operand{Whole(v), Whole(w), Whole(dw), ValueOf(settings, 0), ValueOf(settings, 1), ValueOf(settings, 2)}
	if anchor != nil {
		requireShape("sgd", "the anchor", anchor, w.Rows, w.Cols)
		args = append(args, Whole(anchor))
	}
	return args, func(low *expr.Expr) *expr.Expr {
		towards := expr.Arg(1)
		if anchor != nil {
			towards = expr.Sub(towards, expr.Arg(6))
		}
		return expr.Add(expr.Add(expr.Mul(expr.Arg(4), expr.Arg(0)), expr.Arg(2)), expr.Mul(expr.Arg(5), expr.Add(towards, low)))
	}
}

// AdamSettings is the number of values of Adam's settings.
const AdamSettings = 7

// Adam records one step of the adaptive moment estimation, in place on w and its moments m and v:
//
//	g = dw + decay·w
//	m = beta1·m + (1 - beta1)·g
//	v = beta2·v + (1 - beta2)·g²
//	w = w - rate · (m/correction1) / (√(v/correction2) + epsilon)
//
// settings is [1][AdamSettings]: rate, beta1, beta2, epsilon, decay, correction1 = 1 - beta1^t,
// correction2 = 1 - beta2^t, where t counts the steps from 1; epsilon must be above zero. Kingma and Ba,
// "Adam: a method for stochastic optimization" (2015), algorithm 1.
func (p *Program) Adam(w, m, v, dw, settings *Tensor) {
	requireShape("adam", "the gradient", dw, w.Rows, w.Cols)
	requireShape("adam", "the settings", settings, 1, AdamSettings)
	args := []Operand{Whole(w), Whole(m), Whole(v), Whole(dw)}
	setting := func(i int) *expr.Expr {
		args = append(args, ValueOf(settings, i))
		return expr.Arg(len(args) - 1)
	}
	rate, beta1, beta2, epsilon, decay, correction1, correction2 := setting(0), setting(1), setting(2), setting(3), setting(4), setting(5), setting(6)
	g := expr.Add(expr.Arg(3), expr.Mul(decay, expr.Arg(0)))
	moment := func(old, beta, value *expr.Expr) *expr.Expr {
		return expr.Add(expr.Mul(beta, old), expr.Mul(expr.Sub(expr.Const(1), beta), value))
	}
	p.Update("adam", []*Tensor{m, v, w}, []*expr.Expr{
		moment(expr.Arg(1), beta1, g),
		moment(expr.Arg(2), beta2, expr.Square(g)),
		expr.Sub(expr.Arg(0), expr.Div(expr.Mul(rate, expr.Div(expr.NewValue(0), correction1)),
			expr.Add(expr.Sqrt(expr.Div(expr.NewValue(1), correction2)), epsilon))),
	}, args...)
}

// SGDTwoFloats is SGD of parameters that are the sum of two floats, w + low, w being that sum
// rounded to float32 and low what the rounding left out, so that steps far smaller than half
// a unit in the last place of w are not lost:
//
//	v = momentum·v + dw + decay·(w + low - anchor)
//	w, low = two floats of (w + low - rate·v)
//
// low, zero at first, is a variable, too. Parameters in two parts are in the description of the pixel-shader patent
// (US 7,219,085, Microsoft). To find what the sum of w and a step lacks, the larger of the two is taken off it first, which is
// exact (Dekker, "A floating-point technique for extending the available precision", 1971). Should the sum have been rounded
// otherwise than to the nearest, this still is what it lacks.
func (p *Program) SGDTwoFloats(w, low, v, dw, anchor, settings *Tensor) {
	args, momentum := stepOf(w, v, dw, anchor, settings)
	args = append(args, Whole(low))
	old, rest := expr.Arg(1), expr.Arg(len(args)-1)
	step := expr.Sub(rest, expr.Mul(expr.Arg(3), expr.NewValue(0)))
	sum := expr.Round(expr.Add(old, step))
	lost := expr.Select(expr.Sub(expr.Abs(step), expr.Abs(old)), expr.Sub(old, expr.Sub(sum, step)), expr.Sub(step, expr.Sub(sum, old)))
	p.Update("sgd in two floats", []*Tensor{v, low, w}, []*expr.Expr{momentum(rest), lost, sum}, args...)
}
