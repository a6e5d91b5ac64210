package reference

// SGDTwoFloats updates the parameters w + low and their momentum v in place:
//
//	v = momentum·v + dw + decay·(w + low - anchor)
//	w, low = float32(sum), sum - float32(sum)    with sum = w + low - rate·v
func SGDTwoFloats(w, low, v, dw, anchor []float64, rate, momentum, decay float64) {
	for i := range w {
		sum := w[i] + low[i]
		towards := sum
		if anchor != nil {
			towards -= anchor[i]
		}
		v[i] = momentum*v[i] + dw[i] + decay*towards
		sum -= rate * v[i]
		w[i] = float64(float32(sum))
		low[i] = sum - w[i]
	}
}
