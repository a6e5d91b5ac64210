package optest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

// found are the four that nearest finds, as they are.
var found = []*expr.Expr{expr.Arg(0), expr.Arg(1), expr.Arg(2), expr.Arg(3)}

// whole values are whole numbers from low to before high.
func whole(low, high int) fill {
	return func(rng *rand.Rand) float32 { return float32(low + rng.IntN(high-low)) }
}

// nearestCases have classes without a column, ties, rows that are named
// often, once and never, and one row alone.
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
				r.Nearest(r.input(e[0], e[1], uniform), r.input(e[0], 1, whole(-1, classes+1)), perClass, found...)
			}}, testCase{name + ", with ties", exact, func(r *recorder) {
				r.Nearest(r.input(e[0], e[1], whole(0, 4)), r.input(e[0], 1, whole(0, classes)), perClass, found...)
			}})
		}
	}
	moved := compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "roundings of sums of some hundred values"}
	all = append(all, testCase{"formulas of the nearest", formulaLimit, func(r *recorder) {
		ratio := expr.Div(expr.Sub(expr.Arg(0), expr.Arg(2)), expr.Add(expr.Arg(0), expr.Arg(2)))
		r.Nearest(r.input(37, 70, positive), r.input(37, 1, whole(0, 14)), 5, expr.Arg(3), expr.Sigmoid(expr.Scale(4, ratio)), expr.Const(2),
			expr.Max(ratio, expr.Const(-0.5)), expr.Neg(expr.Arg(2)))
	}})
	for _, s := range []struct{ rows, pairs, n, cols int }{
		{1, 1, 1, 1}, {1, 2, 3, 5}, {7, 1, 4, 4}, {40, 2, 11, 17}, {130, 2, 6, 1}, {130, 3, 300, 9}, {65, 5, 1, 33}, {600, 1, 5, 130},
	} {
		all = append(all, testCase{fmt.Sprintf("attract %d of %d by %d times %d", s.n, s.cols, s.rows, s.pairs), moved, func(r *recorder) {
			pairs := r.values(2*s.rows*s.pairs, within(0.2))
			for i := 0; i < len(pairs); i += 2 {
				pairs[i] = float32(r.rng.IntN(s.n+2) - 1)
			}
			w := r.variable(s.n, s.cols, uniform)
			r.Attract(w, r.input(s.rows, s.cols, uniform), r.given(s.rows, 2*s.pairs, pairs), r.given(1, 1, []float32{0.3}), max(1, s.pairs-s.rows%2))
			r.Elementwise("read after", expr.Neg(expr.Arg(0)), w)
		}})
	}
	return all
}

// Nearest checks the nearest and what moves toward them.
func Nearest(t *testing.T, dev program.Device) {
	checkAll(t, dev, nearestCases())
	checkNearestNaN(t, dev)
}

// checkNearestNaN: a distance that is no number is the nearest, so that it shows.
func checkNearestNaN(t *testing.T, dev program.Device) {
	nan := float32(math.NaN())
	p := program.New()
	d, class := p.Input(4, 21), p.Input(4, 1)
	places := p.Nearest(d, class, 2, expr.Arg(1), expr.Arg(3))
	run, err := dev.Compile(p)
	must(t, err)
	defer run.Close()
	data := slices.Repeat([]float32{3}, 4*21)
	data[1], data[3] = nan, 1                       // own, and a number among the others
	data[21], data[21+2], data[21+20] = 1, nan, nan // twice among the others
	data[2*21+2], data[2*21+3], data[2*21] = nan, nan, nan
	data[3*21+5] = 2e30
	got := make([]float32, 8)
	must(t, run.Do(program.In(d, data), program.In(class, []float32{0, 0, 1, nan}), program.Out(places, got)))
	if want := []float32{1, 3, 0, 2, 2, 0, -1, 0}; !slices.Equal(got, want) {
		t.Errorf("the nearest are in the columns %v, want %v", got, want)
	}
}
