package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestEntries(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "later")
	f := In(dir)
	if _, ok := f.Get("a"); ok {
		t.Error("an entry from nowhere")
	}
	f.Put("a", []byte("first"))
	f.Put("a", []byte("second"))
	f.Put("b", nil)
	if got, ok := In(dir).Get("a"); !ok || string(got) != "second" {
		t.Errorf("got %q, %t", got, ok)
	}
	if got, ok := f.Get("b"); !ok || len(got) != 0 {
		t.Errorf("an empty entry is %q, %t", got, ok)
	}
}

// Damaged, cut and foreign entries are as if absent, and can be written again.
func TestDamagedEntries(t *testing.T) {
	f := In(t.TempDir())
	whole := []byte("what was kept")
	for name, damage := range map[string]func([]byte) []byte{
		"changed": func(b []byte) []byte { b[len(b)-1]++; return b },
		"cut":     func(b []byte) []byte { return b[:len(b)-3] },
		"empty":   func([]byte) []byte { return nil },
		"foreign": func([]byte) []byte { return bytes.Repeat([]byte("{}"), 100) },
		"renamed": func([]byte) []byte {
			f.Put("other", whole)
			b, err := os.ReadFile(f.file("other"))
			if err != nil {
				t.Fatal(err)
			}
			return b
		},
	} {
		f.Put("key", whole)
		b, err := os.ReadFile(f.file("key"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.file("key"), damage(b), 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := f.Get("key"); ok {
			t.Errorf("%s: %q was taken", name, got)
		}
	}
	f.Put("key", whole)
	if got, ok := f.Get("key"); !ok || !bytes.Equal(got, whole) {
		t.Errorf("written again: %q, %t", got, ok)
	}
}

// Readers beside writers see whole entries only, and no half-written file stays.
func TestManyAtOnce(t *testing.T) {
	f := In(t.TempDir())
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 50 {
				f.Put("key", bytes.Repeat([]byte{byte(i)}, 10000))
				if got, ok := f.Get("key"); !ok || !bytes.Equal(got, bytes.Repeat(got[:1], 10000)) {
					t.Errorf("read %d bytes, %t", len(got), ok)
				}
			}
		})
	}
	all.Wait()
	if entries, err := os.ReadDir(f.path); err != nil || len(entries) != 2 { // with the mark
		t.Errorf("%d files, error %v", len(entries), err)
	}
}

func TestFolderStaysSmall(t *testing.T) {
	f := &Folder{path: t.TempDir(), size: 1000}
	for i := range 20 {
		f.Put(fmt.Sprint(i), make([]byte, 100))
	}
	f.prune()
	entries, err := os.ReadDir(f.path)
	if err != nil || len(entries) < 5 || len(entries) > 10 {
		t.Errorf("%d entries of 132 bytes within 1000, error %v", len(entries), err)
	}
}

// What is not ours stays, whatever its size, age and name; the cache moves into a folder of its own beside it.
func TestFilesOfOthersStay(t *testing.T) {
	fill := func(dir string, names ...string) {
		t.Helper()
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(dir, name), make([]byte, 600), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	hex := "00112233445566778899aabbccddeeff"
	pictures := t.TempDir()
	fill(pictures, "holiday.png", hex, "part-12", tag)
	link := filepath.Join(t.TempDir(), "inkshade")
	if err := os.Symlink(pictures, link); err != nil {
		t.Skip(err)
	}
	for _, at := range []string{pictures, link} {
		f := In(at)
		f.size = 1000
		for i := range 20 {
			f.Put(fmt.Sprint(i), make([]byte, 100))
		}
		f.prune()
		for _, name := range []string{"holiday.png", hex, "part-12", tag} {
			if b, err := os.ReadFile(filepath.Join(pictures, name)); err != nil || !bytes.Equal(b, make([]byte, 600)) {
				t.Errorf("%s: %s has %d bytes, %v", at, name, len(b), err)
			}
		}
		if entries, err := os.ReadDir(pictures); err != nil || len(entries) != 5 {
			t.Errorf("%d files beside the folder, %v", len(entries), err)
		}
		if _, ok := f.Get("19"); !ok {
			t.Error("nothing is kept")
		}
	}
	// In our own folder a file of another name came later.
	own := t.TempDir()
	f := &Folder{path: own, size: 1}
	f.Put("a", nil)
	fill(own, "letter.txt")
	f.prune()
	if _, err := os.Stat(filepath.Join(own, "letter.txt")); err != nil {
		t.Error(err)
	}
	if _, ok := f.Get("a"); ok {
		t.Error("the entry was kept beyond the size")
	}
	if !In(own).ours() {
		t.Error("the folder is not ours any more")
	}
}

// A folder of version 0.2, which has no mark, goes on.
func TestFolderWithoutMark(t *testing.T) {
	f := In(t.TempDir())
	f.Put("a", nil)
	if err := os.Remove(filepath.Join(f.path, tag)); err != nil {
		t.Fatal(err)
	}
	g := In(f.path)
	g.Put("b", nil)
	if _, ok := g.Get("a"); !ok || g.path != f.path || !g.ours() {
		t.Errorf("moved to %s", g.path)
	}
}

// Without a folder nothing is kept, and nothing fails.
func TestNoFolder(t *testing.T) {
	f := Named(off)
	f.Put("key", []byte("x"))
	if _, ok := f.Get("key"); ok {
		t.Error("something was kept nowhere")
	}
	path := t.TempDir()
	if f := Named(path); f.path != path {
		t.Errorf("the folder is %s", f.path)
	}
}
