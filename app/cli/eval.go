package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

type evalReport struct {
	Samples             int                  `json:"samples"`
	Errors              int                  `json:"errors"`
	ErrorPercent        float64              `json:"error_percent"`
	FoldedErrors        *int                 `json:"folded_errors,omitempty" help:"with --fold"`
	FoldedErrorPercent  *float64             `json:"folded_error_percent,omitempty"`
	Top3ErrorPercent    float64              `json:"top3_error_percent" help:"the right label is not among the first three answers"`
	Top5ErrorPercent    float64              `json:"top5_error_percent"`
	Top10ErrorPercent   *float64             `json:"top10_error_percent,omitempty" help:"of models with more than ten classes"`
	Loss                float64              `json:"loss" help:"mean cross-entropy"`
	Confusions          []train.Confusion    `json:"confusions" help:"the most frequent first"`
	Device              glcompute.DeviceKind `json:"device" help:"the one that --device auto chose or, while it is still measuring, let do the last batch; mixed where two shared"`
	DeviceName          string               `json:"device_name"`
	Fallback            string               `json:"device_fallback,omitempty" help:"why it is not the one asked for"`
	Mixed               *sharingReport       `json:"mixed,omitempty" help:"with --device mixed"`
	SamplesPerSecond    float64              `json:"samples_per_second" help:"recognition alone"`
	Model               string               `json:"model"`
	Skipped             int                  `json:"skipped" help:"without ink"`
	SkippedUnknownLabel int                  `json:"skipped_unknown_label"`
	UnknownLabels       []string             `json:"unknown_labels"`
	SkippedContext      int                  `json:"skipped_context"`
	SkippedClasses      int                  `json:"skipped_classes"`
}

// sharingReport is the JSON of what --device mixed measured and decided.
type sharingReport struct {
	Words      string         `json:"words"`
	Used       bool           `json:"used"`
	Devices    []sharedDevice `json:"devices"`
	TogetherMS float64        `json:"together_ms,omitempty" help:"of the batch measured"`
	Lost       string         `json:"lost,omitempty"`
	MeasuredMS float64        `json:"measured_ms,omitempty"`
}

type sharedDevice struct {
	Device  glcompute.DeviceKind `json:"device"`
	Name    string               `json:"name"`
	Share   float64              `json:"share"`
	AloneMS float64              `json:"alone_ms,omitempty"`
}

// reportSharing tells of a choice that sharing was among; it is nil where there was none.
func reportSharing(c *glcompute.Choice) *sharingReport {
	if c == nil {
		return nil
	}
	r := &sharingReport{
		Words: c.String(), Used: c.Shared(), Lost: c.Lost.String(),
		TogetherMS: inMilliseconds(c.Together), MeasuredMS: inMilliseconds(c.Measuring),
	}
	for i, share := range c.Shares {
		r.Devices = append(r.Devices, sharedDevice{c.Devices[i].Kind, c.Devices[i].Name, share, inMilliseconds(c.Alone[i])})
	}
	return r
}

func inMilliseconds(d time.Duration) float64 { return 1e3 * d.Seconds() }

type evalFlags struct {
	modelFlags
	lineFlags
	ignoreCase bool
	style      string
	data       []string
	noContext  bool
	fold       bool
	classes    []string
	confusions int
	heldOut    float64
	seed       int64
}

