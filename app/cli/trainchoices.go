package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"inkshade/recognizer/nn"
	"inkshade/recognizer/train"
)

// The values of --distort-on and --schedule.
const (
	distortOnCPU, distortOnDevice = "cpu", "device"
	scheduleCosine, scheduleLoss  = "cosine", "loss"
)

// outputs are the values of --output.
func outputs() []string {
	var names []string
	for _, l := range nn.Losses {
		names = append(names, l.String())
	}
	return names
}

// optimizers are the values of --optimizer.
func optimizers() []string {
	var names []string
	for _, o := range train.Optimizers {
		names = append(names, o.String())
	}
	return names
}

// choices reads the flags that choose one of several words. The rate follows the optimizer
// unless it was given.
func (f *trainFlags) choices(rateGiven bool) error {
	switch i := slices.Index(optimizers(), f.optimizer); {
	case i < 0:
		return fmt.Errorf("--optimizer %s is unknown; choose %s", f.optimizer, strings.Join(optimizers(), " or "))
	default:
		f.config.Optimizer = train.Optimizers[i]
	}
	if f.config.Optimizer == train.Adam && (f.config.TwoFloats || f.config.Anchor) {
		return errors.New("--optimizer adam goes without --two-floats and --anchor")
	}
	if f.config.Optimizer == train.Adam && !rateGiven {
		f.config.Rate = train.AdamRate
	}
	switch f.distortOn {
	case distortOnCPU, distortOnDevice:
		f.config.DistortOnDevice = f.distortOn == distortOnDevice
	default:
		return fmt.Errorf("--distort-on %s is unknown; choose %s or %s", f.distortOn, distortOnCPU, distortOnDevice)
	}
	switch f.schedule {
	case scheduleCosine, scheduleLoss:
		f.config.FollowLoss = f.schedule == scheduleLoss
	default:
		return fmt.Errorf("--schedule %s is unknown; choose %s or %s", f.schedule, scheduleCosine, scheduleLoss)
	}
	for _, l := range nn.Losses {
		if l.String() == f.output {
			f.config.Loss = l
			return nil
		}
	}
	return fmt.Errorf("--output %s is unknown; choose %s", f.output, strings.Join(outputs(), ", "))
}
