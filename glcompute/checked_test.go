package glcompute

import (
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/check/checktest"
	"inkshade/glcompute/internal/program"
)

// spoiled is a device whose shaders are changed once it has been found right.
func spoiled(t *testing.T, kind DeviceKind, spoil func(text string) string) Device {
	t.Helper()
	on := false
	o := Options{Cache: t.TempDir(), edit: func(_, text string) string {
		if on {
			return spoil(text)
		}
		return text
	}}
	dev, err := o.Open(kind)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dev.Close() })
	on = true
	return dev
}

func everyProduct(text string) string { return wrongSums("", text) }

// fusedAlone spoils products that go on with formulas.
func fusedAlone(text string) string {
	if strings.Contains(text, " = hyperbolicTangent(") {
		return wrongSums("", text)
	}
	return text
}

// ofInk spoils products unless their operand is zero.
func ofInk(text string) string {
	return regexp.MustCompile(`(\bsum\[[^]]*\] \+=) `).ReplaceAllString(text, "$1 1.5 * ")
}

// classifier is a layer with its answer, and a step of training behind it where learns is set.
func classifier(learns bool) (p *Program, w *Parameter, x, y *Tensor, pixels []float32) {
	p = program.New()
	w = program.NewParameter("w", 12, 5, nil)
	w.Data = make([]float32, 60)
	for i := range w.Data {
		w.Data[i] = float32(i%7)/7 - 0.4
	}
	x = p.Input(8, 12)
	y = p.Layer(x, p.Variable(w), nil, expr.Tanh)
	if learns {
		g := program.Must(p.Gradients(p.MeanSquaredError(y, p.Input(8, 5)), 1, p.Variable(w)))
		step := expr.Sub(expr.Arg(0), expr.Scale(0.1, expr.Arg(1)))
		p.Update("step", []*Tensor{p.Variable(w)}, []*expr.Expr{step}, program.Whole(p.Variable(w)), program.Whole(g[0]))
	}
	pixels = make([]float32, x.Len())
	for i := range pixels {
		pixels[i] = float32(i%11) / 11
	}
	return p, w, x, y, pixels
}

// work does a program twice, first of an empty drawing, and gives the answers and the parameter.
func work(dev Device, learns bool) (answers, w []float32, info Info, err error) {
	p, par, x, y, pixels := classifier(learns)
	run, err := dev.Compile(p)
	if err != nil {
		return nil, nil, info, err
	}
	defer run.Close()
	answers = make([]float32, y.Len())
	for _, in := range [][]float32{make([]float32, len(pixels)), pixels} {
		bindings := []Binding{In(x, in), Out(y, answers)}
		if learns {
			bindings[0] = In(x, pixels)
		}
		if err := run.Do(bindings...); err != nil {
			return nil, nil, info, errors.Join(err, dev.Download(par))
		}
	}
	err = dev.Download(par)
	return answers, par.Data, run.Info(), err
}