func newEval() *cobra.Command {
	f := evalFlags{modelFlags: modelFlags{device: deviceFlag{mixed: true}}}
	cmd := &cobra.Command{
		Use:   "eval DATA...",
		Short: "Measure how often a model is wrong on labelled samples",
		Long: `Recognises labelled samples and counts the errors. Each DATA is an ink file with labels
(` + ink.Names() + `; plain or gzip'ed), a folder of such files, a folder with a
folder of pictures for each class, or two files, IMAGES.idx.gz LABELS.idx.gz,
where the labels may be text too, one a line.

Samples whose label the model does not know, and those without ink, are left out and
counted apart. Samples cut out of running text take part unless --no-context is given.
With --classes only samples with these labels take part, and only these are answered. With
--held-out only the writers take part that "train" with this --hold-out and --seed, and
without --no-context, did not learn from; name the same data then. With --fold the error is
told once more without answers that only look alike, such as o, O and 0, s and S, or 1, l and
I, which a character alone does not tell apart.

With --line each sample is a number, a word or several lines of words, and the label its
text, which the model words reads unless another is named, numbers that of characters. With
--classes only lines of these characters take part. JSON then:
` + keys(lineEvaluation{}) + `

--device mixed splits large batches between the processor and shaders in proportion to their
measured speed, where that is faster than the faster of them alone, which otherwise does
everything; --split 0.6 gives the processor six tenths without measuring.

JSON: one object with the keys
` + keys(evalReport{}),
		Example: `  inkshade eval t10k-images-idx3-ubyte.gz t10k-labels-idx1-ubyte.gz
  inkshade eval --device fragment --json digits.jsonl.gz
  inkshade eval --line --language english --ignore-case --style PRINTED words.jsonl.gz`,
		Args: cobra.ArbitraryArgs,
		PreRunE: func(cmd *cobra.Command, args []string) error {
			f.data = append(f.data, args...)
			return f.check(cmd)
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.modelFlags.bind(cmd)
	f.lineFlags.bind(cmd, "the labels are texts of many characters")
	cmd.Flags().BoolVar(&f.ignoreCase, "ignore-case", false, "with --line, capitals and small letters are alike")
	cmd.Flags().StringVar(&f.style, "style", "", "with --line, only samples of this style, such as PRINTED, or joined: of fewer strokes than letters")
	cmd.Flags().StringArrayVar(&f.data, "data", nil, "another way to name DATA, that of train")
	cmd.Flags().Bool("json", false, "write JSON")
	cmd.Flags().BoolVar(&f.noContext, "no-context", false, "leave out samples cut out of running text")
	cmd.Flags().BoolVar(&f.fold, "fold", false, "tell the error also with characters that look alike counted as one")
	bindLabels(cmd, "classes", &f.classes, classesUsage)
	cmd.Flags().Float64Var(&f.heldOut, "held-out", 0, "only the part that train keeps for testing with this --hold-out")
	cmd.Flags().Int64Var(&f.seed, "seed", 1, "the --seed of that training")
	cmd.Flags().IntVar(&f.confusions, "confusions", 10, "how many confusions to show")
	return cmd
}

func (f *evalFlags) check(cmd *cobra.Command) error {
	switch {
	case len(f.data) == 0:
		return errors.New("the name of an ink file, a folder or a pair of IDX files is missing")
	case f.confusions < 0:
		return fmt.Errorf("--confusions is %d, but cannot be negative", f.confusions)
	case !(f.heldOut >= 0 && f.heldOut <= 1):
		return fmt.Errorf("--held-out is %g, but must be a share from 0 to 1", f.heldOut)
	case f.fold && f.line:
		return errors.New("--fold is about characters alone, not those of --line; leave one of them out")
	}
	return cmp.Or(f.device.check(cmd), f.choose(cmd, &f.model))
}

func (f *evalFlags) run(cmd *cobra.Command) error {
	if f.line {
		return f.evalLines(cmd)
	}
	model, err := f.readModel(cmd)
	if err != nil {
		return err
	}
	if model.Preprocessing == nn.LineMaps {
		return f.errReadsLines()
	}
	data := strings.Join(f.data, ", ")
	found, err := reading(cmd, stillReading(cmd, data), func() (dataset.Found, error) { return dataset.Find(cmd.Context(), f.data...) })
	if err != nil {
		return err
	}
	dev := f.device.open(cmd)
	defer dev.Close()
	report := evalReport{Model: f.model, UnknownLabels: []string{}}
	e, err := finishing(cmd, still(cmd, func() string { return "measuring on " + files.Shown(data) }), func() (*train.Evaluation, error) {
		return train.EvaluateParts(cmd.Context(), dev, model, f.classes, func(add func([]dataset.Sample) error) error {
			return f.eachPart(cmd, found, model, &report, add)
		})
	})
	if err != nil {
		return err
	}
	report.Samples, report.Errors, report.Loss, report.SamplesPerSecond = e.Samples, e.Errors, e.Loss, e.SamplesPerSecond
	report.ErrorPercent, report.Top3ErrorPercent, report.Top5ErrorPercent = 100*e.ErrorRate(), 100*e.Top3Rate(), 100*e.Top5Rate()
	report.Device, report.DeviceName, report.Fallback = e.Device.Kind, e.Device.Name, e.Device.Fallback.String()
	report.Confusions = append([]train.Confusion{}, e.Confusions[:min(f.confusions, len(e.Confusions))]...)
	if len(model.Labels) > 10 {
		report.Top10ErrorPercent = new(100 * e.Top10Rate())
	}
	if f.fold {
		report.FoldedErrors, report.FoldedErrorPercent = new(e.FoldedErrors()), new(percent(e.FoldedErrors(), e.Samples))
	}
	if f.device.kind == glcompute.Mixed {
		report.Mixed = reportSharing(e.Device.Choice)
	}
	return show(cmd, &report, evalWords)
}

// samplesAtOnce is how many samples have images at a time.
const samplesAtOnce = 4096

// eachPart hands the samples that count over, some after the other and with images, and notes how many do not, and why.
func (f *evalFlags) eachPart(cmd *cobra.Command, found dataset.Found, model *nn.Model, report *evalReport, use func([]dataset.Sample) error) error {
	ctx, read, all, used, most := cmd.Context(), 0, 0, 0, samplesAtOnce
	if f.heldOut > 0 { // who is held out depends on who is there
		most = max(len(found), 1)
	}
	var without []error
	err := found.Each(ctx, most, func(samples []dataset.Sample, blank []error) error {
		read, without = read+len(samples), append(without, blank...)
		samples, err := heldOut(samples, model.Labels, f.heldOut, f.seed)
		if err != nil {
			return err
		}
		all += len(samples)
		known := report.choose(samples, model, f.classes, f.noContext)
		used += len(known)
		return cmp.Or(dataset.Draw(ctx, known), use(known))
	})
	if err != nil {
		return err
	}
	tellBlank(cmd, read, without)
	report.Skipped = len(without)
	return report.check(all, used)
}

// check fails where none of all samples is used.
func (r *evalReport) check(all, used int) error {
	switch {
	case all == 0:
		return errors.New("the data hold no samples; name others")
	case used == 0:
		return fmt.Errorf("none of %s takes part: %s", counted(all, "sample"), r.LeftOut())
	}
	return nil
}

// choose keeps the samples that count and notes how many do not, and why.
func (r *evalReport) choose(samples []dataset.Sample, model *nn.Model, classes []string, noContext bool) []dataset.Sample {
	all := len(samples)
	samples = withoutContext(samples, noContext)
	chosen, others := partition(samples, classes)
	known, unknown := partition(chosen, model.Labels)
	r.SkippedContext, r.SkippedClasses, r.SkippedUnknownLabel = r.SkippedContext+all-len(samples), r.SkippedClasses+len(others), r.SkippedUnknownLabel+len(unknown)
	for _, s := range unknown {
		r.UnknownLabels = append(r.UnknownLabels, s.Label)
	}
	slices.Sort(r.UnknownLabels)
	r.UnknownLabels = slices.Compact(r.UnknownLabels)
	return known
}

// LeftOut lists in words what takes no part; empty when all samples do.
func (r *evalReport) LeftOut() string {
	var parts []string
	for _, p := range []struct {
		samples int
		why     string
	}{
		{r.Skipped, "without ink"},
		{r.SkippedUnknownLabel, fmt.Sprintf("with no label, or one that the model does not know (%s)", firstLabels(r.UnknownLabels))},
		{r.SkippedClasses, "of other classes than those asked for"},
		{r.SkippedContext, "cut out of running text"},
	} {
		if p.samples > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.samples, p.why))
		}
	}
	return strings.Join(parts, "; ")
}

