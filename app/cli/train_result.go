package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"inkshade"
	"inkshade/glcompute"
	"inkshade/recognizer/calibrate"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/train"
)

// finish measures and writes what training made. failure is why it ended before its end.
func (f *trainFlags) finish(cmd *cobra.Command, dev glcompute.Device, result *train.Result, failure error, samples, test []dataset.Sample) error {
	out := cmd.OutOrStdout()
	switch {
	case result.Ending == train.Cancelled && result.HoldOut == nil:
		fmt.Fprintf(out, "Stopped on request after %s, before anything was measured; the present state is kept.\n", counted(result.Steps, "step"))
	case result.Ending == train.Cancelled:
		fmt.Fprintf(out, "Stopped on request after %s; the best state so far is kept, that of epoch %d.\n", counted(result.Steps, "step"), result.Epoch)
	case result.Ending == train.Stopped:
		fmt.Fprintf(out, "Stopped early: no improvement for %s; the state of epoch %d is kept.\n", counted(f.config.Patience, "epoch"), result.Epoch)
	}
	fmt.Fprintln(out, ranOn(result))
	var tested *train.Evaluation
	var unmeasured error
	if len(test) > 0 && cmd.Context().Err() == nil {
		tested, unmeasured = train.Evaluate(cmd.Context(), dev, result.Model, test)
	}
	f.describe(result, samples, tested, os.Args)
	var uncalibrated error
	if f.embedding {
		result.Model = result.Model.Embedding()
	} else if f.config.Loss == nn.CTC {
		uncalibrated = keepLetters(cmd.Context(), out, dev, result.Model, result.Trained, f.config.Seed)
	} else {
		uncalibrated = f.calibrate(cmd, dev, result)
	}
	if err := f.keep(result.Model); err != nil {
		return err
	}
	if e := result.HoldOut; e != nil {
		fmt.Fprintf(out, "kept for testing: %s\n", errorsOf(e))
	}
	if e := tested; e != nil {
		fmt.Fprintf(out, "test: %s\n", errorsOf(e))
	}
	gives := "classes"
	if f.embedding {
		gives = "values"
	}
	fmt.Fprintf(out, "%s: %d %s, %d parameters\n", files.Shown(f.out), len(result.Model.Labels), gives, result.Model.Network.Parameters())
	if tested == nil && len(test) > 0 {
		fmt.Fprintf(out, "Not measured on the samples of --test, because of the %s. To do it: inkshade eval --model %s\n", ending(cmd), commandLine(append([]string{f.out}, f.test...)))
	}
	if cmd.Context().Err() != nil {
		unmeasured, uncalibrated = nil, nil
	}
	if result.Ending == train.Cancelled {
		failure = result.Lost
	}
	return cmp.Or(failure, unmeasured, uncalibrated)
}

// errorsOf says how much is wrong, of lines also how many characters.
func errorsOf(e *train.Evaluation) string {
	text := fmt.Sprintf("%.2f %% wrong (%d of %d)", 100*e.ErrorRate(), e.Errors, e.Samples)
	if e.Characters > 0 {
		text += fmt.Sprintf(", %.2f %% of characters (%d of %d)", 100*e.CharacterErrorRate(), e.WrongCharacters, e.Characters)
	}
	return text
}

// ending says what left out a step after the training: a device that is lost takes that with it, but not the model.
func ending(cmd *cobra.Command) string {
	if cmd.Context().Err() != nil {
		return "stop"
	}
	return "failure"
}

// keep writes the model, and where that is no longer possible, it goes to the folder of temporary files.
func (f *trainFlags) keep(m *nn.Model) error {
	write := func(w io.Writer) error { return onnx.Write(w, m) }
	err := writeFile(f.out, write)
	if err == nil {
		return nil
	}
	other := filepath.Join(os.TempDir(), fmt.Sprintf("%d-%s", os.Getpid(), filepath.Base(f.out)))
	if writeFile(other, write) != nil {
		return err
	}
	return fmt.Errorf("%w; the model is in %s", err, files.Shown(other))
}

