package bench

import (
	"fmt"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
)

// MixedName is that of the processor and the fastest OpenGL device together, each with a
// share of the batch in proportion to its speed (Takizawa et al., 2009).
const MixedName = string(nn.MixedKind)

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
	speeds := []float64{1 / readings[cpu].Median.Seconds(), 1 / readings[gpu].Median.Seconds()}
	devices := []program.Device{players[cpu].dev, players[gpu].dev}
	params := nn.NewParameters(nn.NewNetwork(network, "tanh", seed))
	momenta := params.Zeros()
	defer func() {
		params.Forget(devices[0])
		momenta.Forget(devices[0])
	}()
	training, err := nn.NewMixedTraining(nn.Descent{Batch: size, Params: params, Momenta: momenta}, devices, speeds)
	if err != nil {
		reading.Missing = err.Error()
		return append(readings, reading), nil
	}
	defer training.Close()
	if len(training.Rows()) < 2 {
		reading.Missing = fmt.Sprintf("left out: the %s device is too slow for a share of %d", slower(speeds, players[cpu], players[gpu]), size)
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
		reading.GFLOPS = gflops(TrainingStep, size, reading.Median)
	}
	return append(readings, reading), nil
}

func slower(speeds []float64, cpu, gpu *player) string {
	if speeds[0] < speeds[1] {
		return cpu.Name
	}
	return gpu.Name
}
