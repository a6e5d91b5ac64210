package cpu

import (
	"math"

	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/internal/reference"
)

func init() {
	register(func(b *builder, op *program.Softmax) func() {
		x, out, cols := b.Of(op.X), b.Of(op.Out), op.X.Cols
		return b.parallel(op.X.Rows, cols*costExp, func(from, to int) {
			for r := from; r < to; r++ {
				softmax(out[r*cols:(r+1)*cols], x[r*cols:(r+1)*cols])
			}
		})
	})
	register(func(b *builder, op *program.CrossEntropy) func() {
		p, target, loss, cols := b.Of(op.P), b.Of(op.Target), b.Of(op.Loss), op.P.Cols
		return b.parallel(op.P.Rows, cols*costArithmetic, func(from, to int) {
			for r := from; r < to; r++ {
				loss[r] = crossEntropy(p[r*cols:(r+1)*cols], target[r*cols:(r+1)*cols])
			}
		})
	})
}

// softmax is out[c] = e^(x[c]-max) / Σ e^(x[c]-max).
func softmax(out, x []float32) {
	top := x[0]
	for _, v := range x[1:] {
		if v > top {
			top = v
		}
	}
	out = out[:len(x)]
	sum := 0.0
	for c, v := range x {
		e := exp32(v - top)
		out[c] = e
		sum += float64(e)
	}
	scale := float32(1 / sum)
	for c := range out {
		out[c] *= scale
	}
}

// crossEntropy is -Σ target[c]·ln p[c]. The logarithm is only taken where it counts: of a
// row of targets mostly one is not zero.
func crossEntropy(p, target []float32) float32 {
	sum := 0.0
	for c, t := range target {
		if t != 0 {
			sum -= float64(t) * math.Log(math.Max(float64(p[c]), reference.SmallestProbability))
		}
	}
	return float32(sum)
}
