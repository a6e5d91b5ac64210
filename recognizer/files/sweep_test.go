package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// What a kill has left of writing a file goes when that is written again; other files stay.
func TestWhatAKillLeftIsSwept(t *testing.T) {
	dir := t.TempDir()
	old := time.Now().Add(-2 * time.Hour)
	for name, at := range map[string]time.Time{".inkshade-a.txt-123": old, ".inkshade-a.txt-9": time.Now(), ".inkshade-b.txt-123": old, ".inkshade-a.txt-x": old, "a.txt-123": old} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteWhole(filepath.Join(dir, "a.txt"), func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{".inkshade-a.txt-9", ".inkshade-a.txt-x", ".inkshade-b.txt-123", "a.txt", "a.txt-123"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("there are %q, want %q: %v", names, want, err)
	}
}
