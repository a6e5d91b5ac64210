package recognizer

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/prototype"
)

// refused is the share of samples that the recognizer takes for unknown.
func refused(t *testing.T, r *Recognizer, samples []dataset.Sample) float64 {
	t.Helper()
	n := 0
	for some := range slices.Chunk(samples, 512) {
		var inks []ink.Ink
		var images []ink.Image
		for _, s := range some {
			if len(s.Ink) > 0 {
				inks = append(inks, s.Ink)
			} else {
				images = append(images, s.Image)
			}
		}
		drawn, err := r.RecognizeMany(inks, nil)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := r.RecognizeMany(make([]ink.Ink, len(images)), images)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range append(drawn, seen...) {
			if a.Unknown {
				n++
			}
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

// known is a set of samples, and which share of it (0 to 1) may be refused.
type known struct {
	name      string
	samples   []dataset.Sample
	low, high float64
}

func (k known) check(t *testing.T, r *Recognizer) {
	t.Helper()
	got := refused(t, r, k.samples)
	t.Logf("%s: %.2f %% of %d refused", k.name, 100*got, len(k.samples))
	if got < k.low || got > k.high {
		t.Errorf("%s: %.2f %% refused, want %g to %g %%", k.name, 100*got, 100*k.low, 100*k.high)
	}
}

// loadAll reads files of ink one after another.
func loadAll(t *testing.T, names ...string) (all []dataset.Sample) {
	t.Helper()
	for _, n := range names {
		all = append(all, loadData(t, n)...)
	}
	return all
}

// loaded are samples that several tests look at.
var loaded = map[string][]dataset.Sample{}

// loadData reads a file of ink, or one of pictures with that of their labels.
func loadData(t *testing.T, names ...string) []dataset.Sample {
	t.Helper()
	key := strings.Join(names, " ")
	if loaded[key] == nil {
		paths := make([]string, len(names))
		for i, n := range names {
			paths[i] = datatest.Require(t, n)
		}
		samples, _, err := dataset.Read(t.Context(), paths...)
		if err != nil {
			t.Fatal(err)
		}
		loaded[key] = samples
	}
	return loaded[key]
}

func shipped(t *testing.T, name string) *Recognizer {
	t.Helper()
	m, err := LoadModel(name)
	if err != nil {
		t.Fatal(err)
	}
	return newRecognizer(t, m)
}

// The shipped digit models must know digits of people they were never taught by, and say
// unknown to scribbles and to letters of alphabets that have no digits.
func TestDigitsAreKnown(t *testing.T) {
	_, pen := dataset.SplitByWriter(loadAll(t, "pendigits/pendigits-train.gz"), 0.1, 1)
	_, unipen := dataset.SplitByWriter(loadAll(t, "unipen/digits.jsonl.gz"), 0.1, 1)
	mnist := loadData(t, "mnist/t10k-images-idx3-ubyte.gz", "mnist/t10k-labels-idx1-ubyte.gz")
	omniglot := loadAll(t, "omniglot/strokes.jsonl.gz")
	for name, least := range map[string]float64{"digits-mlp": 0.65, "digits-cnn": 0.72} {
		t.Run(name, func(t *testing.T) {
			r := shipped(t, name)
			for _, c := range []known{
				{"scribbles", scribbles(60), 0.95, 1},
				{"pen digits of writers held out", pen, 0, 0.01},
				{"UNIPEN digits of writers held out", unipen, 0, 0.011}, // 10 of 988; of all the limit is set by, 0.6 %
				{"MNIST test digits", mnist, 0, 0.01},
				{"Omniglot symbols", omniglot, least, 1},
			} {
				c.check(t, r)
			}
		})
	}
}

// The model of Chinese characters must know most of what two people drew, of whom nothing was learned but the limit
// itself, and say unknown to scribbles, to letters and to symbols of other alphabets.
func TestChineseCharactersAreKnown(t *testing.T) {
	tenth := func(all []dataset.Sample) (some []dataset.Sample) {
		for i := 0; i < len(all); i += 10 {
			some = append(some, all[i])
		}
		return some
	}
	r := shipped(t, "chinese-cnn")
	for _, c := range []known{
		{"scribbles", scribbles(60), 0.9, 1},
		{"middle lines of strokes", tenth(loadData(t, "hanzi/medians.jsonl.gz")), 0, 0.01},
		{"pictures by C016", tenth(loadData(t, "hanzi/writers/C016-images-idx3-ubyte.gz", "hanzi/writers/C016-labels.txt")), 0, 0.02},
		{"pictures by C031", tenth(loadData(t, "hanzi/writers/C031-images-idx3-ubyte.gz", "hanzi/writers/C031-labels.txt")), 0, 0.02},
		{"Latin letters and digits", loadData(t, "chars74k/strokes.jsonl.gz"), 0.5, 1},
		{"Omniglot symbols", loadData(t, "omniglot/strokes.jsonl.gz"), 0.45, 1},
	} {
		c.check(t, r)
	}
}

// With 94 classes most simple shapes are some character; the model must still know those of
// people it was never taught by, and refuse scribbles and some of what is none.
func TestCharactersAreKnown(t *testing.T) {
	unipen := []string{"unipen/digits.jsonl.gz", "unipen/upper.jsonl.gz", "unipen/lower.jsonl.gz", "unipen/symbols.jsonl.gz"}
	omniglot := loadAll(t, "omniglot/strokes.jsonl.gz")
	for name, m := range map[string]struct {
		trained             []string
		scribbles, omniglot float64 // shares that are refused at least
	}{
		"characters-mlp": {append(slices.Clone(unipen), "chars74k/strokes.jsonl.gz"), 0.95, 0.2},
		"characters-cnn": {unipen, 0.95, 0.19},
	} {
		t.Run(name, func(t *testing.T) {
			r := shipped(t, name)
			_, held := dataset.SplitByWriter(loadAll(t, m.trained...), 0.1, 1)
			var pictures []dataset.Sample
			for i := 0; i < len(held); i += 5 {
				pictures = append(pictures, held[i])
			}
			if err := dataset.Draw(t.Context(), pictures); err != nil {
				t.Fatal(err)
			}
			for i := range pictures {
				pictures[i].Ink = nil
			}
			for _, c := range []known{
				{"scribbles", scribbles(60), m.scribbles, 1},
				{"characters of writers held out", held, 0, 0.01},
				{"pictures of a fifth of them", pictures, 0, 0.01},
				{"Omniglot symbols", omniglot, m.omniglot, 1},
			} {
				c.check(t, r)
			}
		})
	}
}

// No class of a model that ships was added by a person; one that was is told from the others.
func TestAddedClasses(t *testing.T) {
	for _, name := range models.Names() {
		m, err := LoadModel(name)
		if err != nil {
			t.Fatal(err)
		}
		seen, err := prototype.Of(m)
		if err != nil {
			t.Fatal(err)
		}
		features := make([]float32, feature.GradientSize+feature.PenSize)
		if a := AnswerOf(m.Labels, make([]float32, len(m.Labels)), features, seen, nil); len(a.Added) != 0 || a.Strangeness != a.OutOfDistribution {
			t.Errorf("%s: %d classes were added", name, len(a.Added))
		}
		a := AnswerOf(append(slices.Clone(m.Labels), "mine"), make([]float32, len(m.Labels)+1), features, seen, nil)
		if got := len(a.Added); got != 1 && len(seen.Shapes) > 0 {
			t.Errorf("%s: of one class that was added it says %q", name, a.Added)
		}
	}
}
