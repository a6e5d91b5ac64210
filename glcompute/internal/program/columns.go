package program

import (
	"fmt"

	"inkshade/glcompute/internal/reference"
)

// Reshape is the values of X, row after row, in another shape: Out[r][c] = X[i / X.Cols][i % X.Cols]
// with i = r·Out.Cols + c.
type Reshape struct{ X, Out *Tensor }

func (o *Reshape) Name() string       { return "reshape" }
func (o *Reshape) Reads() []*Tensor   { return []*Tensor{o.X} }
func (o *Reshape) Writes() []*Tensor  { return []*Tensor{o.Out} }
func (o *Reshape) Reference(v Values) { copy(v.Of(o.Out), v.Of(o.X)) }

// Gradient records that of X: its values in the first shape.
func (o *Reshape) Gradient(b *Backward) {
	if b.Needs(o.X) {
		b.Add(o.X, b.Reshape(b.Of(o.Out), o.X.Rows, o.X.Cols))
	}
}

func (o *Reshape) Flow(s Samples) Flow             { return s.Rows(o.X) }
func (o *Reshape) With(f func(*Tensor) *Tensor) Op { return &Reshape{f(o.X), f(o.Out)} }

// Reshape records the values of x as [rows][cols].
func (p *Program) Reshape(x *Tensor, rows, cols int) *Tensor {
	if rows*cols != x.Len() {
		panic(fmt.Sprintf("program: reshape: %s has not the values of [%d][%d]", x, rows, cols))
	}
	if rows == x.Rows {
		return x
	}
	out := p.result(rows, cols)
	p.Record(&Reshape{X: x, Out: out})
	return out
}

// Transpose is Out[c][r] = X[r][c].
type Transpose struct{ X, Out *Tensor }

func (o *Transpose) Name() string      { return "transpose" }
func (o *Transpose) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Transpose) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Transpose) Reference(v Values) {
	reference.Transpose(v.Of(o.Out), v.Of(o.X), o.X.Rows, o.X.Cols)
}

func (o *Transpose) Flow(s Samples) Flow             { return s.None(o.X) }
func (o *Transpose) With(f func(*Tensor) *Tensor) Op { return &Transpose{f(o.X), f(o.Out)} }

// Transpose records the transposed of x.
func (p *Program) Transpose(x *Tensor) *Tensor {
	out := p.result(x.Cols, x.Rows)
	p.Record(&Transpose{X: x, Out: out})
	return out
}

// Gradient records that of X, the transposed.
func (o *Transpose) Gradient(b *Backward) {
	if b.Needs(o.X) {
		b.Add(o.X, b.Transpose(b.Of(o.Out)))
	}
}

// Concat is the columns of all Xs side by side: Out[r] = Xs[0][r] Xs[1][r] ...
type Concat struct {
	Xs  []*Tensor
	Out *Tensor
}

func (o *Concat) Name() string      { return "concat" }
func (o *Concat) Reads() []*Tensor  { return o.Xs }
func (o *Concat) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Concat) Reference(v Values) {
	from := 0
	for _, x := range o.Xs {
		reference.Columns(v.Of(o.Out), v.Of(x), x.Rows, o.Out.Cols, from, x.Cols, 0, x.Cols)
		from += x.Cols
	}
}

// Gradient records those of the parts: slices.
func (o *Concat) Gradient(b *Backward) {
	from := 0
	for _, x := range o.Xs {
		if b.Needs(x) {
			b.Add(x, b.Slice(b.Of(o.Out), from, x.Cols))
		}
		from += x.Cols
	}
}

func (o *Concat) Flow(s Samples) Flow             { return s.Rows(o.Xs...) }
func (o *Concat) With(f func(*Tensor) *Tensor) Op { return &Concat{tensorsWith(o.Xs, f), f(o.Out)} }

// Concat records the columns of all xs, which have as many rows, side by side.
func (p *Program) Concat(xs ...*Tensor) *Tensor {
	cols := 0
	for _, x := range xs {
		requireShape("concat", "a part", x, xs[0].Rows, x.Cols)
		cols += x.Cols
	}
	if len(xs) == 1 {
		return xs[0]
	}
	out := p.result(xs[0].Rows, cols)
	p.Record(&Concat{Xs: xs, Out: out})
	return out
}

// Slice is Out.Cols columns from From: Out[r][c] = X[r][From+c], zero where X has no such column.
type Slice struct {
	X, Out *Tensor
	From   int // may be negative
}

func (o *Slice) Name() string      { return "slice" }
func (o *Slice) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Slice) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Slice) Reference(v Values) {
	clear(v.Of(o.Out))
	from, skip := max(o.From, 0), max(-o.From, 0)
	reference.Columns(v.Of(o.Out), v.Of(o.X), o.X.Rows, o.Out.Cols, skip, o.X.Cols, from, min(o.Out.Cols-skip, o.X.Cols-from))
}

// Gradient records that of X: the columns in their place among zeros.
func (o *Slice) Gradient(b *Backward) {
	if b.Needs(o.X) {
		b.Add(o.X, b.slice(b.Of(o.Out), -o.From, o.X.Cols))
	}
}

func (o *Slice) Flow(s Samples) Flow             { return s.Rows(o.X) }
func (o *Slice) With(f func(*Tensor) *Tensor) Op { return &Slice{f(o.X), f(o.Out), o.From} }

// Slice records cols columns of x from the column from on.
func (p *Program) Slice(x *Tensor, from, cols int) *Tensor {
	if from < 0 || cols < 1 || from+cols > x.Cols {
		panic(fmt.Sprintf("program: slice: %s has no columns %d to %d", x, from, from+cols-1))
	}
	if cols == x.Cols {
		return x
	}
	return p.slice(x, from, cols)
}

func (p *Program) slice(x *Tensor, from, cols int) *Tensor {
	out := p.result(x.Rows, cols)
	p.Record(&Slice{X: x, Out: out, From: from})
	return out
}

// Constant brings values that never change into the program.
func (p *Program) Constant(name string, rows, cols int, data []float32) *Tensor {
	return p.Variable(NewParameter(name, rows, cols, data))
}
