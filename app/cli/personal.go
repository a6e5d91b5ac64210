package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

type personalReport struct {
	*personal.Figures     `json:"-"`
	Writers               int                  `json:"writers"`
	TestSamples           int                  `json:"test_samples"`
	BaseErrorPercent      float64              `json:"base_error_percent"`
	InstantErrorPercent   float64              `json:"instant_error_percent"`
	TaughtErrorPercent    float64              `json:"taught_error_percent"`
	TrainedErrorPercent   float64              `json:"trained_error_percent"`
	ErrorReductionPercent float64              `json:"error_reduction_percent" help:"from base to trained, of base"`
	GuardErrorBefore      *float64             `json:"guard_error_before_percent" help:"over all writers; null without --guard"`
	GuardErrorAfter       *float64             `json:"guard_error_after_percent"`
	TrainSecondsMedian    float64              `json:"train_seconds_median"`
	Device                glcompute.DeviceKind `json:"device" help:"the one that --device auto chose"`
}

type linesReport struct {
	*personal.Figures     `json:"-"`
	Writers               int                  `json:"writers"`
	TestLines             int                  `json:"test_lines"`
	TestCharacters        int                  `json:"test_characters"`
	BaseErrorPercent      float64              `json:"base_character_error_percent"`
	TrainedErrorPercent   float64              `json:"trained_character_error_percent"`
	ErrorReductionPercent float64              `json:"error_reduction_percent"`
	GuardErrorBefore      *float64             `json:"guard_character_error_before_percent"`
	GuardErrorAfter       *float64             `json:"guard_character_error_after_percent"`
	TrainSecondsMedian    float64              `json:"train_seconds_median"`
	Language              line.Language        `json:"language"`
	Device                glcompute.DeviceKind `json:"device"`
}

type personalFlags struct {
	modelFlags
	lineFlags
	ink, guard   []string
	perClass     int
	lines        int // to learn from
	testLines    int
	guardSamples int
	heldOut      float64
	noContext    bool
	settings     personal.Settings
}

func newPersonal() *cobra.Command {
	f := personalFlags{settings: personal.DefaultSettings()}
	cmd := &cobra.Command{
		Use:   "personal --ink FILE... [--guard DATA...]",
		Short: "Measure how much a model gains by learning one person's style",
		Long: `For every writer in ink files: learns from a few samples of each class and tests on the
writer's others, each time from the model as it is. A class of a writer takes part when the
writer has more samples of it than are learned, and a writer with at least two such classes; which samples are
learned is drawn by --seed. Labels that the model does not know become new classes. All
classes may be answered.

base is the model alone. instant is the model with the learned samples remembered beside
it, without training; taught is that memory alone, where only what was learned may be answered. trained is the network trained on them, with the same memory. guard
samples, of others, are answered before and after by the same: a rise is what learning one
style costs with others. Where there are more guard samples than --guard-samples, so
many are drawn, once for all writers; a writer's own are left out for that writer. With
--held-out only writers take part that train keeps for testing with this --hold-out and --seed.

With --line the model reads lines: it learns from --lines of each writer who has twice as many, and is tested on others of
them, at most --test-lines. All figures are of characters, case ignored, in the texts that --language gives.

JSON: one object with the keys
` + keys(personalReport{}) + `

With --line the keys are
` + keys(linesReport{}),
		Example: `  inkshade personal --model digits-mlp --ink digits.jsonl.gz --per-class 5 \
      --guard t10k-images.idx.gz t10k-labels.idx.gz --device cpu --json`,
		Args:    usage(cobra.NoArgs),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return f.check(cmd) },
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.modelFlags.bind(cmd)
	fs.StringArrayVar(&f.ink, "ink", nil, "ink files with labels and writers; more than one may follow")
	fs.StringArrayVar(&f.guard, "guard", nil, "samples of others that must still be answered; more than one may follow")
	fs.IntVar(&f.perClass, "per-class", 5, "samples of each class to learn from")
	fs.IntVar(&f.guardSamples, "guard-samples", 10_000, "most guard samples to answer for each writer; 0 for all")
	fs.Float64Var(&f.heldOut, "held-out", 0, "of the ink, only the part that train keeps for testing with this --hold-out and --seed")
	f.lineFlags.bind(cmd, "measure learning of lines")
	fs.IntVar(&f.lines, "lines", 20, "with --line, lines of a writer to learn from")
	fs.IntVar(&f.testLines, "test-lines", 100, "with --line, most lines of a writer to test on")
	fs.BoolVar(&f.noContext, "no-context", false, "leave out samples cut out of running text")
	bindSettings(cmd, personal.Adjustable, &f.settings)
	fs.Bool("json", false, "write JSON")
	return cmd
}

func (f *personalFlags) check(cmd *cobra.Command) error {
	switch {
	case len(f.ink) == 0:
		return errors.New("--ink is missing: name an ink file with labels and writers")
	case f.perClass < 1:
		return fmt.Errorf("--per-class is %d; use at least 1", f.perClass)
	case !(f.heldOut >= 0 && f.heldOut <= 1):
		return fmt.Errorf("--held-out is %g, but must be a share from 0 to 1", f.heldOut)
	case f.lines < 1 || f.testLines < 1:
		return fmt.Errorf("--lines is %d and --test-lines %d; use at least 1", f.lines, f.testLines)
	case f.guardSamples < 0:
		return fmt.Errorf("--guard-samples is %d; use 0 for all, or more", f.guardSamples)
	}
	return f.choose(cmd, &f.model)
}

