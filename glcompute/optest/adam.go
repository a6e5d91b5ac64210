package optest

import (
	"math"
	"math/rand/v2"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/program"
)

func init() { suites = append(suites, adamCases) }

func adamCases() []testCase {
	limit := compare.Limit{Abs: 2e-6, Rel: 2e-6, Reason: "a dozen roundings of values near one, a root and two divisions"}
	positive := func(rng *rand.Rand) float32 { return 0.01 + rng.Float32() }
	settings := func(r *recorder, step float64) *program.Tensor {
		return r.given(1, program.AdamSettings, []float32{
			0.05, 0.9, 0.999, 1e-6, 0.01, float32(1 - math.Pow(0.9, step)), float32(1 - math.Pow(0.999, step)),
		})
	}
	var cases []testCase
	for _, e := range [][2]int{{1, 1}, {3, 5}, {4, 4}, {7, 1}, {33, 65}, {1, beyondRow}, {beyondHeight, 3}} {
		cases = append(cases, testCase{sized("adam", e), limit, func(r *recorder) {
			w, m, v := r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], positive)
			r.Adam(w, m, v, r.input(e[0], e[1], uniform), settings(r, 700))
		}})
	}
	return append(cases, testCase{"adam twice in one program", limit, func(r *recorder) {
		w, m, v := r.variable(5, 6, uniform), r.variable(5, 6, uniform), r.variable(5, 6, positive)
		r.Adam(w, m, v, r.input(5, 6, uniform), settings(r, 700))
		r.Adam(w, m, v, r.input(5, 6, uniform), settings(r, 701))
	}})
}
