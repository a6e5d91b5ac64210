//go:build learn

package inputformat

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// kinds are networks as public ones for digits are, small.
var kinds = map[string]string{
	"perceptron":  "dense 128 relu\ndropout 0.2",
	"two layers":  "dense 256 relu\ndense 128 relu",
	"tanh":        "dense 300 tanh\ndense 100 tanh",
	"LeNet":       "convolution 5x5 6 tanh padding 2\naverage-pooling 2\nconvolution 5x5 16 tanh\naverage-pooling 2\ndense 120 tanh\ndense 84 tanh",
	"LeNet, relu": "convolution 5x5 6 relu\nmax-pooling 2\nconvolution 5x5 16 relu\nmax-pooling 2\ndense 120 relu\ndense 84 relu",
	"strides":     "convolution 3x3 8 relu\nconvolution 3x3 16 relu stride 2\nmax-pooling 2\ndropout 0.25\ndense 64 relu\ndropout 0.5",
	"two pooled":  "convolution 5x5 8 relu padding same\nmax-pooling 2\nconvolution 5x5 16 relu padding same\nmax-pooling 2",
}

// wanted are networks that took no part in choosing how formats are inferred.
var wanted = []struct{ kind, format string }{
	{"two layers", "28x28 0..1"},
	{"LeNet", "28x28 0..1"},
	{"two pooled", "28x28 0..1"},
	{"tanh", "28x28 0..1"},
	{"two layers", "28x28 -0.5..0.5"},
	{"tanh", "28x28 -0.5..0.5"},
	{"LeNet", "28x28 " + deviations},
	{"two pooled", "28x28 " + deviations},
	{"perceptron", "28x28 -1..1"},
	{"strides", "28x28 -1..1"},
	{"LeNet, relu", "28x28 0..255"},
	{"LeNet", "28x28 1..0"},
	{"two layers", "28x28 1..-1"},
	{"LeNet, relu", "28x28 2.8214865..-0.42421293"},
	{"strides", "32x32 0..1"},
	{"LeNet", "32x32 " + deviations},
	{"LeNet", "32x32 " + deviations + " resized"},
	{"two pooled", "32x32 0..1 cut"},
	{"LeNet, relu", "20x20 0..1 cut"},
	{"two layers", "16x16 0..1 resized"},
	{"two layers", "28x28 0..1 cut"},
}

// deviations is the scale with MNIST's mean at 0 and its standard deviation at 1.
const deviations = "-0.42421293..2.8214865"

// Networks are trained on MNIST, each with another format, and lose at most so much by the format that is inferred for them.
func TestFormatsOfTrainedNetworks(t *testing.T) {
	mnist := func(what string) []dataset.Sample {
		data := filepath.Join(os.Getenv("INKSHADE_DATA"), "mnist", what)
		samples, _, err := dataset.Read(t.Context(), data+"-images-idx3-ubyte.gz", data+"-labels-idx1-ubyte.gz")
		return glcompute.Must(samples, err)
	}
	all, test := mnist("train"), mnist("t10k")
	dev := glcompute.Must(glcompute.Open(glcompute.CPU))
	defer dev.Close()
	right := func(m *nn.Model) float64 {
		e, err := train.Evaluate(t.Context(), dev, m, test)
		if err != nil {
			t.Fatal(err)
		}
		return 100 * (1 - e.ErrorRate())
	}
	lost := 0.0
	for _, w := range wanted {
		var h, wide int
		if _, err := fmt.Sscanf(w.format, "%dx%d", &h, &wide); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "layers")
		text := fmt.Sprintf("input picture %dx%dx1\n%s\n", h, wide, kinds[w.kind])
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg := train.Default()
		cfg.Network, cfg.Preprocessing, cfg.Distortion, cfg.HoldOut, cfg.Average = glcompute.Must(nn.LoadArchitecture(file)), "picture "+w.format, dataset.Distortion{}, 0, 0
		cfg.Epochs, cfg.Optimizer, cfg.Rate, cfg.Seed = 2, train.Adam, 0.002, 11
		result, err := train.Run(t.Context(), dev, all, cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		m := result.Model
		best := right(m)
		m.Preprocessing, m.Metadata = "", map[string]string{}
		got, err := Apply(t.Context(), m, Format{})
		if err != nil {
			t.Fatalf("%s of %s: %v", w.kind, w.format, err)
		}
		now := right(m)
		lost += (best - now) / float64(len(wanted))
		t.Logf("| %s | %s | %s | %.2f | %.2f |", w.kind, w.format, got.Picture, best, now)
	}
	if t.Logf("%.3f points lost in the mean", lost); lost > 0.2 {
		t.Error("the formats that are inferred cost too much")
	}
}
