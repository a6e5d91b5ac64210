package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/app/state"
	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
)

func newModels() *cobra.Command {
	var data dataFlags
	cmd := &cobra.Command{
		Use:   "models",
		Short: "List, show, import, export and remove models",
		Long: `Models are those that ship with Inkshade, those that were trained on your samples, called
MODEL@NUMBER after the model that they come from, and those imported from elsewhere. Every
--model takes the name of a shipped one, or of one imported into the first collection (that of
the window and the panel: into theirs). Without a command it lists them.`,
		Example: `  inkshade models import --scale 0..255 mnist.onnx
  inkshade recognize --model mnist drawing.png
  inkshade models export digits-mlp@3 mine.onnx`,
	}
	data.bind(cmd, cmd.PersistentFlags())
	list := newModelsList(&data)
	cmd.RunE = list.RunE
	cmd.Flags().AddFlagSet(list.Flags())
	cmd.AddCommand(list, newModelsShow(&data), newModelsImport(&data), newModelsExport(&data), newModelsRemove(&data))
	return cmd
}

func newModelsList(data *dataFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List all models",
		Long: `Prints a line for each model: name, kind (shipped, trained, in use or imported), classes, parameters,
what it sees, and its error on other people's samples where its training measured it.

JSON: an array of objects with the keys
` + keys(modelReport{}),
		RunE: data.withModels(func(cmd *cobra.Command, s state.Models, _ []string) error {
			items, err := s.List()
			if err != nil {
				return err
			}
			reports, err := reading(cmd, stillReading(cmd, "the models"), func() (all modelReports, _ error) {
				for _, it := range items {
					r, _ := modelReportOf(cmd.Context(), it)
					all = append(all, r)
				}
				return all, nil
			})
			if err != nil {
				return err
			}
			return show(cmd, reports, modelsWords)
		}),
	}
	cmd.Flags().Bool("json", false, "write JSON")
	return cmd
}

const modelsWords = `{{printf "%-*s" .Width "name"}}  kind      classes  parameters  sees
{{range $m := .}}{{printf "%-*s  %-8s" $.Width .Name (or (and .InForce "in use") .Kind)}}  {{if .Problem}}cannot be used: {{.Problem}}
{{- else}}{{printf "%7d  %10d  %s" (len .Classes) .Parameters .Input}}{{with .ErrorPercent}}  {{printf "%.3g" (float .)}} % {{if eq $m.Input "line"}}of lines wrong{{else}}errors{{end}}{{end}}{{end}}
{{end}}`

func newModelsShow(data *dataFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show MODEL",
		Short: "Show the layers, labels and metadata of a model",
		Long: `Shows what a model sees, its labels, layers, and metadata, and the card of a shipped one. MODEL is a name that
list knows, or an ONNX file.

JSON: an object with the keys
` + keys(shownModel{}),
		ValidArgsFunction: data.complete,
		RunE: data.withModels(func(cmd *cobra.Command, s state.Models, args []string) error {
			it, err := find(cmd, s, args[0])
			if err != nil {
				return err
			}
			report, m := modelReportOf(cmd.Context(), it)
			if m == nil {
				return cmp.Or(context.Cause(cmd.Context()), fmt.Errorf("the model %s cannot be used: %s", files.Shown(args[0]), report.Problem))
			}
			r := shownModel{modelReport: report, Metadata: map[string]string{}}
			for _, l := range m.Network.Describe() {
				r.Layers = append(r.Layers, layerReport{l.Kind, l.Shape.String(), l.Parameters})
			}
			for k, v := range m.Metadata {
				if len(v) <= longestShown {
					r.Metadata[k] = v
				}
			}
			if asJSON, _ := cmd.Flags().GetBool("json"); asJSON {
				return show(cmd, r, "")
			}
			return inWords(cmd.OutOrStdout(), r, modelWords) // unfolded: its commands can be copied, its card has tables
		}),
	}
	cmd.Flags().Bool("json", false, "write JSON")
	return cmd
}

func newModelsImport(data *dataFlags) *cobra.Command {
	var f feedingFlags
	var name string
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Keep a model from elsewhere",
		Long: `Reads an ONNX file and keeps it under the name of the file, or --name, beside your samples, with how it is fed in
its metadata. How it is fed comes from flags, from a file beside it (mnist.json for
mnist.onnx, with the keys labels, scale, inverted, transposed and layout) or its metadata;
otherwise the usual ways are tried on sample characters, and the best is told.`,
		Example: `  inkshade models import mnist.onnx
  inkshade models import --name letters --labels capitals --scale 0..1 --transposed emnist.onnx`,
		RunE: data.withModels(func(cmd *cobra.Command, s state.Models, args []string) error {
			m, err := loadModel(cmd, args[0], f.fed)
			if err != nil {
				return err
			}
			dev, err := glcompute.Open(glcompute.CPU)
			if err != nil {
				return err
			}
			defer dev.Close()
			rec, err := recognizer.New(m, dev)
			if err != nil {
				return fmt.Errorf("the model %s: %w", files.Shown(args[0]), err)
			}
			rec.Close()
			name := cmp.Or(name, strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])))
			if err := s.AddModel(name, m).Do(); err != nil {
				return spaced(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d classes, sees %s\n", name, len(m.Labels), m.Preprocessing)
			return nil
		}),
	}
	cmd.Flags().StringVar(&name, "name", "", "of the model (that of the file)")
	f.bind(cmd)
	return cmd
}

