package personal

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/nntest"
)

// odd are texts by somebody who writes v for u, in the letters that the model keeps.
func odd(t *testing.T, m *nn.Model, texts ...string) (samples []Sample) {
	t.Helper()
	letters, err := handsOf(m, 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		lines := composed(letters, []string{strings.ReplaceAll(text, "u", "v")}, int64(i))
		samples = append(samples, Sample{ID: int64(i), Label: text, Ink: lines[0].Ink})
	}
	return samples
}

// A person's lines are read better after a training, others as well as before, and a training that is cancelled gives nothing.
func TestTrainLines(t *testing.T) {
	m, err := recognizer.LoadModel("words")
	if err != nil {
		t.Fatal(err)
	}
	dev := nntest.CPU(t)
	task := Task{
		Start: m, Settings: DefaultSettings(), Learn: odd(t, m, "unusual", "sum", "hunt", "queue", "run", "uncut"), HeldOut: odd(t, m, "tulip", "unjust", "mud"),
	}
	before := m.Clone()
	stages := map[Stage]int{}
	r, err := Train(t.Context(), dev, task, func(p Progress) { stages[p.Stage]++ })
	if err != nil {
		t.Fatal(err)
	}
	if !r.Keep || r.Reason != Better || r.HeldOut.Samples != 14 || r.HeldOut.After >= r.HeldOut.Before {
		t.Errorf("%s: held out %+v, replayed %+v", r.Reason, r.HeldOut, r.Replay)
	}
	if r.Replay.Samples < 300 || r.Replay.Before > r.Replay.Samples/10 || stages[Learning] < r.Steps/2 || r.Seconds <= 0 || r.Device != "cpu" {
		t.Errorf("replayed %+v, %d steps, told %v", r.Replay, r.Steps, stages)
	}
	if !reflect.DeepEqual(m, before) || reflect.DeepEqual(m.Network, r.Model.Network) {
		t.Error("the model that was given has changed, or the trained one has not")
	}
	ctx, cancel := context.WithCancel(t.Context())
	if r, err := Train(ctx, dev, task, func(p Progress) { cancel() }); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("cancelled: %v, %v", r, err)
	}
	bare := nntest.Lines()
	task.Start = bare
	if _, err := Train(t.Context(), dev, task, nil); err == nil || !strings.Contains(err.Error(), "keeps no letters") {
		t.Errorf("without letters: %v", err)
	}
}

// Writers of lines are those with enough of them, and nobody is tested with what was learned.
func TestLineWriters(t *testing.T) {
	var samples []dataset.Sample
	for i := range 20 {
		k := ink.Ink{{{X: float64(i)}, {X: 30, Y: 10}}}
		samples = append(samples, dataset.Sample{Label: "many", Writer: "b", Ink: k}, dataset.Sample{Label: "x", Writer: "letters", Ink: k}, dataset.Sample{Label: "nobody", Ink: k})
		if i < 9 {
			samples = append(samples, dataset.Sample{Label: "few", Writer: "few", Ink: k}, dataset.Sample{Label: "nine", Writer: "a", Ink: k})
		}
		if i == 0 {
			samples = append(samples, dataset.Sample{Label: "nine", Writer: "a", Ink: k})
		}
	}
	writers := LineWriters(samples, 5, 7, 1)
	if len(writers) != 2 || writers[0].Name != "a" || len(writers[0].Test) != 5 || writers[1].Name != "b" || len(writers[1].Test) != 7 {
		t.Fatalf("got %+v", writers)
	}
	for _, w := range writers {
		seen := map[float64]bool{}
		for _, s := range append(w.Learn, w.Test...) {
			seen[s.Ink[0][0].X] = true
		}
		if len(w.Learn) != 5 || len(seen) < len(w.Learn)+len(w.Test)-1 {
			t.Errorf("%s: %d learned, %d different", w.Name, len(w.Learn), len(seen))
		}
	}
	if other := LineWriters(samples, 5, 7, 2); reflect.DeepEqual(other, writers) {
		t.Error("the seed has no effect")
	}
}
