// Package expr holds formulas of one element: what an elementwise operation computes, what
// follows the sum of a product, and what a reduction adds up. A formula is a tree over a
// dozen primitives. Each primitive has its meaning in float64 (evaluate.go) and its derivative
// (derivative.go) here; executors give it a line of GLSL and a loop. A nonlinearity is a
// formula of a line (functions.go), so a new one touches no executor.
package expr

import (
	"math"
	"strconv"
	"strings"
)

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
)

// Primitives lists all of them.
var Primitives = []Kind{OpAdd, OpSub, OpMul, OpDiv, OpMax, OpMin, OpExp, OpLog, OpSqrt, OpTanh, OpSigmoid, OpSelect}

var names = map[Kind]string{
	OpAdd: "+", OpSub: "-", OpMul: "*", OpDiv: "/", OpMax: "max", OpMin: "min",
	OpExp: "exp", OpLog: "log", OpSqrt: "sqrt", OpTanh: "tanh", OpSigmoid: "sigmoid", OpSelect: "select",
}

// Arity is the number of arguments of a primitive, 0 for a leaf.
func (k Kind) Arity() int {
	switch {
	case k < OpAdd:
		return 0
	case k < OpExp:
		return 2
	case k < OpSelect:
		return 1
	}
	return 3
}

// Expr is a node of a formula. It never changes, and the same node may stand in many places.
type Expr struct {
	Kind  Kind
	Args  []*Expr // as many as Kind.Arity
	Index int     // of an Operand or a Result
	Value float32 // of a Constant
	key   string
}

// Key is the formula as text, the same for formulas that are the same: "(tanh (+ a0 a1))".
func (e *Expr) Key() string { return e.key }

func (e *Expr) String() string { return e.key }

// Const is the same value everywhere.
func Const(v float32) *Expr {
	return &Expr{Kind: LeafConstant, Value: v, key: strconv.FormatFloat(float64(v), 'g', -1, 32)}
}

// Arg is operand number i of the operation.
func Arg(i int) *Expr { return &Expr{Kind: LeafOperand, Index: i, key: "a" + strconv.Itoa(i)} }

// NewValue is the new value of result number i of the operation, for a later result of it.
func NewValue(i int) *Expr { return &Expr{Kind: LeafResult, Index: i, key: "r" + strconv.Itoa(i)} }

// ColumnIndex is the number of the column, from zero.
func ColumnIndex() *Expr { return &Expr{Kind: LeafColumn, key: "col"} }

// Add is a + b.
func Add(a, b *Expr) *Expr {
	switch {
	case a.is(0):
		return b
	case b.is(0):
		return a
	}
	return node(OpAdd, a, b)
}

// Sub is a - b.
func Sub(a, b *Expr) *Expr {
	if b.is(0) {
		return a
	}
	return node(OpSub, a, b)
}

// Mul is a·b. Zero times anything is zero here.
func Mul(a, b *Expr) *Expr {
	switch {
	case a.is(0) || b.is(0):
		return Const(0)
	case a.is(1):
		return b
	case b.is(1):
		return a
	}
	return node(OpMul, a, b)
}

// Div is a / b.
func Div(a, b *Expr) *Expr {
	switch {
	case a.is(0):
		return a
	case b.is(1):
		return a
	}
	return node(OpDiv, a, b)
}

// The larger and the smaller of two.
func Max(a, b *Expr) *Expr { return constantLast(OpMax, a, b) }
func Min(a, b *Expr) *Expr { return constantLast(OpMin, a, b) }

// constantLast makes a primitive whose arguments may change places.
func constantLast(k Kind, a, b *Expr) *Expr {
	if a.Kind == LeafConstant {
		a, b = b, a
	}
	return node(k, a, b)
}

// The primitives of one argument: see Kind for what they are.
func Exp(a *Expr) *Expr     { return node(OpExp, a) }
func Log(a *Expr) *Expr     { return node(OpLog, a) }
func Sqrt(a *Expr) *Expr    { return node(OpSqrt, a) }
func Tanh(a *Expr) *Expr    { return node(OpTanh, a) }
func Sigmoid(a *Expr) *Expr { return node(OpSigmoid, a) }

// Select is then where a > 0, and otherwise otherwise.
func Select(a, then, otherwise *Expr) *Expr {
	switch {
	case then.key == otherwise.key:
		return then
	case a.Kind == OpSelect && a.Args[1].is(1) && a.Args[2].is(0): // itself a test
		a = a.Args[0]
	}
	return node(OpSelect, a, then, otherwise)
}

// Square is a·a.
func Square(a *Expr) *Expr { return Mul(a, a) }

// Scale is s·a.
func Scale(s float32, a *Expr) *Expr { return Mul(Const(s), a) }

func (e *Expr) is(v float32) bool { return e.Kind == LeafConstant && e.Value == v }

// node makes a primitive, or its value where all arguments are constant.
func node(k Kind, args ...*Expr) *Expr {
	constant := true
	keys := make([]string, len(args))
	for i, a := range args {
		constant = constant && a.Kind == LeafConstant
		keys[i] = a.key
	}
	e := &Expr{Kind: k, Args: args, key: "(" + names[k] + " " + strings.Join(keys, " ") + ")"}
	if constant {
		if v := e.Evaluate(nil); !math.IsNaN(v) && !math.IsInf(v, 0) {
			return Const(float32(v))
		}
	}
	return e
}

