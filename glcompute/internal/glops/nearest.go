package glops

import (
	"fmt"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/internal/program"
)

// The variants of nearest by number. In a reduction the threads of a row each find the nearest in a part of it,
// and one more those of the parts; else a thread goes through a row, compares each column with what it
// holds and exchanges them (figures 8 and 9 of Su et al., 2016).
const (
	NearestReduced = 1 + iota
	NearestExchanged
)

// manyRows have threads enough for a software renderer.
const manyRows = 64

func planNearest[T any](b *gldevice.Builder[T], o *program.Nearest) gldevice.Step {
	d, out := b.Of(o.D), b.Of(o.Out)
	stage := func(first, last bool, from, to gldevice.Matrix[T]) *gldevice.Kernel[T] {
		return gldevice.NewKernel(o, "nearest.glsl", to, 40*(from.Stride()/max(to.Stride(), 1)+1)).Read("D", from).Read("Class", b.Of(o.Class).Lying()).
			Define("FIRST", first).Define("LAST", last).Define("PER_CLASS", o.PerClass).Define("FARTHEST", number32(program.Farthest))
	}
	candidates := []int{NearestReduced, NearestExchanged}
	if o.D.Rows >= manyRows {
		candidates = []int{NearestExchanged, NearestReduced}
	}
	switch {
	case d.Stride() < 4:
		candidates = []int{NearestExchanged}
	case d.Stride() > LongestPart:
		candidates = []int{NearestReduced}
	case d.Rows*d.Stride() < worthReducing:
		candidates = candidates[:1]
	}
	work := gldevice.Work{Name: NearestName, Text: fmt.Sprintf("%dx%d, %d of a class", d.Rows, d.Cols, o.PerClass), Op: o}
	return b.Choose(work, candidates, func(v int) gldevice.Step {
		if v == NearestExchanged {
			return b.Plan(stage(true, true, d, out))
		}
		parts := b.Scratch("nearest of parts", d.Rows, squareRoot(d.Stride())*gldevice.TexelValues)
		return b.Plan(stage(true, false, d, parts), stage(false, true, parts, out))
	})
}
