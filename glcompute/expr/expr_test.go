package expr

import (
	"math"
	"testing"
)

// TestDerivatives compares every primitive and every nonlinearity with central differences.
func TestDerivatives(t *testing.T) {
	a, b := Arg(0), Arg(1)
	formulas := []*Expr{
		Add(a, b), Sub(a, b), Mul(a, b), Div(a, b), Max(a, b), Min(a, b), Exp(a), Log(Square(a)), Sqrt(Exp(a)), Tanh(a), Sigmoid(a),
		Select(a, Mul(a, b), b), Clip(a, -0.5, 0.5), Abs(a), Mul(Tanh(Add(a, b)), Sigmoid(Mul(a, b))), Max(Const(0.25), a), Min(Const(0.25), a),
	}
	covered := map[Kind]bool{}
	for _, f := range Functions {
		formulas = append(formulas, f.Of(a), f.Of(Add(a, Mul(b, b))))
	}
	Walk(func(e *Expr) { covered[e.Kind] = true }, formulas...)
	for _, k := range Primitives {
		if !covered[k] {
			t.Errorf("the primitive %s is in no formula here", primitives[k].name)
		}
	}
	const h = 1e-6
	for _, e := range formulas {
		for i := range 2 {
			d := e.Derivative(i)
			for _, at := range [][]float64{{0.3, -0.7}, {-1.3, 0.4}, {2.1, 1.9}, {-0.2, -2.5}, {0.9, 0.1}} {
				v := &Values{Args: []float64{at[0], at[1]}}
				v.Args[i] = at[i] + h
				above := e.Evaluate(v)
				v.Args[i] = at[i] - h
				below := e.Evaluate(v)
				v.Args[i] = at[i]
				got, want := d.Evaluate(v), (above-below)/(2*h)
				if !(math.Abs(got-want) <= 1e-6*(1+math.Abs(want))) {
					t.Errorf("d/da%d %s at %v is %g by %s, %g by differences", i, e, at, got, d, want)
				}
			}
		}
	}
}

// TestDerivativeInTermsOfTheValue: those nonlinearities need nothing but their value for the
// backward pass.
func TestDerivativeInTermsOfTheValue(t *testing.T) {
	x := Add(Arg(0), Arg(1))
	for _, f := range []func(*Expr) *Expr{Identity, Tanh, Sigmoid, ReLU} {
		y := f(x)
		if d := y.Derivative(0).Replace(y, NewValue(0)); d.Uses(0) || d.Uses(1) {
			t.Errorf("the derivative of %s is %s", y, d)
		}
	}
}

func TestSimplification(t *testing.T) {
	x := Arg(0)
	for got, want := range map[*Expr]*Expr{
		Add(x, Const(0)): x, Mul(Const(1), x): x, Mul(x, Const(0)): Const(0), Sub(x, Const(0)): x,
		Div(x, Const(1)): x, Exp(Const(0)): Const(1), Add(Const(2), Const(3)): Const(5), Select(x, Const(1), Const(1)): Const(1),
		Mul(Const(1), Add(x, Const(2))).Map(func(l *Expr) *Expr {
			if l.Kind == LeafOperand {
				return Const(3)
			}
			return l
		}): Const(5),
	} {
		if got.Key() != want.Key() {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestErf(t *testing.T) {
	e := Erf(Arg(0))
	for x := -4.0; x <= 4; x += 1.0 / 64 {
		if got := e.Evaluate(&Values{Args: []float64{x}}); math.Abs(got-math.Erf(x)) > 1.6e-7 {
			t.Errorf("erf %g is %g, want %g", x, got, math.Erf(x))
		}
	}
}

// Every formula is read as it is written.
func TestParse(t *testing.T) {
	x, y := Arg(0), Arg(1)
	all := []*Expr{
		Const(-1.5e-7), Sub(Mul(x, ColumnIndex()), NewValue(2)), Select(x, Div(x, y), Min(x, y)),
		Log(Sqrt(Exp(y))), Arg(12),
	}
	for _, f := range Functions {
		all = append(all, f.Of(Add(x, y)), f.Of(x).Derivative(0))
	}
	for _, e := range all {
		if got, err := Parse(e.Key()); err != nil || got.Key() != e.Key() {
			t.Errorf("%s is read as %s, error %v", e, got, err)
		}
	}
	for _, text := range []string{"", "(", ")", "(+ a0)", "(+ a0 a1 a2)", "(tanh a0", "a", "b0", "(sin a0)", "a0 a1", "a-1"} {
		if e, err := Parse(text); err == nil {
			t.Errorf("%q is read as %s", text, e)
		}
	}
}
