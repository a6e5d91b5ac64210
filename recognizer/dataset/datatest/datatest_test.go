package datatest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSkipsAreCounted(t *testing.T) {
	log := filepath.Join(t.TempDir(), "skipped")
	t.Setenv("INKSHADE_DATA", "")
	t.Setenv(SkipLog, log)
	reached := false
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			Require(t, "mnist")
			reached = true
		})
	}
	if reached {
		t.Error("a test without its data went on")
	}
	got, err := os.ReadFile(log)
	if want := "TestSkipsAreCounted/first\nTestSkipsAreCounted/second\n"; err != nil || string(got) != want {
		t.Errorf("the log holds %q (%v), want %q", got, err, want)
	}
}

func TestRequireGivesThePath(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("INKSHADE_DATA", dir)
	if err := os.Mkdir(filepath.Join(dir, "mnist"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got, want := Require(t, "mnist"), filepath.Join(dir, "mnist"); got != want {
		t.Errorf("path %q, want %q", got, want)
	}
}

func TestDir(t *testing.T) {
	t.Setenv("INKSHADE_DATA", "/some/where")
	if got := dir(); got != "/some/where" {
		t.Errorf("it is %q", got)
	}
	os.Unsetenv("INKSHADE_DATA")
	root := t.TempDir()
	below, data := filepath.Join(root, "a", "b"), filepath.Join(root, "shared", "data")
	if err := os.MkdirAll(filepath.Join(below, "shared"), 0o755); err != nil {
		t.Fatal(err)
	}
	// A file of that name is no folder of data.
	if err := os.WriteFile(filepath.Join(below, "shared", "data"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(below)
	if got := dir(); strings.HasPrefix(got, root) { // at the latest the root of all folders ends the search
		t.Errorf("it is %q where there is none", got)
	}
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := dir(); got != data {
		t.Errorf("it is %q, want %q", got, data)
	}
}
