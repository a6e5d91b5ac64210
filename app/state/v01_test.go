package state

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

const version01 = "../testdata/v0.1"

// stored is a copy of the folder that version 0.1 kept a person's samples and models in.
func stored(t *testing.T) *Collection {
	t.Helper()
	f, err := os.Open(filepath.Join(version01, "samples.db.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "samples.db"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	book, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { book.Close() })
	return book
}

// Samples, models and the history of version 0.1 open, models answer as they did, and training
// goes on from there.
func TestFilesOfVersion01(t *testing.T) {
	book := stored(t)
	drawn, err := book.store.List(samples.Filter{})
	if err != nil || len(drawn) != 30 || book.Memory.Len() != 30 {
		t.Fatalf("%d samples, %d remembered, error %v", len(drawn), book.Memory.Len(), err)
	}
	first, err := recognizer.LoadModel(filepath.Join(version01, "tiny.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	wantAnswers(t, first, drawn, "answers.txt")

	tr := book
	tr.Learner.Shipped = func(string) (*nn.Model, error) { return first, nil }
	entries, err := tr.History(base)
	if err != nil || len(entries) != 2 || !entries[0].Active {
		t.Fatalf("history %+v, error %v", entries, err)
	}
	if e := entries[0]; e.Options.Steps != 200 || e.Options.Replay != 0.8 || e.Report.Replay.Samples != 100 || e.Report.NewClasses[0] != "★" {
		t.Errorf("the entry is %+v", e)
	}
	if err := tr.Activate(base, entries[0].ID, 0).Do(); err != nil {
		t.Fatal(err)
	}
	own, _, err := tr.ActiveModel(base, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantAnswers(t, own, drawn, "personal-answers.txt")

	o := DefaultOptions()
	o.Device, o.Steps = glcompute.CPU, 5
	e, err := tr.Train(t.Context(), base, o, nil)
	if err != nil || e.Parent != entries[0].ID || len(e.Report.NewClasses) > 0 {
		t.Fatalf("training on gave model %d of %d with the new classes %q, error %v", e.ID, e.Parent, e.Report.NewClasses, err)
	}
}

// wantAnswers compares with what version 0.1 answered.
func wantAnswers(t *testing.T, m *nn.Model, drawn []samples.Sample, file string) {
	t.Helper()
	dev := openCPU(glcompute.CPU)
	defer dev.Close()
	r, err := recognizer.New(m, dev)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var inks []ink.Ink
	for _, s := range drawn {
		inks = append(inks, s.Ink)
	}
	answers, err := r.RecognizeMany(inks, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(version01, file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for i, a := range answers {
		var number int
		var label, want string
		var probability float64
		if !lines.Scan() {
			t.Fatalf("%s has no line %d", file, i+1)
		}
		if _, err := fmt.Sscan(lines.Text(), &number, &label, &want, &probability); err != nil {
			t.Fatal(err)
		}
		got := a.Candidates[0]
		if label != drawn[i].Label || got.Label != want || !(math.Abs(got.Probability-probability) < 1e-4) {
			t.Errorf("%s: sample %d, %s: %s with %.6f, want %s with %.6f", file, number, drawn[i].Label, got.Label, got.Probability, want, probability)
		}
	}
}
