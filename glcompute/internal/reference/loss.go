package reference

import "math"

// SmallestProbability bounds the logarithm of the cross-entropy from below, so that a
// probability that float32 rounds to zero costs a large and finite loss.
const SmallestProbability = 1e-30

// Softmax computes out[r][c] = e^(x[r][c]-max_r) / Σ_c e^(x[r][c]-max_r) for x[rows][cols].
func Softmax(out, x []float64, rows, cols int) {
	for r := range rows {
		row, res := x[r*cols:(r+1)*cols], out[r*cols:(r+1)*cols]
		top := math.Inf(-1)
		for _, v := range row {
			top = math.Max(top, v)
		}
		sum := 0.0
		for c, v := range row {
			res[c] = math.Exp(v - top)
			sum += res[c]
		}
		for c := range res {
			res[c] /= sum
		}
	}
}

// CrossEntropy computes loss[r] = -Σ_c target[r][c]·ln(max(p[r][c], SmallestProbability)).
func CrossEntropy(loss, p, target []float64, rows, cols int) {
	for r := range rows {
		sum := 0.0
		for c := range cols {
			i := r*cols + c
			sum -= target[i] * math.Log(math.Max(p[i], SmallestProbability))
		}
		loss[r] = sum
	}
}