func (f *personalFlags) run(cmd *cobra.Command) error {
	model, err := f.readModel(cmd)
	if err != nil {
		return err
	}
	if f.line != (model.Preprocessing == nn.LineMaps) {
		return usageError{errors.New("--line goes with a model that reads lines, such as words, and such a model with --line")}
	}
	samples, err := f.load(cmd, f.ink)
	if err != nil {
		return err
	}
	if samples, err = heldOut(samples, nil, f.heldOut, f.settings.Seed); err != nil {
		return err
	}
	var guard []dataset.Sample
	if len(f.guard) > 0 {
		if guard, err = f.load(cmd, f.guard); err != nil {
			return err
		}
	}
	var writers []personal.Writer
	if f.line {
		if writers = personal.LineWriters(samples, f.lines, f.testLines, f.settings.Seed); len(writers) == 0 {
			return fmt.Errorf("no writer in %s has %d lines; lower --lines or name another file", strings.Join(f.ink, ", "), 2*f.lines)
		}
	} else {
		for _, wanted := range [][]dataset.Sample{samples, guard} {
			if err := dataset.Draw(cmd.Context(), wanted); err != nil {
				return err
			}
		}
		if writers = personal.Writers(samples, f.perClass, f.settings.Seed); len(writers) == 0 {
			return fmt.Errorf("no writer in %s has two classes with more than %d samples each; lower --per-class or name another file",
				strings.Join(f.ink, ", "), f.perClass)
		}
	}
	dev := f.device.open(cmd)
	defer dev.Close()
	o := personal.EvaluationOptions{Guard: guard, GuardSamples: f.guardSamples, Settings: f.settings}
	o.Progress = func(w personal.Writer, done personal.Figures) {
		errors := fmt.Sprintf("of %d test samples so far: %d before, %d at once, %d trained", done.Tests, done.Base, done.Instant, done.Trained)
		if f.line {
			errors = fmt.Sprintf("in %d characters so far: %d before, %d trained", done.Tests, done.Base, done.Trained)
		}
		cmd.PrintErrf("%d of %d writers: %s, errors %s\n", done.Writers, len(writers), files.Shown(w.Name), errors)
	}
	if f.line {
		figures, err := personal.EvaluateLines(cmd.Context(), dev, model, writers, f.language, o)
		if err != nil {
			return err
		}
		return show(cmd, f.linesReport(figures, writers), linesGainWords)
	}
	figures, err := personal.EvaluateWriters(cmd.Context(), dev, model, writers, o)
	if err != nil {
		return err
	}
	return show(cmd, reportOf(figures), personalWords)
}

func (f *personalFlags) load(cmd *cobra.Command, paths []string) ([]dataset.Sample, error) {
	samples, _, err := readSamples(cmd, paths)
	return withoutContext(samples, f.noContext), err
}

func reportOf(f *personal.Figures) personalReport {
	r := personalReport{
		Figures:               f,
		Writers:               f.Writers,
		TestSamples:           f.Tests,
		BaseErrorPercent:      percent(f.Base, f.Tests),
		InstantErrorPercent:   percent(f.Instant, f.Tests),
		TaughtErrorPercent:    percent(f.Taught, f.Tests),
		TrainedErrorPercent:   percent(f.Trained, f.Tests),
		ErrorReductionPercent: percent(f.Base-f.Trained, f.Base),
		TrainSecondsMedian:    f.MedianSeconds(),
		Device:                glcompute.DeviceKind(f.Device),
	}
	if f.Guards > 0 {
		r.GuardErrorBefore, r.GuardErrorAfter = new(percent(f.GuardBefore, f.Guards)), new(percent(f.GuardAfter, f.Guards))
	}
	return r
}

func (f *personalFlags) linesReport(figures *personal.Figures, writers []personal.Writer) linesReport {
	all := reportOf(figures)
	r := linesReport{
		Figures: figures, Writers: all.Writers, TestCharacters: all.TestSamples, BaseErrorPercent: all.BaseErrorPercent, TrainedErrorPercent: all.TrainedErrorPercent,
		ErrorReductionPercent: all.ErrorReductionPercent, GuardErrorBefore: all.GuardErrorBefore, GuardErrorAfter: all.GuardErrorAfter,
		TrainSecondsMedian: all.TrainSecondsMedian, Language: f.language, Device: all.Device,
	}
	for _, w := range writers {
		r.TestLines += len(w.Test)
	}
	return r
}

const personalWords = `writers        {{.Writers}}, {{.TestSamples}} test samples
base           {{printf "%6.2f %% wrong   (%d)" .BaseErrorPercent .Base}}
instant        {{printf "%6.2f %% wrong   (%d)" .InstantErrorPercent .Instant}}
taught alone   {{printf "%6.2f %% wrong   (%d)" .TaughtErrorPercent .Taught}}
trained        {{printf "%6.2f %% wrong   (%d; %d without memory)" .TrainedErrorPercent .Trained .TrainedAlone}}
` + gainWords + `{{if .Guards}}without memory {{printf "%6.2f" (percent .GuardAlone .Guards)}} % of the guard wrong after
{{end}}`

const linesGainWords = `writers        {{.Writers}}, {{.TestLines}} test lines of {{.TestCharacters}} characters, language {{.Language}}
base           {{printf "%6.2f %% of characters wrong   (%d)" .BaseErrorPercent .Base}}
trained        {{printf "%6.2f %% of characters wrong   (%d)" .TrainedErrorPercent .Trained}}
` + gainWords

// gainWords say what learning gives and takes, whatever was learned.
const gainWords = `fewer errors   {{printf "%6.1f" .ErrorReductionPercent}} %
{{with .GuardErrorBefore}}guard          {{printf "%6.2f %% wrong before, %.2f %% after" (float .) (float $.GuardErrorAfter)}}
{{end}}training       {{printf "%6.2f" .TrainSecondsMedian}} s a writer (median) on the {{.Device}} device
`