// firstLabels names the first ten labels and how many more there are.
func firstLabels(labels []string) string {
	var names []string
	for _, l := range labels[:min(10, len(labels))] {
		names = append(names, fmt.Sprintf("%.60s", files.Shown(cmp.Or(l, "none"))))
	}
	if more := len(labels) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, " ")
}

const evalWords = `model         {{shown .Model}}
device        {{.Device}}, {{.DeviceName}}
{{with .Mixed}}mixed         {{trim .Words "mixed: "}}
{{end}}samples       {{.Samples}}
{{with .LeftOut}}left out      {{.}}
{{end}}error         {{printf "%6.2f %%   (%d)" .ErrorPercent .Errors}}
{{with .FoldedErrors}}folded        {{printf "%6.2f" (float $.FoldedErrorPercent)}} %   ({{.}})
{{end}}top-3 error   {{printf "%6.2f" .Top3ErrorPercent}} %
top-5 error   {{printf "%6.2f" .Top5ErrorPercent}} %
{{with .Top10ErrorPercent}}top-10 error  {{printf "%6.2f" (float .)}} %
{{end}}speed         {{printf "%.0f" .SamplesPerSecond}} samples per second
{{confusions "confusions" .Confusions}}`

// confusionLines are a line for each confusion, the first behind a heading.
func confusionLines(heading string, all []train.Confusion) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%-13s %s taken for %s: %d\n", heading, shownPart(c.Want), shownPart(c.Got), c.Count)
		heading = ""
	}
	return b.String()
}
