package program

import (
	"fmt"
	"slices"

	"inkshade/glcompute/expr"
)

// ReduceKind says what becomes of many values.
type ReduceKind uint8

const (
	ReduceSum ReduceKind = iota
	ReduceMean
	ReduceMax
	ReduceMin
)

func (k ReduceKind) String() string { return [...]string{"sum", "mean", "max", "min"}[k] }

// Along says which values become one.
type Along uint8

const (
	AlongRows    Along = iota // those of each row: [rows][1]
	AlongColumns              // those of each column: [1][cols]
	AlongGroups               // those that a row of a table names
)

func (a Along) String() string { return [...]string{"rows", "columns", "groups"}[a] }

// Reduce makes one value of many: the sum, mean, largest or smallest of
//
//	Term(Args at [r][c])        r < ExtentRows, c < ExtentCols
//
// along rows, [ExtentRows][1], or columns, [1][ExtentCols]. Index, where it is not nil, is the number of
// the column or row of the largest or smallest, the first of several.
//
// Along groups the term is the one operand X [N·Pixels][channels] itself, and
//
//	Out[n·Positions+p][c] = Σ_t X[n·Pixels+Table[p][t]][c]
//
// over the taps whose entry is not -1 (Table [Positions][Taps]); Index is the number of the tap, -1 where
// there is none, and the value then is zero. A mean divides by the number of all taps. With Match, of
// the shape of X, a tap t counts only where Match has the value t: the gradient of the largest.
type Reduce struct {
	Kind                   ReduceKind
	Along                  Along
	Term                   *expr.Expr
	Args                   []Operand
	ExtentRows, ExtentCols int
	Table                  *Table
	Match                  *Tensor
	Out, Index             *Tensor
	Epilogue               *Epilogue // nil for none; there is no Index then
	CrossEntropy           bool      // whose gradient is told apart: see Program.CrossEntropy
}

func (o *Reduce) Name() string {
	name := o.Kind.String() + " of " + o.Along.String()
	if o.CrossEntropy {
		name = "cross-entropy"
	}
	return withEpilogue(name, o.Epilogue)
}

func (o *Reduce) Reads() []*Tensor {
	all := tensorsOf(o.Args)
	if o.Match != nil {
		all = append(all, o.Match)
	}
	return append(all, o.Epilogue.reads()...)
}

func (o *Reduce) Writes() []*Tensor {
	all := o.Epilogue.writes(o.Out)
	if o.Index != nil {
		all = append(all[:len(all):len(all)], o.Index)
	}
	return all
}

// Images is N of a reduction along groups, and Pixels the rows of each image in X.
func (o *Reduce) Images() (images, pixels int) {
	images = o.Out.Rows / o.Table.Rows
	return images, o.ExtentRows / images
}

func (o *Reduce) Reference(v Values) {
	out, index, term := make([]float64, o.Out.Len()), v.Of(o.Index), o.terms(v)
	for i := range out {
		at, none := -1, true
		for n := range o.length() {
			x, counts := term(i, n)
			switch {
			case !counts:
				continue
			case o.Kind == ReduceSum || o.Kind == ReduceMean:
				out[i] += x
			case none || o.Kind == ReduceMax && x > out[i] || o.Kind == ReduceMin && x < out[i]:
				out[i], at = x, n
			}
			none = false
		}
		if o.Kind == ReduceMean {
			out[i] /= float64(o.length())
		}
		if index != nil {
			index[i] = float64(at)
		}
	}
	o.Epilogue.reference(v, o.Out, out)
}

// length is the number of values that become one, with those that do not count.
func (o *Reduce) length() int {
	if o.Along == AlongGroups {
		return o.Table.Cols
	}
	return o.ExtentRows * o.ExtentCols / o.Out.Len()
}