// calibrate is the last step of a training. It takes long where there are many samples, so
// that a stop leaves it out: what was trained is kept, and the calibration can be made up
// for.
func (f *trainFlags) calibrate(cmd *cobra.Command, dev glcompute.Device, result *train.Result) error {
	out := cmd.OutOrStdout()
	if len(result.HeldOut) == 0 {
		fmt.Fprintln(out, "Not calibrated, because nothing is kept for testing: the model never says unknown. For that it takes more samples, samples of more writers, or a larger --hold-out.")
		return nil
	}
	if cmd.Context().Err() == nil {
		fmt.Fprintln(out, "Calibrating; Ctrl+C leaves it out.")
	}
	err := keepPrototypes(cmd.Context(), out, dev, result.Model, result.Trained, result.HeldOut, calibrate.Options{Seed: f.config.Seed})
	if err != nil {
		fmt.Fprintf(out, "Not calibrated, because of the %s: the model never says unknown. To do it: inkshade %s\n", ending(cmd), commandLine(f.calibration(cmd)))
	}
	return err
}

// calibration is the command line that calibrates the model with the samples of the training.
func (f *trainFlags) calibration(cmd *cobra.Command) []string {
	args := append([]string{"calibrate", "--model", f.out, "--data"}, f.data...)
	if classes := cmd.Flags().Lookup("classes"); classes.Changed {
		args = append(args, "--classes", classes.Value.String())
	}
	if f.noContext {
		args = append(args, "--no-context")
	}
	return append(args, "--hold-out", fmt.Sprint(f.config.HoldOut), "--seed", fmt.Sprint(f.config.Seed), "--out", f.out)
}

// ranOn says which device did the steps of a training, and what sharing them cost.
func ranOn(r *train.Result) string {
	text := fmt.Sprintf("trained on the %s device: %s", r.Device.Kind, r.Device.Name)
	if n := r.SharedSteps(); n > 0 {
		text = fmt.Sprintf("trained on two devices for %d of %d steps, then on the %s device: %s", n, r.Steps, r.Device.Kind, r.Device.Name)
	}
	c := r.Device.Choice
	if c == nil {
		return text
	}
	if c.Shared() || r.SharedSteps() > 0 {
		text += fmt.Sprintf("; a shared step took %.1f ms, %.1f of them for carrying gradients and weights, and the update",
			inMilliseconds(c.Joint.Mean), inMilliseconds(c.Joint.Carrying))
	}
	if c.Measuring > 0 {
		text += fmt.Sprintf("; finding out who is faster took %.1f s", c.Measuring.Seconds())
	}
	return text
}

// describe writes how a model came about into its metadata, beside what training itself has written there. test is nil where
// nothing was measured, arguments the command line of this process.
func (f *trainFlags) describe(result *train.Result, samples []dataset.Sample, test *train.Evaluation, arguments []string) {
	said := map[string]string{
		"name":            cmp.Or(f.name, strings.TrimSuffix(filepath.Base(f.out), filepath.Ext(f.out))),
		"command":         commandLine(append([]string{"inkshade"}, arguments[1:]...)),
		"date":            time.Now().UTC().Format(time.DateOnly),
		"version":         inkshade.About().Version,
		"data":            countByPath(f.data, samples),
		"distortion":      f.distort,
		"training_ending": string(result.Ending),
		"notice":          f.notice,
		"start":           f.start,
	}
	if test != nil {
		var files []string
		for _, t := range f.test {
			files = append(files, filepath.Base(t))
		}
		said["test_data"], said["test_samples"] = strings.Join(files, ", "), strconv.Itoa(test.Samples)
		said["test_error_percent"] = strconv.FormatFloat(100*test.ErrorRate(), 'f', 3, 64)
	}
	maps.DeleteFunc(said, func(_, text string) bool { return text == "" })
	maps.Copy(result.Model.Metadata, said)
}

// countByPath lists the paths that samples came from, in the order given, with the number
// of samples of each: "train-images-idx3-ubyte.gz: 60000, digits.jsonl.gz: 11797". The
// source of a picture or of one ink file among many lies below the path given.
func countByPath(paths []string, samples []dataset.Sample) string {
	counts := map[string]int{}
	for _, s := range samples {
		from := s.Source
		for _, p := range paths {
			if rest, ok := strings.CutPrefix(s.Source, filepath.Clean(p)+string(filepath.Separator)); ok && rest != "" {
				from = p
			}
		}
		counts[from]++
	}
	var out []string
	for _, p := range paths {
		if n := counts[p]; n > 0 {
			out = append(out, fmt.Sprintf("%s: %d", filepath.Base(p), n))
			delete(counts, p)
		}
	}
	return strings.Join(out, ", ")
}
