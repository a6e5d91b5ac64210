package conformance

import (
	"fmt"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// index gives numbers of so many rows, some of which there are not.
func (r *recorder) index(entries, rows int) *program.Tensor {
	t := r.input(entries, 1, whole(-1, rows+1))
	r.indexes[t] = true
	return t
}

// gatherCases have rows that are named often, once and never, names of no row, and single rows and columns.
func gatherCases() []testCase {
	exact := compare.Limit{Reason: "copied values are exact"}
	sums := compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "roundings of sums of some hundred values"}
	var all []testCase
	for _, s := range []struct{ entries, rows, cols int }{
		{1, 1, 1}, {2, 3, 5}, {7, 4, 4}, {80, 11, 17}, {260, 6, 1}, {390, 300, 9}, {325, 1, 33}, {600, 5, 130},
	} {
		add := func(what string, limit compare.Limit, record func(r *recorder)) {
			all = append(all, testCase{fmt.Sprintf("%s %d of %dx%d", what, s.entries, s.rows, s.cols), limit, record})
		}
		add("gather", exact, func(r *recorder) { r.Gather(r.input(s.rows, s.cols, uniform), r.index(s.entries, s.rows)) })
		add("scatter-add", sums, func(r *recorder) {
			w := r.variable(s.rows, s.cols, uniform)
			r.ScatterAdd(w, r.input(s.entries, s.cols, within(0.2)), r.index(s.entries, s.rows))
			r.Elementwise("read after", expr.Neg(expr.Arg(0)), w)
		})
		add("gradient of gather", sums, func(r *recorder) {
			x := r.input(s.rows, s.cols, uniform)
			y := r.Gather(x, r.index(s.entries, s.rows))
			g := r.backward(r.Elementwise("square", expr.Square(expr.Arg(0)), y), 1, x)[0]
			r.backward(r.Elementwise("square", expr.Square(expr.Arg(0)), g), 1, x)
		})
	}
	return all
}
