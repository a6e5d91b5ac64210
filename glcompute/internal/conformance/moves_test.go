package conformance

import (
	"fmt"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// moveCases move rows and columns about.
func moveCases() []testCase {
	var all []testCase
	exact := compare.Limit{Reason: "copied values are exact"}
	add := func(name string, record func(r *recorder)) { all = append(all, testCase{name, exact, record}) }
	for _, e := range append([][2]int{{4, 1}, {1, 4}, {3, 4}, {4, 5}, {17, 33}}, extents...) {
		add(sized("transpose", e), func(r *recorder) { r.Transpose(r.input(e[0], e[1], uniform)) })
	}
	for _, e := range [][3]int{{1, 12, 3}, {12, 1, 4}, {6, 4, 8}, {6, 4, 3}, {9, 8, 4}, {5, 7, 35}, {70, 6, 1}, {1, 420, 420}, {64, 64, 16}} {
		add(fmt.Sprintf("reshape %dx%d to %d rows", e[0], e[1], e[2]), func(r *recorder) {
			r.Reshape(r.input(e[0], e[1], uniform), e[2], e[0]*e[1]/e[2])
		})
	}
	for _, cols := range [][]int{{1, 1}, {4, 8}, {3, 5, 2}, {1, 7}, {6, 4, 1, 9}} {
		for _, rows := range []int{1, 5, 33} {
			add(fmt.Sprintf("concat %v of %d rows", cols, rows), func(r *recorder) {
				var xs []*program.Tensor
				for _, c := range cols {
					xs = append(xs, r.input(rows, c, uniform))
				}
				r.Concat(xs...)
			})
		}
	}
	for _, s := range [][4]int{{1, 9, 2, 4}, {5, 8, 4, 4}, {6, 7, 3, 1}, {33, 13, 1, 11}, {3, 5, 0, 2}} {
		add(fmt.Sprintf("slice %v", s), func(r *recorder) { r.Slice(r.input(s[0], s[1], uniform), s[2], s[3]) })
		all = append(all, testCase{fmt.Sprintf("slice and back %v", s), compare.Limit{Rel: 1e-7, Reason: "one rounding"}, func(r *recorder) {
			x := r.input(s[0], s[1], uniform)
			y := r.Slice(x, s[2], s[3])
			r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, r.input(y.Rows, y.Cols, uniform)), 1, x)
		}})
	}
	return all
}
