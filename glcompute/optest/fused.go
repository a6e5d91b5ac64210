package optest

import (
	"fmt"
	"slices"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/program"
)

func init() { suites = append(suites, fusedCases) }

// followedCases are products together with the operation after them in few forms, those of training.
func followedCases() []testCase {
	var cases []testCase
	for _, s := range []shape{{17, 66, 16}, {70, 33, 150}} {
		cases = append(cases,
			pairCase(fmt.Sprintf("of weights, %s", s), func(r *recorder) { r.step(r.pairProduct(s.m, s.n, s.k, true, false), false) }),
			pairCase(fmt.Sprintf("backwards, %s", s), func(r *recorder) {
				r.ActivationGrad(r.pairProduct(s.m, s.n, s.k, false, true), r.input(s.m, s.n, within(0.9)), program.Tanh)
			}))
	}
	return cases
}

// fusedCases are products that another operation alone reads, at sizes around the blocks and
// texels of products, with what a device must not take for such a pair.
func fusedCases() []testCase {
	shapes := []shape{{1, 1, 1}, {3, 5, 7}, {7, 30, 9}, {8, 64, 32}, {17, 66, 16}, {70, 33, 150}, {130, 13, 48}}
	return slices.Concat(pairCases(shapes), stepOfSumsCases(), otherPairCases())
}

// stepOfSumsCases are column sums that a step alone takes: of a bias, in one pass or the last of several.
func stepOfSumsCases() []testCase {
	limit := compare.Limit{Abs: 2e-5, Rel: 2e-5, Reason: "roundings of sums of up to 2,100 values"}
	var all []testCase
	for i, s := range [][2]int{{1, 1}, {7, 1}, {300, 1}, {2100, 1}, {1, 5}, {7, 5}, {70, 33}, {1030, 66}, {2100, 9}} {
		all = append(all, testCase{name: "pair " + sized("of column sums", s) + ", step", limit: limit, record: func(r *recorder) {
			r.step(r.ColumnSums(r.input(s[0], s[1], within(0.5))), i%2 > 0)
		}})
	}
	return all
}

func pairCase(name string, record func(r *recorder)) testCase {
	limit := compare.Limit{Abs: 2e-6, Rel: 2e-5, Reason: "roundings of sums of up to 150 products"}
	return testCase{name: "pair " + name, limit: limit, record: record}
}

func pairCases(shapes []shape) []testCase {
	var all []testCase
	add := func(name string, record func(r *recorder)) { all = append(all, pairCase(name, record)) }
	for _, s := range shapes {
		for _, transA := range []bool{false, true} {
			for _, transB := range []bool{false, true} {
				product := func(r *recorder) *program.Tensor { return r.pairProduct(s.m, s.n, s.k, transA, transB) }
				name := fmt.Sprintf("%dx%dx%d %t %t", s.m, s.n, s.k, transA, transB)
				f := program.Activations[(s.m+s.n)%len(program.Activations)]
				add(fmt.Sprintf("%s, %s gradient", name, f), func(r *recorder) {
					r.ActivationGrad(product(r), r.input(s.m, s.n, within(0.9)), f)
				})
				add(name+", step", func(r *recorder) { r.step(product(r), transA) })
			}
		}
	}
	return all
}

// otherPairCases look like pairs, and some are none.
func otherPairCases() []testCase {
	const m, n, k = 9, 10, 12
	var all []testCase
	add := func(name string, record func(r *recorder)) { all = append(all, pairCase(name, record)) }
	for _, e := range [][2]int{{1, 1}, {7, 1}, {3, 5}, {33, 66}} {
		for _, f := range program.Activations {
			add(sized("of a loss and "+f.String(), e), func(r *recorder) {
				y := r.input(e[0], e[1], within(0.9))
				r.ActivationGrad(r.MeanSquaredErrorGrad(y, r.input(e[0], e[1], uniform)), y, f)
			})
		}
	}
	add("of a difference with itself", func(r *recorder) {
		d := r.Combine(r.input(m, n, uniform), r.input(m, n, uniform), 2, -1)
		r.ActivationGrad(d, d, program.Sigmoid)
	})
	add("read twice", func(r *recorder) {
		p := r.pairProduct(m, n, k, false, false)
		r.ActivationGrad(p, r.input(m, n, within(0.9)), program.Tanh)
		r.Copy(p)
	})
	add("as both operands", func(r *recorder) {
		p := r.pairProduct(m, n, k, false, false)
		r.ActivationGrad(p, p, program.Tanh)
	})
	add("as the result of the forward pass", func(r *recorder) {
		r.ActivationGrad(r.input(m, n, uniform), r.pairProduct(m, n, k, false, false), program.Tanh)
	})
	add("of the weights that it changes", func(r *recorder) {
		w := r.variable(m, n, uniform)
		dw := r.MatMul(r.input(m, m, within(0.1)), w, false, false)
		r.SGD(w, r.variable(m, n, uniform), dw, nil, r.given(1, 3, []float32{0.5, 0.9, 0.1}))
	})
	add("of weights that change before it is read", func(r *recorder) {
		w := r.variable(m, n, uniform)
		dx := r.MatMul(r.input(m, m, within(0.1)), w, false, false)
		r.stepOf(w)
		r.ActivationGrad(dx, r.input(m, n, within(0.9)), program.Sigmoid)
	})
	return all
}

// pairProduct records a product of given matrices.
func (r *recorder) pairProduct(m, n, k int, transA, transB bool) *program.Tensor {
	am, ak, bk, bn := m, k, k, n
	if transA {
		am, ak = ak, am
	}
	if transB {
		bk, bn = bn, bk
	}
	return r.MatMul(r.input(am, ak, within(0.3)), r.input(bk, bn, within(0.3)), transA, transB)
}

// step records an SGD step of a parameter of its own by dw.
func (r *recorder) step(dw *program.Tensor, anchored bool) {
	variable := func() *program.Tensor { return r.variable(dw.Rows, dw.Cols, uniform) }
	var anchor *program.Tensor
	if anchored {
		anchor = variable()
	}
	r.SGD(variable(), variable(), dw, anchor, r.given(1, 3, []float32{0.5, 0.9, 0.1}))
}

// stepOf records an SGD step of w by a gradient that is given.
func (r *recorder) stepOf(w *program.Tensor) {
	r.SGD(w, r.variable(w.Rows, w.Cols, uniform), r.input(w.Rows, w.Cols, uniform), nil, r.given(1, 3, []float32{0.5, 0.9, 0.1}))
}
