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

// Fusible reports whether a product has nothing after its sum yet.
func Fusible(o *program.MatMul) bool {
	return o.Bias == nil && !o.Accumulate && o.Activation == program.Identity
}

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
func ProductThenMomentum[T any](b *gldevice.Builder[T], o *program.MatMul, then *program.SGD, block Block) gldevice.Kernel[T] {
	k := onePass(b, o, block, followedByMomentum)
	k.Out = b.Of(then.V).Lying()
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "V", Matrix: k.Out}, gldevice.Operand[T]{Name: "W", Matrix: b.Of(then.W).Lying()})
	settings(b, &k, then)
	return k
}

// ProductThenUpdate is the kernel of a gradient that the SGD step takes at once; its shader
// writes W, which is its result, and V.
func ProductThenUpdate[T any](b *gldevice.Builder[T], o *program.MatMul, then *program.SGD, block Block) gldevice.Kernel[T] {
	k := onePass(b, o, block, followedByUpdate)
	k.Out = b.Of(then.W).Lying()
	settings(b, &k, then)
	return k
}

// Update is the kernel of the SGD step of W, which is its result, and V by a given gradient.
// Its shader is the executor's.
func Update[T any](b *gldevice.Builder[T], o *program.SGD) gldevice.Kernel[T] {
	k := gldevice.Kernel[T]{
		Op: o.Name(), Out: b.Of(o.W).Lying(), Work: elementwiseWork,
		Reads: []gldevice.Operand[T]{{Name: "DW", Matrix: b.Of(o.DW).Lying()}},
	}
	settings(b, &k, o)
	return k
}

func settings[T any](b *gldevice.Builder[T], k *gldevice.Kernel[T], o *program.SGD) {
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Settings", Matrix: b.Of(o.Settings)})
	k.Source.Define("HAS_ANCHOR", o.Anchor != nil).Define("HAS_LOW", false)
	if o.Anchor != nil {
		k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "Anchor", Matrix: b.Of(o.Anchor).Lying()})
	}
}
