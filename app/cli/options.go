package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/app/state"
	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/files"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// bindModel adds --model; models.Named has the one that its value stands for.
func bindModel(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVar(value, "model", models.Named("digits"), "name of a model that ships with Inkshade or was imported, "+
		strings.Join(models.Kinds(), " or ")+" for the best that ships, or an ONNX file")
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		names := append(models.Kinds(), models.All()...)
		if l, err := state.OpenModels(""); err == nil {
			imported, _ := l.Imported()
			names = append(names, imported...)
		}
		return names, cobra.ShellCompDirectiveDefault
	})
}

var deviceKinds = []glcompute.DeviceKind{glcompute.Auto, glcompute.CPU, glcompute.Fragment, glcompute.Compute}

type deviceFlag struct {
	kind  glcompute.DeviceKind
	mixed bool    // that is a choice too
	split float64 // of --split; 0 measures
}

func (d *deviceFlag) bind(cmd *cobra.Command) {
	d.kind = glcompute.Auto
	kinds := deviceKinds
	usage := "what computes: the fastest, the processor, OpenGL 3.3 fragment shaders, OpenGL 4.3 compute shaders"
	if d.mixed {
		kinds = append(slices.Clip(kinds), glcompute.Mixed)
		usage += ", or the processor and shaders together where that is faster"
		cmd.Flags().Float64Var(&d.split, "split", 0, "with --device mixed, the processor's share, above 0 and below 1, instead of measuring")
	}
	bindWord(cmd, &d.kind, "device", kinds, usage)
}

// check reports a --split that cannot be used.
func (d *deviceFlag) check(cmd *cobra.Command) error {
	switch {
	case !cmd.Flags().Changed("split"):
		return nil
	case d.kind != glcompute.Mixed:
		return fmt.Errorf("--split goes with --device mixed, not %s", d.kind)
	case !(d.split > 0 && d.split < 1):
		return fmt.Errorf("--split is %g, but must be above 0 and below 1", d.split)
	}
	return nil
}

// open gives the device asked for, or the processor with a sentence on standard error
// that says why the other cannot be had.
func (d *deviceFlag) open(cmd *cobra.Command) glcompute.Device {
	var dev glcompute.Device
	if d.kind == glcompute.Mixed {
		dev = glcompute.Usual().OpenMixed(d.split)
	} else {
		dev = glcompute.OpenOrCPU(d.kind)
	}
	if why := dev.Info().Fallback; why != nil {
		cmd.PrintErrf("inkshade: going on with the CPU: %s\n", why)
	}
	return dev
}

// modelFlags are --model, how it is fed, and --device, which every command that recognises has.
type modelFlags struct {
	model string
	feedingFlags
	device deviceFlag
}

func (f *modelFlags) bind(cmd *cobra.Command) {
	bindModel(cmd, &f.model)
	f.feedingFlags.bind(cmd)
	f.device.bind(cmd)
}

func (f *modelFlags) errReadsLines() error {
	return usageError{fmt.Errorf("the model %s reads lines of writing, not single characters; use --line", files.Shown(f.model))}
}

func (f *modelFlags) readModel(cmd *cobra.Command) (*nn.Model, error) {
	f.model = models.Named(f.model)
	return loadModel(cmd, f.model, f.fed)
}

// open loads the model onto the device; classes are those of --classes, nil for all. Closing the recognizer leaves the
// device open.
func (f *modelFlags) open(cmd *cobra.Command, classes []string) (*recognizer.Recognizer, glcompute.Device, error) {
	model, err := f.readModel(cmd)
	if err != nil {
		return nil, nil, err
	}
	dev := f.device.open(cmd)
	rec, err := recognizer.New(model, dev)
	if err != nil {
		dev.Close()
		return nil, nil, err
	}
	if err := rec.SetClasses(classes); err != nil {
		rec.Close()
		dev.Close()
		return nil, nil, fmt.Errorf("--classes: %w", err)
	}
	return rec, dev, nil
}

// word is a flag that takes one of several words.
type word[T ~string] struct {
	value *T
	words []T
}

func (w word[T]) String() string { return string(*w.value) }
func (w word[T]) Type() string   { return strings.Join(namesOf(w.words), "|") }

