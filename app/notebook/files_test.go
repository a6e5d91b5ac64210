package notebook

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"inkshade/recognizer/samples"
)

func count(t *testing.T, n *Notebook) int {
	t.Helper()
	c, err := n.Store.Count(samples.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestExportedAndImportedAgain(t *testing.T) {
	from := open(t, t.TempDir())
	keep(t, from, drawing("a", 5))
	keep(t, from, drawing("b", -20))
	for _, name := range []string{"s.jsonl", "s.jsonl.gz", "s.inkml", "s.unipen", "pictures"} {
		path := filepath.Join(t.TempDir(), name)
		if n, err := from.Export(context.Background(), path, samples.Filter{}); err != nil || n != 2 {
			t.Fatalf("%s: exported %d: %v", name, n, err)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".inkshade*")); len(left) > 0 {
			t.Errorf("%s: left over: %v", name, left)
		}
		to := open(t, t.TempDir())
		told := int64(0)
		result, err := to.Import(context.Background(), path, func(read, all int64) { told = all })
		if err != nil || len(result.IDs) != 2 {
			t.Fatalf("%s: imported %+v: %v", name, result, err)
		}
		to.wants(t, 2, "a", "b")
		if name != "pictures" && told == 0 {
			t.Errorf("%s: no progress was told", name)
		}
	}
}

func TestCancelledImportChangesNothing(t *testing.T) {
	n := open(t, t.TempDir())
	keep(t, n, drawing("a", 5))
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "s.jsonl"), filepath.Join(dir, "pictures")
	for _, path := range []string{file, folder} {
		if _, err := n.Export(context.Background(), path, samples.Filter{}); err != nil {
			t.Fatal(err)
		}
		to := open(t, t.TempDir())
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := to.Import(ctx, path, nil); !errors.Is(err, ErrCancelled) || count(t, to) != 0 || to.Memory.Len() != 0 {
			t.Errorf("%s: %v, %d samples", path, err, count(t, to))
		}
		if _, err := n.Export(ctx, path, samples.Filter{Label: "none"}); !errors.Is(err, ErrCancelled) {
			t.Errorf("export to %s: %v", path, err)
		}
		if result, err := to.Import(context.Background(), path, nil); err != nil || len(result.IDs) != 1 {
			t.Errorf("%s after a cancelled export: %+v, %v", path, result, err)
		}
	}
}

func TestExportTakesNoFullFolder(t *testing.T) {
	n := open(t, t.TempDir())
	keep(t, n, drawing("a", 5))
	dir := filepath.Join(t.TempDir(), "pictures")
	if err := os.MkdirAll(filepath.Join(dir, "mine"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := n.Export(context.Background(), dir, samples.Filter{}); err == nil {
		t.Error("a folder with something in it was taken")
	}
	if _, err := os.Stat(filepath.Join(dir, "mine")); err != nil {
		t.Error(err)
	}
	if _, err := n.Import(context.Background(), filepath.Join(dir, "missing"), nil); err == nil {
		t.Error("a missing file was imported")
	}
}
