package program

import (
	"fmt"

	"inkshade/glcompute/reference"
)

// Activation is a nonlinearity applied element by element, as a pixel shader does with each
// texel in the description of the pixel-shader patent (US 7,219,085, Microsoft). Its gradient
// is taken from its result, f' in terms of y, after Rumelhart, Hinton and Williams (1986).
type Activation uint8

const (
	Identity Activation = iota // x
	Tanh                       // (e^x - e^-x)/(e^x + e^-x)
	Sigmoid                    // 1/(1+e^-x)
	ReLU                       // max(x, 0)
)

// Activations lists all of them.
var Activations = []Activation{Identity, Tanh, Sigmoid, ReLU}

func (f Activation) String() string {
	switch f {
	case Identity:
		return "identity"
	case Tanh:
		return "tanh"
	case Sigmoid:
		return "sigmoid"
	case ReLU:
		return "relu"
	}
	return fmt.Sprintf("activation %d", uint8(f))
}

// Reference is the function in float64.
func (f Activation) Reference() func(float64) float64 {
	switch f {
	case Tanh:
		return reference.Tanh
	case Sigmoid:
		return reference.Sigmoid
	case ReLU:
		return reference.ReLU
	}
	return func(x float64) float64 { return x }
}

// ReferenceGrad is the derivative in float64, as a function of the result y = f(x).
func (f Activation) ReferenceGrad() func(float64) float64 {
	switch f {
	case Tanh:
		return reference.TanhGrad
	case Sigmoid:
		return reference.SigmoidGrad
	case ReLU:
		return reference.ReLUGrad
	}
	return func(float64) float64 { return 1 }
}

// Map is Out[i] = f(X[i]).
type Map struct {
	X, Out     *Tensor
	Activation Activation
}

func (o *Map) Name() string      { return "map" }
func (o *Map) Reads() []*Tensor  { return []*Tensor{o.X} }
func (o *Map) Writes() []*Tensor { return []*Tensor{o.Out} }
func (o *Map) Reference(v Values) {
	reference.Map(v.Of(o.Out), v.Of(o.X), o.Activation.Reference())
}

// Map records f applied to every element of x.
func (p *Program) Map(x *Tensor, f Activation) *Tensor {
	out := p.result(x.Rows, x.Cols)
	p.Record(&Map{X: x, Out: out, Activation: f})
	return out
}

// Copy records an element by element copy of x into a tensor of its own.
func (p *Program) Copy(x *Tensor) *Tensor { return p.Map(x, Identity) }

// ActivationGrad is the backward pass of an activation: DX = DY ∘ f'(x), where f' is
// written in terms of the forward result Y = f(x), so that x need not be kept. It
// overwrites DX.
type ActivationGrad struct {
	DY, Y, DX  *Tensor
	Activation Activation
}

func (o *ActivationGrad) Name() string      { return "activation-grad" }
func (o *ActivationGrad) Reads() []*Tensor  { return []*Tensor{o.DY, o.Y} }
func (o *ActivationGrad) Writes() []*Tensor { return []*Tensor{o.DX} }
func (o *ActivationGrad) Reference(v Values) {
	reference.ActivationGrad(v.Of(o.DX), v.Of(o.DY), v.Of(o.Y), o.Activation.ReferenceGrad())
}

// ActivationGrad records dx = dy ∘ f'(x) for y = f(x). Shapes are equal.
func (p *Program) ActivationGrad(dy, y *Tensor, f Activation) *Tensor {
	requireShape("activation-grad", "dy", dy, y.Rows, y.Cols)
	dx := p.result(y.Rows, y.Cols)
	p.Record(&ActivationGrad{DY: dy, Y: y, DX: dx, Activation: f})
	return dx
}
