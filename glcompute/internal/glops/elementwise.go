package glops

import "inkshade/glcompute/internal/gldevice"

// elementwiseWork is the cost of a texel of four values with an exponential each.
const elementwiseWork = 64

// elementwise is a kernel whose file gives one element of out, four at a time, from the
// same element of a and b. An operation with a single operand gives it twice; the second
// is not read.
func elementwise[T any](op, file string, a, b, out gldevice.Matrix[T]) gldevice.Kernel[T] {
	return lying(gldevice.Kernel[T]{
		Op: op, File: file, Reads: operands(a, b), Out: out, Work: elementwiseWork,
	})
}

// operands names two matrices A and B.
func operands[T any](a, b gldevice.Matrix[T]) []gldevice.Operand[T] {
	return []gldevice.Operand[T]{{Name: "A", Matrix: a}, {Name: "B", Matrix: b}}
}

// Combination is out = alpha·a + beta·b, element by element.
func Combination[T any](op string, a, b, out gldevice.Matrix[T], alpha, beta float32) gldevice.Kernel[T] {
	k := elementwise(op, "combine.glsl", a, b, out)
	k.Uniforms = func(u *gldevice.Uniforms) { u.Float("alpha", alpha).Float("beta", beta) }
	return k
}
