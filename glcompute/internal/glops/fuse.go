package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// What follows the sum of a product in its shader, which is the operation that reads it.
const (
	followedByLayer    = 0 // bias or old values, and the nonlinearity
	followedByGradient = 1 // times the derivative of a nonlinearity
	followedByMomentum = 2 // the momentum of an SGD step
	followedByUpdate   = 3 // the whole SGD step
)

// ProductThenGradient is the kernel of a product whose result the backward pass of a
// nonlinearity takes at once.
func ProductThenGradient[T any](b *gldevice.Builder[T], o *program.MatMul, then *program.ActivationGrad, block Block) gldevice.Kernel[T] {
	with := *o
	with.Activation = then.Activation
	k := onePass(b, &with, block, followedByGradient)
	k.Out = b.Of(then.DX).Lying()
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Y", Matrix: b.Of(then.Y).Lying()})
	return k
}

// ProductThenMomentum is the kernel of a gradient that goes into the momentum at once, the
// first half of an SGD step; Weights is the other.
func ProductThenMomentum[T any](b *gldevice.Builder[T], o *program.MatMul, then *program.SGD, u Updated[T], block Block) gldevice.Kernel[T] {
	k := onePass(b, o, block, followedByMomentum)
	k.Out = u.V
	k.Reads = append(k.Reads, u.Old()...)
	Settings(b, &k, then)
	return k
}

// ProductThenUpdate is the kernel of a gradient that the SGD step takes at once; its shader
// writes W, which is its result, and V.
func ProductThenUpdate[T any](b *gldevice.Builder[T], o *program.MatMul, then *program.SGD, u Updated[T], block Block) gldevice.Kernel[T] {
	k := onePass(b, o, block, followedByUpdate)
	k.Out = u.W
	Settings(b, &k, then)
	return k
}

// FuseOthers plans two operations of which the first is no product, with the step of SGD of an
// executor; nil where they stay apart.
func FuseOthers[T any](b *gldevice.Builder[T], first, second program.Op, step Stepper[T]) (gldevice.Step, error) {
	if both, err := combinationThenGradient(b, first, second); both != nil || err != nil {
		return both, err
	}
	return sumsThenStep(b, first, second, step)
}

// combinationThenGradient plans the gradient of a loss together with that of the nonlinearity
// before it, which alone reads it; nil where these are no such two.
func combinationThenGradient[T any](b *gldevice.Builder[T], first, second program.Op) (gldevice.Step, error) {
	o, isCombination := first.(*program.Combine)
	then, isGradient := second.(*program.ActivationGrad)
	if !isCombination || !isGradient || then.DY != o.Out || then.Y == o.Out {
		return nil, nil
	}
	k := Combination(o.Name(), b.Of(o.A), b.Of(o.B), b.Of(then.DX), o.Alpha, o.Beta)
	k.File = "combine_gradient.glsl"
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Y", Matrix: b.Of(then.Y).Lying()})
	k.Source.Define("ACTIVATION", int(then.Activation))
	return b.Plan(k)
}
