package program

import (
	"fmt"
	"slices"

	"inkshade/glcompute/expr"
)

// Elementwise computes every result element by element from operands of the same place:
//
//	Outs[k][r][c] = Exprs[k](Args at [r][c])
//
// All results have one shape. An operand of that shape is read at [r][c]; a row [1][cols], a
// column [rows][1] and a single value are spread over it. A formula may read the new value of an
// earlier result (expr.NewValue). A result may be a variable that is also an operand, not spread,
// which is then updated in place: formulas read the value from before. As a pixel shader does with
// each texel in the description of the pixel-shader patent (US 7,219,085, Microsoft).
type Elementwise struct {
	Label string // its name in timings
	Args  []Operand
	Exprs []*expr.Expr
	Outs  []*Tensor
}

// Operand is a tensor as an Elementwise reads it.
type Operand struct {
	*Tensor
	Single bool `json:",omitempty"` // only the value [0][Column], for all elements
	Column int  `json:",omitempty"`
}

// Whole is the tensor t as an operand.
func Whole(t *Tensor) Operand { return Operand{Tensor: t} }

// ValueOf is one value of the row t[1][cols], spread over the whole result.
func ValueOf(t *Tensor, column int) Operand {
	if t.Rows != 1 || column < 0 || column >= t.Cols {
		panic(fmt.Sprintf("program: there is no value %d in a row %s", column, t))
	}
	return Operand{t, true, column}
}

// Spread says how an operand meets the elements of a result.
type Spread uint8

const (
	SpreadNone   Spread = iota // it has the shape of the result
	SpreadRow                  // [1][cols]: the same for all rows
	SpreadColumn               // [rows][1]: the same for all columns
	SpreadValue                // one value for all: that of Operand.Column in its row
)

// Spread says how the operand meets a result of that shape; it panics where it does not.
func (o Operand) Spread(rows, cols int) Spread {
	switch {
	case o.Single || o.Rows == 1 && o.Cols == 1 && (rows > 1 || cols > 1):
		return SpreadValue
	case o.Rows == rows && o.Cols == cols:
		return SpreadNone
	case o.Rows == 1 && o.Cols == cols:
		return SpreadRow
	case o.Rows == rows && o.Cols == 1:
		return SpreadColumn
	}
	panic(fmt.Sprintf("program: elementwise: %s does not fit a result of [%d][%d]", o.Tensor, rows, cols))
}

// index is the place of the element for [r][c].
func (o Operand) index(s Spread, r, c int) int {
	switch s {
	case SpreadRow:
		return c
	case SpreadColumn:
		return r
	case SpreadValue:
		return o.Column
	}
	return r*o.Cols + c
}

func (o *Elementwise) Name() string {
	if o.Label == "" {
		return "elementwise"
	}
	return o.Label
}

func (o *Elementwise) Reads() []*Tensor  { return tensorsOf(o.Args) }
func (o *Elementwise) Writes() []*Tensor { return o.Outs }

func tensorsOf(args []Operand) (all []*Tensor) {
	for _, a := range args {
		all = append(all, a.Tensor)
	}
	return all
}

// Shape is that of the results.
func (o *Elementwise) Shape() (rows, cols int) { return o.Outs[0].Rows, o.Outs[0].Cols }

func (o *Elementwise) Reference(v Values) {
	rows, cols := o.Shape()
	element, results := o.elements(v, rows, cols), make([]float64, len(o.Outs))
	for i := range rows * cols {
		element(i/cols, i%cols, results)
		for k, t := range o.Outs {
			v.Of(t)[i] = results[k]
		}
	}
}

// elements gives a function for the values of all results at [r][c].
func (o *Elementwise) elements(v Values, rows, cols int) func(r, c int, results []float64) {
	spreads, data := make([]Spread, len(o.Args)), make([][]float64, len(o.Args))
	for i, a := range o.Args {
		spreads[i], data[i] = a.Spread(rows, cols), v.Of(a.Tensor)
	}
	at := &expr.Values{Args: make([]float64, len(o.Args))}
	return func(r, c int, results []float64) {
		for i, a := range o.Args {
			at.Args[i] = data[i][a.index(spreads[i], r, c)]
		}
		at.Column, at.Results = float64(c), results
		for k, e := range o.Exprs {
			results[k] = e.Evaluate(at)
		}
	}
}

func (o *Elementwise) Sharding(s Samples) Sharding {
	rows, cols := o.Shape()
	return s.Rows(byRow(o.Args, rows, cols)...)
}

// byRow are the operands of which every row of that shape reads a row of its own.
func byRow(args []Operand, rows, cols int) []*Tensor {
	var all []*Tensor
	for _, a := range args {
		if s := a.Spread(rows, cols); s == SpreadNone || s == SpreadColumn {
			all = append(all, a.Tensor)
		}
	}
	return all
}

