// Package expr holds formulas of one element: what an elementwise operation computes, what
// follows the sum of a product, and what a reduction adds up. A formula is a tree over a
// dozen primitives. Each primitive has its meaning in float64 and its derivative here (primitives.go); executors give it
// a line of GLSL and a loop. A nonlinearity is a formula of a line (functions.go), so a new one touches no executor.
package expr

import (
	"math"
	"strconv"
	"strings"
)

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

func (e *Expr) is(v float32) bool { return e.Kind == LeafConstant && e.Value == v }

// node makes a primitive, a simpler formula of the same value where there is one, or a constant where all arguments are.
// Zero times anything is zero here.
func node(k Kind, args ...*Expr) *Expr {
	a, b := args[0], args[min(1, len(args)-1)]
	switch {
	case k == OpAdd && a.is(0), k == OpMul && a.is(1):
		return b
	case (k == OpAdd || k == OpSub) && b.is(0), (k == OpMul || k == OpDiv) && b.is(1), k == OpDiv && a.is(0):
		return a
	case k == OpMul && (a.is(0) || b.is(0)):
		return Const(0)
	case (k == OpMax || k == OpMin) && a.Kind == LeafConstant:
		args = []*Expr{b, a} // which see for the derivative
	case k == OpSelect && b.key == args[2].key:
		return b
	case k == OpSelect && a.Kind == OpSelect && a.Args[1].is(1) && a.Args[2].is(0): // itself a test
		args = []*Expr{a.Args[0], b, args[2]}
	}
	constant := true
	keys := make([]string, len(args))
	for i, arg := range args {
		constant = constant && arg.Kind == LeafConstant
		keys[i] = arg.key
	}
	e := &Expr{Kind: k, Args: args, key: "(" + primitives[k].name + " " + strings.Join(keys, " ") + ")"}
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
		x = node(e.Kind, args...)
	}
	done[e.key] = x
	return x
}

// Leaves calls f with every leaf that the formula reads, each once.
func (e *Expr) Leaves(f func(leaf *Expr)) {
	Walk(func(x *Expr) {
		if x.Kind < OpAdd && x.Kind != LeafConstant {
			f(x)
		}
	}, e)
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

// Rounds reports whether a part of the formula is rounded.
func (e *Expr) Rounds() bool { return strings.Contains(e.key, "("+primitives[OpRound].name+" ") }

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
		d = primitives[e.Kind].derivative(e, args)
	}
	done[e.key] = d
	return d
}

// Values are what the leaves of a formula stand for at one element.
type Values struct {
	Args    []float64 // operands
	Results []float64 // results that came before
	Column  float64   // the number of the column
}

// Evaluate computes the formula in float64. v may be nil for a formula of constants.
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
	var x [3]float64
	for i, a := range e.Args {
		x[i] = a.Evaluate(v)
	}
	return primitives[e.Kind].value(x[0], x[1], x[2])
}
