package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"inkshade/glcompute/message"
	"inkshade/recognizer/bench"
)

type benchFlags struct {
	options bench.Options
	csv     string
	devices []string
}

func newBench() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure the devices: one drawing, batches, training, products",
		Long: `Measures every device in turn and prints medians: one drawing stage by stage; recognition of
1 to 4,096 drawings at once (784-800-10); a training step of 128, also with the mini-batch
shared between the processor and the fastest shaders (mixed); a training step of 2-h-1 over
4 to 1,024 hidden units and 4 to 16,384 samples (Takizawa et al., 2009), with one value in a
texel (fragment-unpacked) beside four, and that of 2-64-1 with 1,024 samples also where both
read the operands of products from textures (unpacked-textures and fragment-textures), as on
GPUs: a software renderer is given them in buffers; products of 256 to 2,048; the first layer
with whole rows of pixels and with sparse ones, over the share of ink. A star marks readings
that other work on the machine disturbed. An interrupt ends it early, with what has been
measured. The Latency page of the window draws the same as charts.

JSON: an object with the keys version, started, elapsed_s, quick, complete, machine,
devices, drawings, readings, crossovers, packing (times as long with one value in a texel as
with four), packing_textures (the same where both read from textures), sparse_up_to_percent
(the share of ink up to which sparse rows are faster, by device); times in microseconds, under
keys that end in _us (us for a pass); compile_us is compiling, with the choice of variants
where it is new, and prepare_us that with the first replay. CSV: one line for each
reading.`,
		PreRunE: func(*cobra.Command, []string) (err error) {
			f.options.Contestants, err = f.contestants()
			return err
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.measure(cmd) },
	}
	fs := cmd.Flags()
	fs.Bool("json", false, "write JSON")
	fs.BoolVar(&f.options.Quick, "quick", false, "fewer sizes and less time for each, under half a minute on a quiet machine")
	fs.StringVar(&f.csv, "csv", "", "file to write the readings to, as CSV")
	fs.StringSliceVar(&f.devices, "device", nil, "devices to measure: "+strings.Join(benchDevices(), ", ")+" (all but auto)")
	_ = cmd.RegisterFlagCompletionFunc("device", cobra.FixedCompletions(benchDevices(), cobra.ShellCompDirectiveNoFileComp))
	cmd.AddCommand(newBenchPrototypes())
	return cmd
}

// benchDevices are the names of all that can be measured.
func benchDevices() []string {
	names := namesOf(deviceKinds)
	for _, c := range bench.Compared() {
		names = append(names, c.Name)
	}
	return names
}

func (f *benchFlags) measure(cmd *cobra.Command) error {
	if f.csv != "" {
		if err := checkWritable(f.csv); err != nil {
			return err
		}
	}
	var said bench.Experiment
	report, err := bench.Run(cmd.Context(), f.options, func(e bench.Event) {
		if e.Experiment != said {
			said = e.Experiment
			cmd.PrintErrf("measuring %s (%d of %d done)\n", e.Experiment, e.Done, e.Total)
		}
	})
	if err != nil && (!errors.Is(err, context.Canceled) || len(report.Readings)+len(report.Drawings) == 0) {
		return err
	}
	if f.csv != "" {
		if err := writeFile(f.csv, report.WriteCSV); err != nil {
			return err
		}
	}
	return show(cmd, report, benchWords)
}

func (f *benchFlags) contestants() ([]bench.Contestant, error) {
	if len(f.devices) == 0 {
		return bench.Everything(), nil
	}
	known := append(bench.Contestants(deviceKinds...), bench.Compared()...)
	var all []bench.Contestant
	for _, name := range f.devices {
		named := func(c bench.Contestant) bool { return c.Name == name }
		i := slices.IndexFunc(known, named)
		if i < 0 {
			return nil, fmt.Errorf("--device %s: %w", name, word[string]{new(name), benchDevices()}.Set(name))
		}
		if !slices.ContainsFunc(all, named) {
			all = append(all, known[i])
		}
	}
	return all, nil
}

// Widths of columns of sizes and of readings, of these the least, without their stars.
const (
	sizeColumn  = 8
	benchColumn = 17
)

const benchWords = `{{with .Machine}}{{with .Processor}}{{.}}, {{end}}{{counted .Cores "core"}}, {{.System}}{{end}}, Inkshade {{.Version}}
{{range .Listed}}{{printf "%-9s" .Name}} {{if .Missing}}not measured: {{.Missing}}{{else}}{{.Info.Name -}}
	{{if .Info.Software}} (software renderer: the processor draws){{end}}, {{.Info.Version}}{{end}}
{{end}}{{if .Drawings}}
One drawing, stages apart, and compiling before the first
          preprocess     upload    compute   readback   together     compile
{{range .Drawings}}{{printf "%-9s" .Device}}{{if .Missing}} {{.Missing}}{{else -}}
	{{printf " %10s %10s %10s %10s" (time .Preprocess) (time .Upload) (time .Compute) (time .Readback) -}}
	{{printf " %10s%s %10s" (time .Total.Median) (star .Total) (time .Compile)}}{{end}}
{{end}}{{end}}{{tables .}}
Medians; measured in {{.Elapsed.Round 100000000}}.{{if not .Complete}} Broken off before the end.{{end}}{{range cautions .}}
{{.}}{{end}}
`

