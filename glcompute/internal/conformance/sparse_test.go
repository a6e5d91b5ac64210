package conformance

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// Sparse cases are apart from the others, for their inputs say where to read.
func sparseCases() []testCase {
	var all []testCase
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "roundings of sums of up to 300 products"}
	for _, s := range []struct {
		rows, cols, n int
		density       float64
	}{{1, 1, 1, 1}, {1, 30, 5, 0.2}, {7, 12, 9, 0}, {5, 40, 17, 0.3}, {64, 50, 66, 0.2}, {33, 300, 10, 0.9}, {3, 9, 70, 1}} {
		name := fmt.Sprintf("%dx%dx%d at %g", s.rows, s.n, s.cols, s.density)
		add := func(what string, record func(r *recorder, m *program.Sparse)) {
			all = append(all, testCase{what + " " + name, limit, func(r *recorder) { record(r, r.sparse(s.rows, s.cols, s.density)) }})
		}
		add("sparse product", func(r *recorder, m *program.Sparse) { r.SparseProduct(m, r.variable(s.cols, s.n, uniform)) })
		add("sparse layer", func(r *recorder, m *program.Sparse) {
			y := r.SparseProduct(m, r.variable(s.cols, s.n, uniform))
			r.Elementwise("relu", expr.ReLU(expr.Add(expr.Arg(0), expr.Arg(1))), y, r.variable(1, s.n, uniform))
		})
		add("sparse gradient", func(r *recorder, m *program.Sparse) { r.SparseGradient(m, r.input(s.rows, s.n, uniform)) })
		add("rows of filled columns", func(r *recorder, m *program.Sparse) { r.Gather(r.input(s.cols, s.n, uniform), m.Places) })
		add("step of filled columns", func(r *recorder, m *program.Sparse) {
			step := r.Elementwise("step", expr.Scale(-0.3, expr.Arg(0)), r.SparseGradient(m, r.input(s.rows, s.n, uniform)))
			r.ScatterAdd(r.variable(s.cols, s.n, uniform), step, m.Filled)
		})
	}
	return all
}

// sparse declares sparse rows of which so many values in one are not zero, and gives them values.
func (r *recorder) sparse(rows, cols int, density float64) *program.Sparse {
	dense := r.values(rows*cols, func(rng *rand.Rand) float32 {
		if rng.Float64() >= density {
			return 0
		}
		return uniform(rng)
	})
	m := r.SparseInput(rows, cols, rows*cols)
	bindings, err := program.NewEncoder(m).Encode(dense)
	if err != nil {
		panic(err)
	}
	for i, b := range bindings {
		r.inputs[b.Tensor] = slices.Clone(b.Data)
		r.indexes[b.Tensor] = i > 0
	}
	return m
}
