package optest

import (
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

func init() {
	suites = append(suites, mapCases, activationGradCases, combineCases, transposeCases)
}

// extents are matrices [rows][cols] with every remainder by four, past one workgroup,
// and past every texture.
var extents = [][2]int{
	{1, 1},
	{1, 3},
	{3, 1},
	{4, 4},
	{5, 5},
	{2, 17},
	{33, 6},
	{65, 130},
	{7, 4099},
	{1, beyondRow},
	{2, beyondRow},
	{beyondHeight, 1},
	{beyondHeight, 5},
}

func sized(name string, e [2]int) string { return fmt.Sprintf("%s %dx%d", name, e[0], e[1]) }

// activationLimit is exact where nothing is computed.
func activationLimit(f program.Activation) compare.Limit {
	switch f {
	case program.Tanh, program.Sigmoid:
		return compare.Limit{Abs: 2e-6, Rel: 2e-6, Reason: "GLSL's exp and division may be off by a few units in the last place"}
	}
	return compare.Limit{Reason: "copied values are exact"}
}

func mapCases() []testCase {
	var cases []testCase
	for _, e := range extents {
		for _, f := range program.Activations {
			cases = append(cases, testCase{sized("map "+f.String(), e), activationLimit(f), func(r *recorder) {
				r.Map(r.input(e[0], e[1], within(6)), f)
			}})
		}
	}
	far := []float32{0, 1e-6, -1e-6, 1e-3, -1e-3, 20, -20, 45, -45, 89, -89, 200, -200, 1e4, -1e4, 3e38, -3e38}
	for _, f := range program.Activations {
		cases = append(cases, testCase{"map " + f.String() + " far out", activationLimit(f), func(r *recorder) {
			r.Map(r.given(1, len(far), far), f)
		}})
	}
	return cases
}

// result gives values that f can have.
func result(f program.Activation) fill {
	e := f.Function().Of(expr.Arg(0))
	return func(rng *rand.Rand) float32 {
		return float32(e.Evaluate(&expr.Values{Args: []float64{float64(3 * uniform(rng))}}))
	}
}

func activationGradCases() []testCase {
	limit := compare.Limit{Abs: 5e-7, Rel: 1e-6, Reason: "three roundings"}
	var cases []testCase
	for _, e := range [][2]int{{1, 1}, {5, 3}, {4, 8}, {7, 1}, {33, 66}, {1, beyondRow}, {beyondHeight, 5}} {
		for _, f := range program.Activations {
			cases = append(cases, testCase{sized("activation-grad "+f.String(), e), limit, func(r *recorder) {
				y := r.input(e[0], e[1], result(f))
				r.ActivationGrad(r.input(e[0], e[1], uniform), y, f)
			}})
		}
	}
	return append(cases, testCase{"activation-grad of relu at zero", compare.Limit{}, func(r *recorder) {
		y := r.given(1, 5, []float32{0, 1, 0, 2, 0})
		r.ActivationGrad(r.given(1, 5, []float32{1, 2, 3, 4, 5}), y, program.ReLU)
	}})
}

func combineCases() []testCase {
	limit := compare.Limit{Abs: 3e-7, Rel: 3e-7, Reason: "three roundings"}
	var cases []testCase
	for _, e := range extents {
		cases = append(cases, testCase{sized("combine", e), limit, func(r *recorder) {
			r.Combine(r.input(e[0], e[1], uniform), r.input(e[0], e[1], uniform), 0.75, -1.5)
		}})
	}
	return append(cases, testCase{"combine with itself", limit, func(r *recorder) {
		x := r.input(3, 7, uniform)
		r.Combine(x, x, 2, -3)
	}})
}

func transposeCases() []testCase {
	var cases []testCase
	for _, e := range append([][2]int{{4, 1}, {1, 4}, {3, 4}, {4, 5}, {17, 33}}, extents...) {
		cases = append(cases, testCase{sized("transpose", e), compare.Limit{Reason: "copied values are exact"}, func(r *recorder) {
			r.Transpose(r.input(e[0], e[1], uniform))
		}})
	}
	return cases
}
