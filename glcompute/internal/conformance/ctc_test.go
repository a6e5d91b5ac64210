package conformance

import (
	"fmt"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

var ctcLimit = compare.Limit{Abs: 5e-4, Rel: 2e-5, Reason: "logarithms of up to some thousand in one float"}

// texts gives so many with up to longest of the classes, the first as long as possible, with repeated ones among them,
// and columns that count: of the first all, of others fewer.
func (r *recorder) texts(samples, longest, classes, columns int) (labels, counts *program.Tensor) {
	l, c := make([]float32, samples*longest), make([]float32, samples)
	for b := range samples {
		n := longest
		c[b] = float32(columns)
		if b > 0 {
			n = r.rng.IntN(longest + 1)
			c[b] = float32(min(columns, 2*n+r.rng.IntN(columns)))
		}
		for i := range longest {
			l[b*longest+i] = float32(r.rng.IntN(classes))
			if i > 0 && r.rng.IntN(3) == 0 {
				l[b*longest+i] = l[b*longest+i-1]
			}
			if i >= n {
				l[b*longest+i] = -1
			}
		}
	}
	labels, counts = r.given(samples, longest, l), r.given(samples, 1, c)
	r.indexes[labels], r.indexes[counts] = true, true
	return labels, counts
}

func ctcCases() []testCase {
	var all []testCase
	for _, s := range []struct{ samples, columns, longest, classes int }{
		{1, 1, 1, 1}, {1, 5, 2, 3}, {3, 7, 3, 4}, {5, 13, 5, 10}, {17, 40, 9, 26}, {2, 75, 34, 80}, {33, 9, 3, 1},
	} {
		name := fmt.Sprintf("ctc of %d texts up to %d of %d classes in %d columns", s.samples, s.longest, s.classes, s.columns)
		all = append(all, testCase{name, ctcLimit, func(r *recorder) {
			labels, counts := r.texts(s.samples, s.longest, s.classes, s.columns)
			r.CTC(r.input(s.samples*s.columns, s.classes+1, within(4)), labels, counts)
		}})
	}
	return all
}

// ctcEdgeCases are texts that no path gives, and logits so far apart that few paths count.
func ctcEdgeCases() []testCase {
	return []testCase{
		{"ctc of impossible texts", ctcLimit, func(r *recorder) {
			labels := r.given(6, 4, []float32{
				0, 1, 2, 0, // longer than the columns
				1, 1, 1, -1, // one more column for each repetition
				0, 3, -1, -1, // the blank is no label
				-1, -1, -1, -1, // nothing, which is possible
				1, 1, -1, -1, // possible
				0, -1, -1, -1, // in no column
			})
			counts := r.given(6, 1, []float32{3, 4, 5, 5, 3, 0})
			r.indexes[labels], r.indexes[counts] = true, true
			r.backward(r.CTC(r.input(6*5, 4, within(3)), labels, counts), 0.25, r.Tensors()[2])
		}},
		{"ctc of logits far apart", ctcLimit, func(r *recorder) {
			labels, counts := r.texts(4, 3, 5, 12)
			r.CTC(r.input(4*12, 6, within(300)), labels, counts)
		}},
		{"ctc of unequal weights", ctcLimit, func(r *recorder) {
			labels, counts := r.texts(6, 3, 5, 12)
			logits := r.input(6*12, 6, within(3))
			loss := r.CTC(logits, labels, counts)
			r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), loss, r.input(6, 1, uniform)), 1, logits)
		}},
	}
}
