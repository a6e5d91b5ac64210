package state

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer"
	"inkshade/recognizer/nn"
)

// Nobody knows the name under which a model is written before it is whole.
func TestAModelThatCannotBeSavedIsNamed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/proc is a folder where nothing can be written on Linux alone")
	}
	dir := t.TempDir()
	if err := os.Symlink("/proc", filepath.Join(dir, "models")); err != nil {
		t.Fatal(err)
	}
	l, err := OpenModels(dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.add("mine", nil)()
	if err == nil || !strings.HasPrefix(err.Error(), "cannot save the model mine: ") || strings.Contains(err.Error(), "import-") {
		t.Error(err)
	}
}

func TestImportedModels(t *testing.T) {
	dir := t.TempDir()
	l, err := OpenModels(dir)
	if err != nil {
		t.Fatal(err)
	}
	if names, err := l.Imported(); err != nil || names != nil {
		t.Errorf("an empty folder has %q, error %v", names, err)
	}
	m := &nn.Model{
		Network: nn.NewNetwork([]int{100, 2}, "relu", 1), Labels: []string{"a", "b"},
		Preprocessing: "picture 10x10 0..255 resized", Metadata: map[string]string{"author": "me"},
	}
	for _, name := range []string{"yours", "mine 2"} {
		if err := l.AddModel(name, m).Do(); err != nil {
			t.Fatal(err)
		}
	}
	for _, stray := range []string{"notes.txt", ".half.onnx", "digits-mlp.onnx"} {
		if err := os.WriteFile(filepath.Join(dir, "models", stray), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if names, err := l.Imported(); err != nil || !slices.Equal(names, []string{"mine 2", "yours"}) {
		t.Errorf("the library has %q, error %v", names, err)
	}
	again, err := recognizer.LoadModel(l.imported("mine 2"))
	if err != nil || !reflect.DeepEqual(again, m) {
		t.Errorf("kept was %+v, error %v", again, err)
	}
	if got, err := l.Resolve("digits-mlp"); got != "digits-mlp" || err != nil {
		t.Errorf("a shipped model is %s", got)
	}
	if err := l.AddModel("yours", m).Do(); err == nil || !strings.Contains(err.Error(), "called yours already; remove it") {
		t.Errorf("a name that is taken: error %v", err)
	}
	restore, err := l.remove("yours")()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.remove("yours")(); err == nil || !strings.Contains(err.Error(), "no model called yours was imported") {
		t.Errorf("removed twice: error %v", err)
	}
	if err := restore.Do(); err != nil {
		t.Error(err)
	}
	if names, _ := l.Imported(); !slices.Equal(names, []string{"mine 2", "yours"}) {
		t.Errorf("restored, the library has %q", names)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "models", ".*"))
	if len(left) != 1 {
		t.Errorf("left over are %q", left)
	}
	for _, name := range []string{"", ".", "..", "../x", `a\b`, "a/b", " a", "a@1", "a.onnx", "a\nb", strings.Repeat("a", 101)} {
		if err := l.AddModel(name, m).Do(); err == nil || !strings.Contains(err.Error(), "cannot be the name of a model") {
			t.Errorf("%q: error %v", name, err)
		}
	}
	for _, name := range []string{"digits-mlp", "Characters"} {
		if err := l.AddModel(name, m).Do(); err == nil || !strings.Contains(err.Error(), "ships with Inkshade") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
