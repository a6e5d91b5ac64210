package library

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// Shelf has all models of a person: those that ship, those trained on their samples, and those that
// they imported.
type Shelf struct {
	Library
	Store *samples.Store // nil where nothing was ever saved
}

// Kind says where a model comes from.
type Kind string

// The kinds of models.
const (
	Shipped  Kind = "shipped"
	Trained  Kind = "trained"
	Imported Kind = "imported"
	File     Kind = "file" // that is on no shelf
)

// Item is a model on the shelf.
type Item struct {
	Name    string // of a trained one, MODEL@NUMBER
	Kind    Kind
	Title   string    // that a person gave a trained one, or empty
	Base    string    // what recognizer.LoadModel takes for it; of a trained one, for what it was trained from
	ID      int64     // of a trained one in the store
	InForce bool      // a trained one answers in place of its base
	Time    time.Time // when it was trained or imported; zero of one that ships

	facts  *Facts // once they were read
	file   func() ([]byte, error)
	remove func() (restore func() error, err error) // nil for one that stays
}

// File gives the ONNX file.
func (it *Item) File() ([]byte, error) { return it.file() }

// Facts are what the file of a model says.
type Facts struct {
	Model        *nn.Model // not to be changed
	Bytes        int
	ErrorPercent float64 // on other people's samples, where its training has Measured it
	Measured     bool
}

// Facts reads the model, once.
func (it *Item) Facts() (*Facts, error) {
	if it.facts == nil {
		data, err := it.file()
		if err != nil {
			return nil, err
		}
		m, err := onnx.Read(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		it.facts = factsOf(m, len(data))
	}
	return it.facts, nil
}

func factsOf(m *nn.Model, bytes int) *Facts {
	f := &Facts{Model: m, Bytes: bytes}
	percent, err := strconv.ParseFloat(cmp.Or(m.Metadata["test_error_percent"], m.Metadata["held_out_error_percent"]), 64)
	f.ErrorPercent, f.Measured = percent, err == nil
	return f
}

// Removable tells whether it was trained or imported here, and is not in force.
func (it *Item) Removable() bool { return it.remove != nil && !it.InForce }

// Remove takes the model off the shelf. As long as the program runs restore brings it back.
func (it *Item) Remove() (restore func() error, err error) {
	if it.remove == nil {
		return nil, fmt.Errorf("the model %s is neither imported nor trained here, and stays", ink.Shown(it.Name))
	}
	return it.remove()
}

// List lists all models: shipped, trained with the latest first, imported.
func (s Shelf) List() ([]*Item, error) {
	var all []*Item
	for _, name := range models.Names() {
		all = append(all, &Item{Name: name, Kind: Shipped, Base: name, file: func() ([]byte, error) { return models.Open(name) }})
	}
	if s.Store != nil {
		history, err := s.Store.Models("")
		if err != nil {
			return nil, err
		}
		for _, m := range history {
			all = append(all, &Item{
				Name: fmt.Sprintf("%s@%d", m.Base, m.ID), Kind: Trained, Title: m.Title(), Base: m.Base, ID: m.ID, InForce: m.InForce, Time: m.Time,
				file: func() ([]byte, error) {
					whole, err := s.Store.Model(m.ID)
					return whole.ONNX, err
				},
				remove: func() (func() error, error) { return s.Store.DeleteModel(m.ID) },
			})
		}
	}
	names, err := s.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path, _ := s.Path(name)
		var at time.Time
		if st, err := os.Stat(path); err == nil {
			at = st.ModTime()
		}
		all = append(all, &Item{
			Name: name, Kind: Imported, Base: path, Time: at,
			file:   func() ([]byte, error) { return os.ReadFile(path) },
			remove: func() (func() error, error) { return s.Library.Remove(name) },
		})
	}
	return all, nil
}

// Find finds a model by its name, or takes a file.
func (s Shelf) Find(name string) (*Item, error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, func(it *Item) bool { return it.Name == models.Named(name) }); i >= 0 {
		return all[i], nil
	}
	if st, err := os.Stat(name); err == nil {
		m, err := recognizer.LoadModel(name)
		if err != nil {
			return nil, err
		}
		return &Item{Name: name, Kind: File, Base: name, facts: factsOf(m, int(st.Size())), file: func() ([]byte, error) { return os.ReadFile(name) }}, nil
	}
	return nil, fmt.Errorf("there is no model called %s; \"inkshade models\" lists them", ink.Shown(name))
}

// Rename gives an imported model another name; what was trained from it goes with it.
func (s Shelf) Rename(from, to string) error {
	old, ok := s.Path(from)
	if !ok {
		return notImported(from)
	}
	path, err := s.free(to)
	if err != nil {
		return err
	}
	if err := os.Rename(old, path); err != nil || s.Store == nil {
		return err
	}
	if err := s.Store.RenameBase(old, path); err != nil {
		return errors.Join(err, os.Rename(path, old))
	}
	return nil
}
