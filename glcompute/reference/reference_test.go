package reference_test

import (
	"math"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/reference"
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
		{"matmul", func(o []float64) { reference.MatMul(o, x, y, nil, 2, 2, 3, false, false, false) }, []float64{8, 7, 20, 13}},
		{"matmul with bias", func(o []float64) { reference.MatMul(o, x, y, []float64{10, 20}, 2, 2, 3, false, false, false) }, []float64{18, 27, 30, 33}},
		{
			"matmul of a transposed", func(o []float64) { reference.MatMul(o, x, y, nil, 3, 3, 2, true, false, false) },
			[]float64{-3, 4, 14, -3, 5, 19, -3, 6, 24},
		},
		{"matmul by a transposed", func(o []float64) { reference.MatMul(o, x, y, nil, 2, 2, 3, false, true, false) }, []float64{7, 10, 16, 19}},
		{
			"matmul of both transposed", func(o []float64) {
				reference.MatMul(o, x, []float64{1, 10, 100, 1000}, nil, 3, 2, 2, true, true, false)
			},
			[]float64{41, 4100, 52, 5200, 63, 6300},
		},
		{"matmul added", func(o []float64) {
			copy(o, []float64{100, 200, 300, 400})
			reference.MatMul(o, x, y, nil, 2, 2, 3, false, false, true)
		}, []float64{108, 207, 320, 413}},
		{"map", func(o []float64) { reference.Map(o, y, reference.ReLU) }, []float64{1, 0, 2, 0, 1, 3}},
		{"activation grad", func(o []float64) { reference.ActivationGrad(o, x, y, reference.ReLUGrad) }, []float64{1, 0, 3, 0, 5, 6}},
		{"combine", func(o []float64) { reference.Combine(o, x, y, 2, -1) }, []float64{1, 4, 4, 9, 9, 9}},
		{"transpose", func(o []float64) { reference.Transpose(o, x, 2, 3) }, []float64{1, 4, 2, 5, 3, 6}},
		{"column sums", func(o []float64) { reference.ColumnSums(o, x, 2, 3) }, []float64{5, 7, 9}},
		{"row sums", func(o []float64) { reference.RowSums(o, x, 2, 3) }, []float64{6, 15}},
		{"softmax", func(o []float64) {
			reference.Softmax(o, []float64{1e6, 1e6, 1e6 + math.Ln2, 0, -math.Inf(1), 0}, 2, 3)
		}, []float64{0.25, 0.25, 0.5, 0.5, 0, 0.5}},
		{"cross-entropy", func(o []float64) {
			reference.CrossEntropy(o, []float64{math.Exp(-2), 0.5, 0, 1}, []float64{1, 0, 1, 0}, 2, 2)
		}, []float64{2, 30 * math.Ln10}},
		{"mean squared error", func(o []float64) { reference.MeanSquaredError(o, x, y, 2, 3) }, []float64{5.0 / 3, 50.0 / 3}},
		{"tanh", func(o []float64) { o[0], o[1] = reference.Tanh(math.Ln2), reference.TanhGrad(0.5) }, []float64{0.6, 0.75}},
		{"sigmoid", func(o []float64) { o[0], o[1] = reference.Sigmoid(math.Log(3)), reference.SigmoidGrad(0.25) }, []float64{0.75, 0.1875}},
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

func TestSGDByHand(t *testing.T) {
	w, v := []float64{2, -1}, []float64{1, 0}
	reference.SGD(w, v, []float64{0.5, 1}, []float64{1, 1}, 0.5, 0.5, 0.25)
	// v = 0.5·[1 0] + [0.5 1] + 0.25·[1 -2] = [1.25 0.5], w = [2 -1] - 0.5·v
	if v[0] != 1.25 || v[1] != 0.5 || w[0] != 1.375 || w[1] != -1.25 {
		t.Errorf("w %v, v %v", w, v)
	}
	reference.SGD(w, v, []float64{0, 0}, nil, 1, 0, 0.5)
	if v[0] != 0.6875 || w[0] != 0.6875 || v[1] != -0.625 || w[1] != -0.625 {
		t.Errorf("without an anchor: w %v, v %v", w, v)
	}
}
