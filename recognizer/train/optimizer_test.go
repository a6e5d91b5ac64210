package train

import (
	"math"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/recognizer/dataset"
)

// The first step of Adam moves each parameter by the rate against the sign of its gradient,
// whatever its size; only so are the moments corrected by the right number of steps.
func TestFirstStepOfAdam(t *testing.T) {
	cfg := small()
	cfg.Optimizer, cfg.Rate, cfg.WarmUp, cfg.Decay, cfg.Average, cfg.HoldOut = Adam, 0.01, 0, 0, 0, 0
	cfg.FinalRate, cfg.Epochs, cfg.Batch, cfg.Distortion = 1, 1, 40, dataset.Distortion{}
	samples := bars(40, 3, "v", "h")
	start, err := startModel(&cfg, samples)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(t.Context(), nntest.CPU(t), samples, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Steps != 1 {
		t.Fatalf("%d steps, want one", r.Steps)
	}
	for i, l := range r.Model.Network.Layers {
		for j, b := range l.Values[1] {
			moved := math.Abs(float64(b - start.Network.Layers[i].Values[1][j]))
			if moved != 0 && math.Abs(moved-cfg.Rate) > 1e-4*cfg.Rate {
				t.Errorf("bias %d of layer %d moved by %g, want %g", j, i+1, moved, cfg.Rate)
			}
		}
	}
	if moved := r.Model.Network.Layers[1].Values[1][0]; moved == 0 {
		t.Error("nothing moved")
	}
}

func TestSettingsOfSteps(t *testing.T) {
	s := &session{cfg: Config{Rate: 2, Momentum: 0.5, Decay: 0.25, FinalRate: 1}, feed: &feed{steps: 10, perEpoch: 10}}
	if got := s.settingsOf(3); len(got) != 3 || got[0] != 2 || got[1] != 0.5 || got[2] != 0.25 {
		t.Errorf("of descent: %v", got)
	}
	s.cfg.Optimizer = Adam
	want := []float32{2, 0.5, 0.999, 1e-8, 0.25, 1 - 0.0625, 1 - 0.999*0.999*0.999*0.999}
	for i, v := range s.settingsOf(3) {
		if math.Abs(float64(v-want[i])) > 1e-6 {
			t.Errorf("of Adam, value %d: %g, want %g", i, v, want[i])
		}
	}
}
