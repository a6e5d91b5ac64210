//go:build learn

package device

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// TestMeasureSuggest prints the table of docs/models.md: what is offered for drawings that digits doubts.
func TestMeasureSuggest(t *testing.T) {
	data := os.Getenv("INKSHADE_DATA")
	if data == "" {
		t.Skip("INKSHADE_DATA names no folder")
	}
	e := New(models.Named("digits"), glcompute.CPU, glcompute.Open)
	e.Prepare(func(Status) {})
	defer e.Close()
	for _, file := range []string{
		"unipen/digits.jsonl.gz", "unipen/lower.jsonl.gz", "unipen/upper.jsonl.gz", "hanzi/pen/writers42.jsonl.gz", "words/words.jsonl.gz",
	} {
		f, err := os.Open(filepath.Join(data, file))
		if err != nil {
			t.Fatal(err)
		}
		samples, err := ink.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		_ = f.Close()
		counts := map[string]int{}
		random := rand.New(rand.NewPCG(1, 1))
		const drawings = 300
		for range drawings {
			counts[e.offered(t, samples[random.IntN(len(samples))].Ink)]++
		}
		t.Logf("%s of %d: %v", file, drawings, counts)
	}
}

// offered is what is offered for a drawing: a model, a line, or nothing where the answer is not in doubt.
func (e *Engine) offered(t *testing.T, k ink.Ink) string {
	a, _, err := e.Recognize(k, false)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Unknown && a.Candidates[0].Probability >= 0.9 {
		return "answered"
	}
	r, _, err := e.RecognizeLine(t.Context(), k, line.Options{Separate: true})
	if err != nil {
		t.Fatal(err)
	}
	switch name := e.Suggest(k, false, r); {
	case name != "":
		return name
	case len(r.Characters) > 1:
		return "line"
	}
	return "nothing"
}
