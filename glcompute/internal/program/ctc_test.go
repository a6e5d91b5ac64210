package program

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
)

// overAllPaths is the probability of a text as the sum over every path of classes through the columns that gives it.
func overAllPaths(logits []float64, labels []int, classes int) float64 {
	columns := len(logits) / classes
	softmax := New()
	x := softmax.Input(columns, classes)
	y, v := softmax.Softmax(x), Values{x: logits}
	softmax.RunReference(v)
	p := v[y]
	path, sum := make([]int, columns), 0.0
	for {
		product, last, text := 1.0, -1, []int(nil)
		for t, k := range path {
			product *= p[t*classes+k]
			if k != last && k != classes-1 {
				text = append(text, k)
			}
			last = k
		}
		if slices.Equal(text, labels) {
			sum += product
		}
		t := 0
		for ; t < columns; t++ {
			if path[t]++; path[t] < classes {
				break
			}
			path[t] = 0
		}
		if t == columns {
			return sum
		}
	}
}

func TestCTCIsTheSumOverAllPaths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	limit := compare.Limit{Abs: 1e-12, Rel: 1e-10, Reason: "rounding"}
	const classes = 4
	for _, text := range [][]int{nil, {0}, {1, 1}, {0, 1, 2}, {2, 2, 2}, {0, 0, 1, 0}, {1, 0, 1, 0, 1, 0}} {
		for columns := 1; columns <= 7; columns++ {
			logits := make([]float64, (columns+2)*classes) // two more, which do not count
			for i := range logits {
				logits[i] = 2 * rng.NormFloat64()
			}
			labels := []float64{}
			for _, l := range text {
				labels = append(labels, float64(l))
			}
			gradient := make([]float64, len(logits))
			loss := ctc(gradient, logits, append(labels, -1, 3), float64(columns), classes)
			want := -math.Log(overAllPaths(logits[:columns*classes], text, classes))
			if _, err := compare.Slices([]float64{loss}, []float64{want}, limit); err != nil {
				t.Errorf("%v in %d columns: %v", text, columns, err)
			}
			if slices.ContainsFunc(gradient, math.IsNaN) || slices.ContainsFunc(gradient[columns*classes:], func(v float64) bool { return v != 0 }) {
				t.Errorf("%v in %d columns: the gradient is %v", text, columns, gradient)
			}
			if math.IsInf(want, 1) && slices.ContainsFunc(gradient, func(v float64) bool { return v != 0 }) {
				t.Errorf("%v in %d columns is impossible and has the gradient %v", text, columns, gradient)
			}
		}
	}
	if l := ctc(make([]float64, 8), make([]float64, 8), []float64{3}, 2, 4); !math.IsInf(l, 1) {
		t.Errorf("the blank as a label has the loss %g", l)
	}
	if l := ctc(make([]float64, 8), make([]float64, 8), []float64{-1}, 0, 4); l != 0 {
		t.Errorf("nothing in no columns has the loss %g", l)
	}
}
