package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"inkshade"
	"inkshade/assets"
	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

type deviceReport struct {
	Kind       glcompute.DeviceKind `json:"kind"`
	Available  bool                 `json:"available"`
	Renderer   string               `json:"renderer,omitempty"`
	Vendor     string               `json:"vendor,omitempty"`
	Version    string               `json:"version,omitempty" help:"of OpenGL; on the cpu the vectors it uses and its threads"`
	Language   string               `json:"language,omitempty" help:"that of the shaders"`
	Software   bool                 `json:"software" help:"OpenGL drawn by the processor"`
	MaxTexture int                  `json:"max_texture,omitempty" help:"texels"`
	MaxBuffer  int64                `json:"max_buffer_bytes,omitempty"`
	Differs    string               `json:"differs,omitempty" help:"what it does wrongly, by comparisons with the processor, and is therefore not asked to do as usual"`
	Reason     string               `json:"reason,omitempty" help:"why a device cannot be had"`
}

func newDevices() *cobra.Command {
	var choices bool
	var measure, report string
	cmd := &cobra.Command{
		Use:   "devices",
		Short: "List what can compute on this machine, and why the rest cannot",
		Long: `Lists every device Inkshade can compute on: the processor (cpu), OpenGL 3.3 fragment
shaders (fragment) and OpenGL 4.3 compute shaders (compute). Where a driver has OpenGL ES
alone, 3.0 and 3.1 of that do.

Heavy operations have several variants on the OpenGL devices, of which a device takes the
fastest for the shapes of its work. It times them when it first meets such work, for half a
second at most, and keeps the times in a cache. --choices lists them, with the variant that
is taken; --measure first times what there was no time for, --measure=all everything that is
known anew, as after a first start on a busy machine. An interrupt ends that early: work
whose variants have all been timed has the new times, the rest keeps the old ones. The new
times count for what is started later.

The times and the compiled shaders are kept in the folder "inkshade" of your caches;
INKSHADE_CACHE names another folder, or "off". INKSHADE_DEBUG makes every command and the
window write to standard error, each level with the ones before it: 1 the device that was
opened; 2 times and bytes of every replay and its passes, shaders compiled, choices; 3 the
source of every shader that is compiled (the processor has none); 4 the first operation that
wrote a NaN or an infinity; 5 the first operation that disagrees with its plain reference
(slow).

JSON: an array of objects with the keys
` + keys(deviceReport{}) + `

With --choices the keys are
` + keys(choicesReport{}),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if report != "" {
				return writeReport(cmd, report)
			}
			if measure != "" {
				if err := measureVariants(cmd, measure == measureAll); err != nil {
					return err
				}
			}
			if choices || measure != "" {
				reports, err := choicesReports()
				if err != nil {
					return err
				}
				return show(cmd, reports, choicesWords)
			}
			list, err := listDevices(cmd)
			if err != nil {
				return err
			}
			return show(cmd, deviceReports(list), devicesWords)
		},
	}
	cmd.Flags().Bool("json", false, "write JSON")
	cmd.Flags().BoolVar(&choices, "choices", false, "list the variants that the OpenGL devices have chosen, with their times")
	cmd.Flags().StringVar(&report, "report", "", "try the drivers anew, time them, and write all that is known to a JSON file that can be sent to us; nothing in it is personal")
	bindWord(cmd, &measure, "measure", []string{measureLeft, measureAll}, "measure the variants that are left over, or with =all every known one anew, then list the choices")
	cmd.Flags().Lookup("measure").NoOptDefVal = measureLeft
	return cmd
}

// checkDriver is the command of the process that tries a driver before it is used; see glcompute.CheckDriversBy.
const checkDriver = "check-driver"

func newCheckDriver() *cobra.Command {
	return &cobra.Command{
		Use: checkDriver + " KIND", Short: "Try the driver of a device", Hidden: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return glcompute.CheckDriver(glcompute.DeviceKind(args[0]), cmd.OutOrStdout())
		},
	}
}

// listDevices is glcompute.List that an interrupt ends: a driver may take long to say nothing.
func listDevices(cmd *cobra.Command) ([]glcompute.Availability, error) {
	return reading(cmd, nil, func() ([]glcompute.Availability, error) { return glcompute.List(), nil })
}

func deviceReports(list []glcompute.Availability) []deviceReport {
	reports := make([]deviceReport, len(list))
	for i, a := range list {
		if a.Err != nil {
			reports[i] = deviceReport{Kind: a.Kind, Reason: a.Err.Error()}
			continue
		}
		in := a.Info
		reports[i] = deviceReport{
			Kind: a.Kind, Available: true, Renderer: in.Name, Vendor: in.Vendor, Version: in.Version, Language: in.Language,
			Software: in.Software, MaxTexture: in.MaxTexture, MaxBuffer: in.MaxBuffer, Differs: in.Differs.String(),
		}
	}
	return reports
}

