package gldevice

import (
	"fmt"
	"math"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// probe is work that a driver must do rightly before it is used (docs/drivers.md says what each has met).
type probe struct {
	of     string // what it tries, in words
	record func(s *sample)
	limit  compare.Limit
	times  int // replays of other inputs; 0 stands for one
}

// exactly is the limit of whole numbers and of what must not be rounded; its part of a value is below a rounding.
var exactly = compare.Limit{Rel: 1e-9, Reason: "nothing is rounded"}

// probes are in the order in which they are tried; side is that of the largest texture.
func probes(side int) []probe {
	return []probe{
		{of: "a training step", record: trainingStep, limit: compare.Limit{Abs: 1e-4, Rel: 1e-3, Reason: "roundings of float32 add up"}},
		{of: "values from pass to pass", record: fromPassToPass, limit: exactly, times: 4},
		{of: "sums in two floats", record: twoFloats, limit: compare.Limit{Rel: 1e-2, Reason: "the low float is rounded with each sum"}},
		{of: "NaN and infinities", record: notNumbers, limit: exactly},
		{of: "all 32 bits", record: allBits, limit: exactly},
		{of: "wide matrices", record: func(s *sample) { places(s, 9, TexelValues*side-5) }, limit: exactly},
		{of: "tall matrices", record: func(s *sample) { places(s, 2*side+3, 3) }, limit: exactly},
	}
}

// trainingStep is one of a small convolutional network. Everything in it is smooth, so that roundings stay roundings.
func trainingStep(s *sample) {
	const images, side, kernel, filters, hidden, classes = 16, 28, 5, 8, 128, 10
	filter := program.Window{Height: side, Width: side, KernelHeight: kernel, KernelWidth: kernel}
	height, width := filter.Output()
	half := program.Window{Height: height, Width: width, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2}
	height, width = half.Output()
	inner := height * width * filters

	x, target := s.input(images*side*side, 1, s.around(0.5, 0.5)), s.input(images, classes, s.around(0.5, 0.5))
	weights := s.around(0, 0.1)
	w := []*program.Tensor{s.variable(kernel*kernel, filters, weights), s.variable(inner, hidden, weights), s.variable(hidden, classes, weights)}
	maps := s.Pool(program.ReduceMean, s.Apply(expr.Tanh, s.Convolution(x, w[0], filter, 1)), half)
	y := s.Layer(s.Layer(s.Reshape(maps, images, inner), w[1], s.variable(1, hidden, weights), expr.Tanh), w[2], nil, expr.Identity)
	s.results["the answer"] = s.Softmax(y)
	loss := s.CrossEntropy(s.results["the answer"], target)
	for i, g := range program.Must(s.Gradients(loss, 1, w...)) {
		s.results[fmt.Sprintf("gradient %d", i+1)] = g
	}
}

// fromPassToPass moves whole numbers about in passes of which each reads what the one before it has just written, in the same memory
// too. Missing or weak barriers leave values of an earlier pass or replay (defold#13040, wgpu#8473).
func fromPassToPass(s *sample) {
	const n, rounds = 13, 12
	t := s.input(n, n, func(i int) float32 { return float32(s.rng.IntN(9)) })
	next := s.variable(n, n, func(i int) float32 { // moves columns by one place
		if i/n == (i+1)%n {
			return 1
		}
		return 0
	})
	all := s.variable(n, n, func(int) float32 { return 0 })
	for range rounds {
		t = s.Elementwise("count", expr.Add(expr.Arg(0), expr.Arg(1)), s.Product(program.Plain(t), program.Transposed(next)), t)
		t = s.Elementwise("less", expr.Sub(expr.Arg(0), expr.Arg(1)), s.Transpose(t), s.Product(program.Transposed(t), program.Plain(next)))
		s.Update("add", []*program.Tensor{all}, []*expr.Expr{expr.Add(expr.Arg(0), expr.Arg(1))}, program.Whole(all), program.Whole(t))
	}
	s.results["the last"], s.results["all"] = t, all
}

// twoFloats takes steps that are below half a unit in the last place of what they change. Compilers that take (w + step) - w for step,
// or fuse a multiplication into it, lose the low float (Sarek#297).
func twoFloats(s *sample) {
	const steps, rate = 8, 1e-9
	one := func(v float32) func(int) float32 { return func(int) float32 { return v } }
	zero := one(0)
	w, low, v := s.variable(1, 5, one(1)), s.variable(1, 5, zero), s.variable(1, 5, zero)
	slope, settings := s.input(1, 5, func(i int) float32 { return float32(i + 1) }), s.input(1, 3, func(i int) float32 {
		if i == 0 {
			return rate
		}
		return 0
	})
	for range steps {
		s.SGDTwoFloats(w, low, v, slope, nil, settings)
	}
	s.results["what the steps changed"] = s.Elementwise("change", expr.Add(expr.Sub(expr.Arg(0), expr.Arg(2)), expr.Arg(1)), w, low, s.input(1, 5, one(1)))
}

// notNumbers stay what they are in formulas and in what is the largest (dolphin#10090, llpc#704).
func notNumbers(s *sample) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	x := s.input(3, 4, func(i int) float32 { return []float32{nan, inf, -inf, 1, 2, nan, 3, -inf, 4, 5, inf, -6}[i] })
	s.results["the larger"] = s.Elementwise("larger", expr.Max(expr.Arg(0), expr.Const(0)), x)
	s.results["sums"] = s.Elementwise("sum", expr.Add(expr.Arg(0), expr.Const(1)), x)
}

// allBits are numbers that half precision, fixed point or a flush to zero would change, in formulas, sums and memory
// (webrender#1395, tfjs#265).
func allBits(s *sample) {
	values := []float32{1 + 1.0/(1<<20), 1e30, -1e-30, 16777215, 1.0 / 3, 65537.5, -0.1, 1 - 1.0/(1<<24)}
	x := s.input(len(values), len(values), func(i int) float32 {
		if n := len(values); i/n == i%n {
			return values[i/n]
		}
		return 0
	})
	s.results["a formula"] = s.Elementwise("half", expr.Scale(0.5, expr.Arg(0)), x)
	unit := s.variable(len(values), len(values), func(i int) float32 {
		if n := len(values); i/n == i%n {
			return 1
		}
		return 0
	})
	s.results["a product"] = s.Product(program.Plain(x), program.Plain(unit))
}

// places are numbered up to the edges of the largest textures, where coordinates that are off by little meet the neighbour (tfjs#6775).
func places(s *sample, rows, cols int) {
	x := s.input(rows, cols, func(i int) float32 { return float32(i % (1 << 23)) })
	s.results["twice the number"] = s.Elementwise("twice", expr.Scale(2, expr.Arg(0)), x)
}