// Map gives the formula with every leaf replaced by what f gives for it; f may give the leaf
// itself.
func (e *Expr) Map(f func(leaf *Expr) *Expr) *Expr {
	return e.rewrite(map[string]*Expr{}, func(x *Expr) *Expr {
		if x.Kind < OpAdd {
			return f(x)
		}
		return nil
	})
}

// Replace gives the formula with every part that is the same as old replaced by with.
func (e *Expr) Replace(old, with *Expr) *Expr {
	return e.rewrite(map[string]*Expr{}, func(x *Expr) *Expr {
		switch {
		case x.key == old.key:
			return with
		case x.Kind < OpAdd:
			return x
		}
		return nil
	})
}

// rewrite rebuilds the formula with what f puts in the place of its parts, nil where f has
// nothing to put. Parts that are the same are rewritten once.
func (e *Expr) rewrite(done map[string]*Expr, f func(*Expr) *Expr) *Expr {
	if x, ok := done[e.key]; ok {
		return x
	}
	x := f(e)
	if x == nil {
		args := make([]*Expr, len(e.Args))
		for i, a := range e.Args {
			args[i] = a.rewrite(done, f)
		}
		x = simplified(e.Kind, args)
	}
	done[e.key] = x
	return x
}

func simplified(k Kind, args []*Expr) *Expr {
	switch k {
	case OpAdd:
		return Add(args[0], args[1])
	case OpSub:
		return Sub(args[0], args[1])
	case OpMul:
		return Mul(args[0], args[1])
	case OpDiv:
		return Div(args[0], args[1])
	case OpMax, OpMin:
		return constantLast(k, args[0], args[1])
	case OpSelect:
		return Select(args[0], args[1], args[2])
	}
	return node(k, args...)
}

// Leaves calls f with every leaf that the formula reads, each once.
func (e *Expr) Leaves(f func(leaf *Expr)) {
	seen := map[string]bool{}
	e.walk(seen, func(x *Expr) {
		if x.Kind < OpAdd && x.Kind != LeafConstant {
			f(x)
		}
	})
}

// Walk calls f with every part of the formula, arguments first, those that are the same once.
func Walk(f func(*Expr), formulas ...*Expr) {
	seen := map[string]bool{}
	for _, e := range formulas {
		e.walk(seen, f)
	}
}

func (e *Expr) walk(seen map[string]bool, f func(*Expr)) {
	if seen[e.key] {
		return
	}
	seen[e.key] = true
	for _, a := range e.Args {
		a.walk(seen, f)
	}
	f(e)
}

// Uses reports whether the formula reads operand number i.
func (e *Expr) Uses(i int) bool {
	found := false
	e.Leaves(func(x *Expr) { found = found || x.Kind == LeafOperand && x.Index == i })
	return found
}

// Derivative is that of the formula by its operand number i. Where the rule of a primitive can
// be written in terms of its own value it is (Rumelhart, Hinton and Williams, 1986): so the
// derivative of tanh(a0 + a1) reads nothing but that value, and the sum need not be kept.
func (e *Expr) Derivative(i int) *Expr { return e.derivative(i, map[string]*Expr{}) }

func (e *Expr) derivative(i int, done map[string]*Expr) *Expr {
	if d, ok := done[e.key]; ok {
		return d
	}
	d := Const(0)
	switch {
	case e.Kind == LeafOperand && e.Index == i:
		d = Const(1)
	case e.Kind >= OpAdd:
		args := make([]*Expr, len(e.Args))
		for n, a := range e.Args {
			args[n] = a.derivative(i, done)
		}
		d = e.rule(args)
	}
	done[e.key] = d
	return d
}

// rule gives the derivative of a primitive from those of its arguments.
func (e *Expr) rule(d []*Expr) *Expr {
	switch e.Kind {
	case OpAdd:
		return Add(d[0], d[1])
	case OpSub:
		return Sub(d[0], d[1])
	case OpMul:
		return Add(Mul(d[0], e.Args[1]), Mul(e.Args[0], d[1]))
	case OpDiv:
		return Sub(Div(d[0], e.Args[1]), Div(Mul(e, d[1]), e.Args[1]))
	case OpMax:
		return e.larger(d[0], d[1], Sub)
	case OpMin:
		return e.larger(d[0], d[1], func(a, b *Expr) *Expr { return Sub(b, a) })
	case OpExp:
		return Mul(d[0], e)
	case OpLog:
		return Div(d[0], e.Args[0])
	case OpSqrt:
		return Div(d[0], Scale(2, e))
	case OpTanh:
		return Mul(d[0], Sub(Const(1), Square(e)))
	case OpSigmoid:
		return Mul(d[0], Mul(e, Sub(Const(1), e)))
	case OpSelect:
		return Select(e.Args[0], d[1], d[2])
	}
	panic("expr: no derivative of " + e.key)
}

// larger is the rule of the maximum, and of the minimum with above turned round. Beside a
// constant, which comes last, the value itself tells which of the two it is.
func (e *Expr) larger(da, db *Expr, above func(a, b *Expr) *Expr) *Expr {
	a, b := e.Args[0], e.Args[1]
	if b.Kind == LeafConstant {
		a = e
	}
	return Select(above(a, b), da, db)
}
