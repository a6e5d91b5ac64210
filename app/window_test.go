package main

import (
	"os"
	"path/filepath"
	"testing"

	"inkshade"
	"inkshade/app/library"
	"inkshade/recognizer"
	"inkshade/recognizer/nn"
)

func TestUnreadableSettingsAreDropped(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	config, err := os.UserConfigDir()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(config, "fyne", inkshade.About().ID, "preferences.json")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	for content, kept := range map[string]bool{"": false, `{"mode`: false, `{"model":"digits-mlp"}`: true} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		dropUnreadable()
		if _, err := os.Stat(path); (err == nil) != kept {
			t.Errorf("%q: %v", content, err)
		}
	}
	dropUnreadable() // also where there are none
}

// The models of the window are the shipped ones and those that were imported.
func TestImportedModelsCanBeChosen(t *testing.T) {
	dir := t.TempDir()
	if _, paths := imported(dir); len(paths) != 0 {
		t.Errorf("without any there are %q", paths)
	}
	l, err := library.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := &nn.Model{Network: nn.NewNetwork([]int{784, 2}, "relu", 1), Labels: []string{"a", "b"}, Preprocessing: nn.MNIST28}
	if err := l.Add("mine", m); err != nil {
		t.Fatal(err)
	}
	_, paths := imported(dir)
	if len(paths) != 1 {
		t.Fatalf("there are %q", paths)
	}
	if again, err := recognizer.LoadModel(paths[0]); err != nil || again.Labels[1] != "b" {
		t.Errorf("%+v, error %v", again, err)
	}
}
