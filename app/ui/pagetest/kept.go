package pagetest

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"inkshade/app/state"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// Filled makes a folder with so many samples of each label.
func Filled(t *testing.T, counts map[string]int) string {
	t.Helper()
	dir := t.TempDir()
	store, err := samples.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		for range counts[label] {
			i++
			x := float64(i)
			k := ink.Ink{{{X: 0, Y: x}, {X: 30 + x, Y: 50}, {X: 10, Y: 90 + x}}}
			s := samples.Sample{Label: label, Ink: k, Session: "s", Time: time.Unix(int64(1e9+i), 0)}
			if _, err := store.Add(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// SmallModel has the classes 1, 2 and last, and untaught weights.
func SmallModel(last string) *nn.Model {
	return &nn.Model{
		Network: nn.NewNetwork([]int{784, 4, 3}, "relu", 1), Labels: []string{"1", "2", last}, Preprocessing: nn.MNIST28,
	}
}

// Drawn stores so many drawings of 1, 2 and 3 in a folder.
func Drawn(t *testing.T, dir string, count int) {
	t.Helper()
	book, err := state.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for i := range count {
		k := ink.Ink{{{X: 0, Y: 0}, {X: float64(10 + i), Y: 40}, {X: 30, Y: 90}}}
		if err := book.Keep(&samples.Sample{Label: string(rune('1' + i%3)), Ink: k}).Do(); err != nil {
			t.Fatal(err)
		}
	}
}

// ModelFile writes a small model that says that it is fed so; "" for one that does not say it.
func ModelFile(t *testing.T, name, preprocessing string) string {
	t.Helper()
	m := SmallModel("7")
	m.Preprocessing = preprocessing
	path := filepath.Join(t.TempDir(), name)
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := onnx.Write(f, m); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
