package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// WriteWhole writes a file beside its place and moves it there when it is on disk; a link stays, and leads to the new file.
func WriteWhole(path string, write func(io.Writer) error) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// WriteShared writes a file in one piece that everybody may read.
func WriteShared(path string, write func(io.Writer) error) error {
	if err := WriteWhole(path, write); err != nil {
		return err
	}
	return os.Chmod(path, 0o644) // through a link, too
}

// Writer is w until ctx ends, whose error it then fails with.
func Writer(ctx context.Context, w io.Writer) io.Writer {
	return writing(func(p []byte) (int, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		return w.Write(p)
	})
}

type writing func(p []byte) (int, error)

func (w writing) Write(p []byte) (int, error) { return w(p) }
