package cpu

import (
	"slices"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

func init() {
	register(func(b *builder, op *program.Elementwise) func() {
		f := b.formula(op, -1)
		if f.rows == 1 {
			return b.parallel(f.cols, f.cost, func(from, to int) { f.run(0, 1, from, to, nil, 0) })
		}
		return b.parallel(f.rows, f.cols*f.cost, func(from, to int) { f.run(from, to, 0, f.cols, nil, 0) })
	})
}

// formula is what an elementwise operation computes, or what follows a product: a list of instructions, each
// run over a strip of some hundred neighbouring elements, which stays in the first cache.
type formula struct {
	rows, cols int
	operands   []operand
	constants  []float32
	once, each []instruction // once for a loop, and once for each strip
	results    []result
	registers  int // operands, constants, then what instructions write
	cost       int // of an element, in additions
	bound      bound
}

// operand is read at [r][c] of data with ld values from row to row, as far as its spread has them.
type operand struct {
	data   []float32
	ld     int
	spread program.Spread
}

// spreadSums is the spread of what precedes the formula.
const spreadSums = program.SpreadValue + 1

// instruction computes the register out from a, b and c, as far as op has arguments.
type instruction struct {
	op           expr.Kind
	out, a, b, c int
}

// Beside the primitives, two of them in one.
const (
	opMulAdd = expr.OpRound + 1 + iota // a·b + c
	opSubMul                           // c - a·b
	opAddMax                           // max(a + b, c)
)

// result is a register that goes to data, with ld values from row to row.
type result struct {
	data     []float32
	ld, from int
}

// formula compiles those of e; the operand number sums is what precedes them, -1 for none.
func (b *builder) formula(e *program.Elementwise, sums int) *formula {
	rows, cols := e.Shape()
	f := b.assemble(e.Args, e.Exprs, rows, cols, sums)
	f.level()
	for i := range f.results {
		f.results[i].data, f.results[i].ld = b.Of(e.Outs[i]), f.cols
	}
	f.bind()
	return f
}

// level makes one row of all, where rows do not matter to any operand.
func (f *formula) level() {
	for _, o := range f.operands {
		if o.spread != program.SpreadNone && o.spread != program.SpreadValue {
			return
		}
	}
	f.rows, f.cols = 1, f.rows*f.cols
	for i := range f.operands {
		f.operands[i].ld = f.cols
	}
}

// term compiles what is reduced, whose one result is a register; a single column becomes a row where it can.
func (b *builder) term(o *program.Reduce) *formula {
	f := b.assemble(o.Args, []*expr.Expr{o.Term}, o.ExtentRows, o.ExtentCols, -1)
	if o.Along == program.AlongColumns && o.ExtentCols == 1 && o.ExtentRows <= longColumn {
		f.level()
	}
	f.bind()
	return f
}

func (b *builder) assemble(args []program.Operand, exprs []*expr.Expr, rows, cols, sums int) *formula {
	f := &formula{rows: rows, cols: cols}
	quarters := costMoved * len(exprs)
	a := assembler{formula: f, places: map[string]int{}, uses: map[string]int{}}
	for i, arg := range args {
		o := operand{ld: cols, spread: spreadSums}
		if i != sums {
			o.data, o.spread = b.Of(arg.Tensor), arg.Spread(rows, cols)
		}
		if o.spread == program.SpreadValue {
			o.data = o.data[arg.Column:]
		} else {
			quarters += costMoved
		}
		f.operands = append(f.operands, o)
	}
	a.survey(b, exprs)
	for _, e := range exprs {
		at := a.place(e)
		if len(exprs) > 1 && at < len(f.operands) { // another result may be written over it before
			at = a.add(instruction{op: expr.OpMax, a: at, b: at, c: at})
		}
		f.results = append(f.results, result{from: at})
	}
	for _, in := range f.each {
		quarters += max(1, costs[in.op])
	}
	f.cost = (quarters + 3) / 4
	a.allocate()
	return f
}

// Costs of an element in quarters of an addition: of what is read or written, and of instructions that take more
// than one.
const costMoved = 2

var costs = map[expr.Kind]int{expr.OpExp: 6, expr.OpLog: 6, expr.OpTanh: 6, expr.OpSigmoid: 6, expr.OpDiv: 2, expr.OpSqrt: 2}

// assembler numbers every value of a formula; registers come last.
type assembler struct {
	*formula
	places map[string]int // values by key: operands, constants, then results of instructions
	uses   map[string]int // how often a value is an argument or a result
	values int
}

// survey counts uses, gives numbers to constants, and makes an operand of the numbers of columns.
func (a *assembler) survey(b *builder, exprs []*expr.Expr) {
	var constants []string
	expr.Walk(func(e *expr.Expr) {
		for _, arg := range e.Args {
			a.uses[arg.Key()]++
		}
		switch e.Kind {
		case expr.LeafConstant:
			a.constants, constants = append(a.constants, e.Value), append(constants, e.Key())
		case expr.LeafColumn:
			a.places[e.Key()] = len(a.operands)
			numbers := b.Scratch(a.cols)
			for i := range numbers {
				numbers[i] = float32(i)
			}
			a.operands = append(a.operands, operand{numbers, a.cols, program.SpreadRow})
		}
	}, exprs...)
	for _, e := range exprs {
		a.uses[e.Key()]++
	}
	for i, key := range constants {
		a.places[key] = len(a.operands) + i
	}
	a.values = len(a.operands) + len(a.constants)
}

// place gives the number of a value, with the instructions that compute it.
func (a *assembler) place(e *expr.Expr) int {
	switch e.Kind {
	case expr.LeafOperand:
		return e.Index
	case expr.LeafResult:
		return a.results[e.Index].from
	case expr.OpRound: // as every register is
		return a.place(e.Args[0])
	}
	if at, ok := a.places[e.Key()]; ok {
		return at
	}
	at := a.add(a.instruction(e))
	a.places[e.Key()] = at
	return at
}

// add gives the number of what an instruction computes.
func (a *assembler) add(in instruction) int {
	in.out = a.values
	a.values++
	if a.constant(in.a) && a.constant(in.b) && a.constant(in.c) {
		a.once = append(a.once, in)
	} else {
		a.each = append(a.each, in)
	}
	return in.out
}

// instruction puts a sum and a product that nothing else reads into one, and a sum that is bounded.
func (a *assembler) instruction(e *expr.Expr) instruction {
	single := func(x *expr.Expr, kind expr.Kind) bool { return x.Kind == kind && a.uses[x.Key()] == 1 }
	fused := func(op expr.Kind, first, other *expr.Expr) instruction {
		return instruction{op: op, a: a.place(first.Args[0]), b: a.place(first.Args[1]), c: a.place(other)}
	}
	switch {
	case e.Kind == expr.OpAdd && single(e.Args[1], expr.OpMul):
		return fused(opMulAdd, e.Args[1], e.Args[0])
	case e.Kind == expr.OpAdd && single(e.Args[0], expr.OpMul):
		return fused(opMulAdd, e.Args[0], e.Args[1])
	case e.Kind == expr.OpSub && single(e.Args[1], expr.OpMul):
		return fused(opSubMul, e.Args[1], e.Args[0])
	case e.Kind == expr.OpMax && single(e.Args[0], expr.OpAdd):
		return fused(opAddMax, e.Args[0], e.Args[1])
	}
	in := instruction{op: e.Kind}
	for i, to := range []*int{&in.a, &in.b, &in.c} {
		*to = a.place(e.Args[min(i, len(e.Args)-1)])
	}
	return in
}

// constant reports whether a value is the same for all elements.
func (a *assembler) constant(at int) bool {
	if at < len(a.operands) {
		return a.operands[at].spread == program.SpreadValue
	}
	return at < len(a.operands)+len(a.constants) || slices.ContainsFunc(a.once, func(in instruction) bool { return in.out == at })
}

// allocate gives values that are no longer read to others as registers.
func (a *assembler) allocate() {
	register, last := make([]int, a.values), make([]int, a.values) // last is the instruction that reads a value last
	for i, in := range a.each {
		last[in.a], last[in.b], last[in.c] = i, i, i
	}
	for _, r := range a.results {
		last[r.from] = len(a.each)
	}
	a.registers = len(a.operands) + len(a.constants)
	for i := range a.registers {
		register[i] = i
	}
	lasting, free := 0, []int(nil)
	place := func(in *instruction, number int) {
		arguments := []int{in.a, in.b, in.c}
		in.a, in.b, in.c = register[in.a], register[in.b], register[in.c]
		for n, value := range arguments {
			if last[value] == number && register[value] >= lasting && !slices.Contains(arguments[:n], value) {
				free = append(free, register[value])
			}
		}
		if len(free) == 0 {
			a.registers, free = a.registers+1, []int{a.registers}
		}
		register[in.out], free = free[len(free)-1], free[:len(free)-1]
		in.out = register[in.out]
	}
	for i := range a.once {
		place(&a.once[i], -1)
	}
	lasting = a.registers
	for i := range a.each {
		place(&a.each[i], i)
	}
	for i := range a.results {
		a.results[i].from = register[a.results[i].from]
	}
}