func TestWrongProgramsAreNotUsed(t *testing.T) {
	near := func(a, b []float32) bool { return differing(a, b, nil, oneIn) == "" }
	for _, kind := range VariantKinds() {
		for _, learns := range []bool{true, false} {
			if testing.Short() && !learns {
				continue
			}
			want, wantW, _, err := work(openCPU(t), learns)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, answers, w []float32, err error) {
				t.Helper()
				if err != nil || !near(answers, want) || !near(w, wantW) {
					t.Errorf("%s, %s, learns %t: error %v, %v, want %v", kind, what, learns, err, answers, want)
				}
			}
			dev := spoiled(t, kind, fusedAlone)
			said := checktest.Said(t, func() {
				for range 2 {
					answers, w, info, err := work(dev, learns)
					check("fused", answers, w, err)
					if info.Kind != kind || !strings.Contains(info.Differs.String(), "is done one by one") {
						t.Errorf("%s: %+v", kind, info)
					}
				}
			})
			if strings.Count(said, "one by one") != 1 {
				t.Errorf("%s: said %q, want one sentence", kind, said)
			}
			for what, spoil := range map[string]func(string) string{"all products": everyProduct, "products of ink": ofInk} {
				checktest.Said(t, func() {
					raw := spoiled(t, kind, spoil)
					_, w, _, err := work(raw, learns)
					if !errors.Is(err, ErrDiffers) || w != nil {
						t.Errorf("%s, %s: error %v", kind, what, err)
					}
					if _, _, _, err := work(raw, !learns); !errors.Is(err, ErrDiffers) {
						t.Errorf("%s, %s: another program was done: %v", kind, what, err)
					}
					for _, dev := range []Device{NewStandIn(openCPU(t), spoiled(t, kind, spoil), nil), NewAuto(nil, openCPU(t), hardware{spoiled(t, kind, spoil)})} {
						work(dev, learns) // what comes after a program that differs is right, too
						answers, w, info, err := work(dev, learns)
						check(what, answers, w, err)
						if info.Kind != CPU || !strings.Contains(info.Fallback.String(), "wrongly") {
							t.Errorf("%s, %s: %+v", kind, what, info)
						}
					}
				})
			}
		}
	}
}

// What a driver does wrongly is remembered for those who list the devices.
func TestWrongProgramsAreRemembered(t *testing.T) {
	cache := t.TempDir()
	on := false
	o := Options{Cache: cache, edit: func(_, text string) string {
		if on {
			return fusedAlone(text)
		}
		return text
	}}
	for start := range 2 {
		on = false
		dev, err := o.Open(Fragment)
		if err != nil {
			t.Fatal(err)
		}
		if remembered := strings.Contains(dev.Info().Differs.String(), "one by one"); remembered != (start > 0) {
			t.Errorf("start %d: remembered %t", start, remembered)
		}
		on = true
		checktest.Said(t, func() { work(dev, false) })
		dev.Close()
	}
}

func TestRoundingsAreNoDifference(t *testing.T) {
	want := make([]float32, 1000)
	for i := range want {
		want[i] = float32(i%13) - 6
	}
	changed := func(f func(v []float32)) []float32 {
		v := slices.Clone(want)
		f(v)
		return v
	}
	nan := float32(math.NaN())
	for what, c := range map[string]struct {
		got, before []float32
		differs     bool
	}{
		"the same":           {want, nil, false},
		"roundings":          {changed(func(v []float32) { v[3] += 1e-4; v[4] *= 1 + 1e-5 }), nil, false},
		"some other choices": {changed(func(v []float32) { v[3], v[50] = 5, 7 }), nil, false},
		"many wrong":         {changed(func(v []float32) { clear(v[100:200]) }), nil, true},
		"all a little wrong": {changed(func(v []float32) {
			for i := range v {
				v[i] *= 1.03
			}
		}), nil, true},
		"no number":                {changed(func(v []float32) { v[7] = nan }), nil, true},
		"an unchanged parameter":   {want, want, false},
		"the same step":            {want, make([]float32, 1000), false},
		"a step that was not made": {make([]float32, 1000), make([]float32, 1000), true},
		"half a step": {changed(func(v []float32) {
			for i := range v {
				v[i] /= 2
			}
		}), make([]float32, 1000), true},
		"roundings of a small step": {changed(func(v []float32) { v[0] += 1e-6 }), want, false},
		"a step where there is none": {changed(func(v []float32) {
			for i := range v {
				v[i] += 1e-3
			}
		}), want, true},
	} {
		if why := differing(c.got, want, c.before, oneIn); (why != "") != c.differs {
			t.Errorf("%s: %q, differs %t wanted", what, why, c.differs)
		}
	}
	if why := differing([]float32{0, 1.2e-7}, []float32{5.9604645e-08, 0}, nil, oneIn); why != "" {
		t.Errorf("losses next to nothing: %q", why)
	}
}
