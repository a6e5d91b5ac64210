package conformance

import (
	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// networkCases are passes of many operations: softmax with and without cross-entropy, and a small convolutional
// network with its gradients and updates.
func networkCases() []testCase {
	limit := compare.Limit{Abs: 2e-5, Rel: 1e-4, Reason: "roundings carried through a network"}
	return []testCase{
		{"cross-entropy with its gradient", limit, func(r *recorder) {
			x := r.input(9, 13, within(3))
			r.backward(r.CrossEntropy(r.Softmax(x), r.given(9, 13, oneHot(r.rng, 9, 13))), 1.0/9, x)
		}},
		{"softmax with its gradient", limit, func(r *recorder) {
			x := r.input(6, 11, within(3))
			r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), r.Softmax(x), r.input(6, 11, uniform)), 1, x)
		}},
		{"squared error with its gradient", limit, func(r *recorder) {
			w := r.variable(7, 5, uniform)
			y := r.Layer(r.input(4, 7, uniform), w, nil, expr.Tanh)
			r.backward(r.Reduce(program.ReduceMean, program.AlongRows, expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1))), y, r.input(4, 5, uniform)), 0.25, w)
		}},
		{"convolutions by one shader, one after another", limit, func(r *recorder) {
			y := r.input(4*49, 32, uniform)
			for range 3 {
				y = r.Convolution(y, r.variable(9*32, 32, within(0.1)), program.Window{Height: 7, Width: 7, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}, 1)
			}
		}},
		{"convolutional network", limit, convolutionalNetwork},
	}
}

func convolutionalNetwork(r *recorder) {
	const images = 3
	var params []*program.Tensor
	parameter := func(rows, cols int) *program.Tensor {
		params = append(params, r.variable(rows, cols, within(0.4)))
		return params[len(params)-1]
	}
	x := r.input(images*64, 1, positive)
	relu := expr.ReLU(expr.Add(expr.Arg(0), expr.Arg(1)))
	y := r.Convolution(x, parameter(9, 6), program.Window{Height: 8, Width: 8, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}, 1)
	y = r.Elementwise("relu", relu, y, parameter(1, 6))
	y = r.Pool(program.ReduceMax, y, program.Window{Height: 8, Width: 8, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2})
	z := r.Convolution(y, parameter(9, 6), program.Window{Height: 4, Width: 4, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}, 6)
	z = r.Elementwise("residual", expr.Add(expr.Arg(0), expr.Arg(1)), z, y)
	flat := r.Reshape(z, images, 16*6)
	p := r.Softmax(r.Layer(flat, parameter(96, 5), parameter(1, 5), expr.Identity))
	loss := r.CrossEntropy(p, r.given(images, 5, oneHot(r.rng, images, 5)))
	settings := r.given(1, 3, []float32{0.1, 0.9, 0.01})
	for i, d := range r.backward(loss, 1.0/images, params...) {
		r.SGD(params[i], r.variable(params[i].Rows, params[i].Cols, uniform), d, nil, settings)
	}
}

// backward records the gradients of a loss.
func (r *recorder) backward(loss *program.Tensor, weight float32, by ...*program.Tensor) []*program.Tensor {
	r.goesBack = true
	return program.Must(r.Gradients(loss, weight, by...))
}
