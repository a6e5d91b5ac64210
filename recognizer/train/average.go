package train

import (
	"math"

	"inkshade/glcompute"
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

// newAverage begins with the values of averages, which then belong to it.
func newAverage(dev glcompute.Device, params, averages *nn.Parameters, decay float64, steps int) (*average, error) {
	a := &average{params: averages, every: max(1, min(averageStride, steps/100))}
	a.rate = 1 - math.Pow(decay, float64(a.every))
	p := glcompute.NewProgram()
	a.rateInput = nn.RecordAverage(p, params, a.params)
	var err error
	a.run, err = dev.Compile(p)
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
