package state

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// Models are all models of a collection: those that ship, those trained on its samples, and those imported into it, which are
// files that say themselves how they are fed, in a folder beside the samples that need not exist.
type Models struct {
	store *samples.Store // nil where nothing was ever saved, and while the collection is not open
	dir   string
}

// Samples is what may be seen of what is stored; commands alone change it.
type Samples interface {
	List(samples.Filter) ([]samples.Sample, error)
	Get(id int64) (samples.Sample, error)
	Classes() ([]samples.Class, error)
	Models(base string) ([]samples.Model, error)
	ExportFile(ctx context.Context, path string, f samples.Filter, progress samples.Progress) (int, error)
	Dir() string
	Recovered() samples.Recovery
}

// Samples are those of an open collection.
func (s Models) Samples() Samples { return s.store }

const modelEnding = ".onnx"

// OpenModels gives the models of a collection that need not be open, by its folder; see samples.Dir.
func OpenModels(dir string) (Models, error) {
	dir, err := samples.Dir(dir)
	return Models{dir: dir}, err
}

// imported is where a model is, or would be.
func (s Models) imported(name string) string { return filepath.Join(s.dir, "models", name+modelEnding) }

// Imported lists the imported models, sorted.
func (s Models) Imported() (names []string, err error) {
	if s.dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(filepath.Dir(s.imported("")))
	if err != nil && !files.Absent(err) {
		return nil, message.Errorf("cannot list the imported models: %w; allow reading the folder", err)
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), modelEnding); ok && !e.IsDir() && checkModelName(name) == nil {
			names = append(names, name)
		}
	}
	return names, nil
}

// Path gives the file of an imported model; ok is false where there is none of that name.
func (s Models) Path(name string) (path string, ok bool, err error) {
	names, err := s.Imported()
	return s.imported(name), slices.Contains(names, name), err
}

// Resolve gives what recognizer.LoadModel takes for the name of a shipped model, that of an imported one, or a file. Where the
// imported ones cannot be listed it fails for a name that no shipped model has.
func (s Models) Resolve(nameOrPath string) (string, error) {
	if models.Ships(nameOrPath) || checkModelName(nameOrPath) != nil {
		return nameOrPath, nil
	}
	path, ok, err := s.Path(nameOrPath)
	if ok {
		return path, nil
	}
	return nameOrPath, err
}

// NameOf is the inverse of Resolve.
func (s Models) NameOf(resolved string) string {
	if name := strings.TrimSuffix(filepath.Base(resolved), modelEnding); s.imported(name) == resolved {
		return name
	}
	return resolved
}

// longestName is the most bytes of a name.
const longestName = 100

