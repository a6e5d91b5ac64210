package nn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/compute"
	"inkshade/glcompute/cpu"
	"inkshade/glcompute/program"
	"inkshade/recognizer/nn/nntest"
)

// mixedDevices are the processor and compute shaders; a missing OpenGL 4.3 is a failure.
func mixedDevices(t testing.TB) []program.Device {
	t.Helper()
	var all []program.Device
	for _, open := range []func() (program.Device, error){cpu.Open, compute.Open} {
		dev, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { dev.Close() })
		all = append(all, dev)
	}
	return all
}

// descentOf a small network; each call gives parameters of its own.
func descentOf(batch int, change func(*Descent)) Descent {
	d := Descent{Batch: batch, Params: NewParameters(NewNetwork([]int{16, 6, 3}, "tanh", 5))}
	d.Momenta = d.Params.Zeros()
	if change != nil {
		change(&d)
	}
	return d
}

// mixedBatch is a batch of a descent, step by step another.
func mixedBatch(d Descent, step int) Batch {
	b := d.sample()
	for i := range b.Input {
		b.Input[i] = float32((i*i+step)%11)/11 - 0.4
	}
	for i := range b.Affine {
		b.Affine[i] += float32(i%3) / 20
	}
	for i := range b.Grid {
		b.Grid[i] = float32(i%5)/5 - 0.4
	}
	b.Settings[0] = 0.1
	if d.Options.Second != nil {
		b.Settings[0] = 0.01
	}
	b.Probabilities = make([]float32, len(b.Target))
	return b
}

var roundings = compare.Limit{Abs: 1e-5, Rel: 1e-4, Reason: "roundings carried through the steps"}

// A batch split between two devices trains as on one, step by step and whatever the step,
// and nothing stays behind.
func TestMixedTraining(t *testing.T) {
	devices := mixedDevices(t)
	for name, change := range map[string]func(*Descent){
		"plain":      nil,
		"anchor":     func(d *Descent) { d.Anchor = descentOf(1, nil).Params.Zeros() },
		"two floats": func(d *Descent) { d.Options.Low = d.Params.Zeros() },
		"adam":       func(d *Descent) { d.Options.Second = d.Params.Zeros() },
		"tanh":       func(d *Descent) { d.Options.Loss = SquaredTanh },
		"warp":       func(d *Descent) { d.Options.Warp = 4 },
	} {
		t.Run(name, func(t *testing.T) {
			one, two := descentOf(10, change), descentOf(10, change)
			steps, err := NewSteps(devices[0], one)
			if err != nil {
				t.Fatal(err)
			}
			m, err := NewMixedTraining(two, devices, []float64{3, 7})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(m.Rows(), []int{3, 7}) {
				t.Errorf("rows %v", m.Rows())
			}
			for step := range 12 {
				want, got := mixedBatch(one, step), mixedBatch(two, step)
				if err := errors.Join(steps.Step(want), m.Step(got)); err != nil {
					t.Fatal(err)
				}
				if _, err := compare.Slices(got.Loss, want.Loss, roundings); err != nil {
					t.Fatalf("losses of step %d: %v", step, err)
				}
				if _, err := compare.Slices(got.Probabilities, want.Probabilities, roundings); err != nil {
					t.Fatalf("outputs of step %d: %v", step, err)
				}
			}
			compareParameters(t, one, two, devices[0], roundings)
			if err := errors.Join(m.Close(), steps.Close()); err != nil {
				t.Error(err)
			}
			one.Forget(devices[0])
			two.Forget(devices[0])
			if devices[0].Memory() != 0 || devices[1].Memory() != 0 {
				t.Errorf("%d and %d bytes stay on the devices", devices[0].Memory(), devices[1].Memory())
			}
		})
	}
}

func compareParameters(t *testing.T, one, two Descent, dev program.Device, limit compare.Limit) {
	t.Helper()
	if err := errors.Join(one.Params.Download(dev), two.Params.Download(dev)); err != nil {
		t.Fatal(err)
	}
	for i, par := range two.Params.All() {
		use, err := compare.Slices(par.Data, one.Params.All()[i].Data, limit)
		if err != nil {
			t.Errorf("%s: %v", par.Name, err)
		}
		t.Logf("%s: %.2g of the limit", par.Name, use.Share)
	}
}

