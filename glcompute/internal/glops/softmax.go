package glops

import (
	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/program"
)

// The stages of softmax, as the shader knows them. A statistic is the texel (largest
// value, sum of the exponentials of what lies below it, 0, 0) of a part of a row.
const (
	softmaxWhole = 0 // each texel takes the statistic of its row by itself
	softmaxParts = 1 // statistics of parts of rows
	softmaxMerge = 2 // the statistic of each row from those of its parts
	softmaxScale = 3 // e^(x - largest) / sum
)

// softmaxShort is the number of texels of a row up to which it is cheaper that each of
// them takes the whole row's statistic than to run two or three stages.
const softmaxShort = 4

func planSoftmax[T any](b *gldevice.Builder[T], o *program.Softmax) (gldevice.Step, error) {
	stage := func(number int, x, statistics, out gldevice.Matrix[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: o.Name(), File: "softmax.glsl", Out: out,
			Reads: []gldevice.Operand[T]{{Name: "A", Matrix: x}, {Name: "Statistics", Matrix: statistics}},
			Work:  elementwiseWork * (1 + x.Stride()/out.Stride()),
		}
		k.Source.Define("STAGE", number)
		return k
	}
	x, out := b.Of(o.X), b.Of(o.Out)
	if x.Stride() <= softmaxShort {
		return b.Plan(stage(softmaxWhole, x, x, out))
	}
	ofRows, err := b.Scratch("statistics of rows", x.Rows, gldevice.TexelValues)
	if err != nil {
		return nil, err
	}
	n := parts(x.Stride())
	if n == 1 {
		return b.Plan(stage(softmaxParts, x, x, ofRows), stage(softmaxScale, x, ofRows, out))
	}
	ofParts, err := b.Scratch("statistics of parts", x.Rows, n*gldevice.TexelValues)
	if err != nil {
		return nil, err
	}
	return b.Plan(
		stage(softmaxParts, x, x, ofParts),
		stage(softmaxMerge, ofParts, ofParts, ofRows),
		stage(softmaxScale, x, ofRows, out),
	)
}