// widestType is how many letters of words help lists before what the flag says, and not behind it.
const widestType = 30

func (w word[T]) Set(s string) error {
	if !slices.Contains(w.words, T(s)) {
		names, last := namesOf(w.words), len(w.words)-1
		return fmt.Errorf("choose %s or %s", strings.Join(names[:last], ", "), names[last])
	}
	*w.value = T(s)
	return nil
}

// bindWord adds a flag that takes one of several words, which a shell completes; value holds the
// one without the flag.
func bindWord[T ~string](cmd *cobra.Command, value *T, name string, words []T, usage string) {
	if all := (word[T]{value, words}).Type(); len(all) > widestType {
		usage += ", one `word` of " + strings.ReplaceAll(all, "|", ", ")
	}
	cmd.Flags().Var(word[T]{value, words}, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(namesOf(words), cobra.ShellCompDirectiveNoFileComp))
}

func bindSettings[C any](cmd *cobra.Command, all []train.Setting[C], c *C) {
	fs := cmd.Flags()
	for _, s := range all {
		if s.Name == "" {
			continue
		}
		switch of := s.Of(c).(type) {
		case *int:
			fs.IntVar(of, s.Name, *of, s.Usage)
		case *int64:
			fs.Int64Var(of, s.Name, *of, s.Usage)
		case *float64:
			fs.Float64Var(of, s.Name, *of, s.Usage)
		case *bool:
			fs.BoolVar(of, s.Name, *of, s.Usage)
		case *string:
			bindWord(cmd, of, s.Name, s.Words, s.Usage)
		case *train.Optimizer:
			bindWord(cmd, of, s.Name, train.Optimizers, s.Usage)
		case *nn.Loss:
			bindWord(cmd, of, s.Name, nn.Losses, s.Usage)
		}
	}
}

func namesOf[T ~string](all []T) []string {
	names := make([]string, len(all))
	for i, x := range all {
		names[i] = string(x)
	}
	return names
}

// feedingFlags say how a model from elsewhere is fed.
type feedingFlags struct{ fed inputformat.Format }

func (f *feedingFlags) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	bindLabels(cmd, "labels", &f.fed.Labels, "of the model's classes in their order: digits, capitals, small, signs, or labels of your own, separated by commas")
	fs.Var((*scaleFlag)(&f.fed.Scale), "scale", "of the pixels that the model sees, from paper to ink (0..1, 0..255, -1..1), or the mean and standard deviation that 0..1 was normalised by (0.1307,0.3081)")
	fs.BoolVar(&f.fed.Inverted, "inverted", false, "the model sees dark ink on light paper: the scale is from ink to paper")
	fs.BoolVar(&f.fed.Transposed, "transposed", false, "the model sees rows as columns, as in the files of EMNIST")
	bindWord(cmd, &f.fed.Layout, "layout", inputformat.Layouts, "of the model's input, where its sizes leave that open: channels before or behind height and width")
}

type scaleFlag feature.Scale

func (s *scaleFlag) Type() string { return "SCALE" }

func (s *scaleFlag) String() string {
	if *s == (scaleFlag{}) {
		return ""
	}
	return feature.Scale(*s).String()
}

func (s *scaleFlag) Set(text string) error {
	scale, err := feature.ParseScale(text)
	*s = scaleFlag(scale)
	return err
}

const distortUsage = "of the training images: none, default, strong, or a number to multiply the default with"

// strongDistortion is the share of the default at which a reader begins to doubt.
const strongDistortion = 1.3

// largestDistortion bounds the number: beyond it nothing is left of a character.
const largestDistortion = 4

// parseDistortion gives what --distort names, of characters or of lines.
func parseDistortion[D interface{ Times(float64) D }](name string, usual D) (none D, err error) {
	switch name {
	case "none":
		return none, nil
	case "default":
		return usual, nil
	case "strong":
		return usual.Times(strongDistortion), nil
	}
	factor, err := strconv.ParseFloat(name, 64)
	if err != nil || !(factor >= 0 && factor <= largestDistortion) {
		return none, fmt.Errorf("--distort %s is unknown; choose none, default, strong, or a number from 0 to %d", name, largestDistortion)
	}
	return usual.Times(factor), nil
}
