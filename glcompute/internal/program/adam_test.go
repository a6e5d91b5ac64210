package program

import (
	"math"
	"testing"

	"inkshade/glcompute/compare"
)

// The first step from rest is the rate along the sign of the gradient, whatever its size; on
// a slope that stays the same all steps are (Kingma and Ba, section 2.1).
func TestAdamStepsByTheRate(t *testing.T) {
	const rate, beta1, beta2, epsilon = 0.125, 0.9, 0.999, 1e-12
	p := New()
	variable := func(name string) *Tensor { return p.Variable(NewParameter(name, 1, 4, nil)) }
	w, m, v := variable("w"), variable("m"), variable("v")
	dw, s := p.Input(1, 4), p.Input(1, AdamSettings)
	p.Adam(w, m, v, dw, s)
	values := Values{w: {1, 2, 3, 4}, dw: {1e-3, -1e3, 7, -0.5}}
	for step := 1.0; step <= 5; step++ {
		values[s] = []float64{rate, beta1, beta2, epsilon, 0, 1 - math.Pow(beta1, step), 1 - math.Pow(beta2, step)}
		p.RunReference(values)
		want := []float64{1 - step*rate, 2 + step*rate, 3 - step*rate, 4 + step*rate}
		if _, err := compare.Slices(values[w], want, compare.Limit{Abs: 1e-8}); err != nil {
			t.Errorf("after step %g: %v", step, err)
		}
	}
}

func TestAdamPullsTowardZero(t *testing.T) {
	p := New()
	w, m, v := p.Variable(NewParameter("w", 1, 1, nil)), p.Variable(NewParameter("m", 1, 1, nil)), p.Variable(NewParameter("v", 1, 1, nil))
	dw, s := p.Input(1, 1), p.Input(1, AdamSettings)
	p.Adam(w, m, v, dw, s)
	values := Values{w: {2}, dw: {0}, s: {0.5, 0, 0, 1e-12, 0.25, 1, 1}}
	p.RunReference(values)
	if got := values[w][0]; math.Abs(got-1.5) > 1e-9 {
		t.Errorf("against no gradient the decay moved the parameter to %g, want 1.5", got)
	}
}
