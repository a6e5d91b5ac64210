package program

import (
	"math"

	"inkshade/glcompute/expr"
)

// Softmax is Out[r][c] = e^(X[r][c]-max_r) / Σ_c e^(X[r][c]-max_r), row by row.
type Softmax struct{ X, Out *Tensor }

func (o *Softmax) Name() string      { return "softmax" }
func (o *Softmax) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Softmax) Writes() []*Tensor { return []*Tensor{o.Out} }

func (o *Softmax) Reference(v Values) {
	for r := range o.X.Rows {
		x, out := v.Of(o.X)[r*o.X.Cols:(r+1)*o.X.Cols], v.Of(o.Out)[r*o.X.Cols:(r+1)*o.X.Cols]
		top, sum := math.Inf(-1), 0.0
		for _, logit := range x {
			top = math.Max(top, logit)
		}
		for c, logit := range x {
			out[c] = math.Exp(logit - top)
			sum += out[c]
		}
		for c := range out {
			out[c] /= sum
		}
	}
}

func (o *Softmax) Sharding(s Samples) Sharding     { return s.Rows(o.X) }
func (o *Softmax) With(f func(*Tensor) *Tensor) Op { return &Softmax{f(o.X), f(o.Out)} }

// Softmax records the softmax of each row of the logits x.
func (p *Program) Softmax(x *Tensor) *Tensor {
	return p.made(&Softmax{X: x, Out: p.result(x.Rows, x.Cols)})
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

// SmallestProbability bounds the logarithm of the cross-entropy from below, so that a
// probability that float32 rounds to zero costs a large and finite loss.
const SmallestProbability = 1e-30

// CrossEntropy records the loss of each row (Bridle, 1990, with the softmax), -Σ_c Target[r][c]·ln P[r][c], shape [rows][1]: a
// reduction of operands P, taken as at least SmallestProbability, and Target.
func (p *Program) CrossEntropy(prob, target *Tensor) *Tensor {
	requireShape("cross-entropy", "the target", target, prob.Rows, prob.Cols)
	log := expr.Log(expr.Max(expr.Arg(0), expr.Const(SmallestProbability)))
	o := p.newReduce(ReduceSum, AlongRows, expr.Mul(expr.Arg(1), expr.Neg(log)), []*Tensor{prob, target})
	o.CrossEntropy = true
	return p.made(o)
}

// gradientCrossEntropy records that of the logits whose softmax P is, dLoss·(P - Target), and does not go
// through the softmax: targets sum to one. Of another P it is -dLoss·Target/P.
func (o *Reduce) gradientCrossEntropy(b *Backward) {
	prob, target := o.Args[0], o.Args[1]
	if b.Needs(target.Tensor) {
		b.none("%s by its target", o.Name())
		return
	}
	loss, args := b.of[o.Out], []Operand{prob, target, Whole(b.of[o.Out].t)}
	by, e := prob.Tensor, expr.Div(expr.Neg(expr.Arg(1)), expr.Max(expr.Arg(0), expr.Const(SmallestProbability)))
	for _, op := range b.ops {
		if s, ok := op.(*Softmax); ok && s.Out == prob.Tensor {
			by, e = s.X, expr.Sub(expr.Arg(0), expr.Arg(1))
		}
	}
	if b.Needs(by) {
		b.add(by, b.record("cross-entropy-grad", by.Rows, by.Cols, expr.Mul(loss.as(2), e), args))
	}
}

// MeanSquaredError records Σ_c (y[r][c]-target[r][c])² / cols for each row, shape [rows][1]: what
// the networks in the description of the pixel-shader patent (US 7,219,085, Microsoft) and those
// of Takizawa et al. (ENTCS 225, 2009) are trained with.
func (p *Program) MeanSquaredError(y, target *Tensor) *Tensor {
	requireShape("mean-squared-error", "the target", target, y.Rows, y.Cols)
	return p.Reduce(ReduceMean, AlongRows, expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1))), y, target)
}
