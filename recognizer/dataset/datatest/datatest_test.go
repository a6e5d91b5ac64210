package datatest

import (
	"os"
	"path/filepath"
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
