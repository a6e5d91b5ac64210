package nn

import (
	"math/rand/v2"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/compare"
)

// Networks of all kinds answer and train on every device as on the plain references.
func TestGraphsOnDevices(t *testing.T) {
	limit := compare.Limit{Abs: 2e-4, Rel: 2e-3, Reason: "roundings of float32 carried through three steps"}
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		for name, net := range graphs() {
			t.Run(string(kind)+" "+name, func(t *testing.T) {
				const batch, steps = 6, 3
				params := NewParameters(net)
				d := OptimiserState{Batch: batch, Params: params, Momenta: params.Zeros()}
				s, err := NewSteps(dev, d)
				if err != nil {
					t.Fatal(err)
				}
				defer d.Forget(dev)
				defer s.Close()
				plain := newPlain(d)
				rng := rand.New(rand.NewPCG(6, 6))
				for step := range steps {
					b := Batch{
						Number: step, Input: narrow(randomRows(rng, batch*net.Width())), Target: narrow(distributions(rng, batch, net.Classes())),
						Settings: []float32{0.05, 0.9, 1e-3}, Loss: &glcompute.AsyncRead{Data: make([]float32, batch)}, Probabilities: &glcompute.AsyncRead{Data: make([]float32, batch*net.Classes())},
					}
					wantLoss, want := plain.step(b, step)
					if err := s.Step(b); err != nil {
						t.Fatal(err)
					}
					if _, err := compare.Slices(b.Loss.Data, narrow(wantLoss), limit); err != nil {
						t.Errorf("losses of step %d: %v", step, err)
					}
					if _, err := compare.Slices(b.Probabilities.Data, narrow(want), limit); err != nil {
						t.Errorf("outputs of step %d: %v", step, err)
					}
				}
				if err := d.Download(dev); err != nil {
					t.Fatal(err)
				}
				for _, par := range params.All() {
					if _, err := compare.Slices(par.Data, narrow(plain.values[plain.program.Variable(par)]), limit); err != nil {
						t.Errorf("%s after %d steps: %v", par.Name, steps, err)
					}
				}
				checkAnswers(t, dev, params.Network(), limit)
			})
		}
	}
}

// checkAnswers compares the folded network on the device with the network on the references.
func checkAnswers(t *testing.T, dev glcompute.Device, net Network, limit compare.Limit) {
	t.Helper()
	inf, err := NewInference(dev, net)
	if err != nil {
		t.Fatal(err)
	}
	defer inf.Close()
	rng := rand.New(rand.NewPCG(7, 7))
	rows := make([][]float32, 3)
	for i := range rows {
		rows[i] = narrow(randomRows(rng, net.Width()))
	}
	err = inf.Each(rows, func(i int, logits []float32) {
		if _, err := compare.Slices(logits, narrow(referenceLogits(net, widen(rows[i]))), limit); err != nil {
			t.Errorf("logits of row %d: %v", i, err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// plain makes the same steps on the plain references.
type plain struct {
	program *glcompute.Program
	rec     Training
	values  glcompute.Values
}

func newPlain(d OptimiserState) *plain {
	p := &plain{program: glcompute.NewProgram(), values: glcompute.Values{}}
	p.rec = glcompute.Must(OptimiserState{Batch: d.Batch, Params: d.Params, Momenta: d.Momenta, Anchor: d.Anchor, Options: d.Options}.Record(p.program))
	for _, t := range p.program.Tensors() {
		if t.Parameter != nil {
			p.values[t] = widen(t.Parameter.Data)
		}
	}
	return p
}

func (p *plain) step(b Batch, step int) (loss, probabilities []float64) {
	p.values[p.rec.Input], p.values[p.rec.Target], p.values[p.rec.Settings] = widen(b.Input), widen(b.Target), widen(b.Settings)
	rng := rand.New(rand.NewPCG(0, uint64(step)))
	for _, m := range p.rec.masks {
		p.values[m.tensor] = widen(m.draw(rng))
	}
	p.program.RunReference(p.values)
	return p.values[p.rec.Loss], p.values[p.rec.Probabilities]
}

func narrow(x []float64) []float32 {
	out := make([]float32, len(x))
	for i, v := range x {
		out[i] = float32(v)
	}
	return out
}

// Several looks at a sample are answered by the mean of their logits, on every device, of one sample as of many.
func TestLooks(t *testing.T) {
	limit := compare.Limit{Abs: 1e-5, Rel: 1e-4, Reason: "roundings of float32"}
	net := graphs()["residual"]
	rng := rand.New(rand.NewPCG(8, 8))
	const looks = 3
	rows, want := make([][]float32, 50), make([][]float32, 50)
	for i := range rows {
		want[i] = make([]float32, net.Classes())
		for range looks {
			look := randomRows(rng, net.Width())
			rows[i] = append(rows[i], narrow(look)...)
			for k, v := range referenceLogits(net, look) {
				want[i][k] += float32(v / looks)
			}
		}
	}
	for _, kind := range []glcompute.DeviceKind{glcompute.CPU, glcompute.Fragment, glcompute.Compute} {
		dev := glcompute.Must(glcompute.Open(kind))
		defer dev.Close()
		inf := glcompute.Must(NewInference(dev, net))
		defer inf.Close()
		for _, n := range []int{1, 2, len(rows)} {
			answered := 0
			if err := inf.Each(rows[:n], func(i int, logits []float32) {
				answered++
				if _, err := compare.Slices(logits, want[i], limit); err != nil {
					t.Errorf("%s, sample %d of %d: %v", kind, i, n, err)
				}
			}); err != nil || answered != n {
				t.Errorf("%s: %d of %d answered, %v", kind, answered, n, err)
			}
		}
		if _, err := inf.Measure(rows[0]); err != nil {
			t.Error(err)
		}
		if err := inf.Each([][]float32{rows[0], rows[1][:net.Width()]}, nil); err == nil {
			t.Error("a sample with fewer looks than the first was taken")
		}
	}
}
