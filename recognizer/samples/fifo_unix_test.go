//go:build unix

package samples

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe that nobody writes to, among pictures, is passed over with a sentence.
func TestPipeAmongPictures(t *testing.T) {
	dir := t.TempDir()
	writePicture(t, filepath.Join(dir, "bar", "1.png"), paint(shapes["bar"], 100, 100, 3))
	if err := unix.Mkfifo(filepath.Join(dir, "bar", "2.png"), 0o600); err != nil {
		t.Skip(err)
	}
	s := must(Open(t.TempDir()))(t)
	defer s.Close()
	result := must(s.ImportFile(context.Background(), dir, Mine, nil))(t)
	if len(result.IDs) != 1 || len(result.Skipped) != 1 || !strings.Contains(result.Skipped[0].Error(), "2.png: this is no file but") {
		t.Errorf("imported %+v", result)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
}
