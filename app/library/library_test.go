package library

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/nn"
)

func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := l.Names(); err != nil || names != nil {
		t.Errorf("an empty library has %q, error %v", names, err)
	}
	m := &nn.Model{
		Network: nn.NewNetwork([]int{100, 2}, "relu", 1), Labels: []string{"a", "b"},
		Preprocessing: "picture 10x10 0..255 resized", Metadata: map[string]string{"author": "me"},
	}
	for _, name := range []string{"yours", "mine 2"} {
		if err := l.Add(name, m); err != nil {
			t.Fatal(err)
		}
	}
	for _, stray := range []string{"notes.txt", ".half.onnx", "digits-mlp.onnx"} {
		if err := os.WriteFile(filepath.Join(dir, "models", stray), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := l.Names(); err != nil || !slices.Equal(names, []string{"mine 2", "yours"}) {
		t.Errorf("the library has %q, error %v", names, err)
	}
	again, err := recognizer.LoadModel(l.Resolve("mine 2"))
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Errorf("kept was %+v, error %v", again, err)
	}
	if got := l.Resolve("digits-mlp"); got != "digits-mlp" {
		t.Errorf("a shipped model is %s", got)
	}
	if err := l.Add("yours", m); err == nil || !strings.Contains(err.Error(), "called yours already; remove it") {
		t.Errorf("a name that is taken: error %v", err)
	}
	restore, err := l.Remove("yours")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Remove("yours"); err == nil || !strings.Contains(err.Error(), "no model called yours was imported") {
		t.Errorf("removed twice: error %v", err)
	}
	if err := restore(); err != nil {
		t.Error(err)
	}
	if names, _ := l.Names(); !slices.Equal(names, []string{"mine 2", "yours"}) {
		t.Errorf("restored, the library has %q", names)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "models", ".*"))
	if len(left) != 1 {
		t.Errorf("left over are %q", left)
	}
	for _, name := range []string{"", ".", "..", "../x", `a\b`, "a/b", " a", "a@1", "a.onnx", "a\nb", strings.Repeat("a", 101)} {
		if err := l.Add(name, m); err == nil || !strings.Contains(err.Error(), "cannot be the name of a model") {
			t.Errorf("%q: error %v", name, err)
		}
	}
	if err := l.Add("digits-mlp", m); err == nil || !strings.Contains(err.Error(), "ships with Inkshade") {
		t.Errorf("the name of a shipped model: error %v", err)
	}
}
