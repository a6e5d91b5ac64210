//go:build unix

package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func init() {
	children["open with few files"] = func(dir string) error {
		r, w, err := os.Pipe() // the runtime takes files of its own with the first
		if err != nil {
			return err
		}
		defer r.Close()
		defer w.Close()
		for most := uint64(8); most < 40; most++ {
			if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: most, Max: 1000}); err != nil {
				return err
			}
			s, err := Open(dir)
			if err == nil {
				_, err = s.Add(sampleOf("1", 1))
				s.Close()
			}
			if err != nil && (strings.Contains(err.Error(), "permission") || !strings.Contains(err.Error(), "too many")) {
				return fmt.Errorf("with %d files: %w", most, err)
			}
		}
		return nil
	}
}

func TestFewFilesAreNoMissingPermission(t *testing.T) {
	dir := t.TempDir()
	fillStore(t, dir, 5)
	if out, err := child(t, "open with few files", dir).Output(); err != nil {
		t.Error(err, string(out))
	}
}

func TestAFolderInPlaceOfTheDatabase(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, databaseName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), databaseName+" is not a database of Inkshade: move it away") {
		t.Error(err)
	}
}

// Nobody knows the names under which an export is written before it is whole.
func TestFailedExportsNameWhatWasAskedFor(t *testing.T) {
	s := openTemp(t)
	must(s.Add(sampleOf("1", 1)))(t)
	dir := t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{full, filepath.Join(dir, "none", "a.jsonl"), "/proc/pictures", "/proc/a.jsonl"} {
		_, err := s.ExportFile(t.Context(), path, Filter{}, nil)
		if err == nil || !strings.HasPrefix(err.Error(), "cannot export to "+path+": ") || strings.Count(err.Error(), "/") != strings.Count(path, "/") || strings.Contains(err.Error(), "inkshade-export") {
			t.Errorf("%s: %v", path, err)
		}
	}
}
