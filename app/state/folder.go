package state

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/files"
	"inkshade/recognizer/samples"
)

// First is the name of the collection that the data folder itself is. It is always there, and keeps its name.
const First = "My handwriting"

// firstElsewhere are the names that windows in other languages show for First.
var firstElsewhere = []string{"Meine Handschrift", "Mi letra", "Mon écriture", "自分の筆跡", "我的笔迹"}

// Folder is a data folder with its collections: a person's runes, a class at school. Each is a folder with a store of samples,
// its trained and imported models, and what was chosen for it. The data folder itself is the first.
type Folder struct {
	dir string
	// Recovered, where it is set, is told of a damaged store that was moved aside.
	Recovered func(samples.Recovery)
	// Devices, where it is set, opens those that collections learn on; see Learner.
	Devices func(glcompute.DeviceKind) glcompute.Device
	// Who, where it is set, names who writes; see Collection.
	Who func() string
}

// OpenFolder gives the collections of a data folder; see samples.Dir. It makes nothing.
func OpenFolder(dataDir string) (Folder, error) {
	dir, err := samples.Dir(dataDir)
	return Folder{dir: dir}, err
}

// others is the folder of all collections but the first.
func (f Folder) others() string { return filepath.Join(f.dir, "collections") }

// Names lists the collections, the first one first, the others sorted.
func (f Folder) Names() ([]string, error) {
	names := []string{First}
	entries, err := os.ReadDir(f.others())
	if err != nil && !files.Absent(err) {
		return names, message.Errorf("cannot list the collections: %w; choose another folder with --data-dir or allow it", err)
	}
	for _, e := range entries {
		if e.IsDir() && checkName(e.Name()) == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Find gives the name of a collection as it is written, in upper or lower case, with accents of their own or not, and its folder. An empty name
// is that of the first, and so is what a window in another language calls it.
func (f Folder) Find(name string) (found, dir string, err error) {
	if name == "" || strings.EqualFold(name, First) {
		return First, f.dir, nil
	}
	names, err := f.Names()
	if err != nil {
		return "", "", err
	}
	called := func(n string) bool { return strings.EqualFold(norm.NFC.String(n), norm.NFC.String(name)) }
	i := slices.IndexFunc(names, called) // earlier versions have let another have the name of the first in another language
	if i < 0 && slices.ContainsFunc(firstElsewhere, called) {
		return First, f.dir, nil
	}
	if i < 0 {
		return "", "", message.Errorf("there is no collection called %s, only %s; \"inkshade collections new NAME\" makes one", files.Shown(name), strings.Join(names, ", "))
	}
	return names[i], filepath.Join(f.others(), names[i]), nil
}

// checkName reports a name that no collection but the first can have.
func checkName(name string) error {
	switch {
	case name == "":
		return message.Errorf("a collection needs a name")
	case reserved.MatchString(name):
		return errReserved(name)
	case !plainName(name):
		return message.Errorf("use a short name of letters, digits, spaces, - and _; %s cannot be the name of a collection", files.Shown(name))
	}
	return nil
}

// free gives the folder of a name that no collection has yet, or the one called but in other letters: a capital, an accent.
func (f Folder) free(name, but string) (dir string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	if there, _, err := f.Find(name); err == nil && (there != but || there == name) {
		return "", errThere(there)
	}
	return filepath.Join(f.others(), name), nil
}

func errThere(name string) error {
	return message.Errorf("there is a collection called %s already; choose another name", name)
}

// Check reports a name that a new collection cannot have.
func (f Folder) Check(name string) error {
	_, err := f.free(name, "")
	return err
}

// Make makes an empty collection. Of several windows that do so at once one alone has it.
func (f Folder) Make(name string) error {
	dir, err := f.free(name, "")
	if err == nil {
		err = samples.MakeDir(f.others())
	}
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); errors.Is(err, os.ErrExist) { // by another window meanwhile
		return errThere(name)
	}
	return samples.MakeDir(dir)
}

// patience is how long a collection that is being opened, renamed or removed is waited for.
const patience = 10 * time.Second

// hold keeps every instance from renaming and removing collections or, exclusive, from opening them as well.
func (f Folder) hold(exclusive bool) (release func() error, err error) {
	release, err = samples.Hold(filepath.Join(f.dir, "collections.lock"), exclusive, patience)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, message.Errorf("cannot %s: %w in the data folder; choose another with --data-dir or allow it (%v)", message.Text("look at the samples in %s", f.dir), samples.ErrReadOnly, err)
	case err != nil:
		return nil, message.Errorf("cannot look at the collections: %w; try again", err)
	}
	return release, nil
}

