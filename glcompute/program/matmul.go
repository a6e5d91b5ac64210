package program

import (
	"fmt"

	"inkshade/glcompute/reference"
)

// MatMul is the matrix product with everything folded in that belongs to a layer:
//
//	Out[m][n] = f( A'[m][k] · B'[k][n] + Bias[1][n] )        or, with Accumulate,
//	Out[m][n] += A'[m][k] · B'[k][n]
//
// A' is A, or A transposed when TransA; B' likewise. The forward pass of a layer is
// x·W, its gradients are dW = xᵀ·dy and dx = dy·Wᵀ, so no operand is ever transposed in
// memory. Inner product and transposed product of the pixel-shader patent (US
// 7,219,085, Microsoft, claim 1; CN1627251). Bias may be nil. Accumulate excludes a bias and an activation.
type MatMul struct {
	A, B, Bias, Out            *Tensor
	TransA, TransB, Accumulate bool
	Activation                 Activation
}

func (o *MatMul) Name() string { return "matmul" }

func (o *MatMul) Reads() []*Tensor {
	in := []*Tensor{o.A, o.B}
	if o.Bias != nil {
		in = append(in, o.Bias)
	}
	if o.Accumulate {
		in = append(in, o.Out)
	}
	return in
}

func (o *MatMul) Writes() []*Tensor { return []*Tensor{o.Out} }

// Dims gives the rows and columns of the result and the length of the inner product.
func (o *MatMul) Dims() (m, n, k int) { return productDims(o.A, o.B, o.TransA, o.TransB) }

func (o *MatMul) Reference(v Values) {
	m, n, k := o.Dims()
	out := v.Of(o.Out)
	reference.MatMul(out, v.Of(o.A), v.Of(o.B), v.Of(o.Bias), m, n, k, o.TransA, o.TransB, o.Accumulate)
	reference.Map(out, out, o.Activation.Reference())
}

// Linear records a layer: f(x[batch][in] · w[in][out] + bias[1][out]). bias may be nil.
func (p *Program) Linear(x, w, bias *Tensor, f Activation) *Tensor {
	return p.product(x, w, bias, false, false, f)
}

// MatMul records a·b with either side transposed first.
func (p *Program) MatMul(a, b *Tensor, transA, transB bool) *Tensor {
	return p.product(a, b, nil, transA, transB, Identity)
}

// MatMulAdd records out += a·b with either side transposed first.
func (p *Program) MatMulAdd(out, a, b *Tensor, transA, transB bool) {
	m, n := checkProduct(a, b, transA, transB)
	requireShape("matmul", "the accumulated output", out, m, n)
	p.Record(&MatMul{A: a, B: b, Out: out, TransA: transA, TransB: transB, Accumulate: true})
}

func (p *Program) product(a, b, bias *Tensor, transA, transB bool, f Activation) *Tensor {
	m, n := checkProduct(a, b, transA, transB)
	if bias != nil {
		requireShape("matmul", "the bias", bias, 1, n)
	}
	out := p.result(m, n)
	p.Record(&MatMul{A: a, B: b, Bias: bias, Out: out, TransA: transA, TransB: transB, Activation: f})
	return out
}

func productDims(a, b *Tensor, transA, transB bool) (m, n, k int) {
	m, k, n = a.Rows, a.Cols, b.Cols
	if transA {
		m, k = a.Cols, a.Rows
	}
	if transB {
		n = b.Rows
	}
	return m, n, k
}

func checkProduct(a, b *Tensor, transA, transB bool) (m, n int) {
	m, n, k := productDims(a, b, transA, transB)
	inner := b.Rows
	if transB {
		inner = b.Cols
	}
	if inner != k {
		panic(fmt.Sprintf("program: matmul: %s (transposed %t) times %s (transposed %t): inner lengths %d and %d differ",
			a, transA, b, transB, k, inner))
	}
	return m, n
}
