package expr

import (
	"fmt"
	"math"
	"strings"
)

// Activation is a nonlinearity of one element, such as Tanh or one of the caller's own.
type Activation func(x *Expr) *Expr

// Function is an activation by the name that files and flags know it by.
type Function struct {
	Name string
	Of   Activation
}

// Functions lists the named activations. A new one is a line here and its formula below, and
// nothing anywhere else.
var Functions = []Function{
	{"identity", Identity},
	{"tanh", Tanh},
	{"sigmoid", Sigmoid},
	{"relu", ReLU},
	{"leaky-relu", func(x *Expr) *Expr { return LeakyReLU(x, 0.01) }},
	{"elu", func(x *Expr) *Expr { return ELU(x, 1) }},
	{"gelu", GELU},
}

// FunctionNamed finds one of Functions.
func FunctionNamed(name string) (Function, error) {
	var known []string
	for _, f := range Functions {
		if f.Name == name {
			return f, nil
		}
		known = append(known, f.Name)
	}
	return Function{}, fmt.Errorf("there is no nonlinearity %.60q; use one of %s", name, strings.Join(known, ", "))
}

// Name is that of the one among Functions that it is, and otherwise "activation".
func (f Activation) Name() string {
	key := f(Arg(0)).Key()
	for _, named := range Functions {
		if named.Of(Arg(0)).Key() == key {
			return named.Name
		}
	}
	return "activation"
}

// Identity is x itself.
func Identity(x *Expr) *Expr { return x }

// ReLU is max(x, 0).
func ReLU(x *Expr) *Expr { return Max(x, Const(0)) }

// LeakyReLU is x above zero and slope·x below.
func LeakyReLU(x *Expr, slope float32) *Expr { return Select(x, x, Scale(slope, x)) }

// ELU is x above zero and alpha·(e^x - 1) below (Clevert et al., 2016).
func ELU(x *Expr, alpha float32) *Expr {
	return Select(x, x, Scale(alpha, Sub(Exp(Min(x, Const(0))), Const(1))))
}

// GELU is x·Φ(x), Φ the normal distribution (Hendrycks and Gimpel, 2016).
func GELU(x *Expr) *Expr {
	return Mul(Scale(0.5, x), Add(Const(1), Erf(Scale(math.Sqrt2/2, x))))
}

// Clip bounds x from below and above.
func Clip(x *Expr, low, high float32) *Expr { return Min(Max(x, Const(low)), Const(high)) }

// Abs is |x|.
func Abs(x *Expr) *Expr { return Max(x, Neg(x)) }

// Neg is -x.
func Neg(x *Expr) *Expr { return Sub(Const(0), x) }

// Erf is the error function, within 1.5e-7 (Abramowitz and Stegun, 7.1.26).
func Erf(x *Expr) *Expr {
	a := Abs(x)
	t := Div(Const(1), Add(Const(1), Scale(0.3275911, a)))
	sum := Const(1.061405429)
	for _, c := range []float32{-1.453152027, 1.421413741, -0.284496736, 0.254829592} {
		sum = Add(Const(c), Mul(t, sum))
	}
	y := Sub(Const(1), Mul(Mul(t, sum), Exp(Neg(Square(a)))))
	return Select(x, y, Neg(y))
}
