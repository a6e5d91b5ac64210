package program

import (
	"math"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
)

// TestReferencesByHand checks what operations mean against numbers worked out by hand.
func TestReferencesByHand(t *testing.T) {
	values := Values{}
	p := New()
	given := func(rows, cols int, data ...float64) *Tensor {
		x := p.Input(rows, cols)
		values[x] = data
		return x
	}
	x, y := given(2, 3, 1, 2, 3, 4, 5, 6), given(3, 2, 1, 0, 2, -1, 1, 3)
	y23, inf := given(2, 3, 1, 0, 2, -1, 1, 3), math.Inf(1)
	largest, place := p.Extreme(ReduceMax, AlongRows, given(2, 3, 1, 7, 7, -2, -3, -2))
	tests := []struct {
		name string
		out  []*Tensor
		want []float64
	}{
		{"product", []*Tensor{p.Product(Plain(x), Plain(y))}, []float64{8, 7, 20, 13}},
		{"product of a transposed", []*Tensor{p.Product(Transposed(x), Plain(y23))}, []float64{-3, 4, 14, -3, 5, 19, -3, 6, 24}},
		{"product by a transposed", []*Tensor{p.Product(Plain(x), Transposed(y23))}, []float64{7, 10, 16, 19}},
		{"product of both transposed", []*Tensor{p.Product(Transposed(x), Transposed(given(2, 2, 1, 10, 100, 1000)))}, []float64{41, 4100, 52, 5200, 63, 6300}},
		{"distances", []*Tensor{p.Distances(x, y23)}, []float64{5, 5, 50, 50}},
		{"transpose", []*Tensor{p.Transpose(x)}, []float64{1, 4, 2, 5, 3, 6}},
		{"column sums", []*Tensor{p.Sum(AlongColumns, x)}, []float64{5, 7, 9}},
		{"row means", []*Tensor{p.Reduce(ReduceMean, AlongRows, expr.Arg(0), x)}, []float64{2, 5}},
		{"largest of rows", []*Tensor{largest, place}, []float64{7, -2, 1, 0}},
		{"softmax", []*Tensor{p.Softmax(given(2, 3, 1e6, 1e6, 1e6+math.Ln2, 0, -inf, 0))}, []float64{0.25, 0.25, 0.5, 0.5, 0, 0.5}},
		{"cross-entropy", []*Tensor{p.CrossEntropy(given(2, 2, math.Exp(-2), 0.5, 0, 1), given(2, 2, 1, 0, 1, 0))}, []float64{2, 30 * math.Ln10}},
	}
	p.RunReference(values)
	limit := compare.Limit{Rel: 1e-9, Reason: "logarithms and exponentials of float64"}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out []float64
			for _, tensor := range test.out {
				out = slices.Concat(out, values[tensor])
			}
			if _, err := compare.Slices(out, test.want, limit); err != nil {
				t.Errorf("%v: got %v, want %v", err, out, test.want)
			}
		})
	}
}
