package cpu

import (
	"math"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// applied gives what a formula makes of values on the device.
func applied(t *testing.T, f func(x *expr.Expr) *expr.Expr, x []float32) []float32 {
	t.Helper()
	p := program.New()
	in := p.Input(1, len(x))
	out := p.Elementwise("", f(expr.Arg(0)), in)
	run, err := open(t).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	got := make([]float32, len(x))
	if err := run.Do(program.In(in, x), program.Out(out, got)); err != nil {
		t.Fatal(err)
	}
	return got
}

// function is one that has no exact float32.
type function struct {
	name     string
	of       func(x *expr.Expr) *expr.Expr
	want     func(float64) float64
	from, to float64
}

var functions = []function{
	{"exp", expr.Exp, math.Exp, -87, 88.7},
	{"log", expr.Log, math.Log, 1e-37, 3},
	{"log of large", expr.Log, math.Log, 1, 3e38},
	{"tanh", expr.Tanh, math.Tanh, -30, 30},
	{"tanh near zero", expr.Tanh, math.Tanh, -1e-3, 1e-3},
	{"sigmoid", expr.Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, -86.9, 86.9},
	{"sqrt", expr.Sqrt, math.Sqrt, 0, 5},
}

// TestFunctions32 samples each function densely over its whole range against float64.
func TestFunctions32(t *testing.T) {
	limit := compare.Limit{Abs: 1e-37, Rel: 4e-7, Reason: "a few roundings of float32"}
	everyWidth(t, func(t *testing.T) {
		for _, f := range functions {
			const n = 1_000_001
			x, want := make([]float32, n), make([]float64, n)
			for i := range n {
				x[i] = float32(f.from + (f.to-f.from)*float64(i)/(n-1))
				want[i] = f.want(float64(x[i]))
			}
			r, err := compare.Slices(applied(t, f.of, x), want, limit)
			if err != nil {
				t.Errorf("%s: %v", f.name, err)
			}
			t.Logf("%s: %.2g of the limit", f.name, r.Share)
		}
	})
}

func TestFunctions32AtTheEdges(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	var x []float32
	for _, v := range []float32{0, 1e-38, 1e-45, 9, 44, 88, 100, 104, 1e30, inf} {
		x = append(x, v, -v)
	}
	x = append(x, float32(math.Copysign(0, -1)))
	everyWidth(t, func(t *testing.T) {
		for _, f := range functions {
			for i, got := range applied(t, f.of, x) {
				want := f.want(float64(x[i]))
				overflows := math.Abs(want) > math.MaxFloat32 && float64(got) == math.Copysign(math.Inf(1), want)
				neither := math.IsNaN(want) && got != got
				if !overflows && !neither && !(math.Abs(float64(got)-want) <= 4e-7*math.Abs(want)+2e-38) {
					t.Errorf("%s(%g) = %g, want %g", f.name, x[i], got, want)
				}
				if want == 0 && math.Signbit(want) && !math.Signbit(float64(got)) {
					t.Errorf("%s(%g) lost its sign", f.name, x[i])
				}
			}
			if got := applied(t, f.of, []float32{nan})[0]; got == got {
				t.Errorf("%s(NaN) = %g", f.name, got)
			}
		}
		for name, f := range map[string]func(x *expr.Expr) *expr.Expr{
			"max": expr.ReLU, "max of a constant": func(x *expr.Expr) *expr.Expr { return expr.Max(expr.Const(1), x) },
			"max of others": func(x *expr.Expr) *expr.Expr { return expr.Max(expr.Add(x, expr.Const(1)), expr.Mul(x, x)) },
			"min":           func(x *expr.Expr) *expr.Expr { return expr.Min(x, expr.Const(0)) },
		} {
			if got := applied(t, f, []float32{nan})[0]; got == got {
				t.Errorf("%s(NaN) = %g", name, got)
			}
		}
	})
}

// TestExp32 is the exponential of softmax.
func TestExp32(t *testing.T) {
	for x := float32(0); x > -120; x -= 1.0 / 512 {
		if got, want := exp32(x), math.Exp(float64(x)); math.Abs(float64(got)-want) > 4e-7*want+2e-38 {
			t.Errorf("exp(%g) = %g, want %g", x, got, want)
		}
	}
	if got := exp32(float32(math.NaN())); got == got {
		t.Errorf("exp(NaN) = %g", got)
	}
}
