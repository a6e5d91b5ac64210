package cli

import (
	"fmt"
	"strings"

	"inkshade/recognizer/nn"
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

// choices reads the flags that choose one of several words.
func (f *trainFlags) choices() error {
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
