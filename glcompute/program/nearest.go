package program

import (
	"fmt"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/reference"
)

// Nearest finds two columns in each row of D[rows][n] at once: that of the smallest value among
// the columns of the row's own class, which are the columns from PerClass·Class to before
// PerClass·(Class+1), and that of the smallest among all others (Su et al., "GPU-based large-scale
// prototype learning", 2016, whose D are distances to prototypes). Its results are formulas of these:
//
//	Out[r][k] = Exprs[k](own value, own column, other value, other column)
//
// Of equal values the first counts, and a value that is no number counts as smaller than any. Where
// there is no column, as for a class below 0 or past the last, the value is Farthest and the column -1.
type Nearest struct {
	D, Class *Tensor // Class is [rows][1], whole numbers
	PerClass int
	Exprs    []*expr.Expr
	Out      *Tensor // [rows][len(Exprs)]
}

// Farthest is beyond all distances; its square is a number that divides to zero.
const Farthest = reference.Farthest

func (o *Nearest) Name() string      { return "nearest" }
func (o *Nearest) Reads() []*Tensor  { return []*Tensor{o.D, o.Class} }
func (o *Nearest) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Nearest) Reference(v Values) {
	out, d, class := v.Of(o.Out), v.Of(o.D), v.Of(o.Class)
	for r := range o.D.Rows {
		found := reference.Nearest(d[r*o.D.Cols:(r+1)*o.D.Cols], class[r], o.PerClass)
		for k, e := range o.Exprs {
			out[r*len(o.Exprs)+k] = e.Evaluate(&expr.Values{Args: found[:]})
		}
	}
}

// Gradient: prototypes are moved by Attract.
func (o *Nearest) Gradient(*Backward) { panic("program: there is no gradient of " + o.Name()) }

func (o *Nearest) Flow(s Samples) Flow { return s.Rows(o.D, o.Class) }
func (o *Nearest) With(f func(*Tensor) *Tensor) Op {
	with := *o
	with.D, with.Class, with.Out = f(o.D), f(o.Class), f(o.Out)
	return &with
}

// Nearest records formulas of the nearest of each row's class and the nearest of all others.
func (p *Program) Nearest(d, class *Tensor, perClass int, exprs ...*expr.Expr) *Tensor {
	requireShape("nearest", "the classes", class, d.Rows, 1)
	if perClass < 1 || len(exprs) == 0 {
		panic(fmt.Sprintf("program: nearest: %d columns of a class, %d results; both must be at least 1", perClass, len(exprs)))
	}
	for _, e := range exprs {
		e.Leaves(func(x *expr.Expr) {
			if x.Kind != expr.LeafOperand || x.Index > 3 {
				panic(fmt.Sprintf("program: nearest: %s reads %s, which there is not", e, x))
			}
		})
	}
	out := p.result(d.Rows, len(exprs))
	p.Record(&Nearest{D: d, Class: class, PerClass: perClass, Exprs: exprs, Out: out})
	return out
}

// Attract moves rows of the variable W[n][k] toward rows of X[rows][k], or away from them, as
// Pairs[rows][≥ 2·Count] say, each of whose first pairs of columns is the number j of a row of W and a
// weight s:
//
//	W[j] += Rate · Σ s · (X[r] - W[j])        over all pairs of all rows r of Pairs that name j
//
// with W from before in the sums, which are taken in the order of the rows of X: there are no atomics, and the result
// is the same each time. A number that is that of no row counts for nothing. Equations 3 and 4 of Su et
// al. (2016), for a mini-batch.
type Attract struct {
	W, X, Pairs, Rate *Tensor // Rate is [1][1]
	Count             int
}

func (o *Attract) Name() string      { return "attract" }
func (o *Attract) Reads() []*Tensor  { return []*Tensor{o.W, o.X, o.Pairs, o.Rate} }
func (o *Attract) Writes() []*Tensor { return []*Tensor{o.W} }
func (o *Attract) Reference(v Values) {
	reference.Attract(v.Of(o.W), v.Of(o.X), v.Of(o.Pairs), o.W.Rows, o.X.Rows, o.W.Cols, o.Count, v.Of(o.Rate)[0])
}

// Gradient: nothing is learned through a movement.
func (o *Attract) Gradient(*Backward) { panic("program: there is no gradient of " + o.Name()) }

// Attract records a movement of rows of the variable w by so many pairs of each row of x.
func (p *Program) Attract(w, x, pairs, rate *Tensor, count int) {
	requireShape("attract", "x", x, pairs.Rows, w.Cols)
	requireShape("attract", "the rate", rate, 1, 1)
	if w.Kind != Variable || count < 1 || pairs.Cols < 2*count {
		panic(fmt.Sprintf("program: attract: %s must be a variable, and %s have %d pairs of columns", w, pairs, count))
	}
	if entries := pairs.Rows*count + w.Rows; entries >= 1<<24 {
		panic(fmt.Sprintf("program: attract: %d rows and pairs; less than %d are possible", entries, 1<<24))
	}
	p.Record(&Attract{W: w, X: x, Pairs: pairs, Rate: rate, Count: count})
}
