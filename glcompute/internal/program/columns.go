package program

import "fmt"

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

func (o *Reshape) Sharding(s Samples) Sharding     { return s.Rows(o.X) }
func (o *Reshape) With(f func(*Tensor) *Tensor) Op { return &Reshape{f(o.X), f(o.Out)} }

// Reshape records the values of x as [rows][cols].
func (p *Program) Reshape(x *Tensor, rows, cols int) *Tensor {
	if rows*cols != x.Len() {
		panic(fmt.Sprintf("program: reshape: %s has not the values of [%d][%d]", x, rows, cols))
	}
	if rows == x.Rows {
		return x
	}
	return p.made(&Reshape{X: x, Out: p.result(rows, cols)})
}

// Transpose is Out[c][r] = X[r][c].
type Transpose struct{ X, Out *Tensor }

func (o *Transpose) Name() string      { return "transpose" }
func (o *Transpose) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Transpose) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Transpose) Reference(v Values) {
	for i := range v.Of(o.Out) {
		v.Of(o.Out)[i] = v.Of(o.X)[i%o.X.Rows*o.X.Cols+i/o.X.Rows]
	}
}

func (o *Transpose) Sharding(s Samples) Sharding     { return s.None(o.X) }
func (o *Transpose) With(f func(*Tensor) *Tensor) Op { return &Transpose{f(o.X), f(o.Out)} }

// Transpose records the transposed of x.
func (p *Program) Transpose(x *Tensor) *Tensor {
	return p.made(&Transpose{X: x, Out: p.result(x.Cols, x.Rows)})
}

// Gradient records that of X, the transposed.
func (o *Transpose) Gradient(b *Backward) {
	if b.Needs(o.X) {
		b.Add(o.X, b.Transpose(b.Of(o.Out)))
	}
}

// Columns puts columns of several tensors side by side, or takes some of one: Out[r][c] = Σ_i Xs[i][r][From[i]+c], where of
// each X only the columns count that it has.
type Columns struct {
	Xs   []*Tensor
	From []int // the column of each X in the first of Out
	Out  *Tensor
}

func (o *Columns) Name() string {
	if len(o.Xs) == 1 {
		return "slice"
	}
	return "concat"
}

func (o *Columns) Reads() []*Tensor  { return o.Xs }
func (o *Columns) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Columns) Reference(v Values) {
	out := v.Of(o.Out)
	clear(out)
	for i, x := range o.Xs {
		for at := range out {
			if c := o.From[i] + at%o.Out.Cols; c >= 0 && c < x.Cols {
				out[at] += v.Of(x)[at/o.Out.Cols*x.Cols+c]
			}
		}
	}
}

// Gradient records those of the parts: the columns in the other's places.
func (o *Columns) Gradient(b *Backward) {
	for i, x := range o.Xs {
		if b.Needs(x) {
			b.Add(x, b.columns(x.Cols, []int{-o.From[i]}, b.Of(o.Out)))
		}
	}
}

func (o *Columns) Sharding(s Samples) Sharding { return s.Rows(o.Xs...) }
func (o *Columns) With(f func(*Tensor) *Tensor) Op {
	return &Columns{tensorsWith(o.Xs, f), o.From, f(o.Out)}
}

// Concat records the columns of all xs, which have as many rows, side by side.
func (p *Program) Concat(xs ...*Tensor) *Tensor {
	from, cols := make([]int, len(xs)), 0
	for i, x := range xs {
		requireShape("concat", "a part", x, xs[0].Rows, x.Cols)
		from[i], cols = -cols, cols+x.Cols
	}
	return p.columns(cols, from, xs...)
}

// Slice records cols columns of x from the column from on.
func (p *Program) Slice(x *Tensor, from, cols int) *Tensor {
	if from < 0 || cols < 1 || from+cols > x.Cols {
		panic(fmt.Sprintf("program: slice: %s has no columns %d to %d", x, from, from+cols-1))
	}
	return p.columns(cols, []int{from}, x)
}

func (p *Program) columns(cols int, from []int, xs ...*Tensor) *Tensor {
	if len(xs) == 1 && from[0] == 0 && xs[0].Cols == cols {
		return xs[0]
	}
	return p.made(&Columns{Xs: xs, From: from, Out: p.result(xs[0].Rows, cols)})
}

// Constant brings values that never change into the program.
func (p *Program) Constant(name string, rows, cols int, data []float32) *Tensor {
	return p.Variable(NewParameter(name, rows, cols, data))
}
