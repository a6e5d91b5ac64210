package expr

import "math"

// Values are what the leaves of a formula stand for at one element.
type Values struct {
	Args    []float64 // operands
	Results []float64 // results that came before
	Column  float64   // the number of the column
}

// Evaluate computes the formula in float64; it defines what the primitives mean. v may be
// nil for a formula of constants.
func (e *Expr) Evaluate(v *Values) float64 {
	switch e.Kind {
	case LeafConstant:
		return float64(e.Value)
	case LeafOperand:
		return v.Args[e.Index]
	case LeafResult:
		return v.Results[e.Index]
	case LeafColumn:
		return v.Column
	}
	a := e.Args[0].Evaluate(v)
	switch e.Kind {
	case OpExp:
		return math.Exp(a)
	case OpLog:
		return math.Log(a)
	case OpSqrt:
		return math.Sqrt(a)
	case OpTanh:
		return math.Tanh(a)
	case OpSigmoid:
		return 1 / (1 + math.Exp(-a))
	}
	b := e.Args[1].Evaluate(v)
	switch e.Kind {
	case OpAdd:
		return a + b
	case OpSub:
		return a - b
	case OpMul:
		return a * b
	case OpDiv:
		return a / b
	case OpMax:
		return math.Max(a, b)
	case OpMin:
		return math.Min(a, b)
	case OpSelect:
		if a > 0 {
			return b
		}
		return e.Args[2].Evaluate(v)
	}
	panic("expr: no meaning for " + e.key)
}
