package train

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"inkshade/recognizer/nn"
)

// architecture is one that a file says.
func architecture(t *testing.T, text string) nn.Architecture {
	t.Helper()
	path := filepath.Join(t.TempDir(), "layers.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a, err := nn.LoadArchitecture(path)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A convolutional network with batch normalisation and dropout learns, and the same seed makes
// the same model of it.
func TestConvolutionalNetworkLearns(t *testing.T) {
	cfg := small()
	cfg.Network = architecture(t, `
convolution 7x7 4 stride 7
batch-normalisation relu
dropout 0.1
dense 12 relu
`)
	cfg.Epochs, cfg.Rate, cfg.Average = 12, 0.1, 0.9
	samples := bars(60, 1, "v", "h")
	var first nn.Network
	for range 2 {
		r, err := Run(t.Context(), openCPU(t), samples, cfg, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.HoldOut.Errors > 0 {
			t.Errorf("%d of %d held-out samples are wrong", r.HoldOut.Errors, r.HoldOut.Samples)
		}
		if got := r.Model.Network; first.Layers == nil {
			first = got
		} else if !reflect.DeepEqual(first, got) {
			t.Error("the same seed made another model")
		}
	}
	if variance := first.Layers[1].Values[3]; variance[0] == 1 {
		t.Error("the variance of the batch normalisation was not kept")
	}
}