// In does something with the folder of a collection, which is neither renamed nor removed meanwhile.
func (f Folder) In(name string, do func(found, dir string) error) error {
	found, dir, err := f.Find(name)
	if err == nil && found != First {
		release, failed := f.hold(false)
		if failed != nil {
			return failed
		}
		defer release()
		found, dir, err = f.Find(name) // which may be gone meanwhile
	}
	if err != nil {
		return err
	}
	f.sweep(dir)
	return do(found, dir)
}

// Open opens a collection.
func (f Folder) Open(name string) (c *Collection, err error) {
	err = f.In(name, func(_, dir string) (err error) {
		if c, err = Open(dir); err == nil && f.Devices != nil {
			c.Learner.Open = f.Devices
		}
		if err == nil && f.Who != nil {
			c.Who = f.Who
			if _, err = c.CatchUp(); err != nil {
				err = errors.Join(err, c.Close())
			}
		}
		return err
	})
	return c, err
}

// change does something to the folder of a collection that can be renamed or removed: any but the first, which nobody has open.
func (f Folder) change(name string, do func(dir string) error) error {
	found, dir, err := f.Find(name)
	switch {
	case err != nil:
		return err
	case found == First:
		return message.Errorf("%s is the first collection, which stays as it is", First)
	}
	release, err := f.hold(true)
	if err != nil {
		return err
	}
	defer release()
	if err := samples.Unused(dir); err != nil {
		return isOpen(found, err)
	}
	return do(dir)
}

func isOpen(name string, err error) error {
	return message.Errorf("the collection %s is open: %w; close it first", name, err)
}

// Alone fails where the collection, whose name is given, is open elsewhere, too: then it can neither be renamed nor removed.
func (c *Collection) Alone(name string) error {
	if err := c.store.Alone(); err != nil {
		return isOpen(name, err)
	}
	return nil
}

// Rename gives a collection another name; the history of its imported models goes with it.
func (f Folder) Rename(from, to string) error {
	return f.change(from, func(old string) error {
		dir, err := f.free(to, filepath.Base(old))
		if err != nil {
			return err
		}
		if err := os.Rename(old, dir); err != nil {
			return message.Errorf("cannot rename the collection: %w", files.Cause(err))
		}
		if err := f.rebase(old, dir); err != nil {
			return errors.Join(err, os.Rename(dir, old))
		}
		return nil
	})
}

// rebase leads the history of models that were imported in one folder to the same models in another.
func (f Folder) rebase(from, to string) error {
	store, err := f.store(to)
	if store == nil {
		return err
	}
	history, err := store.Models("")
	for _, m := range history {
		if rest, err2 := filepath.Rel(from, m.Base); filepath.IsAbs(m.Base) && err2 == nil && filepath.IsLocal(rest) {
			err = errors.Join(err, store.RenameBase(m.Base, filepath.Join(to, rest)))
		}
	}
	return cmp.Or(err, store.Close())
}

// What removing and importing make beside the places of collections and models, with a number behind it.
const (
	removing  = ".removed-"
	importing = ".import-"
)

// Remove removes a collection with all that is in it, for good.
func (f Folder) Remove(name string) error {
	return f.change(name, func(dir string) error {
		scratch, err := os.MkdirTemp(f.others(), removing)
		if err == nil {
			err = errors.Join(os.Rename(dir, filepath.Join(scratch, "it")), os.RemoveAll(scratch))
		}
		if err != nil {
			return message.Errorf("cannot remove the collection: %w", files.Cause(err))
		}
		return nil
	})
}

