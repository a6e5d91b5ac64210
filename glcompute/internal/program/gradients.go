package program

import (
	"fmt"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/message"
)

// Backward is a backward pass while it is recorded: operations look up the gradients of what
// they write and add those of what they read.
type Backward struct {
	*Program
	needs   map[*Tensor]bool       // a gradient is asked for, or leads to one
	parts   map[*Tensor][]gradient // what readers of a tensor have added so far
	of      map[*Tensor]gradient   // their sum, once all have been seen
	formula map[string]*Tensor     // formulas recorded before
	err     error                  // what has no gradient, the first of several
}

// gradient is a tensor, or one value for all elements where t is nil.
type gradient struct {
	t     *Tensor
	value float32
}

// Gradients records the backward pass of a loss and gives the gradient of each tensor asked for:
// of the sum of all values of loss times weight, each gradient with the shape of its tensor. The
// mean over a mini-batch has 1/batch for its weight. Every operation between states its own
// gradient (Op.Gradient), and no other place knows one. The error names an operation between that has
// none, or a tensor that the loss does not depend on; then nothing is recorded.
func (p *Program) Gradients(loss *Tensor, weight float32, by ...*Tensor) ([]*Tensor, error) {
	b := &Backward{
		Program: p, needs: map[*Tensor]bool{}, parts: map[*Tensor][]gradient{}, of: map[*Tensor]gradient{}, formula: map[string]*Tensor{},
	}
	forward := p.ops
	for _, t := range by {
		b.needs[t] = true
	}
	for _, op := range forward {
		for _, t := range op.Reads() {
			if b.needs[t] {
				for _, out := range op.Writes() {
					b.needs[out] = true
				}
			}
		}
	}
	b.of[loss] = gradient{value: weight}
	for i := len(forward) - 1; i >= 0; i-- {
		reached := false
		for _, out := range forward[i].Writes() {
			b.sum(out)
			_, ok := b.of[out]
			reached = reached || ok && b.needs[out]
		}
		if reached {
			forward[i].Gradient(b)
		}
	}
	all := make([]*Tensor, len(by))
	for i, t := range by {
		b.sum(t)
		if all[i] = b.Of(t); all[i] == nil {
			b.none("%s by %s, on which it does not depend", loss, t)
		}
	}
	if b.err != nil {
		p.ops = forward
		return nil, b.err
	}
	return all, nil
}

// Must gives v, and panics where there is an error: for programs whose gradients are known to exist.
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// none notes that there is no gradient of something.
func (b *Backward) none(format string, args ...any) {
	if b.err == nil {
		b.err = message.Errorf("there is no gradient of %s", fmt.Sprintf(format, args...))
	}
}

// Needs reports whether the gradient by t is wanted.
func (b *Backward) Needs(t *Tensor) bool { return b.needs[t] }

// Of gives the gradient by t, a tensor of its shape, or nil where the loss does not depend on it.
func (b *Backward) Of(t *Tensor) *Tensor {
	g, ok := b.of[t]
	if !ok {
		return nil
	}
	if g.t == nil {
		g.t = b.ElementwiseOf("fill", t.Rows, t.Cols, expr.Const(g.value))
		b.of[t] = g
	}
	return g.t
}

// Add adds dt, of the shape of t, to the gradient by t.
func (b *Backward) Add(t, dt *Tensor) {
	requireShape("gradients", "the gradient of "+t.String(), dt, t.Rows, t.Cols)
	b.add(t, gradient{t: dt})
}

func (b *Backward) add(t *Tensor, g gradient) { b.parts[t] = append(b.parts[t], g) }

// sum makes one gradient of what has been added.
func (b *Backward) sum(t *Tensor) {
	parts := b.parts[t]
	delete(b.parts, t)
	if len(parts) == 0 {
		return
	}
	if g, ok := b.of[t]; ok { // a loss that others read too
		parts = append(parts, g)
	}
	total, args := expr.Const(0), []Operand{}
	for _, g := range parts {
		total = expr.Add(total, g.as(len(args)))
		if g.t != nil {
			args = append(args, Whole(g.t))
		}
	}
	b.of[t] = b.record("add", t.Rows, t.Cols, total, args)
}

// as is the gradient in a formula whose operand number i it may be.
func (g gradient) as(i int) *expr.Expr {
	if g.t == nil {
		return expr.Const(g.value)
	}
	return expr.Arg(i)
}

// record records a formula for a result of that shape, without the operands that it does not
// read, unless it is a constant, is one of them or was recorded before.
func (b *Backward) record(label string, rows, cols int, e *expr.Expr, args []Operand) gradient {
	if e.Kind == expr.LeafConstant {
		return gradient{value: e.Value}
	}
	var used []Operand
	numbers := map[int]int{}
	e = e.Map(func(x *expr.Expr) *expr.Expr {
		if x.Kind != expr.LeafOperand {
			return x
		}
		n, ok := numbers[x.Index]
		if !ok {
			n = len(used)
			numbers[x.Index], used = n, append(used, args[x.Index])
		}
		return expr.Arg(n)
	})
	if e.Kind == expr.LeafOperand && used[0].Spread(rows, cols) == SpreadNone {
		return gradient{t: used[0].Tensor}
	}
	key := fmt.Sprint(rows, cols, e.Key())
	for _, a := range used {
		key += fmt.Sprint(" ", a.ID, a.Single, a.Column)
	}
	t, ok := b.formula[key]
	if !ok {
		t = b.ElementwiseOf(label, rows, cols, e, used...)
		b.formula[key] = t
	}
	return gradient{t: t}
}

// spread records a formula for the elements of a result and sums it over what the operand a was
// spread over.
func (b *Backward) spread(label string, a Operand, rows, cols int, e *expr.Expr, args []Operand) gradient {
	g := b.record(label, rows, cols, e, args)
	s := a.Spread(rows, cols)
	if s == SpreadNone {
		return g
	}
	if g.t == nil && a.Len() == 1 {
		g.value *= float32(rows * cols)
		return g
	}
	if g.t == nil {
		g.t = b.ElementwiseOf("fill", rows, cols, expr.Const(g.value))
	}
	switch s {
	case SpreadRow:
		g.t = b.Sum(AlongColumns, g.t)
	case SpreadColumn:
		g.t = b.Sum(AlongRows, g.t)
	case SpreadValue:
		g.t = b.Sum(AlongRows, b.Sum(AlongColumns, g.t))
		if a.Cols > 1 {
			g.t = b.columns(a.Cols, []int{-a.Column}, g.t)
		}
	}
	return g
}
