package optest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/program"
)

// Open checks the operations over expressions, views, tables and groups on dev.
func Open(t *testing.T, dev program.Device) {
	checkAll(t, dev, openCases())
	t.Run("NaN stays", func(t *testing.T) { checkNaN(t, dev) })
}

// checkNaN looks for nonlinearities that make a number of what is none.
func checkNaN(t *testing.T, dev program.Device) {
	const at = 2
	data := []float32{-1, 0.5, float32(math.NaN()), 2, 0}
	for _, f := range expr.Functions {
		p := program.New()
		x := p.Input(1, len(data))
		y := p.Apply(f, x)
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, len(data))
		if err := run.Do(program.In(x, data), program.Out(y, got)); err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if math.IsNaN(float64(v)) != (i == at) {
				t.Errorf("%s of %v is %v", f.Name, data, got)
				break
			}
		}
		run.Close()
	}
}

// openCases are those of all of them. The gradient of each is compared with central
// differences in this package's own test, and their results with the reference on every device.
func openCases() []testCase {
	return slices.Concat(formulaCases(), updateCases(), viewCases(), convolutionCases(), reduceCases(), poolCases(), moveCases(), networkCases(), sparseCases())
}

var formulaLimit = compare.Limit{Abs: 4e-6, Rel: 4e-6, Reason: "GLSL's exp, log and division may be off by a few units in the last place"}

// positive values lie between 1/10 and 1.
func positive(rng *rand.Rand) float32 { return 0.1 + 0.9*rng.Float32() }

// formulaCases are all nonlinearities and primitives at awkward sizes, with operands of every spread.
func formulaCases() []testCase {
	var all []testCase
	add := func(name string, record func(r *recorder)) { all = append(all, testCase{name, formulaLimit, record}) }
	for _, e := range extents {
		for i, f := range expr.Functions {
			if e[0]*e[1] < 1000 || i < 3 {
				add(sized(f.Name, e), func(r *recorder) { r.Apply(f, r.input(e[0], e[1], within(4))) })
			}
		}
		add(sized("spread", e), func(r *recorder) {
			x, row, column, one := r.input(e[0], e[1], uniform), r.input(1, e[1], uniform), r.input(e[0], 1, uniform), r.input(1, 1, uniform)
			a, b, c, d := expr.Arg(0), expr.Arg(1), expr.Arg(2), expr.Arg(3)
			r.Elementwise("spread", expr.Add(expr.Mul(a, b), expr.Sub(c, expr.Mul(d, a))), x, row, column, one)
		})
		add(sized("filled from a column", e), func(r *recorder) {
			r.ElementwiseOf("fill", e[0], e[1], expr.Add(expr.Arg(0), expr.Scale(0.25, expr.ColumnIndex())), program.Whole(r.input(e[0], 1, uniform)))
		})
	}
	primitives := map[string]func(a, b *expr.Expr) *expr.Expr{
		"add": expr.Add, "sub": expr.Sub, "mul": expr.Mul, "div": expr.Div, "max": expr.Max, "min": expr.Min,
		"exp":     func(a, b *expr.Expr) *expr.Expr { return expr.Exp(expr.Sub(a, b)) },
		"log":     func(a, b *expr.Expr) *expr.Expr { return expr.Mul(a, expr.Log(b)) },
		"sqrt":    func(a, b *expr.Expr) *expr.Expr { return expr.Add(a, expr.Sqrt(b)) },
		"select":  func(a, b *expr.Expr) *expr.Expr { return expr.Select(a, b, expr.Mul(a, b)) },
		"clip":    func(a, b *expr.Expr) *expr.Expr { return expr.Mul(b, expr.Clip(a, -0.3, 0.4)) },
		"erf":     func(a, b *expr.Expr) *expr.Expr { return expr.Erf(expr.Div(a, b)) },
		"no name": func(a, b *expr.Expr) *expr.Expr { return expr.Mul(expr.Tanh(a), expr.Sqrt(expr.Add(b, expr.Exp(a)))) },
	}
	for name, f := range primitives {
		add("primitive "+name, func(r *recorder) {
			r.Elementwise(name, f(expr.Arg(0), expr.Arg(1)), r.input(5, 7, uniform), r.input(5, 7, positive))
		})
	}
	add("a value of a row", func(r *recorder) {
		r.ElementwiseOf("scale", 3, 6, expr.Mul(expr.Arg(0), expr.Arg(1)), program.Whole(r.input(3, 6, uniform)), program.ValueOf(r.variable(1, 6, uniform), 5))
	})
	add("one after another", func(r *recorder) {
		x := r.Apply(expr.Functions[1], r.input(9, 10, uniform))
		y := r.Elementwise("square", expr.Square(expr.Arg(0)), x)
		r.Elementwise("sum", expr.Add(expr.Arg(0), expr.Arg(1)), y, r.input(1, 10, uniform))
	})
	return all
}

