package program

import (
	"fmt"

	"inkshade/glcompute/reference"
)

// Outer is the outer product of two rows:
//
//	Out[m][n] = A[1][m]ᵀ · B[1][n]        or, with Accumulate,        Out += Aᵀ·B
//
// the gradient of a layer's weights in descent on single samples, A its input and B the
// gradient of its output. The outer product in the description of the pixel-shader patent
// (US 7,219,085, Microsoft; CN1627251), whose training (claim 3) is made of inner and outer
// products and transposes.
type Outer struct {
	A, B, Out  *Tensor
	Accumulate bool
}

func (o *Outer) Name() string { return "outer" }

func (o *Outer) Reads() []*Tensor {
	if o.Accumulate {
		return []*Tensor{o.A, o.B, o.Out}
	}
	return []*Tensor{o.A, o.B}
}

func (o *Outer) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Outer) Reference(v Values) {
	reference.Outer(v.Of(o.Out), v.Of(o.A), v.Of(o.B), o.Accumulate)
}

// Outer records aᵀ·b for rows a[1][m] and b[1][n].
func (p *Program) Outer(a, b *Tensor) *Tensor {
	checkOuter(a, b)
	out := p.result(a.Cols, b.Cols)
	p.Record(&Outer{A: a, B: b, Out: out})
	return out
}

// OuterAdd records out += aᵀ·b for rows a[1][m] and b[1][n].
func (p *Program) OuterAdd(out, a, b *Tensor) {
	checkOuter(a, b)
	requireShape("outer", "the accumulated output", out, a.Cols, b.Cols)
	p.Record(&Outer{A: a, B: b, Out: out, Accumulate: true})
}

func checkOuter(a, b *Tensor) {
	if a.Rows != 1 || b.Rows != 1 {
		panic(fmt.Sprintf("program: outer: %s and %s must have one row each", a, b))
	}
}
