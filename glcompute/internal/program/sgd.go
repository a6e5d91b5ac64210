package program

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/reference"
)

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
	requireStep(w, v, dw, anchor, settings)
	args := []Operand{Whole(v), Whole(w), Whole(dw), ValueOf(settings, 0), ValueOf(settings, 1), ValueOf(settings, 2)}
	rate, momentum, decay := expr.Arg(3), expr.Arg(4), expr.Arg(5)
	towards := expr.Arg(1)
	if anchor != nil {
		args = append(args, Whole(anchor))
		towards = expr.Sub(towards, expr.Arg(6))
	}
	p.Update("sgd", []*Tensor{v, w}, []*expr.Expr{
		expr.Add(expr.Add(expr.Mul(momentum, expr.Arg(0)), expr.Arg(2)), expr.Mul(decay, towards)),
		expr.Sub(expr.Arg(1), expr.Mul(rate, expr.NewValue(0))),
	}, args...)
}

// requireStep panics where the tensors of a step do not fit; anchor may be nil.
func requireStep(w, v, dw, anchor, settings *Tensor) {
	requireShape("sgd", "the momentum", v, w.Rows, w.Cols)
	requireShape("sgd", "the gradient", dw, w.Rows, w.Cols)
	requireShape("sgd", "the settings", settings, 1, 3)
	if anchor != nil {
		requireShape("sgd", "the anchor", anchor, w.Rows, w.Cols)
	}
	if w.Kind != Variable || v.Kind != Variable {
		panic("program: sgd: " + w.String() + " and " + v.String() + " must be variables, or the step would be lost")
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

// SGDTwoFloats is SGD of parameters that are the sum of two floats, W + Low, W being that sum
// rounded to float32 and Low what the rounding left out, so that steps far smaller than half
// a unit in the last place of W are not lost:
//
//	V = Momentum·V + DW + Decay·(W + Low - Anchor)
//	W, Low = two floats of (W + Low - Rate·V)
//
// Parameters in two parts are in the description of the pixel-shader patent (US 7,219,085,
// Microsoft); the error of the sum is taken as in Dekker, "A floating-point technique for extending
// the available precision" (1971).
type SGDTwoFloats struct{ W, Low, V, DW, Anchor, Settings *Tensor }

func (o *SGDTwoFloats) Name() string { return "sgd in two floats" }

func (o *SGDTwoFloats) Reads() []*Tensor {
	in := []*Tensor{o.W, o.Low, o.V, o.DW, o.Settings}
	if o.Anchor != nil {
		in = append(in, o.Anchor)
	}
	return in
}

func (o *SGDTwoFloats) Writes() []*Tensor { return []*Tensor{o.W, o.V, o.Low} }

func (o *SGDTwoFloats) Reference(v Values) {
	s := v.Of(o.Settings)
	reference.SGDTwoFloats(v.Of(o.W), v.Of(o.Low), v.Of(o.V), v.Of(o.DW), v.Of(o.Anchor), s[0], s[1], s[2])
}

func (o *SGDTwoFloats) Flow(s Samples) Flow { return s.None(o.Reads()...) }
func (o *SGDTwoFloats) With(f func(*Tensor) *Tensor) Op {
	return &SGDTwoFloats{f(o.W), f(o.Low), f(o.V), f(o.DW), f(o.Anchor), f(o.Settings)}
}

func (o *SGDTwoFloats) Gradient(b *Backward) { b.none("%s", o.Name()) }

// SGDTwoFloats records the update of w + low; w, low, which is zero at first, and the momentum v
// are variables. anchor may be nil; all but the settings, those of SGD, have the shape of w.
func (p *Program) SGDTwoFloats(w, low, v, dw, anchor, settings *Tensor) {
	requireStep(w, v, dw, anchor, settings)
	requireShape("sgd", "the low part", low, w.Rows, w.Cols)
	if low.Kind != Variable {
		panic("program: sgd: " + low.String() + " must be a variable, or the step would be lost")
	}
	p.Record(&SGDTwoFloats{W: w, Low: low, V: v, DW: dw, Anchor: anchor, Settings: settings})
}