func (o *Elementwise) With(f func(*Tensor) *Tensor) Op {
	with := *o
	with.Args, with.Outs = operandsWith(o.Args, f), tensorsWith(o.Outs, f)
	return &with
}

func operandsWith(args []Operand, f func(*Tensor) *Tensor) []Operand {
	with := slices.Clone(args)
	for i, a := range args {
		with[i].Tensor = f(a.Tensor)
	}
	return with
}

func tensorsWith(all []*Tensor, f func(*Tensor) *Tensor) []*Tensor {
	with := make([]*Tensor, len(all))
	for i, t := range all {
		with[i] = f(t)
	}
	return with
}

// Elementwise records a formula over tensors, operand by operand, and gives its result, whose
// shape is that of the largest. Rows, columns and single values are spread.
func (p *Program) Elementwise(label string, e *expr.Expr, args ...*Tensor) *Tensor {
	rows, cols := 1, 1
	operands := make([]Operand, len(args))
	for i, t := range args {
		rows, cols, operands[i] = max(rows, t.Rows), max(cols, t.Cols), Whole(t)
	}
	return p.ElementwiseOf(label, rows, cols, e, operands...)
}

// ElementwiseOf is Elementwise for a result of a shape that may be larger than every operand.
func (p *Program) ElementwiseOf(label string, rows, cols int, e *expr.Expr, args ...Operand) *Tensor {
	return p.recordElementwise(&Elementwise{Label: label, Args: args, Exprs: []*expr.Expr{e}, Outs: []*Tensor{p.result(rows, cols)}})
}

// Update records new values for variables of one shape, each by a formula.
func (p *Program) Update(label string, outs []*Tensor, exprs []*expr.Expr, args ...Operand) {
	for _, t := range outs {
		if t.Kind != Variable {
			panic("program: " + label + ": " + t.String() + " must be one of the variables, or the step would be lost")
		}
		requireShape(label, "a variable", t, outs[0].Rows, outs[0].Cols)
	}
	p.recordElementwise(&Elementwise{Label: label, Args: args, Exprs: exprs, Outs: outs})
}

func (p *Program) recordElementwise(o *Elementwise) *Tensor {
	rows, cols := o.Shape()
	for _, a := range o.Args {
		if a.Spread(rows, cols) != SpreadNone && slices.Contains(o.Outs, a.Tensor) {
			panic(fmt.Sprintf("program: %s: %s is changed and spread at once", o.Name(), a.Tensor))
		}
	}
	for k, e := range o.Exprs {
		e.Leaves(func(x *expr.Expr) {
			if x.Kind == expr.LeafOperand && x.Index >= len(o.Args) || x.Kind == expr.LeafResult && x.Index >= k {
				panic(fmt.Sprintf("program: %s: %s reads %s, which there is not", o.Name(), e, x))
			}
		})
	}
	return p.made(o)
}

// Apply records a nonlinearity of every element of x.
func (p *Program) Apply(f expr.Activation, x *Tensor) *Tensor {
	return p.Elementwise(f.Name(), f(expr.Arg(0)), x)
}

// rounds reports whether formulas round (expr.OpRound), so that executors must not make others of them.
func (o *Elementwise) rounds() bool {
	return slices.ContainsFunc(o.Exprs, func(e *expr.Expr) bool { return e.Rounds() })
}

// Gradient records those of the operands. Formulas are written in terms of the results where
// the rules of the primitives allow it, so that operands need not be kept.
func (o *Elementwise) Gradient(b *Backward) {
	if o.rounds() {
		b.none("%s", o.Name())
		return
	}
	rows, cols := o.Shape()
	for i, a := range o.Args {
		if !b.Needs(a.Tensor) {
			continue
		}
		args := append([]Operand{}, o.Args...)
		sum := expr.Const(0)
		for k, out := range o.Outs {
			dy, ok := b.of[out]
			if !ok {
				continue
			}
			d := o.inlined(k).Derivative(i)
			for n, e := range o.Exprs {
				d = d.Replace(e, expr.Arg(len(args)+n))
			}
			sum = expr.Add(sum, expr.Mul(dy.as(len(args)+len(o.Outs)+k), d))
		}
		for _, out := range o.Outs {
			args = append(args, Whole(out))
		}
		for _, out := range o.Outs {
			args = append(args, Whole(b.of[out].t))
		}
		if sum.Kind == expr.LeafConstant && sum.Value == 0 {
			continue
		}
		b.add(a.Tensor, b.spread(o.Name()+"-grad", a, rows, cols, sum, args))
	}
}

// inlined is formula k with earlier results written out.
func (o *Elementwise) inlined(k int) *expr.Expr {
	return o.Exprs[k].Map(func(x *expr.Expr) *expr.Expr {
		if x.Kind == expr.LeafResult {
			return o.inlined(x.Index)
		}
		return x
	})
}
