package cpu

import "inkshade/glcompute/internal/program"

func init() {
	register(func(b *builder, op *program.SGDTwoFloats) func() {
		low, w, v, dw, anchor, settings := b.Of(op.Low), b.Of(op.W), b.Of(op.V), b.Of(op.DW), b.Of(op.Anchor), b.Of(op.Settings)
		return b.parallel(len(w), costArithmetic, func(from, to int) {
			sgdTwoFloats(w[from:to], low[from:to], v[from:to], dw[from:to], part(anchor, from), settings[0], settings[1], settings[2])
		})
	})
}

// sgdTwoFloats is v = momentum·v + dw + decay·(w+low-anchor), then w + low -= rate·v.
// Products are converted so that none is fused with the sum after it.
func sgdTwoFloats(w, low, v, dw, anchor []float32, rate, momentum, decay float32) {
	low, v, dw = low[:len(w)], v[:len(w)], dw[:len(w)]
	for i, wi := range w {
		towards := wi
		if anchor != nil {
			towards -= anchor[i]
		}
		vi := momentum*v[i] + dw[i] + decay*(towards+low[i])
		v[i] = vi
		step := low[i] - float32(rate*vi)
		sum := wi + step
		w[i] = sum
		low[i] = lost(wi, step, sum)
	}
}

// lost is what rounding left out of sum = a + b (Knuth, The Art of Computer Programming,
// volume 2, 4.2.2, theorem B).
func lost(a, b, sum float32) float32 {
	added := sum - a
	return (a - (sum - added)) + (b - added)
}
