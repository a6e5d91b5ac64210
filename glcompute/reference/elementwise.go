package reference

import "math"

// Tanh is (e^x - e^-x)/(e^x + e^-x).
func Tanh(x float64) float64 { return math.Tanh(x) }

// Sigmoid is 1/(1+e^-x).
func Sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// ReLU is max(x, 0).
func ReLU(x float64) float64 { return math.Max(x, 0) }

// TanhGrad is the derivative of tanh in terms of its result y: 1 - y².
func TanhGrad(y float64) float64 { return 1 - y*y }

// SigmoidGrad is the derivative of the sigmoid in terms of its result y: y(1-y).
func SigmoidGrad(y float64) float64 { return y * (1 - y) }

// ReLUGrad is the derivative of ReLU in terms of its result y: 1 where y > 0, else 0.
func ReLUGrad(y float64) float64 {
	if y > 0 {
		return 1
	}
	return 0
}

// Map computes out[i] = f(x[i]).
func Map(out, x []float64, f func(float64) float64) {
	for i := range x {
		out[i] = f(x[i])
	}
}

// ActivationGrad computes dx[i] = dy[i]·g(y[i]), g the derivative in terms of the result.
func ActivationGrad(dx, dy, y []float64, g func(float64) float64) {
	for i := range dy {
		dx[i] = dy[i] * g(y[i])
	}
}

// Combine computes out[i] = alpha·a[i] + beta·b[i].
func Combine(out, a, b []float64, alpha, beta float64) {
	for i := range a {
		out[i] = alpha*a[i] + beta*b[i]
	}
}

// Elementwise computes results[k][r][c] for all k at once by element, which is given what it
// has to fill.
func Elementwise(results [][]float64, rows, cols int, element func(r, c int, values []float64)) {
	values := make([]float64, len(results))
	for r := range rows {
		for c := range cols {
			element(r, c, values)
			for k := range results {
				results[k][r*cols+c] = values[k]
			}
		}
	}
}
