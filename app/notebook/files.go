package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"inkshade/recognizer/samples"
)

// ErrCancelled is returned when an import or export was given up on request. It changed nothing.
var ErrCancelled = errors.New("cancelled, nothing was changed")

// Import reads an ink file or a folder of pictures (see samples.Store.ImportFile) and
// remembers its samples. progress, which may be nil, receives bytes read and bytes in all
// while a file is read; it is called from this goroutine. When ctx is cancelled, what was
// added is deleted again.
func (n *Notebook) Import(ctx context.Context, path string, progress func(read, all int64)) (samples.Imported, error) {
	result, err := n.read(ctx, path, progress)
	if ctx.Err() != nil {
		if len(result.IDs) > 0 {
			if _, err := n.Store.Delete(result.IDs...); err != nil {
				return result, err
			}
		}
		return samples.Imported{}, ErrCancelled
	}
	if err != nil {
		return result, err
	}
	return result, n.Reload()
}

func (n *Notebook) read(ctx context.Context, path string, progress func(read, all int64)) (samples.Imported, error) {
	info, err := os.Stat(path)
	if err != nil {
		return samples.Imported{}, fmt.Errorf("cannot import: %w", err)
	}
	if info.IsDir() {
		return n.Store.ImportFolder(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return samples.Imported{}, fmt.Errorf("cannot import: %w", err)
	}
	defer f.Close()
	result, err := n.Store.Import(&observed{ctx: ctx, from: f, all: info.Size(), progress: progress})
	if err != nil {
		err = fmt.Errorf("%s: %w", filepath.Base(path), err)
	}
	return result, err
}

// observed is a reader that can be cancelled and tells how far it is.
type observed struct {
	ctx       context.Context
	from      io.Reader
	read, all int64
	progress  func(read, all int64)
}

func (o *observed) Read(p []byte) (int, error) {
	if err := o.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := o.from.Read(p)
	o.read += int64(n)
	if o.progress != nil {
		o.progress(o.read, o.all)
	}
	return n, err
}

// Export writes the samples that f chooses to a file of the format that its name stands for,
// or for a name without an ending as pictures into a folder that must not exist, or be empty
// (see samples.Store.ExportFile). What was there before stays until the export is whole.
func (n *Notebook) Export(ctx context.Context, path string, f samples.Filter) (count int, err error) {
	scratch, err := os.MkdirTemp(filepath.Dir(path), ".inkshade-export-")
	if err != nil {
		return 0, fmt.Errorf("cannot export to %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	fresh := filepath.Join(scratch, filepath.Base(path))
	if count, err = n.Store.ExportFile(fresh, f); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, ErrCancelled
	}
	if filepath.Ext(path) == "" {
		// Rename replaces no folder; Remove removes only an empty one.
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return 0, fmt.Errorf("%s holds something already: choose a new or empty folder", path)
		}
	}
	if err := os.Rename(fresh, path); err != nil {
		return 0, fmt.Errorf("cannot export to %s: %w", path, err)
	}
	return count, nil
}
