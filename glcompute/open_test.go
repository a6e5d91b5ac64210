package glcompute

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// TestParity runs one classifier on every executor: all give the probabilities of the
// float64 reference, and with them those of each other.
func TestParity(t *testing.T) {
	const batch, in, hidden, out = 9, 61, 37, 10
	rng := rand.New(rand.NewPCG(7, 8))
	random := func(n int, scale float32) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = scale * (2*rng.Float32() - 1)
		}
		return x
	}
	p := program.New()
	x := p.Input(batch, in)
	params := []*Parameter{
		program.NewParameter("w1", in, hidden, random(in*hidden, 0.3)), program.NewParameter("b1", 1, hidden, random(hidden, 0.1)),
		program.NewParameter("w2", hidden, out, random(hidden*out, 0.5)), program.NewParameter("b2", 1, out, random(out, 0.1)),
	}
	h := p.Layer(x, p.Variable(params[0]), p.Variable(params[1]), expr.Tanh)
	y := p.Softmax(p.Layer(h, p.Variable(params[2]), p.Variable(params[3]), expr.Identity))
	pixels := random(batch*in, 1)
	v := program.Values{}
	fill := func(t *Tensor, data []float32) {
		for i, x := range data {
			v.Of(t)[i] = float64(x)
		}
	}
	fill(x, pixels)
	for _, par := range params {
		fill(p.Variable(par), par.Data)
	}
	p.RunReference(v)
	limit := compare.Limit{Abs: 5e-6, Reason: "probabilities after two layers in float32"}
	for _, kind := range Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			dev, err := Open(kind)
			if err != nil {
				t.Fatal(err)
			}
			defer dev.Close()
			if c, ok := dev.(*copies); ok && kind == Auto && len(c.devices) == 2 {
				dev = NewAuto(nil, c.devices[0], hardware{c.devices[1]})
			}
			run, err := dev.Compile(p)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, y.Len())
			for range 2*trialRounds + 3 { // more than the trial of Auto
				clear(got)
				if err := run.Do(In(x, pixels), Out(y, got)); err != nil {
					t.Fatal(err)
				}
				if _, err := compare.Slices(got, v.Of(y), limit); err != nil {
					t.Error(err)
				}
			}
			if c := run.Info().Choice; (c != nil) != (kind == Auto || kind == Mixed) || c != nil && !c.Decided {
				t.Errorf("choice %+v", c)
			}
		})
	}
}

func TestOpenOfAnUnknownKind(t *testing.T) {
	_, err := Open("abacus")
	if err == nil || !strings.Contains(err.Error(), "abacus") || !strings.Contains(err.Error(), "cpu") {
		t.Errorf("%v", err)
	}
	d := OpenOrCPU("abacus")
	defer d.Close()
	if info := d.Info(); info.Kind != CPU || !strings.Contains(info.Fallback.String(), "abacus") {
		t.Errorf("%+v", info)
	}
}

func TestOpenGLIsLeftOut(t *testing.T) {
	o := Options{LeftOut: errors.New("it blinds the window")}
	for _, kind := range []DeviceKind{Fragment, Compute} {
		if _, err := o.Open(kind); err == nil || err.Error() != "it blinds the window" {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for _, kind := range Kinds() {
		dev := o.OpenOrCPU(kind)
		said := strings.Count(dev.Info().Fallback.String(), "it blinds the window")
		if _, copied := dev.(*copies); said != 1 && kind != CPU || copied && len(dev.(*copies).devices) != 1 {
			t.Errorf("%s: %+v", kind, dev.Info())
		}
		if err := dev.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestList(t *testing.T) {
	all := List()
	if len(all) != len(executors) {
		t.Fatalf("%d devices listed, %d known", len(all), len(executors))
	}
	for _, a := range all {
		if a.Err == nil && a.Info.Kind != a.Kind {
			t.Errorf("%s is listed as %+v", a.Kind, a.Info)
		}
		t.Logf("%+v", a)
	}
}
