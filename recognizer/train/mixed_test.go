package train

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// losses of a training, step by step but for the last of each epoch, and what came of it.
func losses(t *testing.T, dev glcompute.Device, cfg Config) ([]float64, *Result) {
	t.Helper()
	var all []float64
	r, err := Run(t.Context(), dev, bars(100, 3, "v", "h", "d"), cfg, func(e Event) {
		if !e.EpochDone {
			all = append(all, e.Loss)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, r
}

func wantClose(t *testing.T, got, want []float64) {
	t.Helper()
	const limit = 1e-5 // as of executors beside each other, see TestFollowsReference
	if len(got) != len(want) {
		t.Fatalf("%d losses, want %d", len(got), len(want))
	}
	for i, w := range want {
		if !(math.Abs(got[i]-w) <= limit) {
			t.Fatalf("loss of step %d is %.7f, want %.7f", i+1, got[i], w)
		}
	}
}

// wantFreed asks that nothing is left on devices.
func wantFreed(t *testing.T, devices ...glcompute.Device) {
	t.Helper()
	for i, dev := range devices {
		if dev.Memory() != 0 {
			t.Errorf("%d bytes left on device %d", dev.Memory(), i)
		}
	}
}

// A batch shared between the processor and compute shaders follows the losses of the
// processor alone, whatever the training needs beside, and again the same to the last bit.
func TestMixedFollowsOneDevice(t *testing.T) {
	gpu, err := glcompute.Open(glcompute.Compute)
	if err != nil {
		t.Fatal(err)
	}
	defer gpu.Close()
	for name, change := range map[string]func(*Config){
		"plain":            func(*Config) {},
		"adam":             func(c *Config) { c.Optimizer, c.Rate = Adam, 10*AdamRate },
		"feedback":         func(c *Config) { c.HardSamples, c.FollowLoss = 2, true },
		"two floats, tanh": func(c *Config) { c.TwoFloats, c.Loss = true, nn.SquaredTanh },
		"on the device":    func(c *Config) { c.Distortion, c.DistortOnDevice = Default().Distortion, true },
		"without average":  func(c *Config) { c.Average, c.Batch = 0, 13 },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := small()
			change(&cfg)
			dev := nntest.CPU(t)
			want, one := losses(t, dev, cfg)
			both := glcompute.Split(0.6, dev, gpu)
			got, mixed := losses(t, both, cfg)
			wantClose(t, got, want)
			if again, _ := losses(t, both, cfg); !slices.Equal(got, again) {
				t.Error("a second time gives other losses")
			}
			if c := mixed.Device.Choice; mixed.Device.Kind != glcompute.Mixed || c.Joint.Replays != mixed.Steps || mixed.SharedSteps() != 0 {
				t.Errorf("%d of %d steps shared, on %+v", c.Joint.Replays, mixed.Steps, mixed.Device)
			}
			if m := mixed.Model.Metadata; m["training_device"] != "mixed" || !strings.HasPrefix(m["training_split"], "cpu 6") {
				t.Errorf("the metadata says %q, %q", m["training_device"], m["training_split"])
			}
			if m := one.Model.Metadata; m["training_device"] != "cpu" || m["training_split"] != "" {
				t.Errorf("of one device the metadata says %q, %q", m["training_device"], m["training_split"])
			}
			wantFreed(t, dev, gpu)
		})
	}
}

// Sharing is used where it wins, and otherwise the faster device, which the result names.
func TestMixedIsUsedWhereItWins(t *testing.T) {
	for name, c := range map[string]struct {
		cpu, gpu time.Duration // for a row
		same     bool          // both are one processor
		device   glcompute.DeviceKind
		said     string
	}{
		"wins":          {3 * time.Millisecond, 5 * time.Millisecond, false, glcompute.Mixed, "mixed: CPU 62 %, compute shaders 38 %, 1.5 times the CPU alone"},
		"one processor": {3 * time.Millisecond, 5 * time.Millisecond, true, glcompute.CPU, "the CPU alone is faster, mixed not used (96 ms against 123 ms)"},
		"the other one": {3 * time.Millisecond, time.Millisecond, true, glcompute.Compute, "compute shaders alone is faster, mixed not used (32 ms against 51 ms)"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				owner, other := nntest.Open(t, glcompute.CPU, c.cpu), nntest.Open(t, glcompute.Compute, c.gpu)
				if c.same {
					owner.Turn = make(chan struct{}, 1)
					other.Turn = owner.Turn
				}
				cfg := small()
				cfg.Batch, cfg.Epochs = 32, 6
				want, _ := losses(t, nntest.Open(t, glcompute.CPU, 0), cfg)
				got, r := losses(t, glcompute.Split(0, owner, other), cfg)
				wantClose(t, got, want)
				if said := r.Device.Choice.String(); said != c.said {
					t.Errorf("said %q, want %q", said, c.said)
				}
				if m := r.Model.Metadata; r.Device.Kind != c.device || m["training_device"] != string(c.device) || (m["training_split"] != "") != (c.device == glcompute.Mixed) {
					t.Errorf("on %+v, the metadata says %q, %q", r.Device, m["training_device"], m["training_split"])
				}
				wantFreed(t, owner, other)
			})
		})
	}
}

