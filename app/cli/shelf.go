package cli

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/app/library"
	"inkshade/models"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

// modelReport is one model in the JSON of the models command.
type modelReport struct {
	Name         string       `json:"name"`
	Kind         library.Kind `json:"kind"`
	InForce      bool         `json:"in_force"`
	Classes      []string     `json:"classes"`
	Parameters   int          `json:"parameters"`
	Input        string       `json:"input"`
	Bytes        int          `json:"bytes"`
	ErrorPercent *float64     `json:"error_percent,omitempty"`
	Problem      string       `json:"problem,omitempty"`

	// Of a model that is shown alone.
	Layers   []layerReport     `json:"layers,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

type layerReport struct {
	Kind       string `json:"kind"`
	Shape      string `json:"shape"`
	Parameters int    `json:"parameters"`
}

// withShelf runs a command on all models of a person.
func withShelf(data *dataFlags, do func(cmd *cobra.Command, s library.Shelf, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		path, err := data.folder()
		if err != nil {
			return err
		}
		var s library.Shelf
		if s.Library, err = library.Open(path); err != nil {
			return err
		}
		if _, err := os.ReadDir(path); !samples.Absent(err) {
			if s.Store, err = openStore(cmd, *data); err != nil {
				return err
			}
			defer s.Store.Close()
		}
		return do(cmd, s, args)
	}
}

// modelReportOf reads the model.
func modelReportOf(it *library.Item) modelReport {
	r := modelReport{Name: it.Name, Kind: it.Kind, InForce: it.InForce}
	facts, err := it.Facts()
	if err != nil {
		r.Problem = err.Error()
		return r
	}
	r.Classes, r.Parameters, r.Input, r.Bytes = facts.Model.Labels, facts.Model.Network.Parameters(), facts.Model.Preprocessing, facts.Bytes
	if facts.Measured {
		r.ErrorPercent = &facts.ErrorPercent
	}
	return r
}

// longestShown is the most bytes of a value of the metadata that is shown; prototypes are longer.
const longestShown = 2000

// describe adds what is shown of a model alone.
func (r *modelReport) describe(m *nn.Model) {
	for _, l := range m.Network.Describe() {
		r.Layers = append(r.Layers, layerReport{l.Kind, l.Shape.String(), l.Parameters})
	}
	r.Metadata = map[string]string{}
	for k, v := range m.Metadata {
		if len(v) <= longestShown {
			r.Metadata[k] = v
		}
	}
}

// writeModel writes what is known of a model, and of a shipped one its card, in Markdown.
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
	if card, err := models.Card(r.Name); err == nil && r.Kind == library.Shipped {
		fmt.Fprintf(w, "\n%s", card)
	}
}
