package program

import (
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/reference"
)

// Softmax is Out[r][c] = e^(X[r][c]-max_r) / Σ_c e^(X[r][c]-max_r), row by row.
type Softmax struct{ X, Out *Tensor }

func (o *Softmax) Name() string      { return "softmax" }
func (o *Softmax) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Softmax) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Softmax) Reference(v Values) {
	reference.Softmax(v.Of(o.Out), v.Of(o.X), o.X.Rows, o.X.Cols)
}

// Softmax records the softmax of each row of the logits x.
func (p *Program) Softmax(x *Tensor) *Tensor {
	out := p.result(x.Rows, x.Cols)
	p.Record(&Softmax{X: x, Out: out})
	return out
}

// CrossEntropy (Bridle, 1990, with the softmax) is Loss[r][1] = -Σ_c Target[r][c]·ln P[r][c], P taken as at least
// reference.SmallestProbability. Together with Softmax its gradient by the logits is
// P - Target.
type CrossEntropy struct{ P, Target, Loss *Tensor }

func (o *CrossEntropy) Name() string      { return "cross-entropy" }
func (o *CrossEntropy) Reads() []*Tensor  { return []*Tensor{o.P, o.Target} }
func (o *CrossEntropy) Writes() []*Tensor { return []*Tensor{o.Loss} }
func (o *CrossEntropy) Reference(v Values) {
	reference.CrossEntropy(v.Of(o.Loss), v.Of(o.P), v.Of(o.Target), o.P.Rows, o.P.Cols)
}

// CrossEntropy records the loss of each row, shape [rows][1].
func (p *Program) CrossEntropy(prob, target *Tensor) *Tensor {
	requireShape("cross-entropy", "the target", target, prob.Rows, prob.Cols)
	loss := p.result(prob.Rows, 1)
	p.Record(&CrossEntropy{P: prob, Target: target, Loss: loss})
	return loss
}

// MeanSquaredError records Σ_c (y[r][c]-target[r][c])² / cols for each row, shape [rows][1]: what
// the networks in the description of the pixel-shader patent (US 7,219,085, Microsoft) and those
// of Takizawa et al. (ENTCS 225, 2009) are trained with.
func (p *Program) MeanSquaredError(y, target *Tensor) *Tensor {
	requireShape("mean-squared-error", "the target", target, y.Rows, y.Cols)
	return p.Reduce(ReduceMean, AlongRows, expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1))), y, target)
}

func (o *Softmax) Flow(s Samples) Flow             { return s.Rows(o.X) }
func (o *Softmax) With(f func(*Tensor) *Tensor) Op { return &Softmax{f(o.X), f(o.Out)} }

func (o *CrossEntropy) Flow(s Samples) Flow { return s.Rows(o.P, o.Target) }
func (o *CrossEntropy) With(f func(*Tensor) *Tensor) Op {
	return &CrossEntropy{f(o.P), f(o.Target), f(o.Loss)}
}

// Gradient records that of X, P ∘ (dP - Σ_c dP·P).
func (o *Softmax) Gradient(b *Backward) {
	if !b.Needs(o.X) {
		return
	}
	p, dp := o.Out, b.Of(o.Out)
	sums := b.Reduce(ReduceSum, AlongRows, expr.Mul(expr.Arg(0), expr.Arg(1)), dp, p)
	b.Add(o.X, b.Elementwise("softmax-grad", expr.Mul(expr.Arg(0), expr.Sub(expr.Arg(1), expr.Arg(2))), p, dp, sums))
}

// Gradient records that of the logits whose softmax P is, dLoss·(P - Target), and does not go
// through the softmax: targets sum to one. Of another P it is -dLoss·Target/P.
func (o *CrossEntropy) Gradient(b *Backward) {
	if b.Needs(o.Target) {
		b.none("%s by its target", o.Name())
		return
	}
	loss, args := b.of[o.Loss], []Operand{Whole(o.P), Whole(o.Target), Whole(b.of[o.Loss].t)}
	p, target := expr.Arg(0), expr.Arg(1)
	by, e := o.P, expr.Div(expr.Neg(target), expr.Max(p, expr.Const(reference.SmallestProbability)))
	for _, op := range b.ops {
		if s, ok := op.(*Softmax); ok && s.Out == o.P {
			by, e = s.X, expr.Sub(p, target)
		}
	}
	if b.Needs(by) {
		b.add(by, b.record("cross-entropy-grad", by.Rows, by.Cols, expr.Mul(loss.as(2), e), args))
	}
}
