package program

import (
	"slices"
	"strings"

	"inkshade/glcompute/expr"
)

// Fused gives the operations with every elementwise operation made part of the one before it
// that it alone reads, so that what is between is neither written nor read again:
//
//   - of a product or a reduction it becomes the Epilogue;
//   - of another elementwise operation its formulas are written into one another;
//   - a reduction takes an elementwise operation before it into its Term.
//
// The places of the largest and smallest that no operation reads, as those of a pooling in recognition, are left out.
//
// skipped are the tensors that are not written. An executor for which a pair is better apart, or that
// cannot do it at once, takes it apart again.
func (p *Program) Fused() (ops []Op, skipped map[*Tensor]bool) {
	f := &fuser{ops: slices.Clone(p.ops), skipped: map[*Tensor]bool{}, writer: map[*Tensor]int{}, readers: map[*Tensor]int{}}
	for _, op := range f.ops {
		f.count(op, 1)
	}
	for j, op := range f.ops {
		if o, ok := op.(*Reduce); ok && o.Index != nil && f.readers[o.Index] == 0 {
			with := *o
			with.Index, f.skipped[o.Index] = nil, true
			f.ops[j], op = &with, &with
		}
		for _, t := range op.Writes() {
			if f.writer[t] = j; len(op.Writes()) != 1 {
				f.writer[t] = never
			}
		}
	}
	for j := range f.ops {
		for f.step(j) {
		}
	}
	for _, op := range f.ops {
		if op != nil {
			ops = append(ops, op)
		}
	}
	return ops, f.skipped
}

type fuser struct {
	ops     []Op // nil where an operation has become part of a later one
	skipped map[*Tensor]bool
	writer  map[*Tensor]int // number of the operation whose one result it is
	readers map[*Tensor]int // how often it is read
}

// never is in place of the number of an operation of several results.
const never = -1

// count adds to the readers of all that op reads.
func (f *fuser) count(op Op, n int) {
	for _, t := range op.Reads() {
		f.readers[t] += n
	}
}

// step makes one operation before ops[j] part of it, or reports that there is none.
func (f *fuser) step(j int) bool {
	if f.ops[j] == nil {
		return false
	}
	for _, t := range f.ops[j].Reads() {
		i := f.feeder(j, t)
		if i < 0 {
			continue
		}
		if merged := merge(f.ops[i], f.ops[j], t); merged != nil {
			f.count(f.ops[i], -1)
			f.count(f.ops[j], -1)
			f.count(merged, 1)
			f.ops[i], f.ops[j] = nil, merged
			f.skipped[t] = true
			return true
		}
	}
	return false
}

// feeder finds the operation that could run as late as ops[j], which alone reads its one
// result t: nothing that it reads changes in between or in ops[j]. -1 stands for none.
func (f *fuser) feeder(j int, t *Tensor) int {
	feeder, written := f.writer[t]
	if t.Kind != Intermediate || !written || feeder == never || feeder >= j || f.readers[t] != 1 {
		return -1
	}
	reads := f.ops[feeder].Reads()
	for _, op := range f.ops[feeder+1 : j+1] {
		if op != nil && slices.ContainsFunc(op.Writes(), func(t *Tensor) bool { return slices.Contains(reads, t) }) {
			return -1
		}
	}
	return feeder
}

// mostOperands is the number of tensors that one pass reads at most: OpenGL promises a shader
// eight storage buffers.
const mostOperands = 6

// merge gives one operation for first, whose one result t goes into second; nil for none.
func merge(first, second Op, t *Tensor) Op {
	before, isElementwise := first.(*Elementwise)
	e, elementwise := second.(*Elementwise)
	if isElementwise && before.rounds() || elementwise && e.rounds() {
		return nil
	}
	r, reduction := second.(*Reduce)
	var args []Operand
	var rows, cols int
	switch {
	case elementwise:
		args = e.Args
		rows, cols = e.Shape()
	case reduction && r.Along != AlongGroups && r.Epilogue == nil:
		args, rows, cols = r.Args, r.ExtentRows, r.ExtentCols
	default:
		return nil
	}
	at := slices.IndexFunc(args, func(a Operand) bool { return a.Tensor == t })
	if at < 0 || args[at].Spread(rows, cols) != SpreadNone {
		return nil
	}
	if isElementwise {
		return inline(before, second, args, at)
	}
	if !elementwise {
		return nil
	}
	epilogue := &Epilogue{Elementwise: e, Sum: at}
	switch o := first.(type) {
	case *Product:
		with := *o
		if with.Epilogue = o.Epilogue.then(epilogue); with.Epilogue != nil {
			return onePass(&with)
		}
	case *Reduce:
		with := *o
		if with.Epilogue = o.Epilogue.then(epilogue); with.Epilogue != nil {
			return onePass(&with)
		}
	}
	return nil
}

// onePass gives an operation that does not read too many tensors; nil for others.
func onePass(op Op) Op {
	distinct := map[*Tensor]bool{}
	for _, t := range op.Reads() {
		distinct[t] = true
	}
	if len(distinct) > mostOperands {
		return nil
	}
	return op
}

// then is the epilogue in which another follows.
func (e *Epilogue) then(next *Epilogue) *Epilogue {
	if e == nil {
		return next
	}
	both, ok := inline(e.Elementwise, next.Elementwise, next.Args, next.Sum).(*Elementwise)
	if !ok {
		return nil
	}
	// The sum is an operand of the first formulas, which come after those of the next.
	sum := e.Args[e.Sum].Tensor
	at := slices.IndexFunc(both.Args, func(a Operand) bool { return a.Tensor == sum })
	return &Epilogue{Elementwise: both, Sum: at}
}

// longestFormula bounds the text of a formula that several become: where one is an operand twice, its text doubles each time.
const longestFormula = 8192

// inline writes the one formula of first in the place of operand number at of second, an elementwise operation or a reduction.
func inline(first *Elementwise, second Op, args []Operand, at int) Op {
	var formulas []*expr.Expr
	switch o := second.(type) {
	case *Elementwise:
		formulas = o.Exprs
	case *Reduce:
		formulas = []*expr.Expr{o.Term}
	}
	longer := func(e *expr.Expr) bool {
		return len(e.Key())+strings.Count(e.Key(), expr.Arg(at).Key())*len(first.Exprs[0].Key()) > longestFormula
	}
	if len(first.Outs) != 1 || slices.ContainsFunc(formulas, longer) {
		return nil
	}
	all := slices.Delete(slices.Clone(args), at, at+1)
	place := func(a Operand) int {
		if i := slices.Index(all, a); i >= 0 {
			return i
		}
		all = append(all, a)
		return len(all) - 1
	}
	inner := first.Exprs[0].Map(func(x *expr.Expr) *expr.Expr {
		if x.Kind == expr.LeafOperand {
			return expr.Arg(place(first.Args[x.Index]))
		}
		return x
	})
	outer := func(e *expr.Expr) *expr.Expr {
		return e.Map(func(x *expr.Expr) *expr.Expr {
			switch {
			case x.Kind != expr.LeafOperand || x.Index < at:
				return x
			case x.Index == at:
				return inner
			}
			return expr.Arg(x.Index - 1)
		})
	}
	switch o := second.(type) {
	case *Elementwise:
		with := *o
		with.Label, with.Args, with.Exprs = first.Name()+", "+o.Name(), all, nil
		for _, e := range o.Exprs {
			with.Exprs = append(with.Exprs, outer(e))
		}
		return onePass(&with)
	case *Reduce:
		with := *o
		with.Args, with.Term = all, outer(o.Term)
		return onePass(&with)
	}
	return nil
}
