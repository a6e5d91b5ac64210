package recognizer

import (
	"math"
	"math/rand/v2"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/ink"
)

// refused is the share of samples that the recognizer takes for unknown.
func refused(t *testing.T, r *Recognizer, samples []dataset.Sample) float64 {
	t.Helper()
	n := 0
	for _, s := range samples {
		var a Answer
		var err error
		if len(s.Ink) > 0 {
			a, err = r.Recognize(s.Ink)
		} else {
			var all []Answer
			if all, err = r.RecognizeImages([]ink.Image{s.Image}); err == nil {
				a = all[0]
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		if a.Unknown {
			n++
		}
	}
	return float64(n) / float64(len(samples))
}

// scribbles are what a child does with a pen: zigzags, tangles, spirals.
func scribbles(n int) []dataset.Sample {
	rng := rand.New(rand.NewPCG(1, 0x5c1b))
	var samples []dataset.Sample
	for i := range n {
		var s ink.Stroke
		for j := range 60 {
			at := float64(j) / 60
			switch i % 3 {
			case 0:
				s = append(s, ink.Point{X: 100*at + 4*rng.NormFloat64(), Y: 70 * float64(j%2) * (0.7 + 0.3*rng.Float64())})
			case 1:
				s = append(s, ink.Point{X: 100 * rng.Float64(), Y: 100 * rng.Float64()})
			case 2:
				sin, cos := math.Sincos(at * (24 + 4*rng.Float64()))
				s = append(s, ink.Point{X: 50 * at * cos, Y: 50 * at * sin})
			}
		}
		samples = append(samples, datatest.Sample("?", "", ink.Ink{s}))
	}
	return samples
}

// The shipped digit model must know digits of people it was never taught by, and say
// unknown to scribbles and to letters of alphabets that have no digits.
func TestDigitsAreKnown(t *testing.T) {
	m, err := LoadModel("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	r := newRecognizer(t, m)
	if got := refused(t, r, scribbles(60)); got < 0.95 {
		t.Errorf("%.1f %% of scribbles are refused", 100*got)
	}
	load := func(names ...string) []dataset.Sample {
		for i, n := range names {
			names[i] = datatest.Require(t, n)
		}
		samples, err := dataset.Load(names...)
		if err != nil {
			t.Fatal(err)
		}
		return samples
	}
	_, pen := dataset.SplitByWriter(load("pendigits/pendigits-train.gz"), 0.1, 1)
	_, unipen := dataset.SplitByWriter(load("unipen/digits.jsonl.gz"), 0.1, 1)
	mnist := load("mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz")
	omniglot := load("omniglot/strokes.jsonl.gz")
	for _, c := range []struct {
		name      string
		samples   []dataset.Sample
		low, high float64
	}{
		{"pen digits of writers held out", pen, 0, 0.01},
		{"UNIPEN digits of writers held out", unipen, 0, 0.01},
		{"MNIST test digits", mnist, 0, 0.01},
		{"Omniglot symbols", omniglot, 0.5, 1},
	} {
		got := refused(t, r, c.samples)
		t.Logf("%s: %.2f %% of %d refused", c.name, 100*got, len(c.samples))
		if got < c.low || got > c.high {
			t.Errorf("%s: %.2f %% refused, want %g to %g %%", c.name, 100*got, 100*c.low, 100*c.high)
		}
	}
}
