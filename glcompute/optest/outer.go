package optest

import "inkshade/glcompute/compare"

func init() { suites = append(suites, outerCases) }

func outerCases() []testCase {
	limit := compare.Limit{Abs: 1e-7, Rel: 2e-7, Reason: "one multiplication and one addition of values up to one"}
	var cases []testCase
	for _, e := range [][2]int{{1, 1}, {3, 5}, {4, 4}, {5, 3}, {1, 17}, {17, 1}, {130, 67}, {3, beyondRow}, {beyondHeight, 3}} {
		cases = append(cases, testCase{sized("outer", e), limit, func(r *recorder) {
			a, b := r.input(1, e[0], uniform), r.input(1, e[1], uniform)
			r.Outer(a, b)
			r.add(r.variable(e[0], e[1], uniform), r.Outer(a, b))
		}})
	}
	return append(cases, testCase{"outer of a row by itself beside matmul", limit, func(r *recorder) {
		x := r.input(1, 37, uniform)
		r.Combine(r.Outer(x, x), r.MatMul(x, x, true, false), 1, -1)
	}})
}
