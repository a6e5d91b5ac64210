package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// evalReport is the JSON of the eval command.
type evalReport struct {
	Samples             int                  `json:"samples"`
	Errors              int                  `json:"errors"`
	ErrorPercent        float64              `json:"error_percent"`
	FoldedErrors        *int                 `json:"folded_errors,omitempty"`
	FoldedErrorPercent  *float64             `json:"folded_error_percent,omitempty"`
	Top3ErrorPercent    float64              `json:"top3_error_percent"`
	Top5ErrorPercent    float64              `json:"top5_error_percent"`
	Top10ErrorPercent   *float64             `json:"top10_error_percent,omitempty"`
	Loss                float64              `json:"loss"`
	Confusions          []train.Confusion    `json:"confusions"`
	Device              glcompute.DeviceKind `json:"device"`
	DeviceName          string               `json:"device_name"`
	Fallback            string               `json:"device_fallback,omitempty"`
	Mixed               *sharingReport       `json:"mixed,omitempty"`
	SamplesPerSecond    float64              `json:"samples_per_second"`
	Model               string               `json:"model"`
	Skipped             int                  `json:"skipped"`
	SkippedUnknownLabel int                  `json:"skipped_unknown_label"`
	UnknownLabels       []string             `json:"unknown_labels"`
	SkippedContext      int                  `json:"skipped_context"`
	SkippedClasses      int                  `json:"skipped_classes"`
}