// sweep removes what a kill has left of removing and importing.
func (f Folder) sweep(dir string) {
	for _, name := range []string{removing, importing} {
		files.Sweep(f.others(), name)
		files.Sweep(filepath.Join(dir, "models"), name)
	}
}

// store opens the store in a folder; it is nil where nothing was ever saved.
func (f Folder) store(dir string) (*samples.Store, error) {
	if _, err := os.Stat(filepath.Join(dir, "samples.db")); files.Absent(err) {
		return nil, nil
	}
	return f.opened(dir)
}

func (f Folder) opened(dir string) (*samples.Store, error) {
	store, err := samples.Open(dir)
	if err == nil && store.Recovered().Path != "" && f.Recovered != nil {
		f.Recovered(store.Recovered())
	}
	return store, err
}

// Store opens the store of a collection.
func (f Folder) Store(name string) (store *samples.Store, err error) {
	err = f.In(name, func(_, dir string) (err error) {
		store, err = f.opened(dir)
		return err
	})
	return store, err
}

// With does something with the models of a collection, and with its store, which is nil where nothing was ever saved.
func (f Folder) With(name string, do func(found string, m Models) error) error {
	var found string
	var m Models
	err := f.In(name, func(name, dir string) (err error) {
		found, m.dir = name, dir
		m.store, err = f.store(dir)
		return err
	})
	if err != nil {
		return err
	}
	err = do(found, m)
	if m.store != nil {
		err = cmp.Or(err, m.store.Close())
	}
	return err
}

// Contents counts what a collection holds.
type Contents struct {
	Samples  int `json:"samples"`
	Labels   int `json:"labels" help:"different ones"` // of the samples
	Trained  int `json:"trained_models"`               // on the samples
	Imported int `json:"imported_models"`              // from elsewhere
}

// Contents counts what a collection holds.
func (f Folder) Contents(name string) (c Contents, err error) {
	err = f.With(name, func(_ string, m Models) (err error) {
		c, err = m.contents()
		return err
	})
	return c, err
}

func (s Models) contents() (c Contents, err error) {
	names, err := s.Imported()
	c.Imported = len(names)
	if err != nil || s.store == nil {
		return c, err
	}
	classes, err := s.store.Classes()
	for _, class := range classes {
		c.Samples += class.Samples
	}
	history, err2 := s.store.Models("")
	c.Labels, c.Trained = len(classes), len(history)
	return c, cmp.Or(err, err2)
}

// choicesName is the file of what was chosen for a collection.
const choicesName = "collection.json"

// Choices reads what was chosen for a collection, by the caller's keys; nil where nothing was.
func (f Folder) Choices(name string) (map[string]string, error) {
	_, dir, err := f.Find(name)
	if err != nil {
		return nil, err
	}
	return choices(dir)
}

func choices(dir string) (chosen map[string]string, err error) {
	path := filepath.Join(dir, choicesName)
	data, err := os.ReadFile(path)
	if files.Absent(err) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &chosen)
	}
	if err != nil {
		return nil, message.Errorf("what was chosen for the collection cannot be read from %s: %w; choose model and classes again", path, files.Cause(err))
	}
	return chosen, nil
}

// TypedKey is the key, among what was chosen for a collection, of the text that is typed into other programs for a label.
func TypedKey(label string) string { return "typed." + label }

// Typed gives the texts that are typed for labels in place of these, by TypedKey, as the file has them now.
func (s Models) Typed() map[string]string {
	chosen, _ := choices(s.dir) // the window tells of a file that cannot be read
	return chosen
}

// Choose writes what was chosen for a collection. What is there and cannot be read is kept under another name.
func (f Folder) Choose(name string, chosen map[string]string) error {
	return f.In(name, func(_, dir string) error { return choose(dir, chosen) })
}

func choose(dir string, chosen map[string]string) error {
	if err := samples.MakeDir(dir); err != nil {
		return err
	}
	path := filepath.Join(dir, choicesName)
	if _, err := choices(dir); err != nil {
		if err := os.Rename(path, filepath.Join(dir, "collection-damaged.json")); err != nil {
			return err
		}
	}
	return files.WriteWhole(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(chosen) })
}
