package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/app/library"
	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/nn"
)

// modelName is the value of --model: a kind stands for the best model that ships.
type modelName struct{ value *string }

func (n modelName) String() string { return *n.value }

func (n modelName) Set(name string) error {
	*n.value = models.Named(name)
	return nil
}

func (n modelName) Type() string { return "string" }

// bindModel adds --model.
func bindModel(cmd *cobra.Command, value *string) {
	*value = models.Named("digits")
	cmd.Flags().Var(modelName{value}, "model", "name of a model that ships with Inkshade or was imported, "+
		strings.Join(models.Kinds(), " or ")+" for the best that ships, or an ONNX file")
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		names := append(models.Kinds(), models.Names()...)
		if l, err := library.Open(""); err == nil {
			imported, _ := l.Names()
			names = append(names, imported...)
		}
		return names, cobra.ShellCompDirectiveDefault
	})
}

var deviceKinds = []glcompute.DeviceKind{glcompute.Auto, glcompute.CPU, glcompute.Fragment, glcompute.Compute}

// deviceFlag is the value of --device.
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
	dev := glcompute.OpenOrCPU(d.kind)
	if d.split > 0 {
		dev = glcompute.OpenMixed(d.split)
	}
	if why := dev.Info().Fallback; why != "" {
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

// readModel reads the model.
func (f *modelFlags) readModel(cmd *cobra.Command) (*nn.Model, error) {
	said, err := f.feeding(cmd)
	if err != nil {
		return nil, err
	}
	return loadModel(cmd, f.model, said)
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
