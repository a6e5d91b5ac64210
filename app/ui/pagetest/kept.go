package pagetest

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Filled makes a folder with so many samples of each label.
func Filled(t *testing.T, counts map[string]int) (dir string) {
	t.Helper()
	var labels []string
	for _, label := range slices.Sorted(maps.Keys(counts)) {
		labels = append(labels, slices.Repeat([]string{label}, counts[label])...)
	}
	dir = t.TempDir()
	keep(t, dir, labels)
	return dir
}

// Drawn stores so many drawings of 1, 2 and 3 in a folder, in turns.
func Drawn(t *testing.T, dir string, count int) {
	t.Helper()
	keep(t, dir, slices.Repeat([]string{"1", "2", "3"}, count/3+1)[:count])
}

func keep(t *testing.T, dir string, labels []string) {
	t.Helper()
	store, err := samples.Open(dir)
	must(t, err)
	for i, label := range labels {
		x := float64(i + 1)
		k := ink.Ink{{{X: 0, Y: x}, {X: 30 + x, Y: 50}, {X: 10, Y: 90 + x}}}
		_, err := store.Add(samples.Sample{Label: label, Ink: k, Session: "s", Time: time.Unix(int64(1e9+x), 0)})
		must(t, err)
	}
	must(t, store.Close())
}

// SmallModel has the classes 1, 2 and last, and untaught weights.
func SmallModel(last string) *nn.Model {
	return &nn.Model{
		Network: nn.NewNetwork([]int{784, 4, 3}, "relu", 1), Labels: []string{"1", "2", last}, Preprocessing: nn.MNIST28,
	}
}

// ModelFile writes a small model that says that it is fed so; "" for one that does not say it.
func ModelFile(t *testing.T, name, preprocessing string) string {
	t.Helper()
	m, path := SmallModel("7"), filepath.Join(t.TempDir(), name)
	m.Preprocessing = preprocessing
	var file bytes.Buffer
	must(t, onnx.Write(&file, m))
	must(t, os.WriteFile(path, file.Bytes(), 0o600))
	return path
}
