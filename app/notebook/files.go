package notebook

import (
	"context"
	"errors"

	"inkshade/recognizer/samples"
)

// ErrCancelled is returned when an import or export was given up on request. It changed nothing.
var ErrCancelled = errors.New("cancelled, nothing was changed")

// Import stores what was found (see samples.Store.Import) and remembers it. When ctx is cancelled, nothing is added.
func (n *Notebook) Import(ctx context.Context, found samples.Found, whose samples.Whose, progress samples.Progress) (samples.Imported, error) {
	result, err := n.Store.Import(ctx, found, whose, progress)
	if err == nil {
		n.mu.Lock()
		err = n.reload(ctx)
		n.mu.Unlock()
	}
	if ctx.Err() == nil {
		return result, err
	}
	if len(result.IDs) > 0 {
		if _, err := n.Delete(result.IDs...); err != nil {
			return result, err
		}
	}
	return samples.Imported{}, ErrCancelled
}

// Export writes the samples that f chooses to a file of the format that its name stands for,
// or for a name without an ending as pictures into a folder that must not exist, or be empty
// (see samples.Store.ExportFile). What was there before stays until the export is whole.
func (n *Notebook) Export(ctx context.Context, path string, f samples.Filter, progress samples.Progress) (count int, err error) {
	count, err = n.Store.ExportFile(ctx, path, f, progress)
	if ctx.Err() != nil {
		return 0, ErrCancelled
	}
	return count, err
}
