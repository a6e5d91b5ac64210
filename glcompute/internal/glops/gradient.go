package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// Gradient is what an SGD step takes: a matrix of the shape of the weights, or one that is
// added up on the way, as shaders/gradient.glsl does.
type Gradient[T any] struct {
	gldevice.Matrix[T]
	kind int
}

const (
	gradientWhole   = 0
	gradientOfRows  = 1 // the sum of its rows
	gradientOfLying = 2 // the sum of its one row, which is a column that lies as a row
)

// PlainGradient is that which the step o is given.
func PlainGradient[T any](b *gldevice.Builder[T], o *program.SGD) Gradient[T] {
	return Gradient[T]{b.Of(o.DW).Lying(), gradientWhole}
}

// AddTo makes the gradient the operand DW of a kernel, of which a texel then adds up as many.
func (g *Gradient[T]) AddTo(k *gldevice.Kernel[T]) {
	k.Reads = append(k.Reads, gldevice.Operand[T]{Name: "DW", Matrix: g.Matrix})
	k.Source.Define("GRADIENT", g.kind)
	switch g.kind {
	case gradientOfRows:
		k.Work += gldevice.TexelValues * g.Rows
	case gradientOfLying:
		k.Work += gldevice.TexelValues * g.Stride()
	}
}

// Stepper plans an executor's step of SGD by a gradient.
type Stepper[T any] func(*gldevice.Builder[T], *program.SGD, Gradient[T]) (gldevice.Step, error)

// sumsThenStep plans column sums together with the SGD step that alone takes them, such as
// that of a bias: the last pass of the sums is not written and read again. It is nil where
// these are no such two, or the sums need a pass after the last.
func sumsThenStep[T any](b *gldevice.Builder[T], first, second program.Op, step Stepper[T]) (gldevice.Step, error) {
	o, isSum := first.(*program.ColumnSums)
	then, isStep := second.(*program.SGD)
	if !isSum || !isStep || then.DW != o.Out || then.Low != nil {
		return nil, nil
	}
	x := b.Of(o.X)
	if x.Column() {
		if x = x.Lying(); inParts(b, x) {
			return nil, nil
		}
		return step(b, then, Gradient[T]{x, gradientOfLying})
	}
	before, rest, err := columnSumsBefore(b, o, x, chooseColumnSums(b, o))
	if err != nil {
		return nil, err
	}
	last, err := step(b, then, Gradient[T]{rest, gradientOfRows})
	if err != nil || len(before) == 0 {
		return last, err
	}
	sums, err := b.Plan(before...)
	return gldevice.Sequence(sums, last), err
}
