package optest

import (
	"math/rand/v2"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/program"
)

func init() {
	suites = append(suites, allSoftmaxCases, crossEntropyCases, meanSquaredErrorCases, sumCases)
}

// rowExtents are matrices for operations along rows or columns.
var rowExtents = [][2]int{
	{1, 1}, {1, 10}, {3, 4}, {5, 3}, {6, 1}, {4, 17}, {130, 10}, {33, 65}, {2, 4099}, {1, beyondRow}, {beyondHeight, 3}, {beyondHeight, 1},
}

func allSoftmaxCases() []testCase { return softmaxCases(rowExtents) }

func softmaxCases(extents [][2]int) []testCase {
	limit := compare.Limit{Abs: 1e-6, Rel: 1e-5, Reason: "GLSL's exp of arguments down to -20 may be off by some units in the last place"}
	var cases []testCase
	for _, e := range extents {
		cases = append(cases, testCase{sized("softmax", e), limit, func(r *recorder) {
			r.Softmax(r.input(e[0], e[1], within(10)))
		}})
	}
	return append(cases, testCase{"softmax of large and of equal logits", limit, func(r *recorder) {
		r.Softmax(r.given(4, 3, []float32{
			1e4, -1e4, 1e4 - 1,
			-3e4, -3e4, -3e4,
			3e38, 0, -3e38,
			-1000, -1001, -1002,
		}))
	}})
}

// Softmax checks softmax alone: what each variant of it must pass. No rows are very long,
// for which some variants take the square of their length.
func Softmax(t *testing.T, dev program.Device) { checkAll(t, dev, softmaxCases(softmaxExtents)) }

var softmaxExtents = [][2]int{{1, 1}, {1, 10}, {3, 4}, {5, 3}, {6, 1}, {4, 17}, {130, 10}, {33, 65}, {9, 515}, {2, 1031}}

func checkAll(t *testing.T, dev program.Device, cases []testCase) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.check(t, dev) })
	}
}

// probability gives values of which none is so small that its logarithm needs more than float32.
func probability(rng *rand.Rand) float32 { return 0.001 + 0.998*rng.Float32() }

// oneHot sets one column of each row.
func oneHot(rng *rand.Rand, rows, cols int) []float32 {
	x := make([]float32, rows*cols)
	for r := range rows {
		x[r*cols+rng.IntN(cols)] = 1
	}
	return x
}

func crossEntropyCases() []testCase {
	limit := compare.Limit{Abs: 5e-6, Rel: 1e-5, Reason: "GLSL's log may be off by 1e-6 near one"}
	var cases []testCase
	for _, e := range rowExtents {
		cases = append(cases, testCase{sized("cross-entropy", e), limit, func(r *recorder) {
			target := r.given(e[0], e[1], oneHot(r.rng, e[0], e[1]))
			r.CrossEntropy(r.input(e[0], e[1], probability), target)
		}})
	}
	return append(cases,
		testCase{"cross-entropy of soft targets", limit, func(r *recorder) {
			r.CrossEntropy(r.input(9, 13, probability), r.input(9, 13, probability))
		}},
		testCase{"cross-entropy of impossible answers", limit, func(r *recorder) {
			target := r.given(2, 3, []float32{0, 1, 0, 1, 0, 0})
			r.CrossEntropy(r.given(2, 3, []float32{1, 0, 0, 1, 0, 0}), target)
		}},
		testCase{"cross-entropy-grad", compare.Limit{Abs: 1e-7, Rel: 1e-6, Reason: "three roundings"}, func(r *recorder) {
			target := r.given(5, 7, oneHot(r.rng, 5, 7))
			r.CrossEntropyGrad(r.input(5, 7, probability), target)
		}})
}

func meanSquaredErrorCases() []testCase {
	limit := compare.Limit{Abs: 1e-6, Rel: 2e-5, Reason: "float32 sums of squares, of one sign"}
	var cases []testCase
	for _, e := range rowExtents {
		cases = append(cases, testCase{sized("mean-squared-error", e), limit, func(r *recorder) {
			target := r.input(e[0], e[1], uniform)
			y := r.input(e[0], e[1], uniform)
			r.MeanSquaredError(y, target)
			r.MeanSquaredErrorGrad(y, target)
		}})
	}
	return cases
}

func sumCases() []testCase {
	sums := map[string]func(*program.Program, *program.Tensor) *program.Tensor{
		"row-sums":    (*program.Program).RowSums,
		"column-sums": (*program.Program).ColumnSums,
	}
	var cases []testCase
	for name, record := range sums {
		for _, e := range append([][2]int{{beyondHeight, 1}, {3, beyondRow}}, rowExtents...) {
			length := e[1]
			if name == "column-sums" {
				length = e[0]
			}
			cases = append(cases, testCase{sized(name, e), productLimit(length), func(r *recorder) {
				record(r.Program, r.input(e[0], e[1], uniform))
			}})
		}
	}
	return cases
}
