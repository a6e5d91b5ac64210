package cpu

import (
	"slices"

	"inkshade/glcompute/internal/program"
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
}

// softmax is out[c] = scale·e^(x[c]-top), where top is the largest and 1/scale the sum of the exponentials.
func softmax(out, x []float32) (top, scale float32) {
	top = slices.Max(x)
	out = out[:len(x)]
	sum := 0.0
	for c, v := range x {
		e := exp32(v - top)
		out[c] = e
		sum += float64(e)
	}
	scale = float32(1 / sum)
	for c := range out {
		out[c] *= scale
	}
	return top, scale
}