const devicesWords = `{{range .}}{{printf "%-9s" .Kind}} {{if not .Available}}not available: {{.Reason}}
{{else}}{{.Renderer}}{{if .Software}} (software renderer){{end}}
          {{.Version}}{{with .Vendor}}, {{.}}{{end}}{{with .Language}}; shaders of {{.}}{{end -}}
	{{with .MaxTexture}}; textures up to {{.}} x {{.}} texels{{end}}{{with .MaxBuffer}}; buffers up to {{mebibytes .}} MiB{{end}}
{{with .Differs}}          differs from the processor: {{.}}
{{end}}{{end}}{{end}}`

type choicesReport struct {
	Kind      glcompute.DeviceKind `json:"kind"`
	Available bool                 `json:"available"`
	Renderer  string               `json:"renderer,omitempty"`
	Choices   []choiceReport       `json:"choices"`
	Left      int                  `json:"left"`
	Reason    string               `json:"reason,omitempty"`
}

// choiceReport is an operation with a class of shapes.
type choiceReport struct {
	Operation string          `json:"operation"`
	Work      string          `json:"work" help:"what was measured"`
	Chosen    int             `json:"chosen" help:"a variant's number"`
	Left      int             `json:"left" help:"variants not measured yet"`
	Variants  []variantReport `json:"variants" help:"the rule of thumb first"`
}

type variantReport struct {
	Number   int     `json:"number"`
	Name     string  `json:"name"`
	Time     float64 `json:"us,omitempty" help:"microseconds"`
	Unusable string  `json:"unusable,omitempty" help:"why it cannot be used"`
}

const (
	measureLeft = "left" // the variants that there was no time for
	measureAll  = "all"  // all whose work is known
)

// measureVariants measures what has been left over on every OpenGL device, or all that is
// known anew; an interrupt ends it with what has been measured.
func measureVariants(cmd *cobra.Command, all bool) error {
	kept := "what was measured to the end is kept"
	if all {
		kept += ", the rest has its old times"
	}
	for _, kind := range glcompute.VariantKinds() {
		var at *glcompute.Selection
		err := glcompute.Tune(cmd.Context(), kind, all, func(t glcompute.Tuning) {
			if s := t.Selection; s != at {
				at = s
				cmd.PrintErrf("%s: %s %s, %d variants (%d of %d trials done)\n", kind, s.Operation, s.Work, len(s.Trials), t.Done, t.Total)
			}
		})
		switch {
		case errors.Is(err, context.Canceled):
			cmd.PrintErrf("inkshade: stopped on request; %s\n", kept)
			return nil
		case errors.Is(err, glcompute.ErrNoCache):
			return err
		case err != nil:
			cmd.PrintErrf("inkshade: %s is left out: %v\n", kind, err)
		}
	}
	return nil
}

func choicesReports() ([]choicesReport, error) {
	var reports []choicesReport
	for _, kind := range glcompute.VariantKinds() {
		info, all, err := glcompute.Selections(kind)
		if errors.Is(err, glcompute.ErrNoCache) {
			return nil, err
		}
		r := choicesReport{Kind: kind, Available: err == nil, Renderer: info.Name, Choices: []choiceReport{}}
		if err != nil {
			r.Reason = err.Error()
		}
		for _, s := range all {
			c := choiceReport{Operation: s.Operation, Work: s.Work, Chosen: s.Chosen, Left: s.Left()}
			for _, t := range s.Trials {
				c.Variants = append(c.Variants, variantReport{t.Number, t.Name, float64(t.Time) / float64(time.Microsecond), t.Unusable})
			}
			r.Choices = append(r.Choices, c)
			r.Left += c.Left
		}
		reports = append(reports, r)
	}
	return reports, nil
}

const choicesWords = `{{$left := 0}}{{range .}}{{$left = sum $left .Left}}{{printf "%-9s" .Kind}} {{if not .Available}}not available: {{.Reason}}
{{else}}{{.Renderer}}{{if not .Choices}}: nothing measured yet; variants are timed when work first comes to a device{{end}}
{{end}}{{range $choice := .Choices}}  {{.Operation}} {{.Work}}
{{range $i, $v := .Variants}}    {{printf "%2d  %-26s " .Number .Name}}{{.Outcome}}{{$choice.Why $i}}
{{end}}{{end}}{{end}}{{with $left}}{{.}} variants not measured yet; "inkshade devices --measure" does it.
{{end}}`

// Outcome is how long a variant took, or why it has no time.
func (v variantReport) Outcome() string {
	switch {
	case v.Unusable != "":
		return "cannot be used here: " + v.Unusable
	case v.Time == 0:
		return "not measured yet"
	}
	return fmt.Sprintf("%11s", shortTime(time.Duration(v.Time*float64(time.Microsecond))))
}

// Why says of a variant that it was chosen, and why, or that it is the rule of thumb.
func (c choiceReport) Why(i int) string {
	switch chosen := c.Variants[i].Number == c.Chosen; {
	case chosen && i > 0:
		return "  chosen, the fastest"
	case chosen && c.Left == len(c.Variants):
		return "  chosen by rule of thumb"
	case chosen:
		return "  chosen, no other clearly faster"
	case i == 0:
		return "  the rule of thumb"
	}
	return ""
}

