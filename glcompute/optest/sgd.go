package optest

import (
	"fmt"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/program"
)

func init() { suites = append(suites, sgdCases) }

func sgdCases() []testCase {
	limit := compare.Limit{Abs: 1e-6, Rel: 1e-6, Reason: "half a dozen roundings of values near one"}
	var cases []testCase
	for _, e := range [][2]int{{1, 1}, {3, 5}, {4, 4}, {7, 1}, {33, 65}, {1, beyondRow}, {beyondHeight, 3}} {
		for _, anchored := range []bool{false, true} {
			name := fmt.Sprintf("%s anchored %t", sized("sgd", e), anchored)
			cases = append(cases, testCase{name, limit, func(r *recorder) {
				w, v := r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], uniform)
				dw := r.input(e[0], e[1], uniform)
				var anchor *program.Tensor
				if anchored {
					anchor = r.variable(e[0], e[1], uniform)
				}
				r.SGD(w, v, dw, anchor, r.given(1, 3, []float32{0.25, 0.9, 0.125}))
			}})
		}
	}
	return append(cases, testCase{"sgd twice in one program", limit, func(r *recorder) {
		w, v := r.variable(5, 6, uniform), r.variable(5, 6, uniform)
		settings := r.given(1, 3, []float32{0.1, 0.5, 0.01})
		r.SGD(w, v, r.input(5, 6, uniform), nil, settings)
		r.SGD(w, v, r.input(5, 6, uniform), nil, settings)
	}})
}