// updateCases change variables in place: one and several at once, one from the new value of another.
func updateCases() []testCase {
	var all []testCase
	limit := compare.Limit{Abs: 2e-6, Rel: 2e-6, Reason: "a few roundings and a square root"}
	for _, e := range extents {
		all = append(all,
			testCase{sized("sgd", e), limit, func(r *recorder) {
				r.SGD(r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], uniform), r.input(e[0], e[1], uniform), r.variable(e[0], e[1], uniform), r.input(1, 3, positive))
			}},
			testCase{sized("adam", e), limit, func(r *recorder) {
				w, m, v := r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], positive)
				r.Adam(w, m, v, r.input(e[0], e[1], uniform), r.given(1, 7, []float32{0.01, 0.9, 0.99, 1e-3, 0.1, 0.5, 0.25}))
			}},
			testCase{sized("exchange", e), compare.Limit{Reason: "copied values are exact"}, func(r *recorder) {
				a, b := r.variable(e[0], e[1], uniform), r.variable(e[0], e[1], uniform)
				r.Update("exchange", []*program.Tensor{a, b}, []*expr.Expr{expr.Arg(1), expr.Arg(0)}, program.Whole(a), program.Whole(b))
			}},
			testCase{sized("average", e), limit, func(r *recorder) {
				w := r.variable(e[0], e[1], uniform)
				args := []program.Operand{program.Whole(w), program.Whole(r.input(e[0], e[1], uniform)), program.ValueOf(r.input(1, 1, positive), 0)}
				mean := expr.Add(expr.Arg(0), expr.Mul(expr.Arg(2), expr.Sub(expr.Arg(1), expr.Arg(0))))
				r.Update("average", []*program.Tensor{w}, []*expr.Expr{mean}, args...)
			}})
	}
	return all
}

// viewCases are products of every view with and without what follows them, and distances.
func viewCases() []testCase {
	var all []testCase
	for _, s := range []shape{{1, 1, 1}, {1, 37, 70}, {3, 5, 7}, {5, 4, 1}, {1, 9, 1}, {33, 1, 12}, {17, 66, 16}, {70, 33, 150}, {130, 13, 48}, {9, 10, 1030}} {
		limit := compare.Limit{Abs: 4e-5, Rel: 2e-5, Reason: "roundings of sums of up to 1,030 products"}
		for _, transA := range []bool{false, true} {
			for _, transB := range []bool{false, true} {
				views := func(r *recorder) (a, b program.View) {
					view := func(rows, cols int, transposed bool) program.View {
						if transposed {
							return program.Transposed(r.input(cols, rows, uniform))
						}
						return program.Plain(r.input(rows, cols, uniform))
					}
					return view(s.m, s.k, transA), view(s.k, s.n, transB)
				}
				name := fmt.Sprintf("product %s %t %t", s, transA, transB)
				all = append(all,
					testCase{name, limit, func(r *recorder) {
						a, b := views(r)
						r.Product(a, b)
					}},
					testCase{name + " and an update", limit, func(r *recorder) {
						a, b := views(r)
						d := r.Product(a, b)
						r.SGD(r.variable(d.Rows, d.Cols, uniform), r.variable(d.Rows, d.Cols, uniform), d, nil, r.input(1, 3, positive))
					}},
					testCase{name + " and a formula", limit, func(r *recorder) {
						a, b := views(r)
						d := r.Product(a, b)
						e := expr.Mul(expr.Add(expr.Arg(0), expr.Arg(1)), expr.Sub(expr.Const(1), expr.Square(expr.Arg(2))))
						r.Elementwise("gradient", e, d, r.input(1, d.Cols, uniform), r.input(d.Rows, d.Cols, uniform))
					}})
			}
		}
		for i, f := range expr.Functions {
			if i%3 == s.m%3 {
				all = append(all, testCase{fmt.Sprintf("layer %s %s", s, f.Name), limit, func(r *recorder) {
					r.Layer(r.input(s.m, s.k, uniform), r.variable(s.k, s.n, uniform), r.variable(1, s.n, uniform), f)
				}})
			}
		}
		all = append(all, testCase{fmt.Sprintf("distances %s", s), compare.Limit{Abs: 1e-4, Rel: 2e-5, Reason: "roundings of sums of up to 1,030 squares"}, func(r *recorder) {
			r.Distances(r.input(s.m, s.k, uniform), r.variable(s.n, s.k, uniform))
		}})
	}
	return all
}