// A device that is lost in the middle leaves the training to the other: nothing of it is
// lost, and the events and the model say so.
func TestMixedSurvives(t *testing.T) {
	cfg := small()
	want, _ := losses(t, nntest.CPU(t), cfg)
	owner, other := nntest.CPU(t), nntest.Open(t, glcompute.Compute, 0)
	other.FailAt = 8 // the evaluation after 5 steps is one of them
	got, r := losses(t, glcompute.Split(0.5, owner, other), cfg)
	wantClose(t, got, want)
	if first, last := r.History[0].Device, r.History[len(r.History)-1].Device; first.Kind != glcompute.Mixed || last.Kind != glcompute.CPU {
		t.Errorf("at first %s, at last %s", first.Choice, last.Choice)
	}
	if said := r.Device.Choice.String(); !strings.HasPrefix(said, "the CPU goes on alone: a stand-in for compute stopped working: ") {
		t.Errorf("said %q", said)
	}
	if m := r.Model.Metadata; r.SharedSteps() != 6 || m["training_device"] != "mixed, after 6 steps cpu" || m["training_split"] != "cpu 50 %, compute 50 %" {
		t.Errorf("%d shared steps, the metadata says %q, %q", r.SharedSteps(), m["training_device"], m["training_split"])
	}
	wantFreed(t, owner, other)
}

// Where one device does all steps and the processor takes its place, training goes on from
// the end of the last epoch, whose state the host has.
func TestStandInGoesOnFromTheLastEpoch(t *testing.T) {
	dev := nntest.Open(t, glcompute.Compute, 0)
	dev.FailAt, dev.Stands = 20, true
	cfg := small()
	_, r := losses(t, dev, cfg)
	if first, last := r.History[0].Device, r.History[len(r.History)-1].Device; first.Fallback.String() != "" || last.Fallback.String() != "it stopped working" {
		t.Errorf("at first %+v, at last %+v", first, last)
	}
	samples := bars(100, 3, "v", "h", "d")
	m, err := startModel(&cfg, samples)
	if err != nil {
		t.Fatal(err)
	}
	held := newSession(cfg, nntest.CPU(t), m.Network, nil)
	defer held.close()
	if err := errors.Join(held.feedSamples(t.Context(), m, samples[20:], samples[:20]), held.prepare(t.Context())); err != nil {
		t.Fatal(err)
	}
	descent := held.learner.(*descending)
	before := slices.Clone(descent.Params.All()[0].Data)
	if _, err := held.train(t.Context()); err != nil {
		t.Fatal(err)
	}
	onHost := descent.Params.Network()
	if err := descent.Params.Download(held.dev); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(onHost.Layers[0].Values[0], descent.Params.All()[0].Data) || slices.Equal(before, onHost.Layers[0].Values[0]) {
		t.Error("the host has not got the parameters of the end of the epoch")
	}
	if slices.Max(descent.Momenta.All()[0].Data) == 0 {
		t.Error("the host has not got the momenta")
	}
}

func TestMixedCancel(t *testing.T) {
	stopped := errors.New("the user pressed stop")
	for _, at := range []int{4, 33} { // while it measures, and later
		synctest.Test(t, func(t *testing.T) {
			owner, other := nntest.Open(t, glcompute.CPU, time.Millisecond), nntest.Open(t, glcompute.Compute, time.Millisecond)
			ctx, cancel := context.WithCancelCause(t.Context())
			cfg := small()
			cfg.Epochs = 20
			r, err := Run(ctx, glcompute.Split(0, owner, other), bars(100, 5, "v", "h"), cfg, func(e Event) {
				if e.Step == at {
					cancel(stopped)
				}
			})
			if !errors.Is(err, stopped) || r == nil || r.Ending != Cancelled || r.Steps != at || r.Device.Choice.Decided != (at == 33) {
				t.Fatalf("error %v after %d steps: %s", err, r.Steps, r.Device.Choice)
			}
			wantFreed(t, owner, other)
		})
	}
}

// Evaluation is the same whoever does it.
func TestEvaluateMixed(t *testing.T) {
	_, r := losses(t, nntest.CPU(t), small())
	samples := bars(4000, 9, "v", "h", "d")
	want, err := Evaluate(t.Context(), nntest.CPU(t), r.Model, samples)
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range []float64{0, 0.5} {
		synctest.Test(t, func(t *testing.T) {
			a, b := nntest.Open(t, glcompute.CPU, time.Millisecond), nntest.Open(t, glcompute.Compute, time.Millisecond)
			got, err := Evaluate(t.Context(), glcompute.Split(split, a, b), r.Model, samples)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Answers, want.Answers) || got.Errors != want.Errors || math.Abs(got.Loss-want.Loss) > 1e-6 {
				t.Errorf("%+v, want %+v", got, want)
			}
			if got.Device.Kind != glcompute.Mixed || b.Rows == 0 {
				t.Errorf("%s, %d rows on the other device", got.Device.Choice, b.Rows)
			}
			wantFreed(t, a, b)
		})
	}
}
