package conformance

import (
	"fmt"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// shape is an output [m][n] and the length k of the inner products.
type shape struct{ m, n, k int }

func (s shape) String() string { return fmt.Sprintf("%dx%dx%d", s.m, s.n, s.k) }

// limit is for sums of k products of values between -1 and 1, and formulas of them. Summed one after
// another the partial sums wander off by about √k/3, and each addition rounds by 6e-8 of that.
func (s shape) limit() compare.Limit {
	return compare.Limit{Abs: 1e-5 + 4e-8*float64(s.k), Rel: 1e-5, Reason: fmt.Sprintf("roundings of sums of %d products", s.k)}
}

// shapes are around the blocks, texels and vectors of products, with single rows, columns and
// values in every place.
var shapes = []shape{
	{1, 1, 1},
	{1, 17, 33},
	{1, 37, 70},
	{3, 5, 4},
	{3, 5, 7},
	{4, 4, 4},
	{5, 4, 1},
	{1, 9, 1},
	{130, 67, 1},
	{6, 1, 1},
	{7, 1, 2},
	{33, 1, 12},
	{1, 9, 7},
	{130, 1, 1100},
	{2, 130, 5},
	{17, 66, 16},
	{65, 37, 130},
	{70, 33, 150},
	{130, 13, 48},
	{64, 64, 64},
	{9, 10, 1031},
}

// longShapes reach past every texture.
var longShapes = []shape{{3, beyondRow, 2}, {beyondHeight, 3, 2}, {2, 3, beyondRow}, {3, beyondRow, 1}}

// productCases are products of every view with and without what follows them, and distances.
func productCases() []testCase {
	var all []testCase
	for _, s := range shapes {
		for _, transA := range []bool{false, true} {
			for _, transB := range []bool{false, true} {
				all = append(all, s.product(transA, transB), s.update(transA, transB), s.weighed(transA, transB))
			}
		}
		for i, f := range expr.Functions {
			if i%3 == s.m%3 {
				all = append(all, s.layer(f.Of))
			}
		}
		all = append(all, s.distances())
	}
	for _, s := range longShapes {
		all = append(all, s.product(false, false), s.product(true, true), s.update(true, false), s.distances())
	}
	return append(all, shape{1, 801, 784}.layer(expr.Tanh), testCase{"product with itself", shape{7, 7, 19}.limit(), func(r *recorder) {
		x := r.input(7, 19, uniform)
		r.Product(program.Plain(x), program.Transposed(x))
		r.Product(program.Transposed(x), program.Plain(x))
	}})
}

// products checks the product at a few awkward shapes in all its forms, convolutions among them: what each variant of
// it must pass. Few forms, since each is a shader that drivers compile.
func products(t *testing.T, dev program.Device) {
	var some []testCase
	for _, s := range []shape{{1, 10, 17}, {3, 5, 4}, {17, 33, 65}, {65, 130, 33}, {9, 10, 1031}, {1, 801, 784}} {
		for _, transA := range []bool{false, true} {
			for _, transB := range []bool{false, true} {
				some = append(some, s.product(transA, transB))
			}
		}
	}
	for _, s := range []shape{{17, 66, 16}, {70, 33, 150}} {
		some = append(some, s.update(true, false), s.weighed(false, true), s.distances())
	}
	for _, g := range geometries {
		if g.groups == 1 && g.in*g.out > 30 {
			some = append(some, g.cases()[2])
		}
	}
	checkAll(t, dev, append(some, shape{2, 3, beyondRow}.product(false, false), shape{beyondHeight, 3, 2}.product(false, false),
		shape{1, 801, 784}.layer(expr.Tanh), shape{37, 129, 785}.layer(expr.Tanh)))
}

// views are the operands of a product of that shape.
func (s shape) views(r *recorder, transA, transB bool) (a, b program.View) {
	view := func(rows, cols int, transposed bool) program.View {
		if transposed {
			return program.Transposed(r.input(cols, rows, uniform))
		}
		return program.Plain(r.input(rows, cols, uniform))
	}
	return view(s.m, s.k, transA), view(s.k, s.n, transB)
}

// followed is a product and what record makes of it.
func (s shape) followed(what string, transA, transB bool, record func(r *recorder, d *program.Tensor)) testCase {
	return testCase{fmt.Sprintf("product %s %t %t%s", s, transA, transB, what), s.limit(), func(r *recorder) {
		record(r, r.Product(s.views(r, transA, transB)))
	}}
}

func (s shape) product(transA, transB bool) testCase {
	return s.followed("", transA, transB, func(*recorder, *program.Tensor) {})
}

func (s shape) update(transA, transB bool) testCase {
	return s.followed(" and an update", transA, transB, func(r *recorder, d *program.Tensor) { r.step(d, s.k%2 > 0) })
}

func (s shape) weighed(transA, transB bool) testCase {
	return s.followed(" and a formula", transA, transB, func(r *recorder, d *program.Tensor) {
		e := expr.Mul(expr.Add(expr.Arg(0), expr.Arg(1)), expr.Sub(expr.Const(1), expr.Square(expr.Arg(2))))
		r.Elementwise("gradient", e, d, r.input(1, d.Cols, uniform), r.input(d.Rows, d.Cols, uniform))
	})
}

func (s shape) layer(f expr.Activation) testCase {
	return testCase{fmt.Sprintf("layer %s %s", s, f.Name()), s.limit(), func(r *recorder) {
		r.Layer(r.input(s.m, s.k, uniform), r.variable(s.k, s.n, uniform), r.variable(1, s.n, uniform), f)
	}}
}

func (s shape) distances() testCase {
	limit := s.limit()
	// All terms have one sign, so that every addition rounds by a part of the whole sum.
	limit.Rel, limit.Reason = 1e-5+1e-9*float64(s.k), fmt.Sprintf("roundings of sums of %d squares", s.k)
	return testCase{fmt.Sprintf("distances %s", s), limit, func(r *recorder) {
		r.Distances(r.input(s.m, s.k, uniform), r.variable(s.n, s.k, uniform))
	}}
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

// notOneCases look like operations that could be one, and some are none; a parameter is read by
// one operation as a column and changed by others.
func notOneCases() []testCase {
	const m, n, k = 9, 10, 12
	var all []testCase
	add := func(name string, record func(r *recorder)) {
		all = append(all, testCase{"product " + name, shape{m, n, 70}.limit(), record})
	}
	product := func(r *recorder) *program.Tensor { return r.Product(shape{m, n, k}.views(r, false, false)) }
	slope := func(r *recorder, dy, y *program.Tensor) {
		r.Elementwise("slope", expr.Mul(expr.Arg(0), expr.Sub(expr.Const(1), expr.Square(expr.Arg(1)))), dy, y)
	}
	weighed := func(r *recorder, alpha, beta float32, a, b *program.Tensor) *program.Tensor {
		return r.Elementwise("weighed", expr.Add(expr.Scale(alpha, expr.Arg(0)), expr.Scale(beta, expr.Arg(1))), a, b)
	}
	add("read twice", func(r *recorder) {
		p := product(r)
		slope(r, p, r.input(m, n, within(0.9)))
		r.Elementwise("copy", expr.Arg(0), p)
	})
	add("as both operands", func(r *recorder) {
		p := product(r)
		slope(r, p, p)
	})
	add("as the result of the forward pass", func(r *recorder) { slope(r, r.input(m, n, uniform), product(r)) })
	add("and a difference with itself", func(r *recorder) {
		d := weighed(r, 2, -1, r.input(m, n, uniform), r.input(m, n, uniform))
		slope(r, d, d)
	})
	add("of the weights that it changes", func(r *recorder) {
		w := r.variable(m, n, uniform)
		dw := r.Product(program.Plain(r.input(m, m, within(0.1))), program.Plain(w))
		r.SGD(w, r.variable(m, n, uniform), dw, nil, r.given(1, 3, []float32{0.5, 0.9, 0.1}))
	})
	add("of weights that change before it is read", func(r *recorder) {
		w := r.variable(m, n, uniform)
		dx := r.Product(program.Plain(r.input(m, m, within(0.1))), program.Plain(w))
		r.SGD(w, r.variable(m, n, uniform), r.input(m, n, uniform), nil, r.given(1, 3, []float32{0.5, 0.9, 0.1}))
		slope(r, dx, r.input(m, n, within(0.9)))
	})
	add("with a step of Adam", func(r *recorder) {
		w, m2, v := r.variable(m, n, uniform), r.variable(m, n, uniform), r.variable(m, n, positive)
		r.Adam(w, m2, v, product(r), r.given(1, 7, []float32{0.01, 0.9, 0.99, 1e-3, 0.1, 0.5, 0.25}))
	})
	add("of columns through many operations", func(r *recorder) {
		x := r.input(70, 1, uniform)
		row := r.Transpose(x)
		r.Sum(program.AlongRows, r.Transpose(row))
		r.Sum(program.AlongColumns, weighed(r, 0.5, -2, x, r.Transpose(row)))
		r.Product(program.Transposed(r.input(1, 1, uniform)), program.Plain(row))
		r.Softmax(r.Apply(expr.ReLU, x))
		r.Sum(program.AlongRows, r.Product(program.Plain(x), program.Plain(row)))
	})
	return all
}
