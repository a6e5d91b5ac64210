package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// zigzags are lines of writing: texts of a, a wave of three bends, and b, a loop of squares, by ten writers.
func zigzags(count int, seed uint64) []dataset.Sample {
	rng := rand.New(rand.NewPCG(seed, 3))
	var out []dataset.Sample
	for i := range count {
		s := dataset.Sample{Writer: string("klmnopqrst"[i%10])}
		var stroke ink.Stroke
		x := 0.0
		for range 2 + rng.IntN(3) {
			label, shape := "a", []float64{0, 10, 0, 10, 0}
			if rng.IntN(2) == 0 {
				label, shape = "b", []float64{0, 20, 20, 0, 0}
			}
			s.Label += label
			for _, y := range shape {
				stroke = append(stroke, ink.Point{X: x, Y: -y + rng.Float64()})
				x += 4 + rng.Float64()
			}
		}
		s.Ink = ink.Ink{stroke}
		out = append(out, s)
	}
	return out
}

// lineConfig is a small network that reads lines.
func lineConfig(t *testing.T) Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lines.txt")
	text := "input maps 32x16x10\ninput line 1x8x1\nconvolution 32x4 12 stride 1x2 padding 0,1,0,1 from maps\nx = batch-normalisation relu\n" +
		"mask from x, line\nconvolution 1x3 12 relu padding 0x1\ndropout 0.1\nclasses-and-blank\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg := small()
	var err error
	if cfg.Network, err = nn.LoadArchitecture(path); err != nil {
		t.Fatal(err)
	}
	cfg.Preprocessing, cfg.Lines, cfg.Optimizer, cfg.Rate, cfg.Pictures = nn.LineMaps, dataset.DefaultLineDistortion(), Adam, 0.01, 0
	return cfg
}

func TestLearnsLines(t *testing.T) {
	cfg := lineConfig(t)
	cfg.Epochs, cfg.Rate, cfg.Lines = 40, 0.02, dataset.LineDistortion{}
	r, err := Run(t.Context(), nntest.CPU(t), zigzags(300, 1), cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := r.HoldOut; e.Characters < e.Samples || e.WrongCharacters > e.Characters/20 {
		t.Errorf("%d of %d characters wrong", e.WrongCharacters, e.Characters)
	}
}

// The share that is said is traced, always the same, and can be read.
func TestLinesOfPictures(t *testing.T) {
	samples := zigzags(100, 1)
	pictures, err := traced(t.Context(), samples, 0.5, 1)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for i, p := range pictures {
		if p.Ink == nil {
			continue
		}
		count++
		if x0, y0, x1, y1, _ := p.Ink.Bounds(); p.Label != samples[i].Label || x1 <= x0 || y1 <= y0 {
			t.Errorf("%s was traced as %s, %v", samples[i].Label, p.Label, p.Ink)
		}
	}
	if count < 35 || count > 65 {
		t.Errorf("%d of 100 are traced", count)
	}
	again, err := traced(t.Context(), samples, 0.5, 1)
	if err != nil || !reflect.DeepEqual(again, pictures) {
		t.Errorf("the second time they are others: %v", err)
	}
}

// A training that is stopped and continued has the same losses as without the stop, and gives the same network.
func TestContinuesExactly(t *testing.T) {
	hard := small()
	hard.HardSamples, hard.FollowLoss = 3, true
	adam := small()
	adam.Optimizer, adam.Rate = Adam, 0.003
	twoFloats := small()
	twoFloats.TwoFloats, twoFloats.Average, twoFloats.Workers = true, 0, 3
	for name, c := range map[string]struct {
		cfg     Config
		samples []dataset.Sample
	}{
		"hard samples, rate by loss": {hard, bars(100, 4, "v", "h", "d")},
		"adam":                       {adam, bars(100, 5, "v", "h", "d")},
		"two floats":                 {twoFloats, bars(100, 6, "v", "h", "d")},
		"lines":                      {lineConfig(t), zigzags(100, 7)},
	} {
		t.Run(name, func(t *testing.T) {
			whole, want := follow(t, c.cfg, c.samples, nil)
			for _, stop := range []int{1, 5, 7, 12} { // an epoch has five steps
				cfg := c.cfg
				cfg.Checkpoint = filepath.Join(t.TempDir(), "state")
				_, before := follow(t, cfg, c.samples, func(e Event) bool { return e.Step == stop && (e.EpochDone || stop%5 != 0) })
				cfg.Continue = true
				again, after := follow(t, cfg, c.samples, nil)
				if got := slices.Concat(before, after); !reflect.DeepEqual(got, want) {
					t.Errorf("stopped after step %d the losses are\n%v\nwant\n%v", stop, got, want)
				}
				if !reflect.DeepEqual(again.Model.Network, whole.Model.Network) || again.Epoch != whole.Epoch {
					t.Errorf("stopped after step %d it gives another network", stop)
				}
				if _, err := os.Stat(cfg.Checkpoint); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the state of a training that is done: %v", err)
				}
			}
		})
	}
}

