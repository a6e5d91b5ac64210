package expr

import "math"

// Kind says what a node of a formula is: a leaf, or one of the primitives.
type Kind uint8

// The leaves, then the primitives.
const (
	LeafConstant Kind = iota // Value
	LeafOperand              // the operand number Index of the operation
	LeafResult               // the new value of result number Index of the same operation, an earlier one
	LeafColumn               // the number of the column, from zero

	OpAdd     // a + b
	OpSub     // a - b
	OpMul     // a·b
	OpDiv     // a / b
	OpMax     // the larger of a and b
	OpMin     // the smaller
	OpExp     // e^a
	OpLog     // ln a
	OpSqrt    // √a
	OpTanh    // (e^a - e^-a)/(e^a + e^-a)
	OpSigmoid // 1/(1 + e^-a)
	OpSelect  // b where a > 0, else c

	OpRound // a as a float32 has it, which no compiler may compute with more or fewer bits; it has no derivative
)

// Primitives lists those of which formulas are made that have a derivative.
var Primitives = []Kind{OpAdd, OpSub, OpMul, OpDiv, OpMax, OpMin, OpExp, OpLog, OpSqrt, OpTanh, OpSigmoid, OpSelect}

// primitive is what a kind means: its name in keys, the number of its arguments, its value, and its derivative from those
// of its arguments d, in terms of its own value e where that is possible.
type primitive struct {
	name       string
	arity      int
	value      func(a, b, c float64) float64
	derivative func(e *Expr, d []*Expr) *Expr
}

var primitives [OpRound + 1]primitive // leaves have none

func init() {
	primitives = [...]primitive{
		OpAdd: {
			"+", 2, func(a, b, _ float64) float64 { return a + b },
			func(_ *Expr, d []*Expr) *Expr { return Add(d[0], d[1]) },
		},
		OpSub: {
			"-", 2, func(a, b, _ float64) float64 { return a - b },
			func(_ *Expr, d []*Expr) *Expr { return Sub(d[0], d[1]) },
		},
		OpMul: {
			"*", 2, func(a, b, _ float64) float64 { return a * b },
			func(e *Expr, d []*Expr) *Expr { return Add(Mul(d[0], e.Args[1]), Mul(e.Args[0], d[1])) },
		},
		OpDiv: {
			"/", 2, func(a, b, _ float64) float64 { return a / b },
			func(e *Expr, d []*Expr) *Expr { return Sub(Div(d[0], e.Args[1]), Div(Mul(e, d[1]), e.Args[1])) },
		},
		OpMax: {
			"max", 2, func(a, b, _ float64) float64 { return math.Max(a, b) },
			func(e *Expr, d []*Expr) *Expr { return Select(Sub(e.first(), e.Args[1]), d[0], d[1]) },
		},
		OpMin: {
			"min", 2, func(a, b, _ float64) float64 { return math.Min(a, b) },
			func(e *Expr, d []*Expr) *Expr { return Select(Sub(e.Args[1], e.first()), d[0], d[1]) },
		},
		OpExp:  {"exp", 1, of(math.Exp), func(e *Expr, d []*Expr) *Expr { return Mul(d[0], e) }},
		OpLog:  {"log", 1, of(math.Log), func(e *Expr, d []*Expr) *Expr { return Div(d[0], e.Args[0]) }},
		OpSqrt: {"sqrt", 1, of(math.Sqrt), func(e *Expr, d []*Expr) *Expr { return Div(d[0], Scale(2, e)) }},
		OpTanh: {"tanh", 1, of(math.Tanh), func(e *Expr, d []*Expr) *Expr { return Mul(d[0], Sub(Const(1), Square(e))) }},
		OpSigmoid: {
			"sigmoid", 1, func(a, _, _ float64) float64 { return 1 / (1 + math.Exp(-a)) },
			func(e *Expr, d []*Expr) *Expr { return Mul(d[0], Mul(e, Sub(Const(1), e))) },
		},
		OpSelect: {
			"select", 3, func(a, b, c float64) float64 {
				if a > 0 {
					return b
				}
				return c
			},
			func(e *Expr, d []*Expr) *Expr { return Select(e.Args[0], d[1], d[2]) },
		},
		OpRound: {"round", 1, func(a, _, _ float64) float64 { return float64(float32(a)) }, nil},
	}
}

// of is a function of the first argument.
func of(f func(float64) float64) func(a, b, c float64) float64 {
	return func(a, _, _ float64) float64 { return f(a) }
}

// first is the first argument of a maximum or minimum, for telling which of the two it is: beside a constant, which comes
// last, its value does as well.
func (e *Expr) first() *Expr {
	if e.Args[1].Kind == LeafConstant {
		return e
	}
	return e.Args[0]
}

// Arity is the number of arguments of a primitive, 0 for a leaf.
func (k Kind) Arity() int { return primitives[k].arity }

// The primitives of two arguments, and of one: see Kind for what they are.
func Add(a, b *Expr) *Expr { return node(OpAdd, a, b) }
func Sub(a, b *Expr) *Expr { return node(OpSub, a, b) }
func Mul(a, b *Expr) *Expr { return node(OpMul, a, b) }
func Div(a, b *Expr) *Expr { return node(OpDiv, a, b) }
func Max(a, b *Expr) *Expr { return node(OpMax, a, b) }
func Min(a, b *Expr) *Expr { return node(OpMin, a, b) }

func Exp(a *Expr) *Expr     { return node(OpExp, a) }
func Log(a *Expr) *Expr     { return node(OpLog, a) }
func Sqrt(a *Expr) *Expr    { return node(OpSqrt, a) }
func Tanh(a *Expr) *Expr    { return node(OpTanh, a) }
func Sigmoid(a *Expr) *Expr { return node(OpSigmoid, a) }
func Round(a *Expr) *Expr   { return node(OpRound, a) }

// Select is then where a > 0, and otherwise otherwise.
func Select(a, then, otherwise *Expr) *Expr { return node(OpSelect, a, then, otherwise) }

// Square is a·a.
func Square(a *Expr) *Expr { return Mul(a, a) }

// Scale is s·a.
func Scale(s float32, a *Expr) *Expr { return Mul(Const(s), a) }
