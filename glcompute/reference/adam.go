package reference

import "math"

// Adam updates w and its moments m and v in place by s = rate, beta1, beta2, epsilon,
// decay, correction1, correction2:
//
//	g = dw + decay·w
//	m = beta1·m + (1 - beta1)·g
//	v = beta2·v + (1 - beta2)·g²
//	w = w - rate · (m/correction1) / (√(v/correction2) + epsilon)
func Adam(w, m, v, dw, s []float64) {
	rate, beta1, beta2, epsilon, decay, correction1, correction2 := s[0], s[1], s[2], s[3], s[4], s[5], s[6]
	for i := range w {
		g := dw[i] + decay*w[i]
		m[i] = beta1*m[i] + (1-beta1)*g
		v[i] = beta2*v[i] + (1-beta2)*g*g
		w[i] -= rate * (m[i] / correction1) / (math.Sqrt(v[i]/correction2) + epsilon)
	}
}
