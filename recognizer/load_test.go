package recognizer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// TestAModelThatDoesNotSayWhatItTakes is one from elsewhere, without metadata.
func TestAModelThatDoesNotSayWhatItTakes(t *testing.T) {
	for width, want := range map[int][]string{
		784: nil,
		100: {"takes 100 values", `lacks the metadata key "preprocessing"`, "set it", "mnist28 (784 values), gradient512 (512 values)"},
	} {
		path := filepath.Join(t.TempDir(), "foreign.onnx")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m := &nn.Model{Network: nn.NewNetwork([]int{width, 2}, "relu", 1), Labels: []string{"a", "b"}}
		if err := onnx.Write(f, m); err != nil {
			t.Fatal(err)
		}
		_, err = LoadModel(path)
		if (err == nil) != (want == nil) {
			t.Fatalf("%d values: error %v", width, err)
		}
		for _, w := range want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%d values: the error %q lacks %q", width, err, w)
			}
		}
	}
}

func TestLoadModelTakesNoFolder(t *testing.T) {
	if _, err := LoadModel(t.TempDir()); err == nil || !strings.Contains(err.Error(), "is a folder; name an ONNX file") {
		t.Errorf("error %v", err)
	}
}
