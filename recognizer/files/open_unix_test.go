//go:build unix

package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
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

// What is no ordinary file is written into, also through a link, and stays what it is.
func TestAPipeIsWrittenInto(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	link := pipe + ".link"
	if err := errors.Join(unix.Mkfifo(pipe, 0o600), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	came := make(chan []byte)
	go func() {
		got, _ := os.ReadFile(pipe)
		came <- got
	}()
	if err := WriteShared(link, func(w io.Writer) error { _, err := io.WriteString(w, "ink"); return err }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(link); err != nil || info.Mode() != fs.ModeNamedPipe|0o600 {
		t.Fatalf("the pipe is %v (%v)", info, err)
	}
	if got := <-came; string(got) != "ink" {
		t.Errorf("the pipe gave %q", got)
	}
	if entries, _ := os.ReadDir(filepath.Dir(pipe)); len(entries) != 2 {
		t.Errorf("the folder holds %v", entries)
	}
}

// A link stays one, and what it leads to is replaced; one that leads nowhere is refused.
func TestLinksStay(t *testing.T) {
	dir := t.TempDir()
	file, link, nowhere := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "nowhere")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.Symlink("file", link), os.Symlink("none", nowhere)); err != nil {
		t.Fatal(err)
	}
	ink := func(w io.Writer) error { _, err := io.WriteString(w, "ink"); return err }
	if err := WriteWhole(link, ink); err != nil {
		t.Error(err)
	}
	if content, err := os.ReadFile(file); string(content) != "ink" {
		t.Errorf("the file holds %q, error %v", content, err)
	}
	if err := WriteWhole(nowhere, ink); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v of a link that leads nowhere", err)
	}
	for _, path := range []string{link, nowhere} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more, error %v", path, err)
		}
	}
}
