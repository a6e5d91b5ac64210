package program

import "fmt"

// mostIndexed is the number of rows that a float32 tells apart.
const mostIndexed = 1 << 24

// Gather reads rows by their numbers: Out[r] = X[Index[r]], Index [rows][1]. A number that is that of no
// row of X reads as zeros.
type Gather struct{ X, Index, Out *Tensor }

func (o *Gather) Name() string      { return "gather" }
func (o *Gather) Reads() []*Tensor  { return []*Tensor{o.X, o.Index} }
func (o *Gather) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Gather) Reference(v Values) {
	out, x, cols := v.Of(o.Out), v.Of(o.X), o.X.Cols
	clear(out)
	for r, j := range v.Of(o.Index) {
		if j >= 0 && j < float64(o.X.Rows) {
			copy(out[r*cols:(r+1)*cols], x[int(j)*cols:])
		}
	}
}

// Gather records the rows of x that index[rows][1] names, in its order and as often as it does.
func (p *Program) Gather(x, index *Tensor) *Tensor {
	requireIndex("gather", index, x.Rows)
	return p.made(&Gather{X: x, Index: index, Out: p.result(index.Rows, x.Cols)})
}

func requireIndex(op string, index *Tensor, rows int) {
	requireShape(op, "the index", index, index.Rows, 1)
	if max(rows, index.Rows) >= mostIndexed {
		panic(fmt.Sprintf("program: %s: %d of %d rows; less than %d are possible", op, index.Rows, rows, mostIndexed))
	}
}

// Gradient records that of X: the rows of dOut added up where they came from.
func (o *Gather) Gradient(b *Backward) {
	if b.Needs(o.Index) {
		b.none("%s by its index", o.Name())
	}
	if b.Needs(o.X) {
		b.Add(o.X, b.scatterAdd(b.result(o.X.Rows, o.X.Cols), b.Of(o.Out), o.Index))
	}
}

// Sharding: rows of the index pick from the same rows of X.
func (o *Gather) Sharding(s Samples) Sharding {
	if s.each[o.X] {
		return Unsharded
	}
	return s.Rows(o.Index)
}
func (o *Gather) With(f func(*Tensor) *Tensor) Op { return &Gather{f(o.X), f(o.Index), f(o.Out)} }

// ScatterAdd adds rows to those that they name, where Out is a variable to what it holds, else to zero:
//
//	Out[j] (+)= Σ_r X[r]        over the rows r with Index[r] = j
//
// taken in the order of the rows: there are no atomics, and the result is the same each time. A number that is that
// of no row of Out counts for nothing.
type ScatterAdd struct{ X, Index, Out *Tensor }

func (o *ScatterAdd) Name() string      { return "scatter-add" }
func (o *ScatterAdd) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *ScatterAdd) Reads() []*Tensor {
	if o.InPlace() {
		return []*Tensor{o.X, o.Index, o.Out}
	}
	return []*Tensor{o.X, o.Index}
}

// InPlace reports whether rows of a variable are added to.
func (o *ScatterAdd) InPlace() bool { return o.Out.Kind == Variable }

func (o *ScatterAdd) Reference(v Values) {
	out, x, cols := v.Of(o.Out), v.Of(o.X), o.Out.Cols
	if !o.InPlace() {
		clear(out)
	}
	for r, j := range v.Of(o.Index) {
		for c := range cols {
			if j >= 0 && j < float64(o.Out.Rows) {
				out[int(j)*cols+c] += x[r*cols+c]
			}
		}
	}
}

// ScatterAdd records the addition of the rows of x to those of the variable w that index[rows][1] names: a step that
// touches no other row.
func (p *Program) ScatterAdd(w, x, index *Tensor) {
	if w.Kind != Variable {
		panic("program: scatter-add: " + w.String() + " must be a variable, or the step would be lost")
	}
	p.scatterAdd(w, x, index)
}

func (p *Program) scatterAdd(out, x, index *Tensor) *Tensor {
	requireIndex("scatter-add", index, out.Rows)
	requireShape("scatter-add", "x", x, index.Rows, out.Cols)
	return p.made(&ScatterAdd{X: x, Index: index, Out: out})
}

// Gradient records that of X: the rows of dOut that it was added to.
func (o *ScatterAdd) Gradient(b *Backward) {
	switch {
	case o.InPlace() || b.Needs(o.Index):
		b.none("%s", o.Name())
	case b.Needs(o.X):
		b.Add(o.X, b.Gather(b.Of(o.Out), o.Index))
	}
}

func (o *ScatterAdd) Sharding(s Samples) Sharding { return s.Sum(o.X, o.Index) }
func (o *ScatterAdd) With(f func(*Tensor) *Tensor) Op {
	return &ScatterAdd{f(o.X), f(o.Index), f(o.Out)}
}
