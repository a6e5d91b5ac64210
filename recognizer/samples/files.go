package samples

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"inkshade/recognizer/ink"
)

// ExportFile writes the samples that f chooses into a file of the format that its name stands for (writerFor), gzip'ed
// when it ends in .gz, or for a name without an ending into a folder of pictures (ExportFolder). The file takes its
// place when it is whole: on an error, and when ctx ends, what was there before stays.
func (s *Store) ExportFile(ctx context.Context, path string, f Filter, progress Progress) (n int, err error) {
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

// ImportFile imports a folder of pictures, as ImportFolder does, or an ink file, JSON Lines, InkML or UNIPEN, plain or
// gzip'ed, told apart by its content, and stores its samples, all in one transaction. A file that cannot be read as a whole
// changes nothing; a single sample without label or ink is skipped, and one that the store has already, with the same ink
// and label, and time where the file states it, is not added again. Samples of other programs get a session of
// their own, and the time of the import; whose says who wrote them. progress, which may be nil, is told how many of how many
// bytes or pictures are read. When ctx ends first, nothing is changed, and the error is that of ctx.
func (s *Store) ImportFile(ctx context.Context, path string, whose Whose, progress Progress) (Imported, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Imported{}, fmt.Errorf("cannot import: %w", err)
	}
	if info.IsDir() {
		return s.ImportFolder(ctx, path, whose, progress)
	}
	var all []ink.Labelled
	stopped := ink.Await(ctx, nil, func() {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			defer f.Close()
			all, err = ink.Read(&observed{ctx: ctx, from: f, all: int(info.Size()), progress: progress})
		}
	})
	if stopped != nil {
		return Imported{}, stopped
	}
	if err != nil {
		return Imported{}, fmt.Errorf("cannot import %s: %w", ink.Shown(filepath.Base(path)), err)
	}
	return s.importInk(ctx, all, whose.writer(path))
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
