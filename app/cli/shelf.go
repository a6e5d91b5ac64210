package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/app/library"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/samples"
)

// modelReport is one model in the JSON of the models command.
type modelReport struct {
	Name         string   `json:"name"`
	Kind         string   `json:"kind"`
	InForce      bool     `json:"in_force"`
	Classes      []string `json:"classes"`
	Parameters   int      `json:"parameters"`
	Input        string   `json:"input"`
	Bytes        int      `json:"bytes"`
	ErrorPercent *float64 `json:"error_percent,omitempty"`
	Problem      string   `json:"problem,omitempty"`

	// Of a model that is shown alone.
	Layers   []layerReport     `json:"layers,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

type layerReport struct {
	Kind       string `json:"kind"`
	Shape      string `json:"shape"`
	Parameters int    `json:"parameters"`
}

// shelf has all models of a person.
type shelf struct {
	imported library.Library
	store    *samples.Store // nil where nothing was ever saved
}

// shelved is one of them.
type shelved struct {
	name, kind string
	inForce    bool
	file       func() ([]byte, error)
	remove     func() error // nil of one that stays
	model      *nn.Model    // read by report
}

func openShelf(cmd *cobra.Command, dir string) (*shelf, error) {
	imported, err := library.Open(dir)
	if err != nil {
		return nil, err
	}
	s := &shelf{imported: imported}
	path, err := samples.Dir(dir)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err == nil {
		s.store, err = openStore(cmd, dir)
		return s, err
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, explain(path, err)
	}
	return s, nil
}

func (s *shelf) close() {
	if s.store != nil {
		s.store.Close()
	}
}

func (s *shelf) list() ([]*shelved, error) {
	var all []*shelved
	for _, name := range models.Names() {
		all = append(all, &shelved{name: name, kind: "shipped", file: func() ([]byte, error) { return models.Open(name) }})
	}
	if s.store != nil {
		history, err := s.store.Models("")
		if err != nil {
			return nil, err
		}
		for _, m := range history {
			all = append(all, &shelved{
				name: fmt.Sprintf("%s@%d", m.Base, m.ID), kind: "trained", inForce: m.InForce,
				file: func() ([]byte, error) {
					whole, err := s.store.Model(m.ID)
					return whole.ONNX, err
				},
				remove: func() error { return s.store.DeleteModel(m.ID) },
			})
		}
	}
	names, err := s.imported.Names()
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		path, _ := s.imported.Path(name)
		all = append(all, &shelved{
			name: name, kind: "imported",
			file:   func() ([]byte, error) { return os.ReadFile(path) },
			remove: func() error { return s.imported.Remove(name) },
		})
	}
	return all, nil
}

// find finds a model by its name, or takes a file.
func (s *shelf) find(name string) (*shelved, error) {
	all, err := s.list()
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if b.name == models.Named(name) {
			return b, nil
		}
	}
	if _, err := os.Stat(name); err == nil {
		m, err := recognizer.LoadModel(name)
		return &shelved{name: name, kind: "file", model: m, file: func() ([]byte, error) { return os.ReadFile(name) }}, err
	}
	return nil, fmt.Errorf("there is no model called %s; \"inkshade models\" lists them", ink.Shown(name))
}

// report reads the model.
func (b *shelved) report() modelReport {
	r := modelReport{Name: b.name, Kind: b.kind, InForce: b.inForce}
	data, err := b.file()
	if err == nil && b.model == nil {
		b.model, err = onnx.Read(bytes.NewReader(data))
	}
	if err != nil {
		r.Problem = err.Error()
		return r
	}
	r.Classes, r.Parameters, r.Input, r.Bytes = b.model.Labels, b.model.Network.Parameters(), b.model.Preprocessing, len(data)
	measured := cmp.Or(b.model.Metadata["test_error_percent"], b.model.Metadata["held_out_error_percent"])
	if percent, err := strconv.ParseFloat(measured, 64); err == nil {
		r.ErrorPercent = &percent
	}
	return r
}

// longestShown is the most bytes of a value of the metadata that is shown; prototypes are longer.
const longestShown = 2000

// describe adds what is shown of a model alone.
func (b *shelved) describe(r *modelReport) {
	for _, l := range b.model.Network.Describe() {
		r.Layers = append(r.Layers, layerReport{l.Kind, l.Shape.String(), l.Parameters})
	}
	r.Metadata = map[string]string{}
	for k, v := range b.model.Metadata {
		if len(v) <= longestShown {
			r.Metadata[k] = v
		}
	}
}

// card is the model card of a shipped model, in Markdown.
func (b *shelved) card() []byte {
	text, err := models.Card(b.name)
	if err != nil || b.kind != "shipped" {
		return nil
	}
	return append([]byte("\n"), text...)
}

func writeModel(w io.Writer, r modelReport) {
	fmt.Fprintf(w, "%s (%s, %d bytes)\nsees     %s\nclasses  %d: %s\nlayers   %d parameters\n", r.Name, r.Kind, r.Bytes, r.Input, len(r.Classes), strings.Join(r.Classes, " "), r.Parameters)
	for i, l := range r.Layers {
		fmt.Fprintf(w, "  %2d  %-40s  %-10s  %9d\n", i+1, l.Kind, l.Shape, l.Parameters)
	}
	if len(r.Metadata) > 0 {
		fmt.Fprintln(w, "metadata")
	}
	for _, k := range slices.Sorted(maps.Keys(r.Metadata)) {
		fmt.Fprintf(w, "  %s: %s\n", k, r.Metadata[k])
	}
}
