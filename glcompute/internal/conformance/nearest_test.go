package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/program"
)

// whole values are whole numbers from low to before high.
func whole(low, high int) fill {
	return func(rng *rand.Rand) float32 { return float32(low + rng.IntN(high-low)) }
}

// nearestCases have classes without a column, ties, and one row alone.
func nearestCases() []testCase {
	exact := compare.Limit{Reason: "values are compared and copied"}
	var all []testCase
	for _, e := range append(rowExtents[:len(rowExtents):len(rowExtents)], [2]int{130, 65}) {
		for _, perClass := range []int{1, 3, 8} {
			if e[0]*e[1] > 1<<16 && perClass != 3 {
				continue
			}
			classes := e[1]/perClass + 1
			name := sized(fmt.Sprintf("nearest, %d of a class", perClass), e)
			all = append(all, testCase{name, exact, func(r *recorder) {
				r.Nearest(r.input(e[0], e[1], uniform), r.input(e[0], 1, whole(-1, classes+1)), perClass)
			}}, testCase{name + ", with ties", exact, func(r *recorder) {
				r.Nearest(r.input(e[0], e[1], whole(0, 4)), r.input(e[0], 1, whole(0, classes)), perClass)
			}})
		}
	}
	return all
}

// nearest checks the nearest.
func nearest(t *testing.T, dev program.Device) {
	checkAll(t, dev, nearestCases())
	checkNearestNaN(t, dev)
}

// checkNearestNaN: a distance that is no number is the nearest, so that it shows.
func checkNearestNaN(t *testing.T, dev program.Device) {
	nan := float32(math.NaN())
	p := program.New()
	d, class := p.Input(4, 21), p.Input(4, 1)
	found := p.Nearest(d, class, 2)
	run, err := dev.Compile(p)
	must(t, err)
	defer run.Close()
	data := slices.Repeat([]float32{3}, 4*21)
	data[1], data[3] = nan, 1                       // own, and a number among the others
	data[21], data[21+2], data[21+20] = 1, nan, nan // twice among the others
	data[2*21+2], data[2*21+3], data[2*21] = nan, nan, nan
	data[3*21+5] = 2e30
	got := make([]float32, 16)
	must(t, run.Do(program.In(d, data), program.In(class, []float32{0, 0, 1, nan}), program.Out(found, got)))
	var columns []float32
	for row := range slices.Chunk(got, 4) {
		columns = append(columns, row[2:]...)
	}
	if want := []float32{1, 3, 0, 2, 2, 0, -1, 0}; !slices.Equal(columns, want) {
		t.Errorf("the nearest are in the columns %v, want %v", columns, want)
	}
}