// reserved are names that Windows keeps for itself, whatever ending follows.
var reserved = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// plainName tells whether a file or folder can have the name on every system.
func plainName(name string) bool {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|@`, r) }
	return name != "" && len(name) <= longestName && strings.TrimSpace(name) == name && !strings.HasPrefix(name, ".") &&
		!strings.HasSuffix(name, ".") && !strings.ContainsFunc(name, bad) && !reserved.MatchString(name)
}

func errReserved(name string) error {
	return message.Errorf("Windows keeps the name %s for itself; choose another one", files.Shown(name))
}

// checkModelName reports a name that no imported model can have: it is plain, and that of no other model.
func checkModelName(name string) error {
	switch {
	case models.Ships(strings.ToLower(name)): // in the window Characters is what characters is here
		return message.Errorf("a model called %s ships with Inkshade; choose another name", name)
	case reserved.MatchString(name):
		return errReserved(name)
	case !plainName(name) || strings.HasSuffix(name, modelEnding):
		return message.Errorf("use a short name of letters, digits, spaces, - and _; %s cannot be the name of a model", files.Shown(name))
	}
	return nil
}

// Check reports a name that a new model cannot have.
func (s Models) Check(name string) error {
	if err := checkModelName(name); err != nil {
		return err
	}
	_, taken, err := s.Path(name)
	if taken {
		err = errTaken(name)
	}
	return err
}

func errTaken(name string) error {
	return message.Errorf("there is an imported model called %s already; remove it or choose another name", name)
}

// there gives the file of a model that must have been imported.
func (s Models) there(name string) (path string, err error) {
	path, ok, err := s.Path(name)
	if err == nil && !ok {
		err = absent{message.Errorf("no model called %s was imported", files.Shown(name))}
	}
	return path, err
}

// absent is the error of a model that is not there, as samples.ErrNotFound is of what is stored.
type absent struct{ error }

func (a absent) Unwrap() error        { return a.error }
func (a absent) Is(target error) bool { return target == samples.ErrNotFound }

// place moves a file to the place of a new imported model. Of several windows that do so at once one alone gets the name.
func (s Models) place(file, name string) error {
	if err := s.Check(name); err != nil {
		return err
	}
	place, err := os.OpenFile(s.imported(name), os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return errTaken(name)
	case err != nil:
		return err
	}
	if err := errors.Join(place.Close(), os.Rename(file, s.imported(name))); err != nil {
		return errors.Join(err, os.Remove(s.imported(name)))
	}
	return nil
}

// AddModel keeps a model under a new name, Replace puts it in the place of an imported one.
func (s Models) AddModel(name string, m *nn.Model) Command { return s.encoded(m, name, s.add) }

// Replace is the other half of AddModel.
func (s Models) Replace(name string, m *nn.Model) Command { return s.encoded(m, name, s.replace) }

func (s Models) encoded(m *nn.Model, name string, do func(name string, file []byte) Command) Command {
	return func() (Command, error) {
		var file bytes.Buffer
		if err := onnx.Write(&file, m); err != nil {
			return nil, err
		}
		return do(name, file.Bytes())()
	}
}

// add keeps the file of a model under a new name.
func (s Models) add(name string, file []byte) Command {
	return func() (Command, error) {
		if err := s.Check(name); err != nil {
			return nil, err
		}
		folder := filepath.Dir(s.imported(name))
		if err := samples.MakeDir(folder); err != nil {
			return nil, err
		}
		whole, err := os.CreateTemp(folder, importing)
		if err == nil {
			defer os.Remove(whole.Name())
			_, err = whole.Write(file)
			err = errors.Join(err, whole.Sync(), whole.Close())
		}
		if err != nil {
			return nil, message.Errorf("cannot save the model %s: %w", name, files.Cause(err))
		}
		return s.remove(name), s.place(whole.Name(), name)
	}
}

func (s Models) remove(name string) Command {
	return func() (Command, error) {
		before, err := s.read(name)
		if err != nil {
			return nil, err
		}
		return s.add(name, before), os.Remove(s.imported(name))
	}
}

func (s Models) replace(name string, file []byte) Command {
	return func() (Command, error) {
		before, err := s.read(name)
		if err != nil {
			return nil, err
		}
		return s.replace(name, before), files.WriteWhole(s.imported(name), func(w io.Writer) error {
			_, err := w.Write(file)
			return err
		})
	}
}

func (s Models) read(name string) ([]byte, error) {
	path, err := s.there(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// Rename gives an imported model another name; what was trained from it goes with it.
func (s Models) Rename(from, to string) Command {
	return func() (Command, error) {
		old, err := s.there(from)
		if err == nil {
			err = s.place(old, to)
		}
		if err == nil && s.store != nil {
			if err = s.store.RenameBase(old, s.imported(to)); err != nil {
				err = errors.Join(err, os.Rename(s.imported(to), old))
			}
		}
		return s.Rename(to, from), err
	}
}

// ModelKind says where a model comes from.
type ModelKind string

// The kinds of models.
const (
	Shipped  ModelKind = "shipped"
	Trained  ModelKind = "trained"
	Imported ModelKind = "imported"
	File     ModelKind = "file" // that is of no collection
)

// Model is one of a person's models.
type Model struct {
	Name   string // of a trained one, MODEL@NUMBER
	Kind   ModelKind
	Title  string    // that a person gave a trained one, or empty
	Base   string    // what recognizer.LoadModel takes for it; of a trained one, for what it was trained from
	ID     int64     // of a trained one in the store
	Active bool      // a trained one answers in place of its base
	Time   time.Time // when it was trained or imported; zero of one that ships

	file   func() ([]byte, error)
	model  *nn.Model // of a file that is of no collection, which says how it is fed; nil of others until Read
	remove Command   // nil for one that stays
}

// File gives the ONNX file.
func (m *Model) File() ([]byte, error) { return m.file() }

// Facts are what the file of a model says.
type Facts struct {
	Labels        []string
	Parameters    int
	Preprocessing string
	Bytes         int
	ErrorPercent  float64 // on Tested samples of other people, where its training has Measured it
	Tested        string
	TestedOn      []string // the files that these are of
	Measured      bool
}

// Read reads the model, and what there is to tell of it. It keeps neither: a list of models may be long.
func (m *Model) Read(ctx context.Context) (*nn.Model, *Facts, error) {
	data, err := m.file()
	read := m.model
	if err == nil && read == nil {
		read, err = onnx.Read(ctx, bytes.NewReader(data))
	}
	if err != nil {
		return nil, nil, err
	}
	f := &Facts{Labels: read.Labels, Parameters: read.Network.Parameters(), Preprocessing: read.Preprocessing, Bytes: len(data)}
	percent, err := strconv.ParseFloat(cmp.Or(read.Metadata["test_error_percent"], read.Metadata["held_out_error_percent"]), 64)
	measured := err == nil && m.Kind != Trained // earlier versions left in those what was measured of the model before
	f.ErrorPercent, f.Measured, f.Tested = percent, measured, cmp.Or(read.Metadata["test_samples"], read.Metadata["held_out_samples"])
	for name := range strings.SplitSeq(cmp.Or(read.Metadata["test_data"], read.Metadata["data"]), ", ") { // of data the count stands behind
		name, _, _ = strings.Cut(name, ":")
		f.TestedOn = append(f.TestedOn, name)
	}
	return read, f, nil
}

// Removable tells whether it was trained or imported here, and is not active.
func (m *Model) Removable() bool { return m.remove != nil && !m.Active }

// Remove takes the model away.
func (m *Model) Remove() Command {
	if m.remove == nil {
		return func() (Command, error) {
			return nil, message.Errorf("the model %s is neither imported nor trained here, and stays", files.Shown(m.Name))
		}
	}
	return m.remove
}

// List lists all models: shipped, trained with the latest first, imported.
func (s Models) List() (all []*Model, err error) {
	for _, name := range models.All() {
		all = append(all, &Model{Name: name, Kind: Shipped, Base: name, file: func() ([]byte, error) { return models.Open(name) }})
	}
	var history []samples.Model
	if s.store != nil {
		history, err = s.store.Models("")
	}
	names, unknown := s.Imported()
	if err := cmp.Or(err, unknown); err != nil {
		return nil, err
	}
	for _, m := range history {
		all = append(all, &Model{
			Name: fmt.Sprintf("%s@%d", m.Base, m.ID), Kind: Trained, Title: m.Title(), Base: m.Base, ID: m.ID, Active: m.Active, Time: m.Time,
			file: func() ([]byte, error) {
				whole, err := s.store.Model(m.ID)
				return whole.ONNX, err
			},
			remove: s.DeleteTrained(m.ID),
		})
	}
	for _, name := range names {
		m := fileOf(Imported, name, s.imported(name))
		m.remove = s.remove(name)
		all = append(all, m)
	}
	return all, nil
}

func fileOf(kind ModelKind, name, path string) *Model {
	m := &Model{Name: name, Kind: kind, Base: path, file: func() ([]byte, error) { return os.ReadFile(path) }}
	if st, err := os.Stat(path); err == nil {
		m.Time = st.ModTime()
	}
	return m
}

// Find finds a model by its name, or takes a file.
func (s Models) Find(name string) (*Model, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, func(m *Model) bool { return m.Name == models.Named(name) }); i >= 0 {
		return all[i], nil
	}
	if _, err := os.Stat(name); err == nil {
		of := fileOf(File, name, name)
		of.model, err = recognizer.LoadModel(name)
		return of, err
	}
	return nil, message.Errorf("there is no model called %s; \"inkshade models\" lists them", files.Shown(name))
}

// DeleteTrained removes a trained model from the history; see samples.Store.DeleteModel.
func (s Models) DeleteTrained(id int64) Command {
	return func() (Command, error) {
		restore, err := s.store.DeleteModel(id)
		return func() (Command, error) { return s.DeleteTrained(id), restore() }, err
	}
}

// SetTitle gives a trained model a name, or with an empty one takes it away; before is the one that it has.
func (s Models) SetTitle(id int64, title, before string) Command {
	return func() (Command, error) { return s.SetTitle(id, before, title), s.store.RenameModel(id, title) }
}
