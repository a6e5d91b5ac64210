package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/recognizer/calibrate"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/files"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/prototype"
	"inkshade/recognizer/train"
)

type calibrateFlags struct {
	modelFlags
	data, on  []string
	classes   []string
	noContext bool
	holdOut   float64
	options   calibrate.Options
	out       string
	notice    string
}

func newCalibrate() *cobra.Command {
	config := train.Default()
	f := calibrateFlags{}
	cmd := &cobra.Command{
		Use:   "calibrate --data DATA... --out FILE.onnx",
		Short: "Let a model know its probabilities, and when to say unknown",
		Long: `Does what train does after the last step, for a model that is trained already: clusters the
samples it was trained with into prototypes, teaches a detector to tell them from drawings
made to be no characters, and finds on the held-out ones the temperature that makes its
probabilities true and the limit beyond which a drawing is unknown. All of it is written
into the metadata of a copy of the model. A model that reads lines keeps mean forms of the
single characters among the samples instead, from which personal --line composes lines.

Give the --data, --classes, --no-context, --hold-out and --seed of the training, so that the
same samples are held out; or, where all were learned, --calibration with samples of others.`,
		Args: usage(cobra.NoArgs),
		PreRunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case len(f.data) == 0:
				return errors.New("--data is missing: name the samples that the model was trained with")
			case f.out == "":
				return errors.New("--out is missing: name the ONNX file to write")
			case len(f.on) > 0 && cmd.Flags().Changed("hold-out"):
				return errors.New("--calibration takes the place of --hold-out; give one of them")
			case !(f.options.DetectorWeight > 0 && f.options.DetectorWeight <= 10):
				return fmt.Errorf("a detector's weight of %g; give more than 0, at most 10", f.options.DetectorWeight)
			case !(f.holdOut > 0 && f.holdOut <= 0.9):
				return fmt.Errorf("a share of %g kept for testing calibrates nothing; use more than 0, at most 0.9", f.holdOut)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	f.bind(cmd)
	fs.StringArrayVar(&f.data, "data", nil, "the samples of the training; more than one may follow")
	fs.StringArrayVar(&f.on, "calibration", nil, "samples to calibrate on, instead of a part of --data; more than one may follow")
	fs.StringVar(&f.out, "out", "", "the ONNX file to write")
	bindLabels(cmd, "classes", &f.classes, classesUsage)
	fs.BoolVar(&f.noContext, "no-context", false, "leave out samples cut out of running text")
	fs.Float64Var(&f.holdOut, "hold-out", config.HoldOut, "share of the samples that was kept for testing")
	fs.Int64Var(&f.options.Seed, "seed", config.Seed, "what all chance comes from")
	fs.BoolVar(&f.options.EdgesOnly, "edges-only", false, "tell the unknown by the shapes of drawings and not by the pen's movements, where the model sees them")
	fs.Float64Var(&f.options.DetectorWeight, "detector-weight", calibrate.UsualWeight, "of the detector, beside the distance from the samples and the network's doubt")
	fs.StringVar(&f.notice, "notice", "", "a text for the model's metadata, such as the licence of the data asks for")
	return cmd
}

func (f *calibrateFlags) run(cmd *cobra.Command) error {
	model, err := f.readModel(cmd)
	if err != nil {
		return err
	}
	if err := checkWritable(f.out, slices.Concat(f.data, f.on)...); err != nil {
		return err
	}
	samples, err := f.load(cmd, model, f.data)
	if err != nil {
		return err
	}
	rest, held := train.Split(samples, f.holdOut, f.options.Seed)
	if len(f.on) > 0 {
		rest = samples
		if held, err = f.load(cmd, model, f.on); err != nil {
			return err
		}
	}
	if len(held) == 0 && model.Preprocessing != nn.LineMaps {
		return fmt.Errorf("a share of %g holds out none of %s, and these calibrate; give more samples, samples of more writers, or a larger --hold-out", f.holdOut, counted(len(samples), "sample"))
	}
	dev := f.device.open(cmd)
	defer dev.Close()
	model = model.Clone()
	if model.Preprocessing == nn.LineMaps {
		err = keepLetters(cmd.Context(), cmd.OutOrStdout(), dev, model, rest, f.options.Seed)
	} else {
		err = keepPrototypes(cmd.Context(), cmd.OutOrStdout(), dev, model, rest, held, f.options)
	}
	if err != nil {
		return err
	}
	if f.notice != "" {
		model.Metadata["notice"] = f.notice
	}
	if err := writeFile(f.out, func(w io.Writer) error { return onnx.Write(w, model) }); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %d classes, %d parameters\n", files.Shown(f.out), len(model.Labels), model.Network.Parameters())
	return nil
}

// load reads samples as train does and leaves out those of labels that the model does not know.
func (f *calibrateFlags) load(cmd *cobra.Command, model *nn.Model, paths []string) ([]dataset.Sample, error) {
	read := trainFlags{classes: f.classes, noContext: f.noContext}
	if model.Preprocessing == nn.LineMaps {
		read.config.Loss = nn.CTC
	}
	samples, err := read.load(cmd, paths)
	if err != nil {
		return nil, err
	}
	var r evalReport
	known := r.choose(samples, model, nil, false)
	if err := r.check(len(samples), len(known)); err != nil {
		return nil, err
	}
	if left := r.LeftOut(); left != "" {
		cmd.PrintErrf("inkshade: of the samples %s; they are left out\n", left)
	}
	return known, nil
}

// keepLetters writes into a model that reads lines the letters that it keeps of its samples, and says how many.
func keepLetters(ctx context.Context, out io.Writer, dev glcompute.Device, m *nn.Model, trained []dataset.Sample, seed int64) error {
	letters, err := calibrate.Letters(ctx, dev, trained, seed)
	if err != nil || len(letters) == 0 {
		return err
	}
	fmt.Fprintf(out, "kept %d mean forms of characters\n", len(letters))
	return prototype.StoreLetters(m, letters)
}

// keepPrototypes writes into the model what it keeps of its samples, and says what that
// came to.
func keepPrototypes(ctx context.Context, out io.Writer, dev glcompute.Device, m *nn.Model, trained, held []dataset.Sample, o calibrate.Options) error {
	set, err := calibrate.Fit(ctx, dev, m, trained, held, o)
	if err != nil {
		return err
	}
	if err := set.Store(m); err != nil {
		return err
	}
	// A model is not lost for a sentence; see output.
	fmt.Fprintf(out, "calibrated on %d samples that were not learned: temperature %.3f, unknown beyond %.2f\n", len(held), set.Temperature, set.Limit)
	return nil
}