// driverReport is what devices --report writes: nothing in it says whose machine it is.
type driverReport struct {
	Program string         `json:"program"`
	System  string         `json:"system"`
	Devices []deviceReport `json:"devices"`
	Checks  []driverCheck  `json:"checks"`
	Model   string         `json:"model"`
	Times   []driverTime   `json:"times"`
	// Crossovers are the fewest drawings at once for which a device was faster than the processor; 0 where it never was.
	Crossovers map[glcompute.DeviceKind]int `json:"crossovers"`
}

// driverCheck is what came of trying a driver anew in a process of its own.
type driverCheck struct {
	Kind   glcompute.DeviceKind `json:"kind"`
	Driver string               `json:"driver,omitempty"`
	Right  bool                 `json:"right"`
	Wrong  string               `json:"wrong,omitempty"`
}

// driverTime is the shortest of a few answers to so many drawings at once.
type driverTime struct {
	Kind     glcompute.DeviceKind `json:"kind"`
	Drawings int                  `json:"drawings"`
	Time     float64              `json:"ms"`
	Same     bool                 `json:"same"` // its answers are the processor's
}

// Drawings at once that are timed, and how often.
var reportedBatches = []int{1, 16, 128, 1024}

const reportRounds = 3

// writeReport tries the drivers anew, times them, and writes the report as JSON.
func writeReport(cmd *cobra.Command, path string) error {
	if err := checkWritable(path); err != nil {
		return err
	}
	about := inkshade.About()
	r := driverReport{
		Program: about.Name + " " + about.Version, System: runtime.GOOS + " " + runtime.GOARCH,
		Model: models.Named("digits"), Crossovers: map[glcompute.DeviceKind]int{},
	}
	for _, kind := range glcompute.VariantKinds() {
		cmd.PrintErrf("trying the driver of %s\n", kind)
		c, err := reading(cmd, nil, func() (driverCheck, error) {
			driver, err := glcompute.TryDriver(kind)
			c := driverCheck{Kind: kind, Driver: driver, Right: err == nil}
			if err != nil {
				c.Wrong = err.Error()
			}
			return c, nil
		})
		if err != nil {
			return err
		}
		r.Checks = append(r.Checks, c)
	}
	list, err := listDevices(cmd)
	if err != nil {
		return err
	}
	r.Devices = deviceReports(list)
	if err := r.time(cmd); err != nil {
		return err
	}
	return writeFile(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// time lets every device answer for the sample ink.
func (r *driverReport) time(cmd *cobra.Command) error {
	samples, err := ink.Read(bytes.NewReader(assets.SampleInk()))
	if err != nil {
		return err
	}
	model, err := recognizer.LoadModel(r.Model)
	if err != nil {
		return err
	}
	drawings := make([]ink.Ink, slices.Max(reportedBatches))
	for i := range drawings {
		drawings[i] = samples[i%len(samples)].Ink
	}
	var processor []time.Duration
	var right []string // answers of the processor, which comes first
	for _, d := range r.Devices {
		if !d.Available {
			continue
		}
		shortest, answers, err := timed(cmd, model, d.Kind, drawings)
		if err != nil {
			return fmt.Errorf("%s: %w", d.Kind, err)
		}
		if right == nil {
			processor, right = shortest, answers
		}
		for i, n := range reportedBatches {
			r.Times = append(r.Times, driverTime{d.Kind, n, inMilliseconds(shortest[i]), slices.Equal(answers, right)})
			if r.Crossovers[d.Kind] == 0 && shortest[i] < processor[i] {
				r.Crossovers[d.Kind] = n
			}
		}
	}
	return nil
}

// timed gives the shortest times of a device, by reportedBatches, and its answers to the largest.
func timed(cmd *cobra.Command, model *nn.Model, kind glcompute.DeviceKind, drawings []ink.Ink) (shortest []time.Duration, labels []string, err error) {
	dev, err := glcompute.Open(kind)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, dev.Close()) }()
	rec, err := recognizer.New(model, dev)
	if err != nil {
		return nil, nil, err
	}
	defer rec.Close()
	var answers []recognizer.Answer
	for _, n := range reportedBatches {
		cmd.PrintErrf("measuring %s, %s at once\n", kind, counted(n, "drawing"))
		var best time.Duration
		for round := range 1 + reportRounds { // drivers finish compiling in the first
			if err := cmd.Context().Err(); err != nil {
				return nil, nil, err
			}
			begin := clock.Now()
			if answers, err = rec.RecognizeMany(drawings[:n], nil); err != nil {
				return nil, nil, err
			}
			if took := clock.Since(begin); round == 1 || round > 1 && took < best {
				best = took
			}
		}
		shortest = append(shortest, best)
	}
	for _, a := range answers {
		labels = append(labels, a.Candidates[0].Label)
	}
	return shortest, labels, nil
}
