package program

import "inkshade/glcompute/reference"

// Combine is Out = Alpha·A + Beta·B, element by element. Shapes are equal.
type Combine struct {
	A, B, Out   *Tensor
	Alpha, Beta float32
}

func (o *Combine) Name() string      { return "combine" }
func (o *Combine) Reads() []*Tensor  { return []*Tensor{o.A, o.B} }
func (o *Combine) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Combine) Reference(v Values) {
	reference.Combine(v.Of(o.Out), v.Of(o.A), v.Of(o.B), float64(o.Alpha), float64(o.Beta))
}

// Combine records alpha·a + beta·b.
func (p *Program) Combine(a, b *Tensor, alpha, beta float32) *Tensor {
	requireShape("combine", "b", b, a.Rows, a.Cols)
	out := p.result(a.Rows, a.Cols)
	p.Record(&Combine{A: a, B: b, Out: out, Alpha: alpha, Beta: beta})
	return out
}
