package glops

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// The stages of softmax, as the shader knows them. A statistic is the texel (largest
// value, sum of the exponentials of what lies below it, 0, 0) of a part of a row.
const (
	softmaxWhole = 0 // each texel takes the statistic of its row by itself
	softmaxParts = 1 // statistics of parts of rows
	softmaxMerge = 2 // the statistic of each row from those of its parts
	softmaxScale = 3 // e^(x - largest) / sum
)

// worthReducing is the number of texels below which a reduction takes a few microseconds in
// any way.
const worthReducing = 1 << 10

// elementwiseWork is the cost of a texel of four values with an exponential each.
const elementwiseWork = 64

// By rule of thumb each texel takes the statistic of its row by itself where a row has up to
// softmaxShort texels, or all rows together up to softmaxFew; never beyond softmaxLong.
const (
	softmaxShort = 4
	softmaxLong  = 32
	softmaxFew   = 64
)

// softmaxCandidates are the variants worth measuring, the first by rule of thumb.
func softmaxCandidates(rows, stride int) []int {
	first := 2
	switch {
	case stride <= softmaxShort, stride <= softmaxLong && rows*stride <= softmaxFew:
		first = 1
	case parts(stride) > 1:
		first = 3
	}
	all := []int{first}
	if stride == 1 || rows*stride < worthReducing {
		return all
	}
	for v, fits := range []bool{stride <= softmaxLong, true, stride > softmaxLong} {
		if v+1 != first && fits {
			all = append(all, v+1)
		}
	}
	return all
}

func softmaxStage[T any](op program.Op, number int, x, statistics, out gldevice.Matrix[T]) *gldevice.Kernel[T] {
	work := elementwiseWork * (1 + x.Stride()/out.Stride())
	return gldevice.NewKernel(op, "softmax.glsl", out, work).Read("A", x).Read("Statistics", statistics).Define("STAGE", number)
}

func planSoftmax[T any](b *gldevice.Builder[T], o *program.Softmax) gldevice.Step {
	x, out := b.Of(o.X), b.Of(o.Out)
	work := gldevice.Work{Name: SoftmaxName, Text: fmt.Sprintf("%dx%d", x.Rows, x.Cols), Op: o}
	return b.Choose(work, softmaxCandidates(x.Rows, x.Stride()), func(passes int) gldevice.Step {
		if passes == 1 {
			return b.Plan(softmaxStage(o, softmaxWhole, x, x, out))
		}
		ofRows := b.Scratch("statistics of rows", x.Rows, gldevice.TexelValues)
		if passes == 2 {
			return b.Plan(softmaxStage(o, softmaxParts, x, x, ofRows), softmaxStage(o, softmaxScale, x, ofRows, out))
		}
		ofParts := b.Scratch("statistics of parts", x.Rows, squareRoot(x.Stride())*gldevice.TexelValues)
		return b.Plan(
			softmaxStage(o, softmaxParts, x, x, ofParts),
			softmaxStage(o, softmaxMerge, ofParts, ofParts, ofRows),
			softmaxStage(o, softmaxScale, x, ofRows, out),
		)
	})
}
