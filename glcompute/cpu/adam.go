package cpu

import (
	"math"

	"inkshade/glcompute/program"
)

func init() {
	register(func(b *builder, op *program.Adam) func() {
		w, m, v, dw, settings := b.Of(op.W), b.Of(op.M), b.Of(op.V), b.Of(op.DW), b.Of(op.Settings)
		return parallel(len(w), costExp, func(from, to int) {
			adam(w[from:to], m[from:to], v[from:to], dw[from:to], settings)
		})
	})
}

// adam is program.Adam for settings s.
func adam(w, m, v, dw, s []float32) {
	rate, beta1, beta2, epsilon, decay, correction1, correction2 := s[0], s[1], s[2], s[3], s[4], s[5], s[6]
	m, v, dw = m[:len(w)], v[:len(w)], dw[:len(w)]
	for i, wi := range w {
		g := dw[i] + decay*wi
		mi := beta1*m[i] + (1-beta1)*g
		vi := beta2*v[i] + (1-beta2)*g*g
		m[i], v[i] = mi, vi
		w[i] = wi - rate*(mi/correction1)/(float32(math.Sqrt(float64(vi/correction2)))+epsilon)
	}
}