// terms gives a function for the value number n of those that become result number i, if it counts.
func (o *Reduce) terms(v Values) func(i, n int) (x float64, counts bool) {
	element, value := (&Elementwise{Args: o.Args, Exprs: []*expr.Expr{o.Term}}).elements(v, o.ExtentRows, o.ExtentCols), []float64{0}
	at := func(row, col int) (float64, bool) {
		element(row, col, value)
		return value[0], true
	}
	switch o.Along {
	case AlongRows:
		return at
	case AlongColumns:
		return func(i, n int) (float64, bool) { return at(n, i) }
	}
	_, pixels := o.Images()
	match, cols := v.Of(o.Match), o.ExtentCols
	return func(i, n int) (float64, bool) {
		q := o.Table.At(i/cols%o.Table.Rows, n)
		row, col := i/cols/o.Table.Rows*pixels+q, i%cols
		if q < 0 || match != nil && match[row*cols+col] != float64(n) {
			return 0, false
		}
		return at(row, col)
	}
}

// Reduce records the sum, mean, largest or smallest along rows or columns of a formula over
// tensors, whose shapes are spread as in Elementwise.
func (p *Program) Reduce(kind ReduceKind, along Along, term *expr.Expr, args ...*Tensor) *Tensor {
	if along == AlongRows && !slices.ContainsFunc(args, func(t *Tensor) bool { return t.Cols > 1 }) { // of one value each
		return p.Elementwise(kind.String()+" of "+along.String(), term, args...)
	}
	return p.made(p.newReduce(kind, along, term, args))
}

// Extreme records the largest or smallest along rows or columns of x and where it stands, the
// first of several.
func (p *Program) Extreme(kind ReduceKind, along Along, x *Tensor) (value, index *Tensor) {
	if kind != ReduceMax && kind != ReduceMin {
		panic("program: the " + kind.String() + " has no index")
	}
	o := p.newReduce(kind, along, expr.Arg(0), []*Tensor{x})
	o.Index = p.result(o.Out.Rows, o.Out.Cols)
	p.Record(o)
	return o.Out, o.Index
}

// Sum records the sums along rows, [rows][1], or columns, [1][cols]; of a single line that is x.
func (p *Program) Sum(along Along, x *Tensor) *Tensor {
	if along == AlongRows && x.Cols == 1 || along == AlongColumns && x.Rows == 1 {
		return x
	}
	return p.Reduce(ReduceSum, along, expr.Arg(0), x)
}

// newReduce is along rows or columns, to be recorded.
func (p *Program) newReduce(kind ReduceKind, along Along, term *expr.Expr, args []*Tensor) *Reduce {
	o := &Reduce{Kind: kind, Along: along, Term: term, ExtentRows: 1, ExtentCols: 1}
	for _, t := range args {
		o.ExtentRows, o.ExtentCols = max(o.ExtentRows, t.Rows), max(o.ExtentCols, t.Cols)
		o.Args = append(o.Args, Whole(t))
	}
	for _, a := range o.Args {
		a.Spread(o.ExtentRows, o.ExtentCols)
	}
	switch along {
	case AlongRows:
		o.Out = p.result(o.ExtentRows, 1)
	case AlongColumns:
		o.Out = p.result(1, o.ExtentCols)
	default:
		panic("program: a reduction along groups needs a table: see Pool")
	}
	return o
}

// Pool records the sum, mean, largest or smallest of the pixels of each window in images
// x[N·Pixels][channels]: [N·Positions][channels]. Padding does not count, but in the number that
// a mean divides by. Windows may be the whole image.
func (p *Program) Pool(kind ReduceKind, x *Tensor, window Window) *Tensor {
	if err := window.Check(); err != nil {
		panic("program: pool: " + err.Error())
	}
	pixels := window.Height * window.Width
	if x.Rows%pixels != 0 {
		panic(fmt.Sprintf("program: pool: %s holds no images of %d pixels", x, pixels))
	}
	o := p.pool(kind, x, window.Table(), x.Rows/pixels, nil)
	if kind == ReduceMax || kind == ReduceMin {
		o.Index = p.result(o.Out.Rows, o.Out.Cols)
	}
	return o.Out
}

