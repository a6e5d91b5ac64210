package train

import (
	"slices"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
)

// listener is a device that notes which of its replays are waited for: those that read
// something back at once.
type listener struct {
	glcompute.Device
	waited []bool
}

type listenerRun struct {
	glcompute.Run
	dev *listener
}

func (d *listener) Compile(p *glcompute.Program) (glcompute.Run, error) {
	run, err := d.Device.Compile(p)
	return listenerRun{run, d}, err
}

func (r listenerRun) Do(bindings ...glcompute.Binding) error {
	r.dev.waited = append(r.dev.waited, slices.ContainsFunc(bindings, func(b glcompute.Binding) bool { return b.Output && b.Later == nil }))
	return r.Run.Do(bindings...)
}

// Only the last step of an epoch is waited for, also where samples count by their answers.
func TestStepsAreNotWaitedFor(t *testing.T) {
	for _, hard := range []float64{0, 3} {
		cfg := small()
		cfg.Epochs, cfg.Batch, cfg.ReportEvery, cfg.HoldOut, cfg.Average, cfg.HardSamples = 2, 16, 4, 0, 0, hard
		dev := &listener{Device: nntest.CPU(t)}
		if _, err := Run(t.Context(), dev, bars(160, 1, "v", "h"), cfg, nil); err != nil {
			t.Fatal(err)
		}
		var got []int
		for i, waited := range dev.waited {
			if waited {
				got = append(got, i+1)
			}
		}
		if len(dev.waited) != 20 || !slices.Equal(got, []int{10, 20}) {
			t.Errorf("hard samples %g: steps %v of %d are waited for, want 10 and 20 of 20", hard, got, len(dev.waited))
		}
	}
}
