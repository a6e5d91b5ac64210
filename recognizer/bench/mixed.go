package bench

import (
	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// MixedName is that of the processor and the fastest OpenGL device together, each with a
// share of the batch in proportion to its speed (Takizawa et al., 2009).
const MixedName = string(glcompute.Mixed)

// mixed adds to the readings of a training step that of both kinds of devices together,
// after them because the shares follow from them.
func (r *runner) mixed(size int, players []*player, readings []Reading) ([]Reading, error) {
	cpu, gpu := -1, -1
	for i, x := range readings {
		switch {
		case x.Missing != nil:
		case players[i].dev.Info().Kind == glcompute.CPU:
			cpu = i
		case gpu < 0 || x.Median < readings[gpu].Median:
			gpu = i
		}
	}
	if cpu < 0 || gpu < 0 {
		return readings, nil
	}
	reading := Reading{Experiment: TrainingStep, Size: size, Device: MixedName}
	a, b := readings[cpu].Median.Seconds(), readings[gpu].Median.Seconds()
	share := b / (a + b)
	if min(share, 1-share)*float64(size) < 0.5 {
		slower := players[cpu].Name
		if share > 0.5 {
			slower = players[gpu].Name
		}
		reading.Missing = message.Errorf("left out: the %s device is too slow for a share of %d", slower, size)
		return append(readings, reading), nil
	}
	dev := glcompute.Split(share, players[cpu].dev, players[gpu].dev) // which stay open
	l, took, end := r.prepare(dev, TrainingStep.record(r.o, size))
	defer end()
	reading.Prepare = took
	if l.failed == nil && l.run.Info().Kind != glcompute.Mixed {
		reading.Missing = message.Errorf("%s", l.run.Info().Choice)
		return append(readings, reading), nil
	}
	if err := r.alternate([]*lane{l}); err != nil {
		return nil, err
	}
	reading.settle(l)
	return append(readings, reading), nil
}
