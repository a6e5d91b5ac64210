package program

import (
	"fmt"

	"inkshade/glcompute/expr"
)

// Activation is the number of one of the first of expr.Functions, by which models name the
// nonlinearity of their layers.
type Activation uint8

const (
	Identity Activation = iota // x
	Tanh                       // (e^x - e^-x)/(e^x + e^-x)
	Sigmoid                    // 1/(1+e^-x)
	ReLU                       // max(x, 0)
)

// Activations lists all of them.
var Activations = []Activation{Identity, Tanh, Sigmoid, ReLU}

// Function is the formula.
func (f Activation) Function() expr.Function { return expr.Functions[f] }

func (f Activation) String() string {
	if int(f) < len(Activations) {
		return f.Function().Name
	}
	return fmt.Sprintf("activation %d", uint8(f))
}

// Linear records a layer: f(x[batch][in] · w[in][out] + bias[1][out]). bias may be nil.
func (p *Program) Linear(x, w, bias *Tensor, f Activation) *Tensor {
	return p.Layer(x, w, bias, f.Function())
}

// MatMul records a·b with either side transposed first.
func (p *Program) MatMul(a, b *Tensor, transA, transB bool) *Tensor {
	return p.Product(View{Tensor: a, Trans: transA}, View{Tensor: b, Trans: transB})
}

// Outer records aᵀ·b for rows a[1][m] and b[1][n].
func (p *Program) Outer(a, b *Tensor) *Tensor {
	return p.Product(Transposed(a), Plain(b))
}

// Map records f applied to every element of x.
func (p *Program) Map(x *Tensor, f Activation) *Tensor { return p.Apply(f.Function(), x) }

// Copy records an element by element copy of x into a tensor of its own.
func (p *Program) Copy(x *Tensor) *Tensor { return p.Elementwise("copy", expr.Arg(0), x) }

// ActivationGrad records dx = dy ∘ f'(x), f' in terms of y = f(x). Shapes are equal.
func (p *Program) ActivationGrad(dy, y *Tensor, f Activation) *Tensor {
	requireShape("activation-grad", "dy", dy, y.Rows, y.Cols)
	x := f.Function().Of(expr.Arg(2))
	slope := x.Derivative(2).Replace(x, expr.Arg(1))
	return p.Elementwise("activation-grad", expr.Mul(expr.Arg(0), slope), dy, y)
}

// Combine records alpha·a + beta·b, element by element. Shapes are equal.
func (p *Program) Combine(a, b *Tensor, alpha, beta float32) *Tensor {
	requireShape("combine", "b", b, a.Rows, a.Cols)
	return p.Elementwise("combine", expr.Add(expr.Scale(alpha, expr.Arg(0)), expr.Scale(beta, expr.Arg(1))), a, b)
}

// ColumnSums records the sums over the rows of x, shape [1][cols].
func (p *Program) ColumnSums(x *Tensor) *Tensor { return p.Sum(Columns, x) }

// RowSums records the sums over the columns of x, shape [rows][1].
func (p *Program) RowSums(x *Tensor) *Tensor { return p.Sum(Rows, x) }