func newModelsExport(data *dataFlags) *cobra.Command {
	return &cobra.Command{
		Use:   "export MODEL FILE",
		Short: "Write a model to an ONNX file",
		Long: `Writes a model as an ONNX file that other programs can run. Its metadata say its labels and what
it sees; an import needs no more.`,
		ValidArgsFunction: data.complete,
		RunE: data.withModels(func(cmd *cobra.Command, s state.Models, args []string) error {
			it, err := find(cmd, s, args[0])
			if err != nil {
				return err
			}
			data, err := it.File()
			if err != nil {
				return err
			}
			if _, err := os.Stat(args[1]); err == nil && !files.Special(args[1]) {
				return fmt.Errorf("%s is there already; remove it or name another file", files.Shown(args[1]))
			}
			if err := checkWritable(args[1]); err != nil {
				return err
			}
			if err := writeFile(args[1], func(w io.Writer) error {
				_, err := w.Write(data)
				return err
			}); err != nil || files.Special(args[1]) {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %d bytes\n", files.Shown(args[1]), len(data))
			return err
		}),
	}
}

func newModelsRemove(data *dataFlags) *cobra.Command {
	return &cobra.Command{
		Use:               "remove MODEL...",
		Short:             "Remove imported or trained models for good",
		Args:              atLeastOne("the name of a model"),
		ValidArgsFunction: data.complete,
		RunE: data.withModels(func(cmd *cobra.Command, s state.Models, args []string) error {
			all := make([]*state.Model, len(args))
			for i, name := range args { // nothing is removed where one of them is wrong
				var err error
				if all[i], err = s.Find(name); err != nil {
					return err
				}
			}
			for i, name := range args {
				if err := all[i].Remove().Do(); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s: removed\n", name)
			}
			return nil
		}),
	}
}

// find is state.Models.Find that an interrupt ends.
func find(cmd *cobra.Command, s state.Models, name string) (*state.Model, error) {
	return reading(cmd, stillReading(cmd, name), func() (*state.Model, error) { return s.Find(name) })
}

type modelReport struct {
	Name         string          `json:"name"`
	Kind         state.ModelKind `json:"kind"`
	InForce      bool            `json:"in_force" help:"of a trained model: it answers in place of the shipped one"`
	Classes      []string        `json:"classes" help:"labels in their order"`
	Parameters   int             `json:"parameters"`
	Input        string          `json:"input" help:"what the network sees"`
	Bytes        int             `json:"bytes" help:"of the file"`
	ErrorPercent *float64        `json:"error_percent,omitempty" help:"where it is known"`
	Problem      string          `json:"problem,omitempty" help:"why the model cannot be used"`
}

// shownModel is a model that is shown alone.
type shownModel struct {
	modelReport
	Layers   []layerReport     `json:"layers,omitempty"`
	Metadata map[string]string `json:"metadata,omitempty"`
}

type layerReport struct {
	Kind       string `json:"kind"`
	Shape      string `json:"shape"`
	Parameters int    `json:"parameters"`
}

type modelReports []modelReport

func (all modelReports) Width() (n int) {
	for _, r := range all {
		n = max(n, len(r.Name))
	}
	return n
}

// modelReportOf reads a model, which is nil where it cannot be used.
func modelReportOf(ctx context.Context, it *state.Model) (modelReport, *nn.Model) {
	r := modelReport{Name: it.Name, Kind: it.Kind, InForce: it.Active}
	m, facts, err := it.Read(ctx)
	if err != nil {
		r.Problem = err.Error()
		return r, nil
	}
	r.Classes, r.Parameters, r.Input, r.Bytes = facts.Labels, facts.Parameters, facts.Preprocessing, facts.Bytes
	if facts.Measured {
		r.ErrorPercent = new(facts.ErrorPercent)
	}
	return r, m
}

// longestShown is the most bytes of a value of the metadata that is shown; prototypes are longer.
const longestShown = 2000

const modelWords = `{{shown .Name}} ({{.Kind}}, {{.Bytes}} bytes)
sees     {{.Input}}
classes  {{len .Classes}}:{{range .Classes}} {{shown .}}{{end}}
layers   {{.Parameters}} parameters
{{range $i, $layer := .Layers}}{{printf "  %2d  %-40s  %-10s  %9d" (sum $i 1) .Kind .Shape .Parameters}}
{{end}}{{with .Metadata}}metadata
{{end}}{{range $key, $value := .Metadata}}  {{shown $key}}: {{shown $value}}
{{end}}{{with .Card}}
{{.}}{{end}}`

// Card is that of a shipped model, in Markdown.
func (r modelReport) Card() string {
	if r.Kind != state.Shipped {
		return ""
	}
	card, _ := models.Card(r.Name) // a model without one is shown without
	return string(card)
}
