package cli

import (
	"bufio"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"inkshade/app/state"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// readSamples reads labelled samples, without the images of drawings, and says on standard error how many are left out because
// they hold no ink, which blank counts.
func readSamples(cmd *cobra.Command, paths []string) (_ []dataset.Sample, blank int, _ error) {
	var without []error
	samples, err := reading(cmd, stillReading(cmd, strings.Join(paths, ", ")), func() (samples []dataset.Sample, err error) {
		samples, without, err = dataset.Read(cmd.Context(), paths...)
		return samples, err
	})
	if err != nil {
		return nil, 0, err
	}
	tellBlank(cmd, len(samples), without)
	return samples, len(without), nil
}

// tellBlank says how many samples are left out, beside those that are read.
func tellBlank(cmd *cobra.Command, read int, without []error) {
	switch n := len(without); n {
	case 0:
	case 1:
		cmd.PrintErrf("inkshade: one sample of %d is left out: %v\n", read+1, without[0])
	default:
		cmd.PrintErrf("inkshade: %d samples of %d are left out because they hold no ink; the first: %v\n", n, read+n, without[0])
	}
}

// heldOut gives the part that train keeps for testing with this share and seed; all of it for a share of 0. labels are
// those of the model, nil for any: what --classes left out of the training had no say in who was held out.
func heldOut(samples []dataset.Sample, labels []string, share float64, seed int64) ([]dataset.Sample, error) {
	if share == 0 || len(samples) == 0 {
		return samples, nil
	}
	learned, _ := partition(samples, labels)
	_, held := train.Split(learned, share, seed)
	if len(held) == 0 {
		return nil, fmt.Errorf("--held-out %g holds out none of %s that the model can have learned; name the data of its training, or a larger share", share, counted(len(learned), "sample"))
	}
	return held, nil
}

// loadModel is recognizer.OpenModel that an interrupt ends. What was found out about a model that
// does not say how it is fed comes on standard error.
func loadModel(cmd *cobra.Command, name string, f inputformat.Format) (*nn.Model, error) {
	name, err := modelNamed(name)
	if err != nil {
		return nil, err
	}
	var trial *inputformat.Inferred
	model, err := reading(cmd, stillReading(cmd, name), func() (model *nn.Model, err error) {
		model, trial, err = recognizer.OpenModel(cmd.Context(), name, f)
		return model, err
	})
	if err == nil && trial != nil {
		cmd.PrintErrf("inkshade: %s does not say how it is fed; %s (--scale, --inverted, --transposed and --labels change it)\n", files.Shown(name), trial.Reason)
	}
	return model, err
}

// modelNamed gives the file of an imported model for its name, and any other name as it is.
func modelNamed(name string) (string, error) {
	m, err := state.OpenModels("")
	if err != nil { // no home, where nothing can have been imported
		return name, nil
	}
	return m.Resolve(name)
}

// reading gives what work finds, and says now and then that it goes on. An interrupt, whose cause is then the error, does not wait
// for the work, which may still write elsewhere; see files.Await.
func reading[T any](cmd *cobra.Command, goesOn func(), work func() (T, error)) (T, error) {
	var found, none T
	var err error
	if stopped := files.Await(cmd.Context(), goesOn, func() { found, err = work() }); stopped != nil {
		return none, stopped
	}
	return found, err
}

// finishing is reading with work that an interrupt ends by itself, and which is waited for: it has the device until then.
func finishing[T any](cmd *cobra.Command, goesOn func(), work func() (T, error)) (found T, err error) {
	_ = files.Await(context.WithoutCancel(cmd.Context()), goesOn, func() { found, err = work() })
	return found, err
}

// stillReading gives what says that the reading goes on.
func stillReading(cmd *cobra.Command, what string) func() {
	return still(cmd, func() string { return "reading " + files.Shown(what) })
}

// still gives what says that something goes on.
func still(cmd *cobra.Command, doing func() string) func() {
	begin := time.Now()
	return func() {
		cmd.PrintErrf("inkshade: still %s after %s; Ctrl+C ends it\n", doing(), time.Since(begin).Round(time.Second))
	}
}

// withoutContext leaves out samples cut out of running text, where noContext asks for that.
func withoutContext(samples []dataset.Sample, noContext bool) []dataset.Sample {
	if !noContext {
		return samples
	}
	return slices.DeleteFunc(slices.Clone(samples), func(s dataset.Sample) bool { return s.Context })
}

var classSets = map[string]string{
	"digits":   nn.Digits,
	"capitals": nn.Capitals,
	"small":    nn.Small,
	"signs":    nn.Signs,
}

const classesUsage = "only these labels: digits, capitals, small, signs, or labels of your own, separated by commas"

// labelsFlag is the value of a flag of labels, or of sets of them by name.
type labelsFlag struct {
	labels *[]string // in order, and as often as they are given; nil where the flag is not used
	said   []string
}

func (f *labelsFlag) String() string { return strings.Join(f.said, ",") }
func (f *labelsFlag) Type() string   { return "strings" }

func (f *labelsFlag) Set(text string) error {
	words, err := csv.NewReader(strings.NewReader(text)).Read()
	if err != nil && err != io.EOF {
		return err
	}
	f.said = append(f.said, text)
	for _, w := range words {
		w = strings.TrimSpace(w)
		set := []string{w}
		if s, ok := classSets[w]; ok {
			set = strings.Split(s, "")
		}
		if w == "" {
			return errors.New("it holds an empty label")
		}
		*f.labels = append(*f.labels, set...)
	}
	return nil
}

// bindLabels adds a flag of labels, whose sets a shell completes, after a comma too.
func bindLabels(cmd *cobra.Command, name string, labels *[]string, usage string) {
	cmd.Flags().Var(&labelsFlag{labels: labels}, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		given := typed[:strings.LastIndex(typed, ",")+1]
		var choices []string
		for _, set := range slices.Sorted(maps.Keys(classSets)) {
			if !slices.Contains(strings.Split(given, ","), set) {
				choices = append(choices, given+set)
			}
		}
		return choices, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// partition splits the samples into those with one of the labels, which nil stands for all of, and the others.
func partition(samples []dataset.Sample, labels []string) (kept, others []dataset.Sample) {
	if labels == nil {
		return samples, nil
	}
	wanted := make(map[string]bool, len(labels))
	for _, l := range labels {
		wanted[l] = true
	}
	for _, s := range samples {
		if wanted[s.Label] {
			kept = append(kept, s)
		} else {
			others = append(others, s)
		}
	}
	return kept, others
}

// drawing is one thing to recognise: a picture, or one sample of an ink file.
type drawing struct {
	file   string
	sample int // counted from 1 within an ink file, 0 for a picture
	label  string
	image  ink.Image // of a picture: normalised, or whole where lines are read
	ink    ink.Ink   // nil for a picture
}

// name is how the drawing is called in output: "eight.png", "ink.jsonl#3".
func (d drawing) name() string {
	if d.sample == 0 {
		return files.Shown(d.file)
	}
	return fmt.Sprintf("%s#%d", files.Shown(d.file), d.sample)
}

// standardInput is the name that stands for what comes through a pipe.
const standardInput = "-"

// eachDrawing is called with a drawing, or with the error of a sample that holds no
// ink. Its own error ends the reading.
type eachDrawing func(drawing, error) error

// readDrawings reads a picture or an ink file by its content, whatever its name. Pictures
// are normalised, as characters, unless they are left whole.
func readDrawings(file string, stdin io.Reader, whole bool, each eachDrawing) error {
	if file == standardInput {
		return decodeDrawings(file, "standard input", stdin, whole, each)
	}
	f, err := os.Open(file)
	if err != nil {
		return explain(file, err)
	}
	defer f.Close()
	switch st, err := f.Stat(); {
	case err == nil && st.IsDir():
		return fmt.Errorf("%s is a folder; give the files in it, as %s", files.Shown(file), files.Shown(filepath.Join(file, "*")))
	case err == nil && st.Mode().IsRegular(): // said before all that fits is answered
		err := ink.Fits(f)
		if _, again := f.Seek(0, io.SeekStart); again != nil || err != nil {
			return explain(file, errors.Join(err, again))
		}
	}
	return decodeDrawings(file, files.Shown(file), f, whole, each)
}

// decodeDrawings is told under which name errors speak of the file.
func decodeDrawings(file, shown string, r io.Reader, whole bool, each eachDrawing) error {
	all := bufio.NewReader(r)
	head, err := all.Peek(12)
	switch {
	case err != nil && err != io.EOF:
	case dataset.IsPicture(head):
		d := drawing{file: file}
		if d.image, err = dataset.DecodePicture(all, whole); err == nil && !whole {
			d.image, err = ink.Normalize(d.image)
		}
		if err == nil {
			return each(d, nil)
		}
	case !ink.Begins(head):
		err = fmt.Errorf("this is neither a picture nor ink; choose a file of one of PNG, JPEG, GIF, WebP, %s", ink.Names())
	default:
		err = readInk(file, files.Of{Reader: all, File: r}, whole, each)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", shown, files.Cause(err))
	}
	return err
}

func readInk(file string, r io.Reader, asLine bool, each eachDrawing) error {
	n := 0
	err := ink.Each(r, func(s ink.Labelled) error {
		n++
		d := drawing{file: file, sample: n, label: s.Label, ink: s.Ink}
		err := line.Check(s.Ink)
		if err != nil && (asLine || errors.Is(err, ink.ErrEmpty)) {
			return each(d, fmt.Errorf("%s: %w", d.name(), err))
		}
		return each(d, nil)
	})
	if err == nil && n == 0 {
		err = ink.ErrEmpty
	}
	return err
}

// explain turns the system's errors on files into a sentence that says what to do.
func explain(file string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file; check the name", files.Shown(file))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: reading is not permitted; change its permissions", files.Shown(file))
	}
	return fmt.Errorf("%s: %w", files.Shown(file), files.Cause(err))
}
