package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer"
)

// defaultModel answers when no --model is given.
const defaultModel = "digits-mlp"

const modelUsage = "name of a model that ships with Inkshade, or an ONNX file"

var deviceKinds = []glcompute.DeviceKind{glcompute.Auto, glcompute.CPU, glcompute.Fragment, glcompute.Compute}

// deviceFlag is the value of --device.
type deviceFlag struct{ kind glcompute.DeviceKind }

func (d *deviceFlag) String() string { return string(d.kind) }
func (d *deviceFlag) Type() string   { return strings.Join(deviceNames(), "|") }

func (d *deviceFlag) Set(s string) error {
	for _, k := range deviceKinds {
		if string(k) == s {
			d.kind = k
			return nil
		}
	}
	return fmt.Errorf("there is no device of this kind; choose %s", strings.Join(deviceNames(), ", "))
}

func deviceNames() []string {
	names := make([]string, len(deviceKinds))
	for i, k := range deviceKinds {
		names[i] = string(k)
	}
	return names
}

func (d *deviceFlag) bind(cmd *cobra.Command) {
	d.kind = glcompute.Auto
	cmd.Flags().Var(d, "device", "what computes: the fastest, the processor, OpenGL 3.3 fragment shaders, OpenGL 4.3 compute shaders")
	_ = cmd.RegisterFlagCompletionFunc("device", cobra.FixedCompletions(deviceNames(), cobra.ShellCompDirectiveNoFileComp))
}

// open gives the device asked for, or the processor with a sentence on standard error
// that says why the other cannot be had.
func (d *deviceFlag) open(cmd *cobra.Command) *witness {
	dev := &witness{Device: glcompute.OpenOrCPU(d.kind)}
	if why := dev.Info().Fallback; why != "" {
		cmd.PrintErrf("inkshade: going on with the CPU: %s\n", why)
	}
	return dev
}

// modelFlags are --model and --device, which every command that recognises has.
type modelFlags struct {
	model  string
	device deviceFlag
}

func (f *modelFlags) bind(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.model, "model", defaultModel, modelUsage)
	_ = cmd.RegisterFlagCompletionFunc("model", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return models.Names(), cobra.ShellCompDirectiveDefault
	})
	f.device.bind(cmd)
}

// open loads the model onto the device. Closing the recognizer leaves the device open.
func (f *modelFlags) open(cmd *cobra.Command) (*recognizer.Recognizer, *witness, error) {
	model, err := recognizer.LoadModel(f.model)
	if err != nil {
		return nil, nil, err
	}
	dev := f.device.open(cmd)
	rec, err := recognizer.New(model, dev)
	if err != nil {
		dev.Close()
		return nil, nil, err
	}
	return rec, dev, nil
}
