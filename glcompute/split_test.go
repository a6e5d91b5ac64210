package glcompute

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// lesson is the training step of a small network on a device, with a batch for it.
type lesson struct {
	t                *testing.T
	dev              Device
	run              Run
	samples          int
	x, target        *Tensor
	settings         *Tensor
	loss, answers    *Tensor
	params           []*Parameter
	lossData, answer []float32
}

// learn compiles the step for a batch of so many images of 4x4; each lesson has its own
// parameters, with the same values.
func learn(t *testing.T, dev Device, samples int) *lesson {
	l := &lesson{t: t, dev: dev, samples: samples, lossData: make([]float32, samples), answer: make([]float32, 3*samples)}
	rng := rand.New(rand.NewPCG(1, 2))
	p := program.New()
	variable := func(rows, cols int, scale float64) *Tensor {
		par := program.NewParameter("", rows, cols, nil)
		for i := range par.Data {
			par.Data[i] = float32(scale * rng.NormFloat64())
		}
		l.params = append(l.params, par)
		return p.Variable(par)
	}
	l.x, l.target, l.settings = p.Input(16*samples, 1), p.Input(samples, 3), p.Input(1, 3)
	p.Batch(samples, l.x, l.target)
	window := program.Window{Height: 4, Width: 4, KernelHeight: 2, KernelWidth: 2, StrideX: 2, StrideY: 2}
	trained := []*Tensor{variable(4, 5, 0.5), variable(1, 5, 0.1), variable(20, 3, 0.5), variable(1, 3, 0.1)}
	y := p.Elementwise("tanh", expr.Tanh(expr.Add(expr.Arg(0), expr.Arg(1))), p.Convolution(l.x, trained[0], window, 1), trained[1])
	l.answers = p.Softmax(p.Layer(p.Reshape(y, samples, 20), trained[2], trained[3], expr.Identity))
	l.loss = p.CrossEntropy(l.answers, l.target)
	for i, g := range program.Must(p.Gradients(l.loss, 1/float32(samples), trained...)) {
		p.SGD(trained[i], variable(g.Rows, g.Cols, 0), g, nil, l.settings)
	}
	var err error
	if l.run, err = dev.Compile(p); err != nil {
		t.Fatal(err)
	}
	return l
}

// bindings are a batch for a step, each another.
func (l *lesson) bindings(step int) []Binding {
	x, target := make([]float32, l.x.Len()), make([]float32, l.target.Len())
	for i := range x {
		x[i] = float32((i*i+step)%11)/11 - 0.4
	}
	for i := range l.samples {
		target[3*i+(i+step)%3] = 1
	}
	return []Binding{In(l.x, x), In(l.target, target), In(l.settings, []float32{0.1, 0.9, 0.01}), Out(l.loss, l.lossData), Out(l.answers, l.answer)}
}

func (l *lesson) step(step int) {
	l.t.Helper()
	if err := l.run.Do(l.bindings(step)...); err != nil {
		l.t.Fatal(err)
	}
}

// values are those of all parameters on the device.
func (l *lesson) values() []float32 {
	l.t.Helper()
	var all []float32
	for _, par := range l.params {
		if err := l.dev.Download(par); err != nil {
			l.t.Fatal(err)
		}
		all = append(all, par.Data...)
	}
	return all
}

func (l *lesson) end() {
	l.t.Helper()
	if err := l.run.Close(); err != nil {
		l.t.Error(err)
	}
	for _, par := range l.params {
		l.dev.Forget(par)
	}
}

func (l *lesson) equals(other *lesson, step int) {
	l.t.Helper()
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-4, Reason: "roundings carried through the steps"}
	for _, c := range [][2][]float32{{l.lossData, other.lossData}, {l.answer, other.answer}, {l.values(), other.values()}} {
		if _, err := compare.Slices(c[0], c[1], limit); err != nil {
			l.t.Fatalf("step %d: %v", step, err)
		}
	}
}

// TestSplitTraining: a batch dealt out to two devices trains as on one, step by step, with
// shares of any size, and nothing stays behind.
func TestSplitTraining(t *testing.T) {
	for _, c := range []struct {
		samples int
		share   float64
		want    []float64
	}{
		{10, 0.3, []float64{0.3, 0.7}}, {7, 0.5, []float64{4. / 7, 3. / 7}}, {2, 0.9, []float64{0.5, 0.5}}, {5, 0.01, []float64{0.2, 0.8}},
	} {
		a, b := newPlain(CPU, 0), newPlain(Compute, 0)
		one, two := learn(t, newPlain(CPU, 0), c.samples), learn(t, Split(c.share, a, b), c.samples)
		for step := range 12 {
			one.step(step)
			two.step(step)
			two.equals(one, step)
		}
		info := two.run.Info()
		if info.Kind != Mixed || !slices.Equal(info.Choice.Shares, c.want) || !info.Choice.Decided || info.Choice.Joint.Replays != 12 {
			t.Errorf("%+v, %+v", info, info.Choice)
		}
		if want := "as was asked for"; !strings.HasSuffix(info.Choice.String(), want) || !strings.HasPrefix(info.Choice.String(), "mixed: CPU ") {
			t.Errorf("%q lacks %q", info.Choice, want)
		}
		if _, err := two.run.Measure(two.bindings(12)...); err != nil {
			t.Error(err)
		}
		two.end()
		nothingLeft(t, a, b)
	}
}

