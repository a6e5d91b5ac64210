// Package checktest helps to test what devices write to standard error.
package checktest

import (
	"os"
	"path/filepath"
	"testing"
)

// Said gives what f writes to standard error.
func Said(t *testing.T, f func()) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stderr")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stderr
	defer func() {
		os.Stderr = old
		file.Close()
	}()
	os.Stderr = file
	f()
	said, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}
