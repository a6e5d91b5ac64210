package program

import "inkshade/glcompute/reference"

// Transpose is Out[c][r] = X[r][c].
type Transpose struct{ X, Out *Tensor }

func (o *Transpose) Name() string      { return "transpose" }
func (o *Transpose) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Transpose) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Transpose) Reference(v Values) {
	reference.Transpose(v.Of(o.Out), v.Of(o.X), o.X.Rows, o.X.Cols)
}

// Flow implements Divisible.
func (o *Transpose) Flow(s Samples) Flow { return s.None(o.X) }

// With implements Divisible.
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
