// Package collection keeps sets of samples apart: a person's runes, a class at school. Each is a folder with a store of
// samples, its trained and imported models, and what was chosen for it. The data folder itself is the first.
package collection

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inkshade/app/library"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/samples"
)

// First is the name of the collection that the data folder itself is. It is always there, and keeps its name.
const First = "My handwriting"

// Folder is a data folder with its collections.
type Folder struct {
	dir string
	// Recovered, where it is set, is told of a damaged store that was moved aside.
	Recovered func(samples.Recovery)
}

// Open gives the collections of a data folder; see samples.Dir. It makes nothing.
func Open(dataDir string) (Folder, error) {
	dir, err := samples.Dir(dataDir)
	return Folder{dir: dir}, err
}

// others is the folder of all collections but the first.
func (f Folder) others() string { return filepath.Join(f.dir, "collections") }

// Names lists the collections, the first one first, the others sorted.
func (f Folder) Names() ([]string, error) {
	names := []string{First}
	entries, err := os.ReadDir(f.others())
	if err != nil && !samples.Absent(err) {
		return names, fmt.Errorf("cannot list the collections: %w; choose another folder with --data-dir or allow it", err)
	}
	for _, e := range entries {
		if e.IsDir() && check(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Find gives the name of a collection as it is written, which is in upper or lower case, and its folder. An empty name
// is that of the first.
func (f Folder) Find(name string) (found, dir string, err error) {
	if name == "" || strings.EqualFold(name, First) {
		return First, f.dir, nil
	}
	names, err := f.Names()
	if err != nil {
		return "", "", err
	}
	i := slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(n, name) })
	if i < 0 {
		return "", "", fmt.Errorf("there is no collection called %s; there are %s", ink.Shown(name), strings.Join(names, ", "))
	}
	return names[i], filepath.Join(f.others(), names[i]), nil
}

// check reports a name that no collection but the first can have.
func check(name string) error {
	switch {
	case name == "":
		return errors.New("a collection needs a name")
	case !library.PlainName(name):
		return fmt.Errorf("use a short name of letters, digits, spaces, - and _; %s cannot be the name of a collection", ink.Shown(name))
	}
	return nil
}

// free gives the folder of a name that no collection has yet.
func (f Folder) free(name string) (dir string, err error) {
	if err := check(name); err != nil {
		return "", err
	}
	if there, _, err := f.Find(name); err == nil {
		return "", fmt.Errorf("there is a collection called %s already; choose another name", there)
	}
	return filepath.Join(f.others(), name), nil
}

// Check reports a name that a new collection cannot have.
func (f Folder) Check(name string) error {
	_, err := f.free(name)
	return err
}

// Make makes an empty collection.
func (f Folder) Make(name string) error {
	dir, err := f.free(name)
	if err != nil {
		return err
	}
	return samples.MakeDir(dir)
}

// change gives a collection that can be renamed or removed: any but the first, which nobody has open.
func (f Folder) change(name string) (dir string, err error) {
	found, dir, err := f.Find(name)
	if err != nil {
		return "", err
	}
	if found == First {
		return "", fmt.Errorf("%s is the first collection, which stays as it is", First)
	}
	if err := samples.Unused(dir); err != nil {
		return "", fmt.Errorf("the collection %s is open: %w; close it first", found, err)
	}
	return dir, nil
}

// Rename gives a collection another name; the history of its imported models goes with it.
func (f Folder) Rename(from, to string) error {
	old, err := f.change(from)
	if err != nil {
		return err
	}
	dir, err := f.free(to)
	if err != nil {
		return err
	}
	if err := os.Rename(old, dir); err != nil {
		return fmt.Errorf("cannot rename the collection: %w", ink.Cause(err))
	}
	if err := f.rebase(old, dir); err != nil {
		return errors.Join(err, os.Rename(dir, old))
	}
	return nil
}

// rebase leads the history of models that were imported in one folder to the same models in another.
func (f Folder) rebase(from, to string) error {
	return f.with(to, func(store *samples.Store) error {
		if store == nil {
			return nil
		}
		history, err := store.Models("")
		for _, m := range history {
			if rest, err2 := filepath.Rel(from, m.Base); filepath.IsAbs(m.Base) && err2 == nil && filepath.IsLocal(rest) {
				err = errors.Join(err, store.RenameBase(m.Base, filepath.Join(to, rest)))
			}
		}
		return err
	})
}

// Remove removes a collection with all that is in it, for good.
func (f Folder) Remove(name string) error {
	dir, err := f.change(name)
	if err != nil {
		return err
	}
	f.sweep()
	scratch, err := os.MkdirTemp(f.others(), ".removed-")
	if err == nil {
		err = errors.Join(os.Rename(dir, filepath.Join(scratch, "it")), os.RemoveAll(scratch))
	}
	if err != nil {
		return fmt.Errorf("cannot remove the collection: %w", ink.Cause(err))
	}
	return nil
}

// sweep removes what a kill has left of removing and importing.
func (f Folder) sweep() {
	const old = time.Hour // nothing takes so long
	left, _ := filepath.Glob(filepath.Join(f.others(), ".*-*"))
	for _, dir := range left {
		if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > old {
			_ = os.RemoveAll(dir)
		}
	}
}

// with does something with the store in a folder; it is nil where nothing was ever saved.
func (f Folder) with(dir string, do func(*samples.Store) error) error {
	if _, err := os.Stat(filepath.Join(dir, "samples.db")); samples.Absent(err) {
		return do(nil)
	}
	store, err := samples.Open(dir)
	if err != nil {
		return err
	}
	if store.Recovered().Path != "" && f.Recovered != nil {
		f.Recovered(store.Recovered())
	}
	return cmp.Or(do(store), store.Close())
}

// Contents counts what a collection holds.
type Contents struct {
	Samples  int `json:"samples"`
	Labels   int `json:"labels"`          // different ones, of the samples
	Trained  int `json:"trained_models"`  // on the samples
	Imported int `json:"imported_models"` // from elsewhere
}

// Contents counts what a collection holds.
func (f Folder) Contents(name string) (c Contents, err error) {
	_, dir, err := f.Find(name)
	if err != nil {
		return c, err
	}
	err = f.with(dir, func(store *samples.Store) (err error) {
		c, err = contents(store, dir)
		return err
	})
	return c, err
}

func contents(store *samples.Store, dir string) (c Contents, err error) {
	models, err := library.Open(dir)
	if err != nil {
		return c, err
	}
	names, err := models.Names()
	c.Imported = len(names)
	if err != nil || store == nil {
		return c, err
	}
	classes, err := store.Classes()
	for _, class := range classes {
		c.Samples += class.Samples
	}
	history, err2 := store.Models("")
	c.Labels, c.Trained = len(classes), len(history)
	return c, cmp.Or(err, err2)
}

// choicesName is the file of what was chosen for a collection.
const choicesName = "collection.json"

// Choices reads what was chosen for a collection, by the caller's keys; nil where nothing was, or it cannot be read.
func (f Folder) Choices(name string) map[string]string {
	_, dir, err := f.Find(name)
	if err != nil {
		return nil
	}
	return choices(dir)
}

func choices(dir string) (chosen map[string]string) {
	if data, err := os.ReadFile(filepath.Join(dir, choicesName)); err == nil {
		_ = json.Unmarshal(data, &chosen)
	}
	return chosen
}

// Choose writes what was chosen for a collection.
func (f Folder) Choose(name string, chosen map[string]string) error {
	_, dir, err := f.Find(name)
	if err != nil {
		return err
	}
	return choose(dir, chosen)
}

func choose(dir string, chosen map[string]string) error {
	if err := samples.MakeDir(dir); err != nil {
		return err
	}
	return samples.WriteWhole(filepath.Join(dir, choicesName), func(w io.Writer) error { return json.NewEncoder(w).Encode(chosen) })
}
