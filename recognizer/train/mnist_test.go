package train

import (
	"path/filepath"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
)

// One pass over half of MNIST must teach a small network more than 94 in 100 digits.
func TestLearnsMNIST(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: under the race detector it takes minutes")
	}
	dir := datatest.Require(t, "mnist")
	load := func(images, labels string) []dataset.Sample {
		s, _, err := dataset.Read(t.Context(), filepath.Join(dir, images), filepath.Join(dir, labels))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	cfg := Default()
	cfg.Hidden, cfg.Epochs, cfg.Batch, cfg.WarmUp = []int{64}, 1, 64, 0.2
	cfg.Distortion = dataset.Distortion{Shift: 1, Rotate: 5}
	dev := nntest.CPU(t)
	half := load("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz")[:30000]
	r, err := Run(t.Context(), dev, half, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(t.Context(), dev, r.Model, load("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("error %.2f %% on %d test samples after %d steps in %v", 100*e.ErrorRate(), e.Samples, r.Steps, r.History[len(r.History)-1].Elapsed)
	if e.ErrorRate() > 0.06 {
		t.Errorf("error %.2f %%, want at most 6 %%", 100*e.ErrorRate())
	}
}