type evalFlags struct {
	modelFlags
	lineFlags
	ignoreCase bool
	style      string
	data       []string
	json       bool
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
text, which the model words reads unless another is named, numbers that of characters. JSON then: lines,
line_errors, line_error_percent, words, word_errors, word_error_percent, characters,
character_errors, character_error_percent (edit distance), confusions (runs of as many
characters), cuts (runs taken for more or fewer), language, model, device, device_name,
device_fallback, characters_per_second, skipped (without strokes or label).

--device mixed splits large batches between the processor and shaders in proportion to their
measured speed, where that is faster than the faster of them alone, which otherwise does
everything; --split 0.6 gives the processor six tenths without measuring.

JSON: one object with the keys samples, errors, error_percent, top3_error_percent,
top5_error_percent (the right label is not among the first three, five answers), of models
with more than ten classes top10_error_percent, loss (mean cross-entropy), with --fold folded_errors and folded_error_percent, confusions (the most frequent first, each with label, answer, count),
device (the one that --device auto chose or, while it is still measuring, let do the last
batch; mixed where two shared), device_name,
device_fallback (why it is not the one asked for), mixed (with --device mixed: words, used,
devices, each with device, name, share and alone_ms, together_ms of the batch measured,
measured_ms, lost), samples_per_second (recognition alone), model, skipped (without ink),
skipped_unknown_label, unknown_labels, skipped_context, skipped_classes.`,
		Example: `  inkshade eval t10k-images-idx3-ubyte.gz t10k-labels-idx1-ubyte.gz
  inkshade eval --device fragment --json digits.jsonl.gz
  inkshade eval --line --language english --ignore-case --style PRINTED words.jsonl.gz`,
		RunE: func(cmd *cobra.Command, args []string) error {
			f.data = append(f.data, args...)
			if err := atLeastOne("the name of an ink file, a folder or a pair of IDX files")(cmd, f.data); err != nil {
				return err
			}
			return f.run(cmd, f.data)
		},
	}
	f.modelFlags.bind(cmd)
	f.lineFlags.bind(cmd, "the labels are texts of many characters")
	cmd.Flags().BoolVar(&f.ignoreCase, "ignore-case", false, "with --line, capitals and small letters are alike")
	cmd.Flags().StringVar(&f.style, "style", "", "with --line, only samples of this style, such as PRINTED, or joined: of fewer strokes than letters")
	cmd.Flags().StringArrayVar(&f.data, "data", nil, "another way to name DATA, that of train")
	cmd.Flags().BoolVar(&f.json, "json", false, "write JSON")
	cmd.Flags().BoolVar(&f.noContext, "no-context", false, "leave out samples cut out of running text")
	cmd.Flags().BoolVar(&f.fold, "fold", false, "tell the error also with characters that look alike counted as one")
	bindClasses(cmd, "classes", &f.classes, classesUsage)
	cmd.Flags().Float64Var(&f.heldOut, "held-out", 0, "only the part that train keeps for testing with this --hold-out")
	cmd.Flags().Int64Var(&f.seed, "seed", 1, "the --seed of that training")
	cmd.Flags().IntVar(&f.confusions, "confusions", 10, "how many confusions to show")
	return cmd
}

func (f *evalFlags) run(cmd *cobra.Command, data []string) error {
	classes, err := parseClasses("classes", f.classes)
	switch {
	case err != nil:
	case f.confusions < 0:
		err = fmt.Errorf("--confusions is %d, but cannot be negative", f.confusions)
	case !(f.heldOut >= 0 && f.heldOut <= 1):
		err = fmt.Errorf("--held-out is %g, but must be a share from 0 to 1", f.heldOut)
	case f.fold && f.line:
		err = errors.New("--fold is about characters alone, not those of --line; leave one of them out")
	default:
		err = cmp.Or(f.device.check(cmd), f.choose(cmd, &f.model))
	}
	if err != nil {
		return usageError{err}
	}
	if f.line {
		return f.evalLines(cmd, data, classes)
	}
	model, err := f.readModel(cmd)
	if err != nil {
		return err
	}
	samples, blank, err := f.load(cmd, data, model.Labels)
	if err != nil {
		return err
	}
	report := evalReport{Model: f.model, Skipped: blank}
	if samples, err = report.choose(samples, model, classes, f.noContext); err != nil {
		return err
	}
	if err := dataset.Draw(cmd.Context(), samples); err != nil {
		return err
	}
	dev := f.device.open(cmd)
	defer dev.Close()
	result, err := train.Evaluate(cmd.Context(), dev, model, samples, classes)
	if err != nil {
		return err
	}
	report.fill(result, f.confusions)
	if len(model.Labels) > 10 {
		percent := 100 * result.Top10Rate()
		report.Top10ErrorPercent = &percent
	}
	if f.fold {
		folded := result.FoldedErrors()
		share := percent(folded, result.Samples)
		report.FoldedErrors, report.FoldedErrorPercent = &folded, &share
	}
	if f.device.kind == glcompute.Mixed {
		report.Mixed = reportSharing(result.Device.Choice)
	}
	return show(cmd, f.json, report, report.write)
}

// load reads the samples, of which only those held out of a training on these labels take part where that is asked for.
func (f *evalFlags) load(cmd *cobra.Command, data, labels []string) (samples []dataset.Sample, blank int, err error) {
	if samples, blank, err = readSamples(cmd, data); err == nil {
		samples, err = heldOut(samples, labels, f.heldOut, f.seed)
	}
	return samples, blank, err
}

// choose keeps the samples that count and notes how many do not, and why.
func (r *evalReport) choose(samples []dataset.Sample, model *nn.Model, classes []string, noContext bool) ([]dataset.Sample, error) {
	if noContext {
		all := len(samples)
		samples = withoutContext(samples)
		r.SkippedContext = all - len(samples)
	}
	chosen, others := partition(samples, classes)
	r.SkippedClasses = total(others)
	known, unknown := partition(chosen, model.Labels)
	r.SkippedUnknownLabel = total(unknown)
	r.UnknownLabels = slices.AppendSeq([]string{}, maps.Keys(unknown))
	slices.Sort(r.UnknownLabels)
	if len(samples)+r.SkippedContext == 0 {
		return nil, errors.New("the data hold no samples; name others")
	}
	if len(known) == 0 {
		return nil, fmt.Errorf("none of the %d samples takes part: %s", len(samples)+r.SkippedContext, r.skipped())
	}
	return known, nil
}

func total(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}

func (r *evalReport) fill(e *train.Evaluation, confusions int) {
	r.Samples, r.Errors, r.Loss = e.Samples, e.Errors, e.Loss
	r.ErrorPercent, r.Top3ErrorPercent, r.Top5ErrorPercent = 100*e.ErrorRate(), 100*e.Top3Rate(), 100*e.Top5Rate()
	r.SamplesPerSecond = e.SamplesPerSecond
	r.Device, r.DeviceName, r.Fallback = e.Device.Kind, e.Device.Name, e.Device.Fallback.String()
	r.Confusions = append([]train.Confusion{}, e.Confusions[:min(confusions, len(e.Confusions))]...)
}

// skipped lists in words what takes no part; empty when all samples do.
func (r *evalReport) skipped() string {
	var parts []string
	if r.Skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d hold no ink", r.Skipped))
	}
	if r.SkippedUnknownLabel > 0 {
		parts = append(parts, fmt.Sprintf("%d have no label, or one that the model does not know (%s)",
			r.SkippedUnknownLabel, firstLabels(r.UnknownLabels)))
	}
	if r.SkippedClasses > 0 {
		parts = append(parts, fmt.Sprintf("%d are not of the classes asked for", r.SkippedClasses))
	}
	if r.SkippedContext > 0 {
		parts = append(parts, fmt.Sprintf("%d are cut out of running text", r.SkippedContext))
	}
	return strings.Join(parts, "; ")
}

// firstLabels names the first ten labels and how many more there are.
func firstLabels(labels []string) string {
	var names []string
	for _, l := range labels[:min(10, len(labels))] {
		if l == "" {
			l = "none"
		}
		names = append(names, fmt.Sprintf("%.60s", files.Shown(l)))
	}
	if more := len(labels) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, " ")
}

func (r *evalReport) write(w io.Writer) {
	fmt.Fprintf(w, "model         %s\n", files.Shown(r.Model))
	fmt.Fprintf(w, "device        %s, %s\n", r.Device, r.DeviceName)
	if r.Mixed != nil {
		fmt.Fprintf(w, "mixed         %s\n", strings.TrimPrefix(r.Mixed.Words, "mixed: "))
	}
	fmt.Fprintf(w, "samples       %d\n", r.Samples)
	if s := r.skipped(); s != "" {
		fmt.Fprintf(w, "left out      %s\n", s)
	}
	fmt.Fprintf(w, "error         %6.2f %%   (%d)\n", r.ErrorPercent, r.Errors)
	if r.FoldedErrors != nil {
		fmt.Fprintf(w, "folded        %6.2f %%   (%d)\n", *r.FoldedErrorPercent, *r.FoldedErrors)
	}
	fmt.Fprintf(w, "top-3 error   %6.2f %%\n", r.Top3ErrorPercent)
	fmt.Fprintf(w, "top-5 error   %6.2f %%\n", r.Top5ErrorPercent)
	if r.Top10ErrorPercent != nil {
		fmt.Fprintf(w, "top-10 error  %6.2f %%\n", *r.Top10ErrorPercent)
	}
	fmt.Fprintf(w, "speed         %.0f samples per second\n", r.SamplesPerSecond)
	writeConfusions(w, "confusions", r.Confusions)
}

func writeConfusions(w io.Writer, heading string, all []train.Confusion) {
	for _, c := range all {
		fmt.Fprintf(w, "%-13s %s taken for %s: %d\n", heading, shownPart(c.Want), shownPart(c.Got), c.Count)
		heading = ""
	}
}
