package reference_test

import (
	"math"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/reference"
)

// TestByHand checks every reference against numbers worked out by hand.
func TestByHand(t *testing.T) {
	x := []float64{1, 2, 3, 4, 5, 6} // [2][3]
	y := []float64{1, 0, 2, -1, 1, 3}
	tests := []struct {
		name string
		run  func(out []float64)
		want []float64
	}{
		{"product", func(o []float64) { reference.Product(o, x, y, 2, 2, 3, false, false, false) }, []float64{8, 7, 20, 13}},
		{
			"product of a transposed", func(o []float64) { reference.Product(o, x, y, 3, 3, 2, true, false, false) },
			[]float64{-3, 4, 14, -3, 5, 19, -3, 6, 24},
		},
		{"product by a transposed", func(o []float64) { reference.Product(o, x, y, 2, 2, 3, false, true, false) }, []float64{7, 10, 16, 19}},
		{
			"product of both transposed", func(o []float64) {
				reference.Product(o, x, []float64{1, 10, 100, 1000}, 3, 2, 2, true, true, false)
			},
			[]float64{41, 4100, 52, 5200, 63, 6300},
		},
		{"distances", func(o []float64) { reference.Product(o, x, y, 2, 2, 3, false, true, true) }, []float64{5, 5, 50, 50}},
		{"transpose", func(o []float64) { reference.Transpose(o, x, 2, 3) }, []float64{1, 4, 2, 5, 3, 6}},
		{"column sums", func(o []float64) { reference.Reduction{}.Lines(o, nil, 2, 3, true, at(x, 3)) }, []float64{5, 7, 9}},
		{"row means", func(o []float64) { reference.Reduction{Mean: true}.Lines(o, nil, 2, 3, false, at(x, 3)) }, []float64{2, 5}},
		{"largest of rows", func(o []float64) {
			reference.Reduction{Largest: true}.Lines(o[:2], o[2:], 2, 3, false, at([]float64{1, 7, 7, -2, -3, -2}, 3))
		}, []float64{7, -2, 1, 0}},
		{"softmax", func(o []float64) {
			reference.Softmax(o, []float64{1e6, 1e6, 1e6 + math.Ln2, 0, -math.Inf(1), 0}, 2, 3)
		}, []float64{0.25, 0.25, 0.5, 0.5, 0, 0.5}},
		{"cross-entropy", func(o []float64) {
			reference.CrossEntropy(o, []float64{math.Exp(-2), 0.5, 0, 1}, []float64{1, 0, 1, 0}, 2, 2)
		}, []float64{2, 30 * math.Ln10}},
	}
	limit := compare.Limit{Rel: 1e-9, Reason: "logarithms and exponentials of float64"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out := make([]float64, len(test.want))
			test.run(out)
			if _, err := compare.Slices(out, test.want, limit); err != nil {
				t.Errorf("%v: got %v, want %v", err, out, test.want)
			}
		})
	}
}

// at gives the values of a matrix of so many columns.
func at(x []float64, cols int) func(r, c int) float64 {
	return func(r, c int) float64 { return x[r*cols+c] }
}
