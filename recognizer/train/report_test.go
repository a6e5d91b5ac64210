package train

import (
	"slices"
	"testing"

	"inkshade/glcompute/program"
)

// listener is a device that notes which of its replays are waited for: those that read
// something back.
type listener struct {
	program.Device
	waited []bool
}

type listenerRun struct {
	program.Run
	dev *listener
}

func (d *listener) Compile(p *program.Program) (program.Run, error) {
	run, err := d.Device.Compile(p)
	return listenerRun{run, d}, err
}

func (r listenerRun) Do(bindings ...program.Binding) error {
	r.dev.waited = append(r.dev.waited, slices.ContainsFunc(bindings, func(b program.Binding) bool { return b.Output }))
	return r.Run.Do(bindings...)
}

// Only the steps of a report are waited for, and the last of an epoch; all of them where
// samples count by their answers.
func TestStepsBetweenReportsAreNotWaitedFor(t *testing.T) {
	for _, c := range []struct {
		hard float64
		want []int // steps that are waited for, from 1
	}{
		{0, []int{4, 8, 10, 12, 16, 20}},
		{3, []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20}},
	} {
		cfg := small()
		cfg.Epochs, cfg.Batch, cfg.ReportEvery, cfg.HoldOut, cfg.Average, cfg.HardSamples = 2, 16, 4, 0, 0, c.hard
		dev := &listener{Device: openCPU(t)}
		if _, err := Run(t.Context(), dev, bars(160, 1, "v", "h"), cfg, nil); err != nil {
			t.Fatal(err)
		}
		var got []int
		for i, waited := range dev.waited {
			if waited {
				got = append(got, i+1)
			}
		}
		if len(dev.waited) != 20 || !slices.Equal(got, c.want) {
			t.Errorf("hard samples %g: steps %v of %d are waited for, want %v of 20", c.hard, got, len(dev.waited), c.want)
		}
	}
}
