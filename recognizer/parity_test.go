package recognizer

import (
	"math"
	"path/filepath"
	"testing"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// The shipped models must answer the same on every executor.
func TestExecutorsAgree(t *testing.T) {
	const samples, limit = 1000, 1e-5
	dir := datatest.Require(t, "mnist")
	loaded, err := dataset.Load(filepath.Join(dir, "t10k-images-idx3-ubyte.gz"), filepath.Join(dir, "t10k-labels-idx1-ubyte.gz"))
	if err != nil {
		t.Fatal(err)
	}
	images := make([]ink.Image, samples)
	for i := range images {
		images[i] = loaded[i*len(loaded)/samples].Image
	}
	all := map[string]*nn.Model{"untrained": testModel(nn.MNIST28)}
	for _, name := range models.Names() {
		if all[name], err = LoadModel(name); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string][]Answer{}
	for _, kind := range glcompute.Kinds() {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		for name, m := range all {
			r, err := New(m, dev)
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.RecognizeImages(images)
			if err != nil {
				t.Fatalf("%s on %s: %v", name, kind, err)
			}
			r.Close()
			if want[name] == nil {
				want[name] = got
			}
			worst := 0.0
			for i := range got {
				worst = max(worst, difference(got[i], want[name][i]))
			}
			if !(worst <= limit) {
				t.Errorf("%s on %s: probabilities differ by %g from those on %s", name, kind, worst, glcompute.Kinds()[0])
			}
			t.Logf("%s on %s: largest difference %.2g of %.2g allowed", name, kind, worst, limit)
		}
	}
}

// difference is the largest of the probabilities of any label. A label that leads in one
// answer and not in the other can only be as far off as that.
func difference(a, b Answer) float64 {
	p := map[string]float64{}
	for _, c := range a.Candidates {
		p[c.Label] = c.Probability
	}
	worst := 0.0
	for _, c := range b.Candidates {
		worst = max(worst, math.Abs(c.Probability-p[c.Label]))
	}
	return worst
}
