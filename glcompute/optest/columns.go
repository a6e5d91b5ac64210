package optest

import (
	"fmt"

	"inkshade/glcompute/program"
)

func init() { suites = append(suites, columnCases) }

// columnCases are matrices of one column, which devices may keep as rows, in every place of a
// product, with what a device may do together with it.
func columnCases() []testCase {
	var all []testCase
	add := func(name string, k int, record func(r *recorder)) {
		all = append(all, testCase{name: "column " + name, limit: productLimit(k), record: record})
	}
	for _, s := range []shape{{6, 1, 1}, {7, 1, 2}, {9, 1, 3}, {1, 9, 7}, {70, 1, 33}, {130, 1, 1100}} {
		for _, f := range []program.Activation{program.Identity, program.Sigmoid} {
			add(fmt.Sprintf("of layer %s, %s", s, f), s.k, func(r *recorder) {
				x, w := r.operands(s, false, false)
				r.Linear(x, w, r.variable(1, s.n, uniform), f)
			})
		}
		for _, transA := range []bool{false, true} {
			for _, transB := range []bool{false, true} {
				name := fmt.Sprintf("of product %s %t %t", s, transA, transB)
				product := func(r *recorder) *program.Tensor { return r.pairProduct(s.m, s.n, s.k, transA, transB) }
				add(name+", gradient", s.k, func(r *recorder) {
					r.ActivationGrad(product(r), r.input(s.m, s.n, within(0.9)), program.Tanh)
				})
				add(name+", step", s.k, func(r *recorder) { r.step(product(r), transB) })
				add(name+", added", s.k, func(r *recorder) {
					a, b := r.operands(s, transA, transB)
					r.add(r.variable(s.m, s.n, uniform), r.MatMul(a, b, transA, transB))
				})
			}
		}
	}
	// A parameter is read by one program as a column and changed by others.
	add("through many operations", 70, func(r *recorder) {
		x := r.input(70, 1, uniform)
		row := r.Transpose(x)
		r.RowSums(r.Transpose(row))
		r.ColumnSums(r.Combine(x, r.Transpose(row), 0.5, -2))
		r.add(r.variable(70, 1, uniform), r.Outer(row, r.input(1, 1, uniform)))
		r.Outer(r.input(1, 1, uniform), row)
		r.Softmax(r.Map(x, program.ReLU))
		r.RowSums(r.MatMul(x, row, false, false))
	})
	return all
}