// GatherTable records rows of images x[N·Pixels][channels], those that a table[Rows][1] names, in any order and
// as often as it does: [N·Rows][channels].
func (p *Program) GatherTable(x *Tensor, table *Table, images int) *Tensor {
	if table.Cols != 1 || x.Rows%images != 0 {
		panic(fmt.Sprintf("program: pick: a table [%d][%d] of %d images in %s", table.Rows, table.Cols, images, x))
	}
	return p.pool(ReduceSum, x, table, images, nil).Out
}

func (p *Program) pool(kind ReduceKind, x *Tensor, table *Table, images int, match *Tensor) *Reduce {
	o := &Reduce{
		Kind: kind, Along: AlongGroups, Term: expr.Arg(0), Args: []Operand{Whole(x)}, ExtentRows: x.Rows, ExtentCols: x.Cols,
		Table: table, Match: match, Out: p.result(images*table.Rows, x.Cols),
	}
	p.Record(o)
	return o
}

func (o *Reduce) Sharding(s Samples) Sharding {
	operands := byRow(o.Args, o.ExtentRows, o.ExtentCols)
	switch {
	case o.Along == AlongRows:
		return s.Rows(operands...)
	case o.Along == AlongColumns && (o.Kind == ReduceSum || o.Kind == ReduceMean):
		return s.Sum(operands...)
	case o.Along == AlongGroups:
		if o.Match != nil {
			operands = append(operands, o.Match)
		}
		if images, _ := o.Images(); images%s.Count == 0 {
			return s.Rows(operands...)
		}
	}
	return s.None(operands...)
}

func (o *Reduce) With(f func(*Tensor) *Tensor) Op {
	with := *o
	with.Args, with.Match, with.Out, with.Index = operandsWith(o.Args, f), f(o.Match), f(o.Out), f(o.Index)
	with.ExtentRows = 1
	for _, a := range with.Args {
		with.ExtentRows = max(with.ExtentRows, a.Rows)
	}
	if o.Kind == ReduceMean && o.Along == AlongColumns { // of all rows, a part of which is the sum of fewer
		with.Kind, with.Term = ReduceSum, expr.Scale(1/float32(o.ExtentRows), o.Term)
	}
	return &with
}

// Gradient records those of the operands. Where several are the largest along a row or column,
// each has the gradient.
func (o *Reduce) Gradient(b *Backward) {
	switch {
	case o.Along == AlongGroups:
		o.gradientGroups(b)
		return
	case o.CrossEntropy:
		o.gradientCrossEntropy(b)
		return
	}
	dy, scale := b.of[o.Out], float32(1)
	if o.Kind == ReduceMean {
		scale /= float32(o.length())
	}
	args := append([]Operand{}, o.Args...)
	factor := expr.Scale(scale, dy.as(len(args)))
	args = append(args, Whole(dy.t), Whole(o.Out))
	if o.Kind == ReduceMax || o.Kind == ReduceMin {
		over := expr.Sub(o.Term, expr.Arg(len(args)-1))
		equal := expr.Select(over, expr.Const(0), expr.Select(expr.Neg(over), expr.Const(0), expr.Const(1)))
		factor = expr.Mul(equal, factor)
	}
	for i, a := range o.Args {
		if b.Needs(a.Tensor) {
			e := expr.Mul(factor, o.Term.Derivative(i))
			b.add(a.Tensor, b.spread(o.Name()+"-grad", a, o.ExtentRows, o.ExtentCols, e, args))
		}
	}
}

func (o *Reduce) gradientGroups(b *Backward) {
	x, dy := o.Args[0].Tensor, b.Of(o.Out)
	if !b.Needs(x) {
		return
	}
	if o.Match != nil {
		b.none("the gradient of %s", o.Name())
		return
	}
	images, pixels := o.Images()
	if o.Index != nil {
		b.Add(x, b.pool(ReduceSum, dy, o.Table.Inverse(pixels), images, o.Index).Out)
		return
	}
	if o.Kind == ReduceMean {
		dy = b.Elementwise("mean-grad", expr.Scale(1/float32(o.Table.Cols), expr.Arg(0)), dy)
	}
	b.Add(x, b.pool(ReduceSum, dy, o.Table.readers(pixels), images, nil).Out)
}
