package conformance

import (
	"math/rand/v2"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/program"
)

// rowExtents are matrices for operations along rows or columns.
var rowExtents = [][2]int{
	{1, 1}, {1, 10}, {3, 4}, {5, 3}, {6, 1}, {4, 17}, {130, 10}, {33, 65}, {2, 4099}, {1, beyondRow}, {beyondHeight, 3}, {beyondHeight, 1},
}

var softmaxLimit = compare.Limit{Abs: 1e-6, Rel: 1e-5, Reason: "GLSL's exp of arguments down to -20 may be off by some units in the last place"}

func softmaxCases(extents [][2]int) []testCase {
	var all []testCase
	for _, e := range extents {
		all = append(all, testCase{sized("softmax", e), softmaxLimit, func(r *recorder) {
			r.Softmax(r.input(e[0], e[1], within(10)))
		}})
	}
	return all
}

// softmax checks softmax alone: what each variant of it must pass. No rows are very long,
// for which some variants take the square of their length.
func softmax(t *testing.T, dev program.Device) { checkAll(t, dev, softmaxCases(softmaxExtents)) }

var softmaxExtents = [][2]int{{1, 1}, {1, 10}, {3, 4}, {5, 3}, {6, 1}, {4, 17}, {130, 10}, {33, 65}, {9, 515}, {2, 1031}}

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

var crossEntropyLimit = compare.Limit{Abs: 5e-6, Rel: 1e-5, Reason: "GLSL's log may be off by 1e-6 near one"}

func crossEntropyCases() []testCase {
	var all []testCase
	for _, e := range rowExtents {
		all = append(all, testCase{sized("cross-entropy", e), crossEntropyLimit, func(r *recorder) {
			target := r.given(e[0], e[1], oneHot(r.rng, e[0], e[1]))
			r.CrossEntropy(r.input(e[0], e[1], probability), target)
		}})
	}
	return append(all, testCase{"cross-entropy of soft targets", crossEntropyLimit, func(r *recorder) {
		r.CrossEntropy(r.input(9, 13, probability), r.input(9, 13, probability))
	}})
}
