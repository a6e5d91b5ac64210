package cpu

import "inkshade/glcompute/program"

func init() {
	register(func(b *builder, op *program.SGD) func() {
		low := b.Of(op.Low)
		w, v, dw, anchor, settings := b.Of(op.W), b.Of(op.V), b.Of(op.DW), b.Of(op.Anchor), b.Of(op.Settings)
		return parallel(len(w), costArithmetic, func(from, to int) {
			rate, momentum, decay := settings[0], settings[1], settings[2]
			if low != nil {
				sgdTwoFloats(w[from:to], low[from:to], v[from:to], dw[from:to], part(anchor, from, to), rate, momentum, decay)
				return
			}
			if anchor == nil {
				sgd(w[from:to], v[from:to], dw[from:to], rate, momentum, decay)
				return
			}
			sgdAnchored(w[from:to], v[from:to], dw[from:to], anchor[from:to], rate, momentum, decay)
		})
	})
}

// sgd is v = momentum·v + dw + decay·w, then w = w - rate·v.
func sgd(w, v, dw []float32, rate, momentum, decay float32) {
	v, dw = v[:len(w)], dw[:len(w)]
	for i, wi := range w {
		vi := momentum*v[i] + dw[i] + decay*wi
		v[i] = vi
		w[i] = wi - rate*vi
	}
}

// sgdAnchored is v = momentum·v + dw + decay·(w-anchor), then w = w - rate·v.
func sgdAnchored(w, v, dw, anchor []float32, rate, momentum, decay float32) {
	v, dw, anchor = v[:len(w)], dw[:len(w)], anchor[:len(w)]
	for i, wi := range w {
		vi := momentum*v[i] + dw[i] + decay*(wi-anchor[i])
		v[i] = vi
		w[i] = wi - rate*vi
	}
}

// part is x[from:to], and nil for nil.
func part(x []float32, from, to int) []float32 {
	if x == nil {
		return nil
	}
	return x[from:to]
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
