package cpu

import "inkshade/glcompute/internal/program"

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
