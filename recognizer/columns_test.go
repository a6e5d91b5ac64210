package recognizer

import (
	"math"
	"slices"
	"testing"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn/nntest"
)

// A model that reads lines gives probabilities for each column, of the classes that may be answered, reads ink whatever its size
// and place, and single drawings it refuses with a sentence.
func TestReadLinesByColumns(t *testing.T) {
	dev, err := glcompute.Open(glcompute.CPU)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.Close()
	r, err := New(nntest.Lines(), dev)
	if err != nil {
		t.Fatal(err)
	}
	k := ink.Ink{{{X: 0, Y: 0}, {X: 10, Y: 30}, {X: 20, Y: 0}, {X: 30, Y: 30}, {X: 90, Y: 0}}}
	large := ink.Ink{slices.Clone(k[0])}
	for i := range large[0] {
		large[0][i].X, large[0][i].Y = 1000+7*large[0][i].X, 50+7*large[0][i].Y
	}
	for _, classes := range [][]string{nil, {"b"}} {
		if err := r.SetClasses(classes); err != nil {
			t.Fatal(err)
		}
		columns, err := r.Columns(t.Context(), []ink.Ink{k, large, k[:1]})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range columns {
			left, _, right, _, _ := []ink.Ink{k, large, k}[i].Bounds()
			if end := c.From + c.Step*float64(len(c.LogP)); c.From > left || end < right || c.From < left-(right-left) || end > right+right-left {
				t.Errorf("line %d from %g to %g has columns from %g to %g", i, left, right, c.From, end)
			}
			for j, column := range c.LogP {
				sum := 0.0
				for label, ln := range column {
					sum += math.Exp(ln)
					if classes != nil && label != 1 && label != 3 && !math.IsInf(ln, -1) {
						t.Errorf("column %d: class %d, which may not be answered, has ln p %g", j, label, ln)
					}
					if d := math.Abs(math.Exp(ln) - math.Exp(columns[0].LogP[j][label])); d > 1e-4 {
						t.Errorf("line %d, column %d: p of class %d differs by %g", i, j, label, d)
					}
				}
				if math.Abs(sum-1) > 1e-5 {
					t.Errorf("column %d: the probabilities add up to %g", j, sum)
				}
			}
		}
	}
	results, err := r.ReadLines(t.Context(), []ink.Ink{k}, line.Options{})
	if err != nil || len(results[0].Characters) == 0 || results[0].Characters[0].Label != "b" {
		t.Errorf("%+v, %v", results, err)
	}
	if none, err := r.ReadLines(t.Context(), nil, line.Options{}); err != nil || len(none) != 0 {
		t.Errorf("of no lines: %v, %v", none, err)
	}
	if took, err := r.MeasureLine(t.Context(), k, line.Options{}); err != nil || took.Compute <= 0 {
		t.Errorf("measured %v, %v", took, err)
	}
	if _, err := r.Recognize(k); err != errReadsLines {
		t.Errorf("a single drawing: %v", err)
	}
	if _, err := r.Measure(k, 1); err != errReadsLines {
		t.Errorf("timing a single drawing: %v", err)
	}
	if _, err := NewInside(nntest.Lines(), dev); err != errReadsLines {
		t.Errorf("looking into it: %v", err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ReadLines(t.Context(), []ink.Ink{k}, line.Options{}); err != errClosed {
		t.Errorf("closed: %v", err)
	}
}
