//go:build unix

package cache

import (
	"syscall"
	"testing"
)

// Nobody writes to a pipe that lies in the folder, so whoever reads it waits for ever.
func TestPipeIsNoEntry(t *testing.T) {
	f := In(t.TempDir())
	if err := syscall.Mkfifo(f.file("key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, ok := f.Get("key"); ok {
		t.Errorf("got %q", got)
	}
	f.Put("key", []byte("new"))
	if got, ok := f.Get("key"); !ok || string(got) != "new" {
		t.Errorf("got %q, %t", got, ok)
	}
}
