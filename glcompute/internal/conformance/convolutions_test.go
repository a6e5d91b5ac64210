package conformance

import (
	"fmt"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// geometry is a convolution: a window over images of so many channels.
type geometry struct {
	images, in, out, groups int
	program.Window
}

func (g geometry) String() string {
	return fmt.Sprintf("%d x %dx%dx%d, %dx%d to %d, stride %d %d, padding %d %d %d %d, dilation %d %d, groups %d",
		g.images, g.Height, g.Width, g.in, g.KernelHeight, g.KernelWidth, g.out, g.StrideY, g.StrideX,
		g.Top, g.Left, g.Bottom, g.Right, g.DilationY, g.DilationX, g.groups)
}

// geometries are awkward: one pixel, one channel, strides that leave pixels out, padding on one side, dilation,
// groups, depthwise, filters as large as the image, more positions than a workgroup has threads.
var geometries = []geometry{
	{1, 1, 1, 1, program.Window{Height: 1, Width: 1, KernelHeight: 1, KernelWidth: 1}},
	{2, 1, 3, 1, program.Window{Height: 5, Width: 4, KernelHeight: 3, KernelWidth: 2}},
	{3, 4, 8, 1, program.Window{Height: 6, Width: 7, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}},
	{1, 3, 5, 1, program.Window{Height: 7, Width: 5, KernelHeight: 3, KernelWidth: 3, StrideY: 2, StrideX: 3, Top: 2, Right: 1}},
	{2, 5, 6, 1, program.Window{Height: 9, Width: 8, KernelHeight: 2, KernelWidth: 3, DilationY: 3, DilationX: 2, Left: 1}},
	{2, 6, 4, 2, program.Window{Height: 5, Width: 5, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}},
	{2, 8, 16, 4, program.Window{Height: 4, Width: 6, KernelHeight: 1, KernelWidth: 3, StrideX: 2}},
	{2, 5, 5, 5, program.Window{Height: 6, Width: 6, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}},
	{1, 8, 16, 8, program.Window{Height: 5, Width: 7, KernelHeight: 5, KernelWidth: 5, Top: 2, Left: 2, Bottom: 2, Right: 2, StrideY: 2, StrideX: 2}},
	{2, 2, 3, 1, program.Window{Height: 4, Width: 4, KernelHeight: 4, KernelWidth: 4}},
	{3, 6, 4, 1, program.Window{Height: 4, Width: 3, KernelHeight: 2, KernelWidth: 2}},
	{3, 1, 32, 1, program.Window{Height: 12, Width: 12, KernelHeight: 5, KernelWidth: 5}},
	{2, 32, 12, 1, program.Window{Height: 8, Width: 8, KernelHeight: 5, KernelWidth: 5, Top: 2, Left: 2, Bottom: 2, Right: 2}},
	{9, 4, 4, 1, program.Window{Height: 14, Width: 14, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}},
	{3, 4, 6, 2, program.Window{Height: 7, Width: 25, KernelHeight: 3, KernelWidth: 2, StrideY: 2, StrideX: 2, DilationY: 2, Top: 1, Left: 2, Bottom: 2}},
	{5, 6, 20, 1, program.Window{Height: 6, Width: 17, KernelHeight: 1, KernelWidth: 3, DilationX: 3, StrideY: 2}},
}

// cases are a convolution, the same with a bias and a nonlinearity, and its gradients.
func (g geometry) cases() []testCase {
	limit := compare.Limit{Abs: 1e-4, Rel: 3e-5, Reason: "roundings of sums of up to 1,800 products"}
	operands := func(r *recorder) (x, w *program.Tensor) {
		taps := g.KernelHeight * g.KernelWidth
		return r.input(g.images*g.Height*g.Width, g.in, uniform), r.variable(taps*g.in/g.groups, g.out, uniform)
	}
	return []testCase{
		{"convolution " + g.String(), limit, func(r *recorder) {
			x, w := operands(r)
			r.Convolution(x, w, g.Window, g.groups)
		}},
		{"convolution layer " + g.String(), limit, func(r *recorder) {
			x, w := operands(r)
			y := r.Convolution(x, w, g.Window, g.groups)
			r.Elementwise("relu", expr.ReLU(expr.Add(expr.Arg(0), expr.Arg(1))), y, r.variable(1, y.Cols, uniform))
		}},
		{"convolution gradients " + g.String(), limit, func(r *recorder) {
			x, w := operands(r)
			y := r.Convolution(x, w, g.Window, g.groups)
			d := r.input(y.Rows, y.Cols, uniform)
			r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, d), 1, x, w)
		}},
	}
}

func convolutionCases() []testCase {
	var all []testCase
	for _, g := range geometries {
		all = append(all, g.cases()...)
	}
	return all
}

func poolCases() []testCase {
	var all []testCase
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "roundings of sums of a window"}
	for _, g := range geometries {
		for _, kind := range []program.ReduceKind{program.ReduceSum, program.ReduceMean, program.ReduceMax, program.ReduceMin} {
			all = append(all, testCase{fmt.Sprintf("pool %s %s", kind, g), limit, func(r *recorder) {
				r.Pool(kind, r.input(g.images*g.Height*g.Width, g.in, uniform), g.Window)
			}}, testCase{fmt.Sprintf("pool %s and back %s", kind, g), limit, func(r *recorder) {
				x := r.input(g.images*g.Height*g.Width, g.in, uniform)
				y := r.Pool(kind, x, g.Window)
				r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, r.input(y.Rows, y.Cols, uniform)), 1, x)
			}})
		}
	}
	all = append(all, testCase{"pick", limit, func(r *recorder) {
		x := r.input(3*7, 5, uniform)
		y := r.GatherTable(x, program.NewTable(6, 1, []int32{6, 2, 2, 0, 5, 2}), 3)
		r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, r.input(y.Rows, y.Cols, uniform)), 1, x)
	}})
	return append(all, testCase{"pool of whole images", limit, func(r *recorder) {
		x := r.input(3*49, 10, uniform)
		y := r.Pool(program.ReduceMean, x, program.Window{Height: 7, Width: 7, KernelHeight: 7, KernelWidth: 7})
		r.backward(r.Apply(expr.Tanh, y), 1, x)
	}})
}
