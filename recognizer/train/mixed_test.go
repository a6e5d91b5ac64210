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
	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// losses of a training, step by step but for the last of each epoch, and what came of it.
func losses(t *testing.T, dev program.Device, cfg Config) ([]float64, *Result) {
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
func wantFreed(t *testing.T, devices ...program.Device) {
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
			dev := openCPU(t)
			want, one := losses(t, dev, cfg)
			cfg.Beside, cfg.Split = gpu, 0.6
			got, mixed := losses(t, dev, cfg)
			wantClose(t, got, want)
			if again, _ := losses(t, dev, cfg); !slices.Equal(got, again) {
				t.Error("a second time gives other losses")
			}
			if mixed.SharedSteps != mixed.Steps || mixed.Time.Mixed.Steps != mixed.Steps || mixed.Device.Kind != nn.MixedKind {
				t.Errorf("%d of %d steps shared, %d timed, on %+v", mixed.SharedSteps, mixed.Steps, mixed.Time.Mixed.Steps, mixed.Device)
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
		device   program.DeviceKind
		said     string
	}{
		"wins":          {3 * time.Millisecond, 5 * time.Millisecond, false, nn.MixedKind, "mixed: CPU 62 %, compute shaders 38 %, 1.5 times the CPU alone"},
		"one processor": {3 * time.Millisecond, 5 * time.Millisecond, true, program.CPU, "the CPU alone is faster, mixed not used (96 ms against 123 ms)"},
		"the other one": {3 * time.Millisecond, time.Millisecond, true, program.Compute, "compute shaders alone is faster, mixed not used (32 ms against 51 ms)"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				owner, other := nntest.Open(t, program.CPU, c.cpu), nntest.Open(t, program.Compute, c.gpu)
				if c.same {
					owner.Turn = make(chan struct{}, 1)
					other.Turn = owner.Turn
				}
				cfg := small()
				cfg.Batch = 32
				want, _ := losses(t, nntest.Open(t, program.CPU, 0), cfg)
				var said []string
				cfg.Beside, cfg.Tell = other, func(s string) { said = append(said, s) }
				got, r := losses(t, owner, cfg)
				wantClose(t, got, want)
				if !slices.Equal(said, []string{c.said}) {
					t.Errorf("said %q, want %q", said, c.said)
				}
				if r.Device.Kind != c.device || (r.SharedSteps > 0) != (c.device == nn.MixedKind) || r.Model.Metadata["training_device"] != string(c.device) {
					t.Errorf("%d shared steps on %+v, the metadata says %q", r.SharedSteps, r.Device, r.Model.Metadata["training_device"])
				}
				wantFreed(t, owner, other)
			})
		})
	}
}

// A device that is lost in the middle leaves the training to the other: nothing of it is
// lost, and the model says so.
func TestMixedSurvives(t *testing.T) {
	for _, stands := range []bool{false, true} {
		cfg := small()
		want, _ := losses(t, openCPU(t), cfg)
		other := nntest.Open(t, program.Compute, 0)
		other.FailAt, other.Stands = 8, stands
		var said []string
		cfg.Beside, cfg.Split, cfg.Tell = other, 0.5, func(s string) { said = append(said, s) }
		got, r := losses(t, openCPU(t), cfg)
		wantClose(t, got, want)
		if len(said) != 2 || !strings.HasPrefix(said[1], "the CPU goes on alone: a stand-in for compute: ") {
			t.Errorf("said %q", said)
		}
		if r.SharedSteps != 7 || r.Device.Kind != program.CPU || r.Model.Metadata["training_device"] != "mixed, after 7 steps cpu" {
			t.Errorf("%d shared steps, %s, %q", r.SharedSteps, r.Device.Kind, r.Model.Metadata["training_device"])
		}
		wantFreed(t, other)
	}
}

// Where one device does all steps and the processor takes its place, training goes on from
// the end of the last epoch, whose state the host has.
func TestStandInGoesOnFromTheLastEpoch(t *testing.T) {
	dev := nntest.Open(t, program.Compute, 0)
	dev.FailAt, dev.Stands = 20, true
	cfg := small()
	var said []string
	cfg.Tell = func(s string) { said = append(said, s) }
	losses(t, dev, cfg)
	if len(said) != 1 || !strings.HasPrefix(said[0], "the CPU goes on from the state at the end of the last epoch: ") {
		t.Errorf("said %q", said)
	}
	samples := bars(100, 3, "v", "h", "d")
	m, err := startModel(&cfg, samples)
	if err != nil {
		t.Fatal(err)
	}
	held := &session{cfg: cfg, dev: openCPU(t), model: m}
	defer held.close()
	if err := held.prepare(t.Context(), samples[20:], samples[:20]); err != nil {
		t.Fatal(err)
	}
	before := slices.Clone(held.descent.Params.Of(0)[0].Data)
	if _, err := held.train(t.Context()); err != nil {
		t.Fatal(err)
	}
	onHost := held.descent.Params.Network()
	if err := held.descent.Params.Download(held.dev); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(onHost.Layers[0].Values[0], held.descent.Params.Of(0)[0].Data) || slices.Equal(before, onHost.Layers[0].Values[0]) {
		t.Error("the host has not got the parameters of the end of the epoch")
	}
	if slices.Max(held.descent.Momenta.Of(0)[0].Data) == 0 {
		t.Error("the host has not got the momenta")
	}
}

func TestMixedCancel(t *testing.T) {
	stopped := errors.New("the user pressed stop")
	open := func(t *testing.T) (*nntest.Device, *nntest.Device, Config) {
		dev, other := nntest.Open(t, program.CPU, time.Millisecond), nntest.Open(t, program.Compute, time.Millisecond)
		cfg := small()
		cfg.Beside = other
		return dev, other, cfg
	}
	synctest.Test(t, func(t *testing.T) {
		dev, other, cfg := open(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		r, err := Run(ctx, dev, bars(100, 5, "v", "h"), cfg, func(e Event) {
			if e.Step == 13 {
				cancel(stopped)
			}
		})
		if !errors.Is(err, stopped) || r == nil || r.Ending != Cancelled || r.Steps != 13 || r.SharedSteps != 13 || r.HoldOut == nil {
			t.Fatalf("error %v, result %+v", err, r)
		}
		wantFreed(t, dev, other)
	})
	synctest.Test(t, func(t *testing.T) { // while it measures
		dev, other, cfg := open(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stopped) })
		if _, err := Run(ctx, dev, bars(100, 5, "v", "h"), cfg, nil); !errors.Is(err, stopped) {
			t.Errorf("error %v", err)
		}
		wantFreed(t, dev, other)
	})
}

// Evaluation is the same whoever does it.
func TestEvaluateMixed(t *testing.T) {
	_, r := losses(t, openCPU(t), small())
	samples := bars(1500, 9, "v", "h", "d")
	want, err := Evaluate(t.Context(), openCPU(t), r.Model, samples, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, split := range []float64{0, 0.5} {
		synctest.Test(t, func(t *testing.T) {
			a, b := nntest.Open(t, program.CPU, time.Millisecond), nntest.Open(t, program.Compute, time.Millisecond)
			got, sharing, err := EvaluateMixed(t.Context(), []program.Device{a, b}, split, r.Model, samples, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Answers, want.Answers) || got.Errors != want.Errors || math.Abs(got.Loss-want.Loss) > 1e-6 {
				t.Errorf("%+v, want %+v", got, want)
			}
			if sharing.Info().Kind != nn.MixedKind || b.Rows == 0 {
				t.Errorf("%s, %d rows on the other device", sharing, b.Rows)
			}
			wantFreed(t, a, b)
		})
	}
}
