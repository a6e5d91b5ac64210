package conformance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// extents are matrices [rows][cols] with every remainder by four, past one workgroup,
// and past every texture.
var extents = [][2]int{
	{1, 1},
	{1, 3},
	{3, 1},
	{4, 4},
	{5, 5},
	{2, 17},
	{33, 6},
	{65, 130},
	{7, 4099},
	{1, beyondRow},
	{2, beyondRow},
	{beyondHeight, 1},
	{beyondHeight, 5},
}

func sized(name string, e [2]int) string { return fmt.Sprintf("%s %dx%d", name, e[0], e[1]) }

// checkNaN looks for nonlinearities that make a number of what is none.
func checkNaN(t *testing.T, dev program.Device) {
	const at = 2
	data := []float32{-1, 0.5, float32(math.NaN()), 2, 0}
	for _, f := range expr.Functions {
		p := program.New()
		x := p.Input(1, len(data))
		y := p.Apply(f.Of, x)
		run, err := dev.Compile(p)
		must(t, err)
		got := make([]float32, len(data))
		must(t, run.Do(program.In(x, data), program.Out(y, got)))
		for i, v := range got {
			if math.IsNaN(float64(v)) != (i == at) {
				t.Errorf("%s of %v is %v", f.Name, data, got)
				break
			}
		}
		run.Close()
	}
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
				add(sized(f.Name, e), func(r *recorder) { r.Apply(f.Of, r.input(e[0], e[1], within(4))) })
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
		x := r.Apply(expr.Tanh, r.input(9, 10, uniform))
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
