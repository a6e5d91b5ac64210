package calibrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inkshade/glcompute/cpu"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/lvq"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

// step is that of the bytes which stand for values in a file.
func step(classes [][][]float32) (most float32) {
	for _, c := range classes {
		for _, x := range c {
			most = max(most, slices.Max(x))
		}
	}
	return most / 255
}

var labels = []string{"L", "O", "T", "V", "Z"}

// taught is a small network that knows five shapes by eight writers.
func taught(t *testing.T, preprocessing string) *train.Result {
	t.Helper()
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	var samples []dataset.Sample
	for w := range 8 {
		samples = append(samples, datatest.Shapes(string(rune('a'+w)), 6, uint64(w), labels...)...)
	}
	cfg := train.Default()
	cfg.Hidden, cfg.Preprocessing, cfg.Epochs, cfg.Batch, cfg.HoldOut, cfg.Average = []int{30}, preprocessing, 10, 16, 0.25, 0
	r, err := train.Run(t.Context(), dev, samples, cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func fit(t *testing.T, r *train.Result) *prototype.Set {
	t.Helper()
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	s, err := Fit(t.Context(), dev, r.Model, r.Trained, r.HeldOut, Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A model file must hold what was fitted, to half a step of its quantisation, for every
// kind of input, and be as small as promised.
func TestKept(t *testing.T) {
	for _, preprocessing := range feature.Names() {
		r := taught(t, preprocessing)
		s := fit(t, r)
		if err := s.Store(r.Model); err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if err := onnx.Write(&file, r.Model); err != nil {
			t.Fatal(err)
		}
		m, err := onnx.Read(t.Context(), &file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := prototype.Of(m)
		if err != nil {
			t.Fatal(err)
		}
		if got.Temperature != s.Temperature || got.Limit != s.Limit || got.PictureLimit != s.PictureLimit {
			t.Errorf("%s: temperature %g, limits %g and %g, want %g, %g and %g",
				preprocessing, got.Temperature, got.Limit, got.PictureLimit, s.Temperature, s.Limit, s.PictureLimit)
		}
		spreads := 0
		in, _ := feature.ByName(preprocessing)
		if in.Pen > 0 {
			spreads = len(labels)
		}
		shape := make([]float32, s.Detector.Net.Width())
		for i := range shape {
			shape[i] = float32(i%7) / 7
		}
		if a, b := got.Detector.Score(shape), s.Detector.Score(shape); math.Abs(a-b) > 1e-4*max(1, b) || got.Detector.Weight == 0 {
			t.Errorf("%s: the detector of weight %g says %g, want %g", preprocessing, got.Detector.Weight, a, b)
		}
		if (s.PictureLimit > 0) != (spreads > 0) {
			t.Errorf("%s: pictures have the limit %g", preprocessing, s.PictureLimit)
		}
		if !reflect.DeepEqual(got.Spread, s.Spread) || len(s.Spread.Gradient) != spreads || len(s.Spread.Pen) != spreads {
			t.Errorf("%s: spread %v, want %v", preprocessing, got.Spread, s.Spread)
		}
		for name, pair := range map[string][2][][][]float32{"inputs": {got.Inputs, s.Inputs}, "shapes": {got.Shapes, s.Shapes}} {
			if len(pair[0]) != len(labels) || len(pair[1]) != len(labels) {
				t.Fatalf("%s: %s of %d and %d classes", preprocessing, name, len(pair[0]), len(pair[1]))
			}
			half := step(pair[1])/2 + 1e-6
			if name == "shapes" && in.Edges {
				half = step(s.Inputs)/2 + 1e-6
			}
			for c := range pair[0] {
				for i := range pair[0][c] {
					for j, v := range pair[0][c][i] {
						if d := v - pair[1][c][i][j]; d > half || d < -half {
							t.Fatalf("%s: %s of class %d differ by %g, more than %g", preprocessing, name, c, d, half)
						}
					}
				}
			}
		}
	}
}

// Of more classes than means are kept of, the set keeps none of any, and can still be read.
func TestManyClasses(t *testing.T) {
	r := taught(t, feature.GradientPen)
	var more []string
	for i := range mostMeans {
		more = append(more, fmt.Sprint("class ", i))
	}
	var err error
	if r.Model, err = r.Model.WithClasses(more, 1); err != nil {
		t.Fatal(err)
	}
	if err := fit(t, r).Store(r.Model); err != nil {
		t.Fatal(err)
	}
	set, err := prototype.Of(r.Model)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(r.Model.Metadata["prototypes"]); n > 100 || set.Temperature <= 0 || set.Limit <= 0 || set.PictureLimit <= 0 {
		t.Errorf("%d bytes of prototypes, temperature %g, limits %g and %g", n, set.Temperature, set.Limit, set.PictureLimit)
	}
	sure, unsure := make([]float32, len(r.Model.Labels)), make([]float32, len(r.Model.Labels))
	sure[3] = 100
	features := make([]float32, feature.GradientSize+feature.PenSize)
	if s, u := set.Score(features, sure), set.Score(features, unsure); !(s < 0.01 && u > 5) {
		t.Errorf("the score is %g where the network is sure, %g where it is not", s, u)
	}
}

// Drawings that the model was taught must be known, those of no class and no sense not.
func TestUnknown(t *testing.T) {
	r := taught(t, nn.MNIST28)
	s := fit(t, r)
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	inference, err := nn.NewInference(dev, r.Model.Network)
	if err != nil {
		t.Fatal(err)
	}
	defer inference.Close()
	refused := func(drawings []dataset.Sample) float64 {
		n := 0
		for _, d := range drawings {
			gradient := make([]float32, feature.GradientSize)
			feature.Gradient(gradient, d.Image.Pix)
			if err := inference.Each([][]float32{d.Image.Pix}, func(_ int, logits []float32) {
				if s.OutOfDistribution(gradient, logits) > 1 {
					n++
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		return float64(n) / float64(len(drawings))
	}
	if got := refused(datatest.Shapes("stranger", 40, 99, labels...)); got > 0.05 {
		t.Errorf("%g of what it was taught is refused", got)
	}
	if got := refused(datatest.Shapes("stranger", 40, 99, "★", "X")); got < 0.9 {
		t.Errorf("only %g of new shapes are refused", got)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	var scribbles []dataset.Sample
	for range 40 {
		var line ink.Stroke
		for range 40 {
			line = append(line, ink.Point{X: 100 * rng.Float64(), Y: 100 * rng.Float64()})
		}
		scribbles = append(scribbles, datatest.Sample("?", "", ink.Ink{line}))
	}
	scribbles = append(scribbles, datatest.Sample("?", "", ink.Ink{{{X: 3, Y: 3}}}))
	if got := refused(scribbles); got < 1 {
		t.Errorf("only %g of scribbles and a dot are refused", got)
	}
	// A class that came later has no shapes; whoever added it knows it.
	if s.OutOfDistribution(make([]float32, feature.GradientSize), []float32{0, 0, 0, 0, 0, 9}) > 1 {
		t.Error("a class without shapes is refused")
	}
}

func TestEdgesOnly(t *testing.T) {
	r := taught(t, feature.GradientPen)
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	s, err := Fit(t.Context(), dev, r.Model, r.Trained, r.HeldOut, Options{Seed: 1, EdgesOnly: true})
	if err != nil || s.Spread.Pen != nil || s.Spread.Gradient != nil {
		t.Errorf("spreads %v, error %v, want none", s.Spread, err)
	}
}

func TestFitRepeats(t *testing.T) {
	r := taught(t, nn.MNIST28)
	a, b := fit(t, r), fit(t, r)
	if !reflect.DeepEqual(a, b) {
		t.Error("the same samples gave two sets")
	}
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	if _, err := Fit(t.Context(), dev, r.Model, r.Trained, nil, Options{}); err == nil || !strings.Contains(err.Error(), "keep some") {
		t.Errorf("nothing held out: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(ctx, dev, r.Model, r.Trained, r.HeldOut, Options{Seed: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Logits that were made from probabilities and then multiplied must be divided again.
func TestTemperature(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, want := range []float64{0.5, 1, 3} {
		var logits [][]float32
		var classes []int
		for range 4000 {
			row := make([]float32, 4)
			p, sum := make([]float64, 4), 0.0
			for i := range row {
				l := 2 * rng.NormFloat64()
				row[i] = float32(want * l)
				p[i] = math.Exp(l)
				sum += p[i]
			}
			at, class := rng.Float64()*sum, 0
			for at -= p[0]; at > 0 && class < 3; at -= p[class] {
				class++
			}
			logits, classes = append(logits, row), append(classes, class)
		}
		logits, classes = append(logits, []float32{1, 2, 3, 4}), append(classes, -1)
		if got, err := temperature(t.Context(), logits, classes); err != nil || math.Abs(got/want-1) > 0.08 {
			t.Errorf("temperature %g, %v, want %g", got, err, want)
		}
	}
}

// The fit takes many seconds for large data; every part of it must end with its context.
func TestFitEndsInItsMidst(t *testing.T) {
	r := taught(t, feature.GradientPen)
	dev, err := cpu.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	in, err := feature.ByName(feature.GradientPen)
	if err != nil {
		t.Fatal(err)
	}
	s := &fitted{fit(t, r)}
	rng := rand.New(rand.NewPCG(3, 1))
	var rows [][]float32
	for range 100 {
		rows = append(rows, []float32{rng.Float32(), rng.Float32()})
	}
	for name, part := range map[string]func(context.Context) error{
		"k-means":     func(ctx context.Context) error { _, err := lvq.KMeans(ctx, dev, rows, 20, rng); return err },
		"features":    func(ctx context.Context) error { _, _, err := s.cluster(ctx, dev, in, 0, r.Trained, 3, 1); return err },
		"temperature": func(ctx context.Context) error { _, err := temperature(ctx, rows, make([]int, len(rows))); return err },
		"calibration": func(ctx context.Context) error { return s.calibrate(ctx, dev, r.Model, in, r.HeldOut, UsualWeight) },
	} {
		// Of so many looks, all can be counted on; the features alone take one a sample.
		for looks := range 16 {
			if err := part(datatest.EndsAfter(looks)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled after %d looks: %v", name, looks, err)
			}
		}
	}
	// Each sample is looked at twice: for its features and for its score.
	if err := s.calibrate(datatest.EndsAfter(2*len(r.HeldOut)), dev, r.Model, in, r.HeldOut, UsualWeight); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled among the scores: %v", err)
	}
}

// A damaged file must be an error, never a crash; a model without a set has none.
func TestDamaged(t *testing.T) {
	r := taught(t, nn.MNIST28)
	if s, err := prototype.Of(r.Model); s != nil || err != nil {
		t.Errorf("a model without a set: %v, %v", s, err)
	}
	if err := fit(t, r).Store(r.Model); err != nil {
		t.Fatal(err)
	}
	whole := r.Model.Metadata["prototypes"]
	for name, spoil := range map[string]func(m *nn.Model){
		"cut short":      func(m *nn.Model) { m.Metadata["prototypes"] = whole[:len(whole)/2] },
		"not base64":     func(m *nn.Model) { m.Metadata["prototypes"] = "*" },
		"not gzip":       func(m *nn.Model) { m.Metadata["prototypes"] = "AAAA" },
		"not JSON":       func(m *nn.Model) { m.Metadata["calibration"] = "{" },
		"no temperature": func(m *nn.Model) { m.Metadata["calibration"] = `{"novelty_limit":1}` },
		"negative count": func(m *nn.Model) {
			m.Metadata["calibration"] = `{"temperature":1,"novelty_limit":1,"inputs":[-1],"shapes":[1]}`
		},
		"huge count": func(m *nn.Model) {
			m.Metadata["calibration"] = `{"temperature":1,"novelty_limit":1,"inputs":[4611686018427387904],"shapes":[1]}`
		},
		"too many classes": func(m *nn.Model) {
			m.Metadata["calibration"] = `{"temperature":1,"novelty_limit":1,"inputs":[1,1,1,1,1,1],"shapes":[1,1,1,1,1,1]}`
		},
		"other counts": func(m *nn.Model) {
			m.Metadata["calibration"] = `{"temperature":1,"novelty_limit":1,"inputs":[1],"shapes":[1]}`
		},
	} {
		m := r.Model.Clone()
		spoil(m)
		if s, err := prototype.Of(m); err == nil || s != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
}

// A detector that does not fit the model must be an error. An older file has none, and the rest of the
// score tells the unknown.
func TestDamagedDetector(t *testing.T) {
	r := taught(t, nn.MNIST28)
	whole := fit(t, r)
	if err := whole.Store(r.Model); err != nil {
		t.Fatal(err)
	}
	text := r.Model.Metadata["detector"]
	for name, spoilt := range map[string]string{
		"not JSON":      "{",
		"cut short":     text[:40],
		"no weight":     strings.Replace(text, `"weight":`, `"weight":-`, 1),
		"no classes":    strings.Replace(text, `"classes":5`, `"classes":0`, 1),
		"other classes": strings.Replace(text, `"classes":5`, `"classes":6`, 1),
		"huge classes":  strings.Replace(text, `"classes":5`, `"classes":4611686018427387904`, 1),
		"fewer steps":   strings.Replace(text, `"steps":[`, `"step":[`, 1),
	} {
		m := r.Model.Clone()
		if m.Metadata["detector"] = spoilt; spoilt == text {
			t.Fatalf("%s: nothing is spoilt in %.60s", name, text)
		}
		if s, err := prototype.Of(m); err == nil || s != nil {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	delete(r.Model.Metadata, "detector")
	old, err := prototype.Of(r.Model)
	if err != nil {
		t.Fatal(err)
	}
	blank, logits := make([]float32, feature.GradientSize), []float32{9, 0, 0, 0, 0}
	without, with := old.Score(blank, logits), whole.Score(blank, logits)
	if want := with - whole.Detector.Score(blank); math.Abs(without-want) > 0.01*want || without >= with {
		t.Errorf("the score is %g in an older file and %g with a detector, want %g and more", without, with, want)
	}
}

// A spread must fit the classes and be above zero, or be left out altogether.
func TestDamagedSpread(t *testing.T) {
	r := taught(t, feature.GradientPen)
	if err := fit(t, r).Store(r.Model); err != nil {
		t.Fatal(err)
	}
	whole := r.Model.Metadata["calibration"]
	for change, valid := range map[[2]string]bool{
		{"", ""}: true,
		{`"gradient_spread":[`, `"gradient_spread":[1,`}: false,
		{`"pen_spread":[`, `"pen_spread":[0`}:            false,
		{`"pen_spread"`, `"another"`}:                    false,
		{`"gradient_spread"`, `"another"`}:               false,
		{`_spread"`, `"`}:                                true, // an older file has none
	} {
		m := r.Model.Clone()
		m.Metadata["calibration"] = strings.ReplaceAll(whole, change[0], change[1])
		if change[0] == "" {
			m.Metadata["calibration"] = whole
		}
		if s, err := prototype.Of(m); (err == nil) != valid || (s != nil) != valid {
			t.Errorf("%s for %s: %v, valid %t", change[1], change[0], err, valid)
		}
	}
}