// benchTables are a table of the readings of each experiment, and what they mean.
func benchTables(r *bench.Report) string {
	type place struct {
		size   int
		device string
	}
	var b strings.Builder
	for _, e := range append(bench.Experiments(), bench.PrototypeExperiments()...) {
		var sizes []int
		var devices []string
		at := map[place]bench.Reading{}
		for _, x := range r.Readings {
			if x.Experiment == e {
				sizes, devices = append(sizes, x.Size), append(devices, x.Device)
				at[place{x.Size, x.Device}] = x
			}
		}
		title, unit := e.Title(), e.Unit().String()
		if title == "" || len(at) == 0 {
			continue
		}
		if len(unit) > sizeColumn {
			unit, _, _ = strings.Cut(unit, " ")
		}
		sizes, devices = distinct(sizes), distinct(devices)
		fmt.Fprintf(&b, "\n%s\n", title)
		column := benchColumn
		for _, d := range devices {
			column = max(column, len(d))
		}
		for beside := range slices.Chunk(devices, (terminal-sizeColumn)/(column+1)) {
			fmt.Fprintf(&b, "%*s", sizeColumn, unit)
			for _, d := range beside {
				fmt.Fprintf(&b, "%*s", column+1, d)
			}
			for _, size := range sizes {
				fmt.Fprintf(&b, "\n%*d", sizeColumn, size)
				for _, d := range beside {
					x := at[place{size, d}]
					fmt.Fprintf(&b, "%*s%s", column, cell(x), star(x.Spread))
				}
			}
			b.WriteByte('\n')
		}
		for _, d := range devices {
			for _, size := range sizes {
				if why := at[place{size, d}].Missing; why != nil {
					fmt.Fprintf(&b, "%s at %d: %s\n", d, size, why)
				}
			}
		}
		all := [][]*message.Message{r.Chart(e)}
		switch e {
		case bench.TrainingStep:
			all = append(all, r.Training())
		case bench.Packing:
			all = append(all, r.PackingWords())
		case bench.PrototypeStep, bench.PrototypeStep8:
			all = append(all, r.Gain(e))
		}
		for _, words := range all {
			if words != nil {
				fmt.Fprintln(&b, bench.Sentences(words))
			}
		}
	}
	if slices.ContainsFunc(r.Readings, func(x bench.Reading) bool { return x.GFLOPS > 0 }) {
		b.WriteString("\nBehind a time stand GFLOP/s.\n")
	}
	return b.String()
}

// distinct are the values in the order in which they first come.
func distinct[T comparable](all []T) (some []T) {
	for _, x := range all {
		if !slices.Contains(some, x) {
			some = append(some, x)
		}
	}
	return some
}

// cell is a time, and the speed where it is known.
func cell(x bench.Reading) string {
	switch {
	case x.Missing != nil || x.Repeats == 0:
		return "-"
	case x.GFLOPS > 0:
		return fmt.Sprintf("%s %6.1f", shortTime(x.Median), x.GFLOPS)
	}
	return shortTime(x.Median)
}

func star(s bench.Spread) string {
	if s.Disturbed {
		return "*"
	}
	return " "
}

// shortTime writes a time in three or four digits.
func shortTime(d time.Duration) string {
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f ms", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms >= 1:
		return fmt.Sprintf("%.2f ms", ms)
	}
	return fmt.Sprintf("%.4f ms", ms)
}

func newBenchPrototypes() *cobra.Command {
	f := benchFlags{options: bench.Options{
		Prototypes: bench.ChinesePrototypes, Contestants: bench.PrototypeContestants(), Experiments: bench.PrototypeExperiments(),
	}}
	shape := &f.options.Prototypes
	cmd := &cobra.Command{
		Use:   "prototypes",
		Short: "Measure the learning of prototypes for thousands of classes",
		Long: `Measures what Su et al. measure in "GPU-based large-scale prototype learning" (2016): the
squared distances of 1 to 8,192 samples to a prototype of each class, beside a product of the same
size; the nearest of the own class and of all others; and a step of GLVQ with one and with eight
prototypes of each class. Where variants have columns of their own, they are fixed: by reduction, or by tiles
and by comparing and exchanging; elsewhere each size takes the variant that measuring chose.

One core runs the plain algorithm in loops, and with gonum's products for the distances of a
mini-batch. A gain is samples a second over the best of one core at any size. Of a distance three
floating-point operations are counted for each feature, of a product two.

JSON: as bench has it, and gains, a list with the keys experiment, device, size (samples a step),
over_one_core and over_one_core_blas.`,
		PreRunE: func(*cobra.Command, []string) error { return shape.Check() },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.measure(cmd) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	fs.Bool("json", false, "write JSON")
	fs.BoolVar(&f.options.Quick, "quick", false, "fewer sizes and less time for each")
	fs.IntVar(&shape.Classes, "classes", shape.Classes, "number of classes")
	fs.IntVar(&shape.Features, "features", shape.Features, "values of a sample")
	return cmd
}
