package state

import (
	"path/filepath"
	"slices"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

func opened(t *testing.T, dir string) *Collection {
	t.Helper()
	n, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return n
}

func drawing(label string, x float64) samples.Sample {
	return samples.Sample{Label: label, Ink: ink.Ink{{{X: 0, Y: 0}, {X: x, Y: 40}, {X: 3 * x, Y: 90}}}}
}

func keep(t *testing.T, n *Collection, s samples.Sample) samples.Sample {
	t.Helper()
	if err := n.Keep(&s).Do(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (n *Collection) wants(t *testing.T, count int, labels ...string) {
	t.Helper()
	if got := n.Memory.Labels(); n.Memory.Len() != count || !slices.Equal(got, labels) {
		t.Errorf("remembered: %d of %v, want %d of %v", n.Memory.Len(), got, count, labels)
	}
}

// A correction must stand against what was drawn alike before it, also after a restart.
func TestCorrectionStands(t *testing.T) {
	dir := t.TempDir()
	first, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		keep(t, first, drawing("a", 5))
	}
	correction := drawing("b", 5)
	correction.Correction = true
	keep(t, first, correction)
	image, err := ink.Rasterize(correction.Ink)
	if err != nil {
		t.Fatal(err)
	}
	again := func(n *Collection) {
		a := n.Memory.Adjust([]recognizer.Answer{{Image: image}}, []ink.Ink{correction.Ink}, nil)[0]
		if got := a.Candidates[0]; got.Label != "b" || got.Probability < 0.9 {
			t.Errorf("drawn again: %v", a.Candidates)
		}
	}
	again(first)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again(opened(t, dir))
}

func TestMemoryFollowsTheStore(t *testing.T) {
	dir := t.TempDir()
	n := opened(t, dir)
	a := keep(t, n, drawing("a", 5))
	b := keep(t, n, drawing("b", -30))
	if a.Session != n.Session || a.ID == 0 || a.Time.IsZero() {
		t.Errorf("kept: %+v", a)
	}
	n.wants(t, 2, "a", "b")

	restore, err := n.Delete(b.ID)()
	if err != nil {
		t.Fatal(err)
	}
	n.wants(t, 1, "a")
	if err := restore.Do(); err != nil {
		t.Fatal(err)
	}
	n.wants(t, 2, "a", "b")

	back, err := n.Relabel(map[int64]string{a.ID: "star", b.ID: "star"})()
	if err != nil {
		t.Fatal(err)
	}
	n.wants(t, 2, "star")
	if err := back.Do(); err != nil {
		t.Fatal(err)
	}
	n.wants(t, 2, "a", "b")

	if _, err := n.HoldOut(true, a.ID)(); err != nil {
		t.Fatal(err)
	}
	n.wants(t, 1, "b")
	if _, err := n.Relabel(map[int64]string{a.ID: "c"})(); err != nil {
		t.Fatal(err)
	}
	n.wants(t, 1, "b")
	undo, err := n.HoldOut(false, a.ID)()
	if err != nil {
		t.Fatal(err)
	}
	n.wants(t, 2, "b", "c")
	if err := undo.Do(); err != nil {
		t.Fatal(err)
	}
	n.wants(t, 1, "b")
	if _, err := n.HoldOut(false, a.ID)(); err != nil {
		t.Fatal(err)
	}
	n.wants(t, 2, "b", "c")

	if _, err := n.Keep(&samples.Sample{Label: "x"})(); err == nil {
		t.Error("an empty drawing was kept")
	}
	n.wants(t, 2, "b", "c")
	opened(t, dir).wants(t, 2, "b", "c")
}

func TestHeldOutAndCutOutSamplesAreNotRemembered(t *testing.T) {
	n := opened(t, t.TempDir())
	s := drawing("a", 5)
	s.Context = true
	keep(t, n, s)
	s = drawing("b", 5)
	s.HoldOut = true
	keep(t, n, s)
	n.wants(t, 0)
}

func TestFolderThatCannotBeMadeIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	n := opened(t, t.TempDir())
	keep(t, n, drawing("a", 5))
	if _, err := n.store.ExportFile(t.Context(), file+".jsonl", samples.Filter{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file + ".jsonl"); err == nil {
		t.Error("a file was taken for a folder")
	}
}
