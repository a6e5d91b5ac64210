package recognizer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// A model from elsewhere, without metadata, is fed as a person or a file beside it says; where
// nobody does, and it answers well to nothing, it is not used.
func TestAModelThatDoesNotSayWhatItTakes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foreign.onnx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := &nn.Model{Network: nn.NewNetwork([]int{100, 4}, "relu", 1), Labels: []string{"a", "b", "c", "d"}}
	if err := onnx.Write(f, m); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadModel(path); err == nil || !strings.Contains(err.Error(), "foreign.onnx: it answers at most") {
		t.Errorf("nothing said: error %v", err)
	}
	m, trial, err := OpenModel(t.Context(), path, inputformat.Format{Scale: feature.Scale{Ink: 255}, Labels: []string{"w", "x", "y", "z"}})
	if err != nil || trial != nil || m.Preprocessing != "picture 10x10 0..1 resized" || m.Labels[0] != "w" {
		t.Errorf("said by a person: %+v, trial %+v, error %v", m, trial, err)
	}
	if err := os.WriteFile(strings.TrimSuffix(path, "onnx")+"json", []byte(`{"scale": "-1..1", "labels": "wxyz"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err := LoadModel(path); err != nil || m.Preprocessing != "picture 10x10 -1..1 resized" || m.Labels[3] != "z" {
		t.Errorf("said beside it: %+v, error %v", m, err)
	}
	if _, _, err := OpenModel(t.Context(), "characters-mlp", inputformat.Format{Inverted: true}); err == nil || !strings.Contains(err.Error(), "has no range of pixels") {
		t.Errorf("a model of features: error %v", err)
	}
}

func TestLoadModelTakesNoFolder(t *testing.T) {
	if _, err := LoadModel(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder; name an ONNX file") {
		t.Errorf("error %v", err)
	}
}
