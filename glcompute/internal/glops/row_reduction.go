package glops

import (
	"math"

	"inkshade/glcompute/internal/gldevice"
	"inkshade/glcompute/reference"
)

// The stages of a row reduction, as the shader knows them.
const (
	stageWhole   = 0 // the terms of a row summed and finished
	stagePartial = 1 // terms summed into several texels a row
	stageFinal   = 2 // those texels summed and finished
	stageSingle  = 3 // the terms of rows with one value finished
)

// rowReduction is out[r] = finish(Σ_c term(x[r][c], y[r][c])). Long rows are summed in
// parts first, whose sums lie in a scratch matrix.
func rowReduction[T any](b *gldevice.Builder[T], op, file string, x, y, out gldevice.Matrix[T]) (gldevice.Step, error) {
	stage := func(number int, from, and, to gldevice.Matrix[T]) gldevice.Kernel[T] {
		k := gldevice.Kernel[T]{
			Op: op, File: file, Reads: operands(from, and), Out: to,
			Work:     elementwiseWork * from.Stride() / to.Stride(),
			Uniforms: func(u *gldevice.Uniforms) { u.Float("length_", float32(x.Cols)) },
		}
		k.Source.Define("STAGE", number).Define("SMALLEST_PROBABILITY", reference.SmallestProbability)
		return k
	}
	if x.Column() {
		return b.Plan(lying(stage(stageSingle, x, y, out)))
	}
	if !inParts(b, x) {
		return b.Plan(stage(stageWhole, x, y, out))
	}
	sums, err := b.Scratch("row sums", x.Rows, parts(x.Stride())*gldevice.TexelValues)
	if err != nil {
		return nil, err
	}
	return b.Plan(stage(stagePartial, x, y, sums), stage(stageFinal, sums, sums, out))
}

// inParts reports whether rows are so long that their sums take two passes.
func inParts[T any](b *gldevice.Builder[T], x gldevice.Matrix[T]) bool {
	return parts(x.Stride()) > 1 && !(b.Software() && x.Stride() <= shortInCache)
}

// shortInCache is the number of texels of a row that a software renderer sums in one pass:
// another pass takes it as long as some hundred texels.
const shortInCache = 512

// parts is how many partial sums a sum of n terms is made of: one while it is short,
// and otherwise about as many as each of them has terms, so that no thread runs long and
// rounding errors stay small.
func parts(n int) int {
	const short = 128
	if n <= short {
		return 1
	}
	return squareRoot(n)
}

// squareRoot is rounded up.
func squareRoot(n int) int { return int(math.Ceil(math.Sqrt(float64(n)))) }
