//go:build unix

package files

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestOpenReadsFilesAlone(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, path := range []string{dir, pipe, "/dev/null"} {
		if f, err := Open(path); err == nil || !strings.Contains(err.Error(), "no file but a folder, a pipe or a device") {
			t.Errorf("%s: %v, %v", path, f, err)
		}
	}
	if _, err := Open(filepath.Join(dir, "none")); !Absent(err) {
		t.Errorf("nothing: %v", err)
	}
	if f, err := Open("open_unix_test.go"); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
}