// TestSplitAgain: the same shares give the same parameters to the last bit.
func TestSplitAgain(t *testing.T) {
	var first []float32
	for range 2 {
		l := learn(t, Split(0.6, newPlain(CPU, 0), newPlain(Compute, 0)), 9)
		for step := range 20 {
			l.step(step)
		}
		if values := l.values(); first == nil {
			first = values
		} else if !slices.Equal(first, values) {
			t.Error("a second time gives other parameters")
		}
	}
}

// TestSplitMeasures: sharing is chosen where it wins, by devices of fixed speeds and with what it
// costs, and what the steps compute does not depend on who is tried.
func TestSplitMeasures(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		cpu, gpu, carry time.Duration
		same            bool
		samples         int
		want            string
		kind            DeviceKind
	}{
		// 30 images of 16 rows take 480 ms on the CPU; together 320 and 1 for the update.
		"wins": {ms, 2 * ms, 0, false, 30, "mixed: CPU 67 %, compute shaders 33 %, 1.5 times the CPU alone", Mixed},
		// And 50 for each of 4 parameters, which end up with the other device.
		"carrying costs":    {ms, 2 * ms, 50 * ms, false, 30, "the CPU alone is faster, mixed not used (480 ms against 521 ms)", CPU},
		"one processor":     {ms, 2 * ms, 0, true, 30, "the CPU alone is faster, mixed not used (480 ms against 641 ms)", CPU},
		"the GPU is faster": {2 * ms, ms, 0, false, 30, "mixed: CPU 33 %, compute shaders 67 %, 1.5 times compute shaders alone", Mixed},
		"the other is far":  {90 * ms, ms, 0, false, 30, "compute shaders alone is faster, mixed not used (the other would be too slow for a share)", Compute},
		"one image":         {90 * ms, ms, 0, false, 1, "compute shaders alone is faster, mixed not used (too few rows at once to share)", Compute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := newPlain(CPU, c.cpu), newPlain(Compute, c.gpu)
				b.carry = c.carry
				if c.same {
					a.turn = make(chan struct{}, 1)
					b.turn = a.turn
				}
				one, two := learn(t, newPlain(CPU, 0), c.samples), learn(t, Split(0, a, b), c.samples)
				for step := range 20 {
					one.step(step)
					two.step(step)
					two.equals(one, step)
				}
				info := two.run.Info()
				if got := info.Choice; got.String() != c.want || info.Kind != c.kind || !got.Decided {
					t.Errorf("%s: %q, want %s: %q; %+v", info.Kind, got, c.kind, c.want, got)
				}
				if joint := info.Choice.Joint; c.carry > 0 && (joint.Carrying < 4*c.carry || joint.Mean < joint.Carrying) {
					t.Errorf("carrying takes %s of %s, the parameters alone %s", joint.Carrying, joint.Mean, 4*c.carry)
				}
				if m := info.Choice.Measuring; m < time.Second/10 || m > 20*time.Minute {
					t.Errorf("measuring took %s", m)
				}
				two.end()
				nothingLeft(t, a, b)
			})
		})
	}
}

// TestSplitSurvives: whenever the other device fails, while it is measured or later, the step
// in work and all others after it are made by the owner, as if nothing had been.
func TestSplitSurvives(t *testing.T) {
	for _, share := range []float64{0, 0.5} {
		for failAt := 1; failAt < 25; failAt++ {
			synctest.Test(t, func(t *testing.T) {
				a, b := newPlain(CPU, time.Millisecond), newPlain(Compute, 2*time.Millisecond)
				b.failAt = failAt
				one, two := learn(t, newPlain(CPU, 0), 6), learn(t, Split(share, a, b), 6)
				for step := range 20 {
					one.step(step)
					bindings := two.bindings(step)
					if step > 0 {
						bindings = slices.Delete(bindings, 2, 3) // the settings are those of the first step
					}
					if err := two.run.Do(bindings...); err != nil {
						t.Fatalf("share %g, failure of replay %d, step %d: %v", share, failAt, step, err)
					}
					two.equals(one, step)
				}
				info := two.run.Info()
				if failed := b.replays >= failAt; failed != (info.Choice.Lost.String() != "") || failed && (info.Kind != CPU ||
					info.Choice.String() != "the CPU goes on alone: plain compute stopped working: the OpenGL context was lost") {
					t.Errorf("share %g, failure of replay %d of %d: %s, %q", share, failAt, b.replays, info.Kind, info.Choice)
				}
				two.end()
				nothingLeft(t, a, b)
			})
		}
	}
}

