package conformance

import (
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

func reduceCases() []testCase {
	var all []testCase
	for _, e := range extents {
		n := max(e[0], e[1])
		limit := compare.Limit{Abs: 1e-6 * float64(4+n/64), Rel: 2e-5, Reason: "roundings of long sums"}
		for _, along := range []program.Along{program.AlongRows, program.AlongColumns} {
			for _, kind := range []program.ReduceKind{program.ReduceSum, program.ReduceMean, program.ReduceMax, program.ReduceMin} {
				all = append(all, testCase{sized(fmt.Sprintf("%s of %s", kind, along), e), limit, func(r *recorder) {
					r.Reduce(kind, along, expr.Arg(0), r.input(e[0], e[1], uniform))
				}})
			}
			all = append(all,
				testCase{sized(fmt.Sprintf("mean square of %s", along), e), limit, func(r *recorder) {
					term := expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1)))
					r.Reduce(program.ReduceMean, along, term, r.input(e[0], e[1], uniform), r.input(1, e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("sum of %s where zeros count", along), e), limit, func(r *recorder) {
					r.Reduce(program.ReduceSum, along, expr.Sub(expr.Exp(expr.Arg(0)), expr.Const(1.25)), r.input(e[0], e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("max of %s below zero", along), e), limit, func(r *recorder) {
					r.Reduce(program.ReduceMax, along, expr.Sub(expr.Arg(0), expr.Const(2)), r.input(e[0], e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("place of the largest of %s", along), e), limit, func(r *recorder) {
					r.Extreme(program.ReduceMax, along, r.input(e[0], e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("place of the smallest of %s, with ties", along), e), limit, func(r *recorder) {
					r.Extreme(program.ReduceMin, along, r.input(e[0], e[1], func(rng *rand.Rand) float32 { return float32(rng.IntN(3)) }))
				}},
				testCase{sized(fmt.Sprintf("sum of %s and an update", along), e), limit, func(r *recorder) {
					d := r.Reduce(program.ReduceSum, along, expr.Arg(0), r.input(e[0], e[1], within(0.1)))
					r.SGD(r.variable(d.Rows, d.Cols, uniform), r.variable(d.Rows, d.Cols, uniform), d, nil, r.input(1, 3, positive))
				}})
		}
	}
	return all
}
