package personal

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

func TestWriters(t *testing.T) {
	samples := datatest.Shapes("b", 5, 1, "L", "O", "T")
	samples = append(samples, datatest.Shapes("a", 3, 2, "L", "V")...)
	samples = append(samples, datatest.Shapes("a", 2, 3, "O")...)         // too few to test on
	samples = append(samples, datatest.Shapes("one class", 9, 4, "O")...) // too few classes
	samples = append(samples, datatest.Shapes("", 9, 5, "O", "L")...)     // nobody
	picture := datatest.Shapes("picture", 9, 6, "O", "L")
	for i := range picture {
		picture[i].Ink = nil
	}
	samples = append(samples, picture...)
	writers := Writers(samples, 2, 1)
	if len(writers) != 2 || writers[0].Name != "a" || writers[1].Name != "b" {
		t.Fatalf("writers %v", writers)
	}
	for i, want := range []map[string][2]int{{"L": {2, 1}, "V": {2, 1}}, {"L": {2, 3}, "O": {2, 3}, "T": {2, 3}}} {
		got := map[string][2]int{}
		seen := map[*ink.Stroke]bool{}
		for part, samples := range [][]dataset.Sample{writers[i].Learn, writers[i].Test} {
			for _, s := range samples {
				n := got[s.Label]
				n[part]++
				got[s.Label] = n
				if s.Writer != writers[i].Name || seen[&s.Ink[0]] {
					t.Errorf("%s has a sample of %q, or one twice", writers[i].Name, s.Writer)
				}
				seen[&s.Ink[0]] = true
			}
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", writers[i].Name, got, want)
		}
	}
	if alone := Writers(samples[:15], 2, 1); !reflect.DeepEqual(alone[0], writers[1]) {
		t.Error("the split of a writer depends on who else is there")
	}
	if again := Writers(samples, 2, 2); reflect.DeepEqual(again, writers) {
		t.Error("the seed has no effect")
	}
}

// The evaluation must count what the writers' samples come to, and what it costs with others.
func TestEvaluateWriters(t *testing.T) {
	var samples []dataset.Sample
	for i := range 2 {
		name := fmt.Sprint("writer ", i)
		samples = append(samples, datatest.Shapes(name, 9, uint64(50+i), "V", "★", "O")...)
		for _, s := range strange(9, uint64(60+i)) {
			if s.Label == "L" {
				samples = append(samples, datatest.Sample(s.Label, name, s.Ink))
			}
		}
	}
	guard := append(datatest.Shapes("other", 20, 70, known...), datatest.Shapes("writer 0", 4, 71, "V")...)
	var told []int
	o := EvaluationOptions{Settings: quick(), Guard: guard, Progress: func(w Writer, f Figures) { told = append(told, f.Writers) }}
	dev := nntest.CPU(t)
	f, err := EvaluateWriters(t.Context(), dev, baseModel(t, nn.MNIST28), Writers(samples, 5, 1), o)
	if err != nil {
		t.Fatal(err)
	}
	// Of four classes one is new and one is written like no one else does.
	if f.Writers != 2 || f.Tests != 32 || f.Base < 16 || f.Base > 18 || f.Instant > 2 || f.Trained > 2 || f.TrainedAlone > f.Base/2 {
		t.Errorf("figures %+v", f)
	}
	if f.Guards != 2*100+4 || f.GuardBefore > 4 || f.GuardAfter > f.GuardBefore+6 {
		t.Errorf("guard %+v", f)
	}
	if !reflect.DeepEqual(told, []int{1, 2}) || len(f.TrainSeconds) != 2 || f.MedianSeconds() != f.TrainSeconds[0] || f.MedianSeconds() <= 0 {
		t.Errorf("told %v, seconds %v", told, f.TrainSeconds)
	}
	o.GuardSamples = 10
	ctx, cancel := context.WithCancel(t.Context())
	o.Progress = func(Writer, Figures) { cancel() }
	f, err = EvaluateWriters(ctx, dev, baseModel(t, nn.MNIST28), Writers(samples, 5, 1), o)
	if !errors.Is(err, context.Canceled) || f.Writers != 1 || f.Guards > 10 {
		t.Errorf("cancelled after the first: %v, %+v", err, f)
	}
}