// TestSplitChosenDeviceFails: where the other device does everything and has the parameters, the
// processor stands in and goes on from those that were downloaded.
func TestSplitChosenDeviceFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newPlain(Compute, time.Millisecond)
		b.failAt = 10
		l := learn(t, Split(0, newPlain(CPU, time.Second), b), 6)
		for step := range 8 {
			l.step(step)
		}
		want := l.values()
		for range 5 { // the rate is zero, so nothing is lost since
			if err := l.run.Do(append(l.bindings(0)[:2], In(l.settings, []float32{0, 1, 0}))...); err != nil {
				t.Fatal(err)
			}
		}
		info := l.run.Info()
		if !slices.Equal(l.values()[:20], want[:20]) || info.Kind != CPU || !strings.Contains(info.Choice.Lost.String(), "stopped working") {
			t.Errorf("%+v, %+v", info, info.Choice)
		}
	})
}

// TestSplitOwnerFails: without the owner there is nothing to go on from.
func TestSplitOwnerFails(t *testing.T) {
	a := newPlain(CPU, 0)
	a.failAt = 5
	l := learn(t, Split(0.5, a, newPlain(Compute, 0)), 4)
	l.step(0)
	l.step(1)
	if err := l.run.Do(l.bindings(2)...); !errors.Is(err, ErrLost) {
		t.Errorf("%v", err)
	}
}

// TestSplitEndsWhileMeasuring: a training that is cancelled at any step leaves nothing behind.
func TestSplitEndsWhileMeasuring(t *testing.T) {
	for steps := range 20 {
		synctest.Test(t, func(t *testing.T) {
			a, b := newPlain(CPU, time.Millisecond), newPlain(Compute, 2*time.Millisecond)
			l := learn(t, Split(0, a, b), 6)
			for step := range steps {
				l.step(step)
			}
			if c := l.run.Info().Choice; steps < 8 && (c.Decided || !strings.HasSuffix(c.String(), " so far, too little done to know whether sharing is faster")) {
				t.Errorf("after %d steps: %q", steps, c)
			}
			l.end()
			nothingLeft(t, a, b)
		})
	}
}

// TestSplitOfWhatCannotBeShared: the owner does it alone, and Info says why.
func TestSplitOfWhatCannotBeShared(t *testing.T) {
	for want, record := range map[string]func(p *Program, x *Tensor) *Tensor{
		"the CPU alone, mixed not used (too few rows at once to share)": func(p *Program, x *Tensor) *Tensor { return p.Softmax(x) },
		"the CPU alone, mixed not used (transpose needs all samples at once)": func(p *Program, x *Tensor) *Tensor {
			p.Batch(3, x)
			return p.Transpose(x)
		},
	} {
		dev := Split(0.5, newPlain(CPU, 0), newPlain(Compute, 0))
		p := program.New()
		x := p.Input(3, 4)
		y := record(p, x)
		run, err := dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.Do(In(x, make([]float32, 12)), Out(y, make([]float32, 12))); err != nil {
			t.Error(err)
		}
		if info := run.Info(); info.Kind != CPU || info.Choice.String() != want {
			t.Errorf("%s: %q, want %q", info.Kind, info.Choice, want)
		}
	}
}

// TestSplitFollowsParameters: a program without a mini-batch is made by the device that has the
// parameters, not by the one that would be faster if it had them.
func TestSplitFollowsParameters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newPlain(CPU, time.Second), newPlain(Compute, time.Millisecond)
		l := learn(t, Split(0, a, b), 4)
		p := program.New()
		average, rate := p.Variable(program.NewParameter("average", 4, 5, nil)), p.Input(1, 1)
		follow := expr.Add(expr.Arg(0), expr.Mul(expr.Arg(2), expr.Sub(expr.Arg(1), expr.Arg(0))))
		p.Update("average", []*Tensor{average}, []*expr.Expr{follow}, program.Whole(average), program.Whole(p.Variable(l.params[0])), program.Whole(rate))
		run, err := l.dev.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		values := make([]float32, 20)
		for step := range 10 {
			l.step(step)
			bindings := []Binding{In(rate, []float32{1}), Out(average, values)}
			if step > 0 {
				bindings = bindings[1:]
			}
			if err := run.Do(bindings...); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(values, l.values()[:20]) {
				t.Fatalf("step %d: an average of the last step alone is not its parameters", step)
			}
			if did, trained := run.Info(), l.run.Info(); did.Kind != trained.Kind || !did.Choice.Decided {
				t.Errorf("step %d by the %s device, the average by the %s device", step, trained.Kind, did.Kind)
			}
		}
	})
}

// TestSplitReadsBackLater: what OutLater binds is there when the replay returns.
func TestSplitReadsBackLater(t *testing.T) {
	l := learn(t, Split(0.5, newPlain(CPU, 0), newPlain(Compute, 0)), 5)
	later := &AsyncRead{Data: make([]float32, l.loss.Len())}
	if err := l.run.Do(append(l.bindings(0)[:3], program.OutLater(l.loss, later))...); err != nil {
		t.Fatal(err)
	}
	if ready, err := later.Ready(); !ready || err != nil {
		t.Errorf("%t, %v", ready, err)
	}
	for _, v := range later.Data {
		if !(v > 0) || math.IsNaN(float64(v)) {
			t.Errorf("losses %v", later.Data)
			break
		}
	}
}
