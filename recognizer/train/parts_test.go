package train

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

func TestRateSchedule(t *testing.T) {
	cfg := Config{Rate: 2, FinalRate: 0.1, WarmUp: 1}
	rate := func(step int) float64 { return cfg.rateAt(step, 110, 10) }
	for step := range 109 {
		if up := rate(step+1) > rate(step); up != (step < 10) {
			t.Errorf("rate goes from %g to %g in step %d", rate(step), rate(step+1), step)
		}
	}
	if first, top, last := rate(0), rate(10), rate(109); first > 0.11 || math.Abs(top-2) > 0.01 || math.Abs(last-0.2) > 0.01 {
		t.Errorf("rates %g, %g, %g; want about 0.1, 2, 0.2", first, top, last)
	}
	short := Config{Rate: 1, WarmUp: 50}
	for step := range 4 {
		if r := short.rateAt(step, 4, 4); !(r > 0 && r <= 1) {
			t.Errorf("a warm-up longer than training gives the rate %g", r)
		}
	}
}

func TestConfigChecks(t *testing.T) {
	samples := bars(20, 1, "v", "h")
	for name, change := range map[string]func(c *Config){
		"epochs":        func(c *Config) { c.Epochs = 0 },
		"batch":         func(c *Config) { c.Batch = 0 },
		"huge batch":    func(c *Config) { c.Batch = 1 << 30 },
		"hidden":        func(c *Config) { c.Hidden = []int{0} },
		"huge layer":    func(c *Config) { c.Hidden = []int{math.MaxInt} },
		"huge layers":   func(c *Config) { c.Hidden = []int{5000, 5000} },
		"rate":          func(c *Config) { c.Rate = math.NaN() },
		"momentum":      func(c *Config) { c.Momentum = 1 },
		"hold out":      func(c *Config) { c.HoldOut = 1 },
		"patience":      func(c *Config) { c.Patience = -1 },
		"anchor":        func(c *Config) { c.Anchor = &nn.Model{} },
		"preprocessing": func(c *Config) { c.Preprocessing = "sonar" },
	} {
		cfg := small()
		change(&cfg)
		if _, err := Run(t.Context(), nntest.CPU(t), samples, cfg, nil); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	broken := bars(20, 1, "v", "h")
	broken[3].Image.Pix = broken[3].Image.Pix[1:]
	unlabelled := bars(20, 1, "v", "h")
	unlabelled[3].Label = ""
	for name, s := range map[string][]dataset.Sample{
		"none": nil, "one label": bars(20, 1, "v"), "image": broken, "label": unlabelled,
	} {
		if _, err := Run(t.Context(), nntest.CPU(t), s, small(), nil); err == nil {
			t.Errorf("samples: %s: taken", name)
		}
	}
}

// Every sample must come once an epoch, in another order each time.
func TestFeedCoversSamples(t *testing.T) {
	samples := bars(23, 1, "v", "h")
	for i := range samples {
		samples[i].Image.Pix[0] = float32(i)
	}
	f := &feed{width: pixels, count: 2, rows: 5, perEpoch: 5, steps: 15}
	from := &sampler{feed: f, samples: samples, class: make([]int, len(samples)), features: mustFeatures(t), cfg: &Config{Seed: 3}, rooms: sync.Pool{New: newRoom}}
	f.plan, f.workers = from.plan, 3
	var orders [3][]float32
	step := 0
	for b, err := range f.batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for row := range f.rows {
			epoch := step / f.perEpoch
			orders[epoch] = append(orders[epoch], b.Input[row*pixels])
		}
		step++
	}
	if step != f.steps {
		t.Fatalf("the feed ended after %d steps", step)
	}
	for epoch, order := range orders {
		seen := map[float32]bool{}
		for _, id := range order[:len(samples)] {
			seen[id] = true
		}
		if len(seen) != len(samples) {
			t.Errorf("epoch %d shows %d of %d samples", epoch, len(seen), len(samples))
		}
	}
	if reflect.DeepEqual(orders[0], orders[1]) {
		t.Error("two epochs have the same order")
	}
}