// follow trains until stop, and gives the losses of all events: of steps, and negative of ends of epochs.
func follow(t *testing.T, cfg Config, samples []dataset.Sample, stop func(Event) bool) (*Result, []float64) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var losses []float64
	r, err := Run(ctx, nntest.CPU(t), samples, cfg, func(e Event) {
		if ctx.Err() != nil {
			return
		}
		losses = append(losses, e.Loss)
		if e.EpochDone {
			losses = append(losses, -e.HoldOut.Loss)
		}
		if stop != nil && stop(e) {
			cancel()
		}
	})
	if stop == nil && err != nil || stop != nil && !errors.Is(err, context.Canceled) {
		t.Fatalf("ended with %v after %v", err, losses)
	}
	return r, losses
}

func TestContinuesNothingElse(t *testing.T) {
	cfg := small()
	cfg.Checkpoint, cfg.Continue = filepath.Join(t.TempDir(), "state"), true
	fails := func(what string) {
		t.Helper()
		if _, err := Run(t.Context(), nntest.CPU(t), bars(100, 4, "v", "h"), cfg, nil); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("error %v, want %q", err, what)
		}
	}
	fails("is missing")
	if err := os.WriteFile(cfg.Checkpoint, []byte("something else"), 0o600); err != nil {
		t.Fatal(err)
	}
	fails("holds no training")
	cfg.Continue = false
	follow(t, cfg, bars(100, 4, "v", "h"), func(e Event) bool { return e.Step == 3 })
	data, err := os.ReadFile(cfg.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Continue = true
	for _, at := range []int{30, len(data) / 2, len(data) - 1} {
		damaged := slices.Clone(data)
		damaged[at] ^= 4
		if err := os.WriteFile(cfg.Checkpoint, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		fails("is damaged")
	}
	if err := os.WriteFile(cfg.Checkpoint, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), nntest.CPU(t), bars(100, 5, "v", "h"), cfg, nil); err == nil || !strings.Contains(err.Error(), "another training") {
		t.Errorf("with other drawings: error %v", err)
	}
	cfg.Rate = 0.01
	fails("another training")
}

// Texts that need more columns than a line has are left out, and no loss is infinite.
func TestLinesThatCannotBeRead(t *testing.T) {
	samples := zigzags(40, 9)
	samples[3].Label = strings.Repeat("a", nn.LongestText)
	samples[4].Label = strings.Repeat("a", nn.LongestText+1)
	samples[5].Ink = nil
	cfg := lineConfig(t)
	cfg.HoldOut, cfg.Epochs, cfg.Lines.Width = 0, 1, 2
	r, err := Run(t.Context(), nntest.CPU(t), samples, cfg, nil)
	if err != nil || math.IsInf(r.History[0].Loss, 0) {
		t.Errorf("loss %v, error %v", r, err)
	}
}