// backward records the gradients of a loss.
func (r *recorder) backward(loss *program.Tensor, weight float32, by ...*program.Tensor) []*program.Tensor {
	r.goesBack = true
	return r.Gradients(loss, weight, by...)
}

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
	{3, 1, 32, 1, program.Window{Height: 12, Width: 12, KernelHeight: 5, KernelWidth: 5}},
	{2, 32, 12, 1, program.Window{Height: 8, Width: 8, KernelHeight: 5, KernelWidth: 5, Top: 2, Left: 2, Bottom: 2, Right: 2}},
	{9, 4, 4, 1, program.Window{Height: 14, Width: 14, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}},
}

// convolutionCases are the three products of each geometry, the forward one with a bias and a nonlinearity too.
func convolutionCases() []testCase {
	var all []testCase
	limit := compare.Limit{Abs: 1e-4, Rel: 3e-5, Reason: "roundings of sums of up to 1,800 products"}
	for _, g := range geometries {
		operands := func(r *recorder) (x, w *program.Tensor) {
			taps := g.KernelHeight * g.KernelWidth
			return r.input(g.images*g.Height*g.Width, g.in, uniform), r.variable(taps*g.in/g.groups, g.out, uniform)
		}
		all = append(all,
			testCase{"convolution " + g.String(), limit, func(r *recorder) {
				x, w := operands(r)
				r.Convolution(x, w, g.Window, g.groups)
			}},
			testCase{"convolution layer " + g.String(), limit, func(r *recorder) {
				x, w := operands(r)
				y := r.Convolution(x, w, g.Window, g.groups)
				r.Elementwise("relu", expr.ReLU(expr.Add(expr.Arg(0), expr.Arg(1))), y, r.variable(1, y.Cols, uniform))
			}},
			testCase{"convolution gradients " + g.String(), limit, func(r *recorder) {
				x, w := operands(r)
				y := r.Convolution(x, w, g.Window, g.groups)
				d := r.input(y.Rows, y.Cols, uniform)
				r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, d), 1, x, w)
			}})
	}
	return all
}

func reduceCases() []testCase {
	var all []testCase
	for _, e := range extents {
		n := max(e[0], e[1])
		limit := compare.Limit{Abs: 1e-6 * float64(4+n/64), Rel: 2e-5, Reason: "roundings of long sums"}
		for _, along := range []program.Along{program.Rows, program.Columns} {
			for _, kind := range []program.ReduceKind{program.Sum, program.Mean, program.Max, program.Min} {
				all = append(all, testCase{sized(fmt.Sprintf("%s of %s", kind, along), e), limit, func(r *recorder) {
					r.Reduce(kind, along, expr.Arg(0), r.input(e[0], e[1], uniform))
				}})
			}
			all = append(all,
				testCase{sized(fmt.Sprintf("mean square of %s", along), e), limit, func(r *recorder) {
					term := expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1)))
					r.Reduce(program.Mean, along, term, r.input(e[0], e[1], uniform), r.input(1, e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("sum of %s where zeros count", along), e), limit, func(r *recorder) {
					r.Reduce(program.Sum, along, expr.Sub(expr.Exp(expr.Arg(0)), expr.Const(1.25)), r.input(e[0], e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("max of %s below zero", along), e), limit, func(r *recorder) {
					r.Reduce(program.Max, along, expr.Sub(expr.Arg(0), expr.Const(2)), r.input(e[0], e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("place of the largest of %s", along), e), limit, func(r *recorder) {
					r.Extreme(program.Max, along, r.input(e[0], e[1], uniform))
				}},
				testCase{sized(fmt.Sprintf("place of the smallest of %s, with ties", along), e), limit, func(r *recorder) {
					r.Extreme(program.Min, along, r.input(e[0], e[1], func(rng *rand.Rand) float32 { return float32(rng.IntN(3)) }))
				}},
				testCase{sized(fmt.Sprintf("sum of %s and an update", along), e), limit, func(r *recorder) {
					d := r.Reduce(program.Sum, along, expr.Arg(0), r.input(e[0], e[1], within(0.1)))
					r.SGD(r.variable(d.Rows, d.Cols, uniform), r.variable(d.Rows, d.Cols, uniform), d, nil, r.input(1, 3, positive))
				}})
		}
	}
	return all
}

func poolCases() []testCase {
	var all []testCase
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-5, Reason: "roundings of sums of a window"}
	for _, g := range geometries {
		for _, kind := range []program.ReduceKind{program.Sum, program.Mean, program.Max, program.Min} {
			all = append(all, testCase{fmt.Sprintf("pool %s %s", kind, g), limit, func(r *recorder) {
				r.Pool(kind, r.input(g.images*g.Height*g.Width, g.in, uniform), g.Window)
			}}, testCase{fmt.Sprintf("pool %s and back %s", kind, g), limit, func(r *recorder) {
				x := r.input(g.images*g.Height*g.Width, g.in, uniform)
				y := r.Pool(kind, x, g.Window)
				r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, r.input(y.Rows, y.Cols, uniform)), 1, x)
			}})
		}
	}
	return append(all, testCase{"pool of whole images", limit, func(r *recorder) {
		x := r.input(3*49, 10, uniform)
		y := r.Pool(program.Mean, x, program.Window{Height: 7, Width: 7, KernelHeight: 7, KernelWidth: 7})
		r.backward(r.Apply(expr.Functions[1], y), 1, x)
	}})
}