func mustFeatures(t *testing.T) feature.Extractor {
	t.Helper()
	e, err := feature.ByName(nn.MNIST28)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// A batch larger than all samples repeats them.
func TestFewSamples(t *testing.T) {
	cfg := small()
	cfg.HoldOut, cfg.Batch = 0, 64
	r, err := Run(t.Context(), nntest.CPU(t), bars(5, 1, "v", "h"), cfg, nil)
	if err != nil || r.Steps != cfg.Epochs || r.HoldOut != nil || r.Epoch != cfg.Epochs {
		t.Errorf("result %+v, error %v", r, err)
	}
}

func TestSplit(t *testing.T) {
	var samples []dataset.Sample
	for i := range 200 {
		s := dataset.Sample{Label: string(rune('a' + i%4)), Source: "print"}
		if i >= 100 {
			s.Writer, s.Source = string(rune('A'+i%10)), "pen"
		}
		samples = append(samples, s)
	}
	rest, held := Split(samples, 0.2, 1)
	if len(rest)+len(held) != len(samples) {
		t.Fatalf("%d and %d of %d samples", len(rest), len(held), len(samples))
	}
	writers, labels := map[string]int{}, map[string]int{}
	for _, s := range rest {
		writers[s.Writer] |= 1
	}
	for _, s := range held {
		writers[s.Writer] |= 2
		if s.Writer == "" {
			labels[s.Label]++
		}
	}
	parted := 0
	for w, sides := range writers {
		if w != "" && sides == 3 {
			t.Errorf("writer %s is on both sides", w)
		}
		if w != "" && sides == 2 {
			parted++
		}
	}
	if parted == 0 {
		t.Error("no writer is held out")
	}
	if want := (map[string]int{"a": 5, "b": 5, "c": 5, "d": 5}); !reflect.DeepEqual(labels, want) {
		t.Errorf("held out of samples without writer: %v, want %v", labels, want)
	}
	if again, _ := Split(samples, 0.2, 1); !reflect.DeepEqual(again, rest) {
		t.Error("the same seed splits otherwise")
	}
}

// A network that copies one pixel to each logit shows what is counted.
func TestEvaluate(t *testing.T) {
	labels := []string{"a", "b", "c", "d", "e", "f"}
	m := &nn.Model{Network: nn.NewNetwork([]int{pixels, len(labels)}, "tanh", 1), Labels: labels, Preprocessing: nn.MNIST28}
	w := m.Network.Layers[0].Values[0]
	clear(w)
	for c := range labels {
		w[c*len(labels)+c] = 1
	}
	sample := func(label string, logits ...float32) dataset.Sample {
		s := bars(1, 1, "v")[0]
		s.Label = label
		clear(s.Image.Pix)
		copy(s.Image.Pix, logits)
		return s
	}
	samples := []dataset.Sample{
		sample("a", 1, 0.5),                       // right
		sample("b", 1, 0.5),                       // second
		sample("c", 1, 0.5),                       // third, as equal logits count in order
		sample("d", 0.9, 0.8, 0.7, 0.6, 0.5, 0.4), // fourth
		sample("f", 0.9, 0.8, 0.7, 0.6, 0.5, 0.4), // sixth
		sample("?", 1),                            // no class at all
	}
	e, err := Evaluate(t.Context(), nntest.CPU(t), m, samples)
	if err != nil {
		t.Fatal(err)
	}
	if e.Samples != 6 || e.Errors != 5 || e.Top3 != 3 || e.Top5 != 2 || e.Top10 != 1 {
		t.Errorf("%d samples, errors %d, top 3 %d, top 5 %d, top 10 %d; want 6, 5, 3, 2, 1", e.Samples, e.Errors, e.Top3, e.Top5, e.Top10)
	}
	if want := (Confusion{"?", "a", 1}); len(e.Confusions) != 5 || e.Confusions[0] != want {
		t.Errorf("confusions %v", e.Confusions)
	}
	if want := []int{0, 0, 0, 0, 0, 0}; !reflect.DeepEqual(e.Answers, want) {
		t.Errorf("answers %v", e.Answers)
	}
	of := func(classes ...string) (*Evaluation, error) {
		return EvaluateParts(t.Context(), nntest.CPU(t), m, classes, func(add func([]dataset.Sample) error) error { return add(samples) })
	}
	e, err = of("b", "d", "f")
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 1, 1, 1, 1}; !reflect.DeepEqual(e.Answers, want) || e.Errors != 5 || e.Top3 != 3 {
		t.Errorf("with three classes: answers %v, errors %d, top 3 %d; want 1s, 5, 3", e.Answers, e.Errors, e.Top3)
	}
	if _, err := of("z"); err == nil {
		t.Error("a class that the model lacks was taken")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Evaluate(ended, nntest.CPU(t), m, samples); err == nil {
		t.Error("a cancelled evaluation gave a result")
	}
	w[0] = float32(math.NaN())
	if e, err := Evaluate(t.Context(), nntest.CPU(t), m, samples); err == nil {
		t.Errorf("a network without numbers makes %d errors", e.Errors)
	}
}

// Classes must be drawn as often as they are among isolated samples, and over the epochs
// all samples must take part.
func TestIsolatedShares(t *testing.T) {
	var samples []dataset.Sample
	var class []int
	for i := range 30 {
		samples = append(samples, dataset.Sample{Context: i%3 != 0 && i%2 == 1})
		class = append(class, i%2)
	}
	quota, sum := isolatedQuota(samples, class, 2)
	if want := []int{15, 5}; !reflect.DeepEqual(quota, want) || sum != 20 {
		t.Fatalf("quota %v, sum %d; want %v, 20", quota, sum, want)
	}
	p := sampler{samples: samples, class: class, quota: quota, cfg: &Config{Seed: 1}}
	seen := map[int]bool{}
	for epoch := range 20 {
		if err := p.shuffle(t.Context(), epoch); err != nil {
			t.Fatal(err)
		}
		counts := make([]int, 2)
		for _, sample := range p.order {
			counts[class[sample]]++
			seen[sample] = true
		}
		if !reflect.DeepEqual(counts, quota) {
			t.Errorf("epoch %d shows %v of the classes, want %v", epoch, counts, quota)
		}
	}
	if len(seen) != len(samples) {
		t.Errorf("only %d of %d samples were ever shown", len(seen), len(samples))
	}
}

// The features of many samples take seconds; evaluating them must end with its context.
func TestEvaluateEndsInItsMidst(t *testing.T) {
	samples := bars(200, 2, "v", "h", "d")
	in, err := feature.ByName(feature.GradientPen)
	if err != nil {
		t.Fatal(err)
	}
	for looks := range len(samples) {
		e, err := newEvaluator(in, []string{"v", "h", "d"}, samples, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.prepare(datatest.EndsAfter(looks)); !errors.Is(err, context.Canceled) {
			t.Fatalf("cancelled after %d looks: %v", looks, err)
		}
	}
}

// Samples that come in parts of whatever size are answered as if they came at once, in the same batches.
func TestEvaluateParts(t *testing.T) {
	samples := bars(evaluateChunk+300, 2, "v", "h", "d")
	cfg := small()
	cfg.Preprocessing = nn.MNIST28
	m, err := startModel(&cfg, samples)
	if err != nil {
		t.Fatal(err)
	}
	dev := nntest.CPU(t)
	want, err := EvaluateParts(t.Context(), dev, m, []string{"v", "h"}, func(add func([]dataset.Sample) error) error { return add(samples) })
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{1000, evaluateChunk - 1, evaluateChunk, len(samples)} {
		got, err := EvaluateParts(t.Context(), dev, m, []string{"v", "h"}, func(add func([]dataset.Sample) error) error {
			for part := range slices.Chunk(samples, size) {
				if err := add(part); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		got.SamplesPerSecond = want.SamplesPerSecond
		if !reflect.DeepEqual(got, want) {
			t.Errorf("parts of %d: %d errors of %d, loss %v, want %d of %d, %v", size, got.Errors, got.Samples, got.Loss, want.Errors, want.Samples, want.Loss)
		}
	}
	stop := errors.New("enough")
	if e, err := EvaluateParts(t.Context(), dev, m, nil, func(func([]dataset.Sample) error) error { return stop }); err != stop || e != nil {
		t.Errorf("an end in its midst gives %v, %v", e, err)
	}
}

func TestFoldedErrors(t *testing.T) {
	e := Evaluation{Samples: 40, Errors: 15, Confusions: []Confusion{{"0", "O", 4}, {"o", "0", 3}, {"l", "1", 2}, {"O", "Q", 1}, {"0", "1", 5}}}
	if got := e.FoldedErrors(); got != 6 {
		t.Errorf("%d errors are left, want those of O for Q and 0 for 1, 6", got)
	}
}