// Over thousands of steps the copy of the second device stays that of the first to the last
// bit, and both stay within rounding of a training on one device.
func TestMixedTrainingDoesNotDrift(t *testing.T) {
	const steps = 4000
	devices := mixedDevices(t)
	one, two := descentOf(10, nil), descentOf(10, nil)
	alone, err := NewSteps(devices[0], one)
	if err != nil {
		t.Fatal(err)
	}
	defer alone.Close()
	m, err := NewMixedTraining(two, devices, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for step := range steps {
		want, got := mixedBatch(one, step), mixedBatch(two, step)
		want.Settings[2], got.Settings[2] = 0.01, 0.01
		before, err := owned(two.Params, devices[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(alone.Step(want), m.Step(got)); err != nil {
			t.Fatal(err)
		}
		if step%500 != 499 {
			continue
		}
		copied, err := owned(two.Params, devices[1])
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(copied, before) {
			t.Fatalf("step %d: the second device computed with other parameters than the first", step)
		}
		if _, err := compare.Slices(got.Loss, want.Loss, roundings); err != nil {
			t.Fatalf("losses of step %d: %v", step, err)
		}
	}
	compareParameters(t, one, two, devices[0], roundings)
}

// owned are the values that a device has of all parameters; the host's come from the first
// device as before.
func owned(params *Parameters, dev program.Device) ([]float32, error) {
	host := params.Network()
	if err := params.Download(dev); err != nil {
		return nil, err
	}
	var all []float32
	for i, par := range params.All() {
		all = append(all, par.Data...)
		copy(par.Data, host.Layers[i/2].Values[i%2])
	}
	return all, nil
}

// The same split gives the same parameters to the last bit.
func TestMixedTrainingAgain(t *testing.T) {
	devices := mixedDevices(t)
	var first []float32
	for range 2 {
		d := descentOf(10, nil)
		m, err := NewMixedTraining(d, devices, []float64{0.6, 0.4})
		if err != nil {
			t.Fatal(err)
		}
		for step := range 20 {
			if err := m.Step(mixedBatch(d, step)); err != nil {
				t.Fatal(err)
			}
		}
		values, err := owned(d.Params, devices[0])
		if err = errors.Join(err, m.Close()); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = values
		}
		if !slices.Equal(first, values) {
			t.Error("a second time gives other parameters")
		}
	}
}

// When the other device fails, its share of that very step is made by the owner, and the
// training goes on as if nothing had been.
func TestMixedTrainingSurvives(t *testing.T) {
	for _, stands := range []bool{false, true} {
		t.Run(fmt.Sprintf("stand-in %t", stands), func(t *testing.T) {
			owner, other := nntest.Open(t, program.CPU, 0), nntest.Open(t, program.Compute, 0)
			other.FailAt, other.Stands = 7, stands
			one, two := descentOf(10, nil), descentOf(10, nil)
			alone, err := NewSteps(owner, one)
			if err != nil {
				t.Fatal(err)
			}
			defer alone.Close()
			m, err := NewMixedTraining(two, []program.Device{owner, other}, []float64{1, 1})
			if err != nil {
				t.Fatal(err)
			}
			for step := range 20 {
				want, got := mixedBatch(one, step), mixedBatch(two, step)
				if err := errors.Join(alone.Step(want), m.Step(got)); err != nil {
					t.Fatal(err)
				}
				if _, err := compare.Slices(got.Loss, want.Loss, roundings); err != nil {
					t.Fatalf("losses of step %d: %v", step, err)
				}
				if (m.Lost() != nil) != (step >= 6) {
					t.Errorf("after step %d: lost %v", step, m.Lost())
				}
			}
			compareParameters(t, one, two, owner, roundings)
			if err := m.Close(); err != nil {
				t.Error(err)
			}
			if other.Memory() != 0 {
				t.Errorf("%d bytes stay on the other device", other.Memory())
			}
		})
	}
	owner := nntest.Open(t, program.CPU, 0)
	owner.FailAt = 3
	d := descentOf(4, nil)
	m, err := NewMixedTraining(d, []program.Device{owner, nntest.Open(t, program.Compute, 0)}, []float64{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if err := errors.Join(m.Step(mixedBatch(d, 0)), m.Step(mixedBatch(d, 1))); !errors.Is(err, program.ErrLost) {
		t.Errorf("the owner fails: %v", err)
	}
}

// Sharing is chosen where it wins, by devices of fixed speeds, with what it costs.
func TestMeasureTraining(t *testing.T) {
	for name, c := range map[string]struct {
		cpu, gpu, carry time.Duration
		same            bool
		want            string
		rows            []int
	}{
		// 30 rows take 90 ms on the processor; a mixed step 60 and 3 for the update.
		"wins": {3 * time.Millisecond, 6 * time.Millisecond, 0, false, "mixed: CPU 67 %, compute shaders 33 %, 1.4 times the CPU alone", []int{20, 10}},
		// And 8 for each of 4 parameters.
		"carrying costs":   {3 * time.Millisecond, 6 * time.Millisecond, 8 * time.Millisecond, false, "the CPU alone is faster, mixed not used (90 ms against 95 ms)", []int{30, 0}},
		"one processor":    {3 * time.Millisecond, 6 * time.Millisecond, 0, true, "the CPU alone is faster, mixed not used (90 ms against 123 ms)", []int{30, 0}},
		"the other is far": {90 * time.Millisecond, time.Millisecond, 0, false, "compute shaders alone is faster, mixed not used (the other would be too slow for a share)", []int{0, 30}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := nntest.Open(t, program.CPU, c.cpu), nntest.Open(t, program.Compute, c.gpu)
				a.Carry, b.Carry = 0, c.carry
				if c.same {
					a.Turn = make(chan struct{}, 1)
					b.Turn = a.Turn
				}
				d := descentOf(30, nil)
				before := d.Params.Network()
				s, err := MeasureTraining(t.Context(), d, []program.Device{a, b}, 10*time.Second)
				if err != nil {
					t.Fatal(err)
				}
				if s.String() != c.want || !slices.Equal(s.Rows, c.rows) {
					t.Errorf("%q, rows %v; want %q, %v", s, s.Rows, c.want, c.rows)
				}
				if s.Measuring > 15*time.Second || s.Measuring < 2*time.Second {
					t.Errorf("measuring took %s", s.Measuring)
				}
				if s.Together > 0 && s.Carrying < 4*c.carry {
					t.Errorf("carrying takes %s, the parameters alone %s", s.Carrying, 4*c.carry)
				}
				if a.Memory() != 0 || b.Memory() != 0 || !slices.Equal(before.Layers[0].Values[0], d.Params.Of(0)[0].Data) {
					t.Error("measuring left something behind")
				}
			})
		})
	}
}

// A device that fails while it is measured is out of the choice, and so is one that cannot
// be measured before the end.
func TestMeasureTrainingSurvives(t *testing.T) {
	for failAt := range 40 {
		a, b := nntest.Open(t, program.CPU, 0), nntest.Open(t, program.Compute, 0)
		b.FailAt = failAt + 1
		s, err := MeasureTraining(t.Context(), descentOf(30, nil), []program.Device{a, b}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if failed := b.Replays > failAt; failed != (s.Lost != "") || failed && !strings.HasPrefix(s.String(), "the CPU goes on alone: a stand-in for compute: ") {
			t.Errorf("failure of replay %d: %q", failAt+1, s)
		}
		if b.Memory() != 0 || a.Memory() != 0 {
			t.Errorf("failure of replay %d: %d and %d bytes left", failAt+1, a.Memory(), b.Memory())
		}
	}
	stopped := errors.New("the user pressed stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stopped)
	devices := []program.Device{nntest.Open(t, program.CPU, 0), nntest.Open(t, program.Compute, 0)}
	if _, err := MeasureTraining(ctx, descentOf(30, nil), devices, time.Hour); !errors.Is(err, stopped) {
		t.Errorf("%v, want %v", err, stopped)
	}
}

// BenchmarkMixedTraining compares steps of 784-800-10 with 128 and 1,024 rows.
func BenchmarkMixedTraining(b *testing.B) {
	for b.Loop() {
		for _, batch := range []int{128, 1024} {
			d := Descent{Batch: batch, Params: NewParameters(NewNetwork([]int{784, 800, 10}, "tanh", 1))}
			d.Momenta = d.Params.Zeros()
			s, err := MeasureTraining(b.Context(), d, mixedDevices(b), 6*time.Second)
			if err != nil {
				b.Fatal(err)
			}
			b.Logf("batch %d: %s; alone %v, together %v of which carrying %v, measured in %v", batch, s, s.Alone, s.Together, s.Carrying, s.Measuring)
		}
	}
}
