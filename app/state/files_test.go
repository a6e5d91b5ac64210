package state

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"inkshade/recognizer/samples"
)

func count(t *testing.T, n *Collection) int {
	t.Helper()
	all, err := n.store.List(samples.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

func (n *Collection) imports(ctx context.Context, path string, whose samples.Whose, progress samples.Progress) (samples.Imported, error) {
	found, err := samples.Find(ctx, path, progress)
	if err != nil {
		return samples.Imported{}, err
	}
	stored := 0
	result, err := n.Import(ctx, found, whose, func(_, all int) { stored = all })
	if err == nil && stored != len(found) {
		err = fmt.Errorf("it told of %d of %d samples that it stored", stored, len(found))
	}
	return result, err
}

// cancelled tells whether reading or storing was.
func cancelled(err error) bool { return errors.Is(err, context.Canceled) }

func TestExportedAndImportedAgain(t *testing.T) {
	from := opened(t, t.TempDir())
	keep(t, from, drawing("a", 5))
	keep(t, from, drawing("b", -20))
	for _, name := range []string{"s.jsonl", "s.jsonl.gz", "s.inkml", "s.unipen", "pictures"} {
		path := filepath.Join(t.TempDir(), name)
		if n, err := from.store.ExportFile(context.Background(), path, samples.Filter{}, nil); err != nil || n != 2 {
			t.Fatalf("%s: exported %d: %v", name, n, err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".inkshade*")); len(left) > 0 {
			t.Errorf("%s: left over: %v", name, left)
		}
		to := opened(t, t.TempDir())
		told := 0
		result, err := to.imports(context.Background(), path, samples.Stated, func(_, all int) { told = all })
		if err != nil || len(result.IDs) != 2 {
			t.Fatalf("%s: imported %+v: %v", name, result, err)
		}
		to.wants(t, 2, "a", "b")
		if told == 0 {
			t.Errorf("%s: no progress was told", name)
		}
	}
}

func TestCancelledImportChangesNothing(t *testing.T) {
	n := opened(t, t.TempDir())
	keep(t, n, drawing("a", 5))
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "pictures")
	for _, path := range []string{file, folder} {
		if _, err := n.store.ExportFile(context.Background(), path, samples.Filter{}, nil); err != nil {
			t.Fatal(err)
		}
		to := opened(t, t.TempDir())
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := to.imports(ctx, path, samples.Stated, nil); !cancelled(err) || count(t, to) != 0 || to.Memory.Len() != 0 {
			t.Errorf("%s: %v, %d samples", path, err, count(t, to))
		}
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []samples.Filter{{}, {Label: "none"}} {
			if _, err := n.store.ExportFile(ctx, path, f, nil); !cancelled(err) {
				t.Errorf("export to %s: %v", path, err)
			}
		}
		if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s after a cancelled export: %v", path, err)
		}
		late, end := context.WithCancel(context.Background())
		if _, err := to.imports(late, path, samples.Stated, func(int, int) { end() }); !cancelled(err) || count(t, to) != 0 || to.Memory.Len() != 0 {
			t.Errorf("%s, cancelled while it was read: %v, %d samples", path, err, count(t, to))
		}
		if result, err := to.imports(context.Background(), path, samples.Stated, nil); err != nil || len(result.IDs) != 1 {
			t.Errorf("%s after a cancelled export: %+v, %v", path, result, err)
		}
	}
}

// ending is a context that ends when it has been asked so many times.
type ending struct {
	context.Context
	left atomic.Int64
}

func (e *ending) Err() error {
	if e.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever an import is cancelled, nothing is left of it.
func TestImportIsCancelledAnywhere(t *testing.T) {
	from := opened(t, t.TempDir())
	for i := range 5 {
		keep(t, from, drawing("a", float64(9*i)))
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if _, err := from.store.ExportFile(t.Context(), path, samples.Filter{}, nil); err != nil {
		t.Fatal(err)
	}
	n := opened(t, t.TempDir())
	keep(t, n, drawing("b", -20))
	for asked := range int64(1000) {
		ctx := &ending{Context: t.Context()}
		ctx.left.Store(asked)
		result, err := n.imports(ctx, path, samples.Stated, nil)
		if err == nil {
			if len(result.IDs) != 5 || asked < 10 {
				t.Errorf("%d samples, after the context was asked %d times", len(result.IDs), asked)
			}
			n.wants(t, 6, "a", "b")
			return
		}
		if !cancelled(err) {
			t.Fatal(err)
		}
		n.wants(t, 1, "b")
		if stored := count(t, n); stored != 1 {
			t.Fatalf("%d samples are stored after a cancelled import", stored)
		}
	}
	t.Error("every import was cancelled")
}

func TestExportTakesNoFullFolder(t *testing.T) {
	n := opened(t, t.TempDir())
	keep(t, n, drawing("a", 5))
	dir := filepath.Join(t.TempDir(), "pictures")
	if err := os.MkdirAll(filepath.Join(dir, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := n.store.ExportFile(context.Background(), dir, samples.Filter{}, nil); err == nil {
		t.Error("a folder with something in it was taken")
	}
	if _, err := os.Stat(filepath.Join(dir, "mine")); err != nil {
		t.Error(err)
	}
	if _, err := n.imports(context.Background(), filepath.Join(dir, "missing"), samples.Stated, nil); err == nil {
		t.Error("a missing file was imported")
	}
}