// moveCases move columns and rows about.
func moveCases() []testCase {
	var all []testCase
	exact := compare.Limit{Reason: "copied values are exact"}
	add := func(name string, record func(r *recorder)) { all = append(all, testCase{name, exact, record}) }
	for _, e := range [][3]int{{1, 12, 3}, {12, 1, 4}, {6, 4, 8}, {6, 4, 3}, {9, 8, 4}, {5, 7, 35}, {70, 6, 1}, {1, 420, 420}, {64, 64, 16}} {
		add(fmt.Sprintf("reshape %dx%d to %d rows", e[0], e[1], e[2]), func(r *recorder) {
			r.Reshape(r.input(e[0], e[1], uniform), e[2], e[0]*e[1]/e[2])
		})
	}
	for _, cols := range [][]int{{1, 1}, {4, 8}, {3, 5, 2}, {1, 7}, {6, 4, 1, 9}} {
		for _, rows := range []int{1, 5, 33} {
			add(fmt.Sprintf("concat %v of %d rows", cols, rows), func(r *recorder) {
				var xs []*program.Tensor
				for _, c := range cols {
					xs = append(xs, r.input(rows, c, uniform))
				}
				r.Concat(xs...)
			})
		}
	}
	for _, s := range [][4]int{{1, 9, 2, 4}, {5, 8, 4, 4}, {6, 7, 3, 1}, {33, 13, 1, 11}, {3, 5, 0, 2}} {
		add(fmt.Sprintf("slice %v", s), func(r *recorder) { r.Slice(r.input(s[0], s[1], uniform), s[2], s[3]) })
		all = append(all, testCase{fmt.Sprintf("slice and back %v", s), compare.Limit{Rel: 1e-7, Reason: "one rounding"}, func(r *recorder) {
			x := r.input(s[0], s[1], uniform)
			y := r.Slice(x, s[2], s[3])
			r.backward(r.Elementwise("weigh", expr.Mul(expr.Arg(0), expr.Arg(1)), y, r.input(y.Rows, y.Cols, uniform)), 1, x)
		}})
	}
	return all
}

// networkCases are passes of many operations: softmax with and without cross-entropy, and a small convolutional
// network with its gradients and updates.
func networkCases() []testCase {
	limit := compare.Limit{Abs: 2e-5, Rel: 1e-4, Reason: "roundings carried through a network"}
	return []testCase{
		{"softmax", limit, func(r *recorder) { r.Softmax(r.input(4, 9, within(3))) }},
		{"cross-entropy of a softmax", limit, func(r *recorder) {
			r.CrossEntropy(r.Softmax(r.input(9, 13, within(3))), r.given(9, 13, oneHot(r.rng, 9, 13)))
		}},
		{"cross-entropy", limit, func(r *recorder) { r.CrossEntropy(r.input(3, 5, positive), r.given(3, 5, oneHot(r.rng, 3, 5))) }},
		{"transposed", limit, func(r *recorder) { r.Transpose(r.input(5, 6, uniform)) }},
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
			y := r.Layer(r.input(4, 7, uniform), w, nil, expr.Functions[1])
			r.backward(r.Reduce(program.Mean, program.Rows, expr.Square(expr.Sub(expr.Arg(0), expr.Arg(1))), y, r.input(4, 5, uniform)), 0.25, w)
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
	y = r.Pool(program.Max, y, program.Window{Height: 8, Width: 8, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2})
	z := r.Convolution(y, parameter(9, 6), program.Window{Height: 4, Width: 4, KernelHeight: 3, KernelWidth: 3, Top: 1, Left: 1, Bottom: 1, Right: 1}, 6)
	z = r.Elementwise("residual", expr.Add(expr.Arg(0), expr.Arg(1)), z, y)
	flat := r.Reshape(z, images, 16*6)
	p := r.Softmax(r.Layer(flat, parameter(96, 5), parameter(1, 5), expr.Functions[0]))
	loss := r.CrossEntropy(p, r.given(images, 5, oneHot(r.rng, images, 5)))
	settings := r.given(1, 3, []float32{0.1, 0.9, 0.01})
	for i, d := range r.backward(loss, 1.0/images, params...) {
		r.SGD(params[i], r.variable(params[i].Rows, params[i].Cols, uniform), d, nil, settings)
	}
}
