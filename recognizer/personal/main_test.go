package personal

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"inkshade/glcompute/cpu"
	"inkshade/recognizer/calibrate"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// known are the classes of baseModel.
var known = []string{"L", "O", "T", "V", "Z"}

var baseModels = map[string]func() (*nn.Model, error){
	nn.MNIST28:          sync.OnceValues(func() (*nn.Model, error) { return teach(nn.MNIST28) }),
	feature.GradientPen: sync.OnceValues(func() (*nn.Model, error) { return teach(feature.GradientPen) }),
}

// baseModel is a small network that knows five shapes by eight hands, with its prototypes.
// It is shared and must not be changed.
func baseModel(t testing.TB, preprocessing string) *nn.Model {
	t.Helper()
	m, err := baseModels[preprocessing]()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func teach(preprocessing string) (*nn.Model, error) {
	dev, err := cpu.Open()
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	var samples []dataset.Sample
	for w := range 8 {
		samples = append(samples, datatest.Shapes(fmt.Sprint("hand ", w), 6, uint64(w), known...)...)
	}
	cfg := train.Default()
	cfg.Hidden, cfg.Preprocessing, cfg.Epochs, cfg.Batch, cfg.HoldOut, cfg.Average = []int{40, 24}, preprocessing, 12, 16, 0.25, 0
	r, err := train.Run(context.Background(), dev, samples, cfg, nil)
	if err != nil {
		return nil, err
	}
	set, err := calibrate.Fit(context.Background(), dev, r.Model, r.Trained, r.HeldOut, calibrate.Options{Seed: 1})
	if err != nil {
		return nil, err
	}
	return r.Model, set.Store(r.Model)
}

// strange are samples of a writer who has an L of their own, and knows a ★.
func strange(n int, seed uint64) []Sample {
	rng := rand.New(rand.NewPCG(seed, 77))
	var samples []Sample
	for range n {
		for _, label := range []string{"L", "O", "V", "★"} {
			name := label
			if label == "L" {
				name = "strange L"
			}
			samples = append(samples, Sample{ID: int64(seed*1000) + int64(len(samples)), Label: label, Ink: datatest.Draw(name, rng)})
		}
	}
	return samples
}

// quick are settings that suit the small network.
func quick() Settings {
	s := DefaultSettings()
	s.Steps, s.Batch, s.Copies, s.Rate, s.Frozen, s.Replay, s.Anchor = 80, 32, 4, 0.05, 0, 0.5, 0.01
	return s
}
