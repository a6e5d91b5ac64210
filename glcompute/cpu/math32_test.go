package cpu

import (
	"math"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/reference"
)

// functions are one way to compute the nonlinearities.
type functions struct{ tanh, sigmoid, relu func(out, x []float32) }

var plain = functions{tanhs, sigmoids, relus}

func TestFunctions32(t *testing.T) { checkFunctions(t, plain) }

// checkFunctions samples each function densely over its whole range against float64.
func checkFunctions(t *testing.T, f functions) {
	limit := compare.Limit{Abs: 1e-37, Rel: 4e-7, Reason: "a few roundings of float32"}
	tests := []struct {
		name     string
		f        func(out, x []float32)
		want     func(float64) float64
		from, to float64
	}{
		{"exp", exps, math.Exp, -86.9, 0},
		{"tanh", f.tanh, reference.Tanh, -30, 30},
		{"tanh near zero", f.tanh, reference.Tanh, -1e-3, 1e-3},
		{"sigmoid", f.sigmoid, reference.Sigmoid, -86.9, 86.9},
		{"relu", f.relu, reference.ReLU, -3, 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			const n = 1_000_001
			x, got, want := make([]float32, n), make([]float32, n), make([]float64, n)
			for i := range n {
				x[i] = float32(test.from + (test.to-test.from)*float64(i)/(n-1))
				want[i] = test.want(float64(x[i]))
			}
			test.f(got, x)
			r, err := compare.Slices(got, want, limit)
			if err != nil {
				t.Error(err)
			}
			t.Logf("%.2g of the limit", r.Share)
		})
	}
}

func exps(out, x []float32) {
	for i, v := range x {
		out[i] = exp32(v)
	}
}

func TestFunctions32AtTheEdges(t *testing.T) { checkEdges(t, plain) }

func checkEdges(t *testing.T, f functions) {
	of := func(f func(out, x []float32), v float32) float32 {
		out := []float32{-7}
		f(out, []float32{v})
		return out[0]
	}
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, x := range []float32{0, 1e-38, 1e-45, 9, 44, 100, 1e30, inf} {
		for _, v := range []float32{x, -x} {
			if got, want := of(f.tanh, v), math.Tanh(float64(v)); math.Abs(float64(got)-want) > 2e-7*math.Abs(want) {
				t.Errorf("tanh(%g) = %g, want %g", v, got, want)
			}
			if got, want := of(f.sigmoid, v), reference.Sigmoid(float64(v)); math.Abs(float64(got)-want) > 2e-7 {
				t.Errorf("sigmoid(%g) = %g, want %g", v, got, want)
			}
			if got, want := of(f.relu, v), max(v, 0); got != want {
				t.Errorf("relu(%g) = %g, want %g", v, got, want)
			}
			if got, want := positive(v), float32(reference.ReLUGrad(float64(v))); got != want {
				t.Errorf("positive(%g) = %g, want %g", v, got, want)
			}
		}
		if got, want := exp32(-x), math.Exp(float64(-x)); math.Abs(float64(got)-want) > 2e-7 {
			t.Errorf("exp(%g) = %g, want %g", -x, got, want)
		}
	}
	minusZero := float32(math.Copysign(0, -1))
	if !math.Signbit(float64(of(f.tanh, minusZero))) {
		t.Error("tanh(-0) lost its sign")
	}
	if positive(minusZero) != 0 {
		t.Error("-0 is positive")
	}
	for name, f := range map[string]func(out, x []float32){"exp": exps, "tanh": f.tanh, "sigmoid": f.sigmoid, "relu": f.relu} {
		if got := of(f, nan); got == got {
			t.Errorf("%s(NaN) = %g", name, got)
		}
	}
}
