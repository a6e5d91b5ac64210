package bench

import (
	"fmt"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
)

// MixedName is that of the processor and the fastest OpenGL device together, each with a
// share of the batch in proportion to its speed (Takizawa et al., 2009).
const MixedName = string(program.Mixed)

// mixed adds to the readings of a training step that of both kinds of devices together,
// after them because the shares follow from them.
func (r *runner) mixed(size int, players []*player, readings []Reading) ([]Reading, error) {
	cpu, gpu := -1, -1
	for i, x := range readings {
		switch {
		case x.Missing != "":
		case players[i].dev.Info().Kind == program.CPU:
			cpu = i
		case gpu < 0 || x.Median < readings[gpu].Median:
			gpu = i
		}
	}
	if cpu < 0 || gpu < 0 {
		return readings, nil
	}
	reading := Reading{Experiment: TrainingStep, Size: size, Device: MixedName}
	begin := r.clock()
	a, b := readings[cpu].Median.Seconds(), readings[gpu].Median.Seconds()
	share := b / (a + b)
	if min(share, 1-share)*float64(size) < 0.5 {
		slower := players[cpu].Name
		if share > 0.5 {
			slower = players[gpu].Name
		}
		reading.Missing = fmt.Sprintf("left out: the %s device is too slow for a share of %d", slower, size)
		return append(readings, reading), nil
	}
	dev := glcompute.Split(share, players[cpu].dev, players[gpu].dev) // which stay open
	params := nn.NewParameters(nn.NewNetwork(network, "tanh", seed))
	descent := nn.Descent{Batch: size, Params: params, Momenta: params.Zeros()}
	defer descent.Forget(dev)
	training, err := nn.NewSteps(dev, descent)
	if err != nil {
		reading.Missing = err.Error()
		return append(readings, reading), nil
	}
	defer training.Close()
	if info := training.Info(); info.Kind != program.Mixed {
		reading.Missing = info.Choice.String()
		return append(readings, reading), nil
	}
	batch := nn.Batch{Input: pixels(size * network[0]), Target: classes(size), Settings: stepSettings, Loss: make([]float32, size)}
	l := &lane{once: func() (time.Duration, error) {
		start := r.clock()
		err := training.Step(batch)
		return r.clock().Sub(start), err
	}}
	_, l.failed = l.once()
	reading.Prepare = r.clock().Sub(begin)
	if err := r.alternate([]*lane{l}); err != nil {
		return nil, err
	}
	if l.failed != nil {
		reading.Missing = l.failed.Error()
	} else {
		reading.Spread = spreadOf(l.times)
		reading.GFLOPS = r.gflops(TrainingStep, size, reading.Median)
	}
	return append(readings, reading), nil
}
