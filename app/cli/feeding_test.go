package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/nn/onnx"
)

// foreignModel is a file of the shipped perceptron of digits that says nothing about itself.
func foreignModel(t *testing.T) string {
	t.Helper()
	m, err := recognizer.LoadModel("digits-mlp")
	if err != nil {
		t.Fatal(err)
	}
	m.Preprocessing, m.Metadata = "", nil
	path := filepath.Join(t.TempDir(), "foreign.onnx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := onnx.Write(f, m); err != nil {
		t.Fatal(err)
	}
	return path
}

// What is found out about a model that does not say how it is fed is told; what a person says is
// taken as it is.
func TestFeedingAModelFromElsewhere(t *testing.T) {
	model, seven := foreignModel(t), picture(t, "seven.png", "7")
	recognize := func(flags ...string) outcome {
		return command(t, append([]string{"recognize", "--model", model, "--device", "cpu", seven}, flags...)...)
	}
	got := recognize()
	got.wantStatus(t, statusOK)
	if !strings.Contains(got.stdout, " 7 ") || !strings.Contains(got.stderr, "foreign.onnx does not say how it is fed; it expects pixels from 0 (paper) to 1 (ink): 358 of 360 sample characters right (--scale, ") {
		t.Errorf("it answers %q and says %q", got.stdout, got.stderr)
	}
	got = recognize("--scale", "0..1", "--labels", "small,1", "--labels", "2")
	if got.wantStatus(t, statusFailed); !strings.Contains(got.stderr, "each of its 10 classes, not 28") {
		t.Errorf("labels that do not fit: %q", got.stderr)
	}
	got = recognize("--scale", "0..1", "--labels", "a,b,c,d,e,f,g,h,i,j")
	if got.wantStatus(t, statusOK); !strings.Contains(got.stdout, " h ") || got.stderr != "" {
		t.Errorf("it answers %q and says %q", got.stdout, got.stderr)
	}
	got = recognize("--scale", "0..1", "--labels", "a,a,b,c,d,e,f,g,h,i")
	if got.wantStatus(t, statusFailed); !strings.Contains(got.stderr, `the label "a" is given twice`) {
		t.Errorf("a label given twice: %q", got.stderr)
	}
	got = recognize("--scale", "bright")
	if got.wantStatus(t, statusUsage); !strings.Contains(got.stderr, `"bright" is no scale of pixels; write it like 0..1`) {
		t.Errorf("a wrong scale: %q", got.stderr)
	}
}
