package conformance

import (
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
)

func warpCases() []testCase {
	limit := compare.Limit{Abs: 3e-5, Rel: 1e-6, Reason: "positions near 28 rounded to 2e-6 a few times, between pixels that differ by two"}
	var cases []testCase
	for _, s := range []struct{ batch, width, height, grid int }{
		{1, 4, 1, 4}, {3, 4, 5, 4}, {2, 28, 28, 4}, {9, 28, 28, 6}, {5, 8, 11, 7}, {17, 12, 9, 9}, {64, 28, 28, 6},
	} {
		name := fmt.Sprintf("warp %d of %dx%d grid %d", s.batch, s.width, s.height, s.grid)
		cases = append(cases, testCase{name, limit, func(r *recorder) {
			x := r.input(s.batch, s.width*s.height, uniform)
			affine := r.given(s.batch, 6, r.nearIdentity(s.batch))
			grid := r.input(s.batch*2*s.grid, s.grid, within(3))
			r.Warp(x, affine, grid, s.width, s.height)
		}})
	}
	return append(cases,
		testCase{"warp that leaves images as they are", compare.Limit{Abs: 1e-6}, func(r *recorder) {
			x := r.input(2, 28*28, uniform)
			identity := []float32{1, 0, 0, 0, 1, 0}
			r.Elementwise("difference", expr.Sub(expr.Arg(0), expr.Arg(1)), x, r.Warp(x, r.given(2, 6, append(identity, identity...)), r.given(2*2*6, 6, make([]float32, 144)), 28, 28))
		}},
		testCase{"warp from far outside", compare.Limit{Abs: 1e-6}, func(r *recorder) {
			affine := []float32{1, 0, 1e9, 0, 1, 0, 1, 0, 0, 0, 1, -1e9, -1e30, 0, 0, 0, 1e30, 0}
			r.Warp(r.input(3, 28*28, uniform), r.given(3, 6, affine), r.input(3*2*6, 6, uniform), 28, 28)
		}})
}

// nearIdentity gives affine maps that turn, stretch and shift a little.
func (r *recorder) nearIdentity(n int) []float32 {
	near := func(rng *rand.Rand, v, by float32) float32 { return v + by*uniform(rng) }
	var all []float32
	for range n {
		all = append(all,
			near(r.rng, 1, 0.2), near(r.rng, 0, 0.2), near(r.rng, 0, 3),
			near(r.rng, 0, 0.2), near(r.rng, 1, 0.2), near(r.rng, 0, 3))
	}
	return all
}
