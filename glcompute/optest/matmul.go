package optest

import (
	"fmt"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

func init() { suites = append(suites, matmulCases) }

// productLimit is for sums of k products of values between -1 and 1. Summed one after
// another the partial sums wander off by about √k/3, and each addition rounds by 6e-8 of that.
func productLimit(k int) compare.Limit {
	return compare.Limit{
		Abs:    4e-6 + 4e-8*float64(k),
		Rel:    2e-6,
		Reason: fmt.Sprintf("float32 sums of %d products; GLSL's exp and division add a few units in the last place", k),
	}
}

// shape is an output [m][n] and the length k of the inner products.
type shape struct{ m, n, k int }

func (s shape) String() string { return fmt.Sprintf("%dx%dx%d", s.m, s.n, s.k) }

func matmulCases() []testCase {
	var cases []testCase
	all := []shape{
		{1, 1, 1},
		{3, 5, 4},
		{4, 4, 4},
		{5, 3, 1},
		{1, 17, 33},
		{17, 1, 33},
		{2, 130, 5},
		{17, 33, 65},
		{65, 130, 33},
		{130, 33, 67},
		{64, 64, 64},
		{9, 10, 1031},
		{3, beyondRow, 2},
		{beyondHeight, 3, 2},
		{2, 3, beyondRow},
	}
	for _, s := range all {
		for _, ta := range []bool{false, true} {
			for _, tb := range []bool{false, true} {
				cases = append(cases, productCase(s, ta, tb))
			}
		}
	}
	for _, s := range []shape{{1, 10, 17}, {5, 3, 4}, {33, 66, 9}} {
		for _, f := range program.Activations {
			cases = append(cases, layerCase(s, f, true), layerCase(s, f, false))
		}
	}
	cases = append(cases, layerCase(shape{1, 801, 784}, program.Tanh, true), layerCase(shape{37, 129, 785}, program.Tanh, true))
	for _, s := range []shape{{1, 1, 1}, {3, 5, 4}, {1, 70, 3}, {70, 1, 3}, {65, 37, 130}} {
		for _, ta := range []bool{false, true} {
			for _, tb := range []bool{false, true} {
				cases = append(cases, accumulateCase(s, ta, tb))
			}
		}
	}
	return append(cases, testCase{"matmul with itself", productLimit(19), func(r *recorder) {
		x := r.input(7, 19, uniform)
		r.MatMul(x, x, false, true)
		r.MatMul(x, x, true, false)
	}})
}

// operands are the stored matrices of a product of shape s.
func (r *recorder) operands(s shape, transA, transB bool) (a, b *program.Tensor) {
	am, ak, bk, bn := s.m, s.k, s.k, s.n
	if transA {
		am, ak = ak, am
	}
	if transB {
		bk, bn = bn, bk
	}
	return r.input(am, ak, uniform), r.variable(bk, bn, uniform)
}

func productCase(s shape, transA, transB bool) testCase {
	name := fmt.Sprintf("matmul %s transposed %t %t", s, transA, transB)
	return testCase{name, productLimit(s.k), func(r *recorder) {
		a, b := r.operands(s, transA, transB)
		r.MatMul(a, b, transA, transB)
	}}
}

func layerCase(s shape, f program.Activation, withBias bool) testCase {
	name := fmt.Sprintf("layer %s %s bias %t", s, f, withBias)
	return testCase{name, productLimit(s.k), func(r *recorder) {
		x, w := r.operands(s, false, false)
		var bias *program.Tensor
		if withBias {
			bias = r.variable(1, s.n, uniform)
		}
		r.Linear(x, w, bias, f)
	}}
}

// accumulateCase adds a product to a parameter.
func accumulateCase(s shape, transA, transB bool) testCase {
	name := fmt.Sprintf("accumulate %s transposed %t %t", s, transA, transB)
	return testCase{name, productLimit(s.k), func(r *recorder) {
		a, b := r.operands(s, transA, transB)
		r.add(r.variable(s.m, s.n, uniform), r.MatMul(a, b, transA, transB))
	}}
}

// add records w += x.
func (r *recorder) add(w, x *program.Tensor) {
	r.Update("add", []*program.Tensor{w}, []*expr.Expr{expr.Add(expr.Arg(0), expr.Arg(1))}, program.Whole(w), program.Whole(x))
}
