package train

import (
	"math"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn"
)

// average keeps the exponential moving average of the parameters on the device.
type average struct {
	params    *nn.Parameters
	run       glcompute.Run
	rateInput *glcompute.Tensor
	every     int     // steps between updates
	rate      float64 // of one update, in the long run
	updates   int
}

// averageStride is the largest number of steps between two updates of the average. One
// update costs about as much memory traffic as the update of the weights, and the average
// over thousands of steps hardly changes when most of them are left out.
const averageStride = 8

// newAverage begins with the values of the parameters, or with those of a training that goes on.
func (s *session) newAverage(params *nn.Parameters) (a *average, err error) {
	a = &average{params: nn.NewParameters(params.Network()), every: max(1, min(averageStride, s.feed.steps/100))}
	a.rate = 1 - math.Pow(s.cfg.Average, float64(a.every))
	if s.from != nil {
		a.updates, err = s.from.Averaged, copyAll(dataOf(a.params.All()), s.from.Average)
	}
	if err != nil {
		return nil, err
	}
	p := glcompute.NewProgram()
	a.rateInput = nn.RecordAverage(p, params, a.params)
	if a.run, err = s.dev.Compile(p); err != nil {
		err = message.Errorf("preparing the average on the %s device: %w", s.dev.Info().Kind, err)
	}
	return a, err
}

// step updates the average after a training step when it is time. The first updates
// weigh more, so that the start is soon forgotten.
func (a *average) step(step int) error {
	if (step+1)%a.every != 0 {
		return nil
	}
	rate := max(a.rate, 9/float64(10+a.updates))
	a.updates++
	return a.run.Do(glcompute.In(a.rateInput, []float32{float32(rate)}))
}

func (a *average) close(dev glcompute.Device) {
	if a.run != nil {
		a.run.Close()
	}
	a.params.Forget(dev)
}
