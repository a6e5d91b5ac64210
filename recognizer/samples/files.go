package samples

import (
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inkshade/recognizer/ink"
)

// ExportFile writes the samples that f chooses into a file of the format that its name stands for (writerFor), gzip'ed
// when it ends in .gz, or for a name without an ending into a folder of pictures (ExportFolder). The file takes its
// place when it is whole: on an error, and when ctx ends, what was there before stays.
func (s *Store) ExportFile(ctx context.Context, path string, f Filter, progress Progress) (n int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	write := writerFor(path)
	if write == nil {
		if filepath.Ext(path) != "" {
			return 0, fmt.Errorf("cannot export to %s: end its name in .jsonl, .inkml or .unipen, or name a folder for pictures", ink.Shown(path))
		}
		return s.ExportFolder(ctx, path, f, progress)
	}
	err = WriteWhole(path, func(file io.Writer) (err error) {
		var w io.Writer = &endable{ctx, file}
		end := ctx.Err
		if strings.HasSuffix(strings.ToLower(path), ".gz") {
			z := gzip.NewWriter(w)
			w, end = z, func() error { return errors.Join(z.Close(), ctx.Err()) }
		}
		if n, err = s.export(w, write, f, (*Sample).labelled); err != nil {
			return err
		}
		return end()
	})
	if err != nil {
		return 0, fmt.Errorf("cannot export to %s: %w", ink.Shown(path), ink.Cause(err))
	}
	return n, nil
}

// ImportFile imports what Find finds.
func (s *Store) ImportFile(ctx context.Context, path string, whose Whose, progress Progress) (Imported, error) {
	found, err := Find(ctx, path, progress)
	if err != nil {
		return Imported{}, err
	}
	return s.Import(ctx, found, whose, nil)
}

// Found is what was read of files and folders and is not stored.
type Found []candidate

// Find reads a folder of pictures, as findPictures does, or an ink file, JSON Lines, InkML or UNIPEN, plain or gzip'ed,
// told apart by its content. A file that cannot be read as a whole gives nothing. progress, which may be nil, is told how
// many of how many bytes or pictures are read. When ctx ends first, the error is that of ctx.
func Find(ctx context.Context, path string, progress Progress) (found Found, err error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
	case info.IsDir():
		found, err = findPictures(ctx, path, progress)
	default:
		found, err = findInk(ctx, path, int(info.Size()), progress)
	}
	if err == nil || ctx.Err() != nil {
		return found, cmp.Or(ctx.Err(), err)
	}
	return nil, fmt.Errorf("cannot import %s: %w", ink.Shown(path), ink.Cause(err))
}

func findInk(ctx context.Context, path string, size int, progress Progress) (Found, error) {
	var all []ink.Labelled
	var err error // of the reading, which may go on after this has returned
	stopped := ink.Await(ctx, nil, func() {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			defer f.Close()
			all, err = ink.Read(&observed{ctx: ctx, from: f, all: size, progress: progress})
		}
	})
	if stopped != nil {
		return nil, stopped
	}
	return candidatesOf(all, path), err
}

// Nothing tells whether none of it can be stored, whoever wrote it.
func (f Found) Nothing() bool {
	return !slices.ContainsFunc(f, func(c candidate) bool {
		c.sample.Writer, c.sample.Time = "", time.Now()
		return c.problem == nil && c.sample.check() == nil
	})
}

// Progress is told how much of a long import or export is done; nil stands for nobody. It is called from one goroutine
// at a time.
type Progress func(done, all int)

func (p Progress) tell(done, all int) {
	if p != nil {
		p(done, all)
	}
}

// observed is a reader that ends with ctx and tells how far it is.
type observed struct {
	ctx       context.Context
	from      io.Reader
	read, all int
	progress  Progress
}

func (o *observed) Read(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := o.from.Read(p)
	o.read += n
	o.progress.tell(o.read, o.all)
	return n, err
}

// endable is a writer that ends with ctx.
type endable struct {
	ctx context.Context
	to  io.Writer
}

func (e *endable) Write(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.to.Write(p)
}

// WriteWhole writes a file beside its place and moves it there when it is on disk.
func WriteWhole(path string, write func(io.Writer) error) error {
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
	return os.Chmod(path, 0o644)
}
