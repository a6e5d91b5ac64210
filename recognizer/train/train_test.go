package train

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// bars makes images of noisy bars: label "v" upright, "h" level, "d" slanted.
func bars(count int, seed uint64, labels ...string) []dataset.Sample {
	rng := rand.New(rand.NewPCG(seed, 1))
	var out []dataset.Sample
	for i := range count {
		label := labels[i%len(labels)]
		pix := make([]float32, pixels)
		at := 8 + rng.IntN(12)
		for j := 4; j < 24; j++ {
			x, y := at, j
			switch label {
			case "h":
				x, y = j, at
			case "d":
				x = j
			}
			pix[y*ink.Side+x] = 0.5 + rng.Float32()/2
		}
		out = append(out, dataset.Sample{Label: label, Image: ink.Image{Width: ink.Side, Height: ink.Side, Pix: pix}})
	}
	return out
}

// small is a configuration for quick tests.
func small() Config {
	cfg := Default()
	cfg.Hidden = []int{12}
	cfg.Epochs, cfg.Batch, cfg.ReportEvery = 4, 16, 1
	cfg.HoldOut = 0.2
	cfg.Distortion = dataset.Distortion{}
	return cfg
}

func TestLearns(t *testing.T) {
	dev := nntest.CPU(t)
	cfg := small()
	cfg.Distortion = dataset.DefaultDistortion()
	cfg.Epochs = 12
	r, err := Run(t.Context(), dev, bars(300, 1, "v", "h", "d"), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ending != Finished || r.HoldOut.Errors != 0 || len(r.History) != cfg.Epochs {
		t.Errorf("%s after %d epochs with %d held-out errors", r.Ending, len(r.History), r.HoldOut.Errors)
	}
	if len(r.HeldOut) != 60 || len(r.Trained) != 240 {
		t.Errorf("%d held out, %d trained on; want 60 and 240", len(r.HeldOut), len(r.Trained))
	}
	e, err := Evaluate(t.Context(), dev, r.Model, bars(90, 2, "v", "h", "d"))
	if err != nil {
		t.Fatal(err)
	}
	if e.Errors > 2 {
		t.Errorf("%d of %d new samples wrong", e.Errors, e.Samples)
	}
	if dev.Memory() != 0 {
		t.Errorf("%d bytes were left on the device", dev.Memory())
	}
}

// The number of goroutines that prepare batches must not show in the result.
func TestDeterministic(t *testing.T) {
	var first *nn.Model
	for _, workers := range []int{1, 2, 5} {
		cfg := small()
		cfg.Distortion = dataset.DefaultDistortion()
		cfg.Workers = workers
		r, err := Run(t.Context(), nntest.CPU(t), bars(100, 4, "v", "h"), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = r.Model
		}
		if !reflect.DeepEqual(first, r.Model) {
			t.Errorf("%d workers give another model", workers)
		}
	}
	cfg := small()
	cfg.Seed = 2
	r, err := Run(t.Context(), nntest.CPU(t), bars(100, 4, "v", "h"), cfg, nil)
	if err != nil || reflect.DeepEqual(first.Network, r.Model.Network) {
		t.Errorf("another seed gives the same model (%v)", err)
	}
}

func TestCancel(t *testing.T) {
	stopped := errors.New("the user pressed stop")
	for _, step := range []int{1, 7, 13} {
		ctx, cancel := context.WithCancelCause(t.Context())
		dev := nntest.CPU(t)
		r, err := Run(ctx, dev, bars(100, 5, "v", "h"), small(), func(e Event) {
			if e.Step == step {
				cancel(stopped)
			}
		})
		if !errors.Is(err, stopped) || r == nil || r.Ending != Cancelled {
			t.Fatalf("cancel in step %d: error %v, result %v", step, err, r)
		}
		if r.Steps != step {
			t.Errorf("cancel in step %d: %d steps were done", step, r.Steps)
		}
		if want := (step - 1) / 5; r.Epoch > want || r.HoldOut == nil != (step < 5) {
			t.Errorf("cancel in step %d: kept epoch %d, held-out figures %v", step, r.Epoch, r.HoldOut)
		}
		if err := r.Model.Check(); err != nil {
			t.Errorf("cancel in step %d: %v", step, err)
		}
		if dev.Memory() != 0 {
			t.Errorf("cancel in step %d: %d bytes left on the device", step, dev.Memory())
		}
	}
}

// Labels that mean nothing cannot be learned, so the held-out part soon stops improving.
func TestEarlyStop(t *testing.T) {
	samples := bars(120, 6, "v")
	for i := range samples {
		samples[i].Label = fmt.Sprint(i % 3)
	}
	cfg := small()
	cfg.Epochs, cfg.Patience = 100, 3
	r, err := Run(t.Context(), nntest.CPU(t), samples, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Ending != Stopped || len(r.History) == cfg.Epochs {
		t.Fatalf("%s after %d epochs", r.Ending, len(r.History))
	}
	if r.Epoch != len(r.History)-cfg.Patience {
		t.Errorf("kept epoch %d of %d with a patience of %d", r.Epoch, len(r.History), cfg.Patience)
	}
	for _, e := range r.History {
		if e.HoldOut.Errors < r.HoldOut.Errors {
			t.Errorf("epoch %d had %d errors, kept were %d", e.Epoch, e.HoldOut.Errors, r.HoldOut.Errors)
		}
	}
	e, err := Evaluate(t.Context(), nntest.CPU(t), r.Model, r.HeldOut)
	if err != nil || e.Errors != r.HoldOut.Errors {
		t.Errorf("the model has %d held-out errors, reported %d (%v)", e.Errors, r.HoldOut.Errors, err)
	}
}

func TestFailures(t *testing.T) {
	cfg := small()
	cfg.Rate, cfg.WarmUp, cfg.Function = 100, 0, "relu"
	cfg.Decay = 100
	if r, err := Run(t.Context(), nntest.CPU(t), bars(100, 7, "v", "h"), cfg, nil); err == nil || !errors.Is(err, errDiverged) {
		t.Errorf("divergence: error %v, result %v", err, r)
	}
	lost := newPlainDevice()
	lost.failAt = 40
	r, err := Run(t.Context(), lost, bars(100, 7, "v", "h"), small(), nil)
	if !errors.Is(err, errLost) || r == nil || r.Ending != Failed || r.Model == nil {
		t.Errorf("lost device: error %v, result %v", err, r)
	}
	if lost.runs != 0 || len(lost.params) != 0 {
		t.Errorf("lost device: %d runs and %d parameters left", lost.runs, len(lost.params))
	}
	lost = newPlainDevice()
	lost.failAt = 2
	if r, err := Run(t.Context(), lost, bars(100, 7, "v", "h"), small(), nil); !errors.Is(err, errLost) || r != nil {
		t.Errorf("device lost at once: error %v, result %v", err, r)
	}
}

func TestContinue(t *testing.T) {
	dev := nntest.CPU(t)
	cfg := small()
	base, err := Run(t.Context(), dev, bars(200, 8, "v", "h"), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	distance := map[bool]float64{}
	for _, anchor := range []bool{false, true} {
		cfg = small()
		cfg.Start, cfg.Decay, cfg.Epochs = base.Model, 0.3, 8
		if anchor {
			cfg.Anchor = base.Model
		}
		r, err := Run(t.Context(), dev, bars(200, 9, "v", "h", "d"), cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"h", "v", "d"}; !reflect.DeepEqual(r.Model.Labels, want) {
			t.Errorf("labels %q, want %q", r.Model.Labels, want)
		}
		if before, err := Evaluate(t.Context(), dev, base.Model, r.HeldOut); err != nil || r.HoldOut.Errors >= before.Errors {
			t.Errorf("errors before %v, after %v, %v", before, r.HoldOut, err)
		}
		for i, w := range r.Model.Network.Layers[0].Values[0] {
			d := float64(w - base.Model.Network.Layers[0].Values[0][i])
			distance[anchor] += d * d
		}
	}
	if distance[true] >= distance[false] {
		t.Errorf("the anchor did not hold: moved %g with, %g without", distance[true], distance[false])
	}
	if base.Model.Network.Classes() != 2 {
		t.Error("the model to start from was changed")
	}
}
