package train

import (
	"context"
	"math"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn"
)

// Learner is what a training teaches, on a device.
type Learner interface {
	// Step learns from a batch.
	Step(b nn.Batch) error
	// Holds reports whether the learner has all samples of its Lesson, and is given nn.Batch.Samples instead of Input.
	Holds() bool
	// Info describes what did the last step.
	Info() glcompute.Info
	// Inference runs the state that is kept; the learner closes it.
	Inference() (*nn.Inference, error)
	// Network brings the state that is kept to the host.
	Network() (nn.Network, error)
	// Save brings everything to the host, from where the processor goes on should the device be
	// lost.
	Save() error
	// Close frees what the learner holds on the device.
	Close()
}

// Lesson is what a learner of Config.Learner is made for. It is given the classes of a batch
// as numbers, nn.Batch.Target [batch][1], and gives as outputs, nn.Batch.Probabilities [batch][1], by how
// much the right class fits each row better than the best of the others: above zero where the answer is right.
type Lesson struct {
	Dev   glcompute.Device
	Model *nn.Model // with labels and preprocessing; without layers where training starts from nothing
	Width int       // values of a row
	Batch int       // rows in a step
	Seed  int64

	// Pass goes once through what an epoch consists of, Batch rows at a time: input [Batch][Width],
	// classes [Batch]. Both hold until the next call.
	Pass func(ctx context.Context, use func(input, classes []float32) error) error

	// Samples is the number of samples where each is the same row in every epoch, else 0. Rows writes
	// those from number first on into dst[n][Width].
	Samples int
	Rows    func(ctx context.Context, dst []float32, first int) error
}

// descending learns by gradient descent, and keeps a moving average where that is wanted. Of lines it has a program for each
// class of widths.
type descending struct {
	nn.OptimiserState
	dev       glcompute.Device
	programs  map[int]*nn.Steps // by nn.Batch.Columns
	last      *nn.Steps         // that made a step
	average   *average          // nil without
	inference *nn.Inference
	made      int // steps
}

// newDescending takes up what a checkpoint has, and compiles everything but for lines, so that unsupported sizes fail before the first step.
func (s *session) newDescending() (_ Learner, err error) {
	params := nn.NewParameters(s.net)
	d := &descending{dev: s.dev, programs: map[int]*nn.Steps{}, made: s.Steps, OptimiserState: nn.OptimiserState{
		Batch: s.cfg.Batch, Params: params, Momenta: params.Zeros(),
		Options: nn.TrainingOptions{Loss: s.cfg.Loss, Warp: s.feed.warp, Frozen: s.cfg.Frozen, Seed: s.cfg.Seed},
	}}
	if s.cfg.Anchor != nil {
		d.Anchor = nn.NewParameters(s.anchor)
	}
	if s.cfg.TwoFloats {
		d.Options.Low = params.Zeros()
	}
	if s.cfg.Optimizer == Adam {
		d.Options.Second = params.Zeros()
	}
	if s.Steps > 0 {
		err = copyAll(dataOf(d.Changing()), s.Values)
	}
	if err == nil && s.cfg.Average > 0 {
		d.average, err = s.newAverage(params)
	}
	d.inference = nn.InferenceOf(s.dev, d.kept())
	if err == nil && s.cfg.Loss != nn.CTC {
		err = d.compile(0)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// compile makes the program of so many columns the one that is used, 0 of a network that does not read lines.
func (d *descending) compile(columns int) (err error) {
	if d.last = d.programs[columns]; d.last != nil {
		return nil
	}
	state := d.OptimiserState
	if columns > 0 {
		if state.Params, err = d.Params.Wide(columns); err != nil {
			return err
		}
	}
	if d.last, err = nn.NewSteps(d.dev, state); err != nil {
		return err
	}
	d.programs[columns] = d.last
	return nil
}

// kept is the state that is evaluated and returned.
func (d *descending) kept() *nn.Parameters {
	if d.average != nil {
		return d.average.params
	}
	return d.Params
}

func (d *descending) Step(b nn.Batch) error {
	if err := d.compile(b.Columns); err != nil {
		return message.Errorf("lines of %d columns: %w", b.Columns, err)
	}
	d.last.Resume(d.made)
	if err := d.last.Step(b); err != nil {
		return err
	}
	d.made++
	if d.average == nil {
		return nil
	}
	if err := d.average.step(d.made - 1); err != nil {
		return message.Errorf("averaging on the %s device: %w", d.dev.Info().Kind, err)
	}
	return nil
}

func (d *descending) Holds() bool                       { return false }
func (d *descending) Inference() (*nn.Inference, error) { return d.inference, nil }

func (d *descending) Info() glcompute.Info {
	if d.last == nil { // no line was read yet
		return d.dev.Info()
	}
	return d.last.Info()
}

func (d *descending) Network() (nn.Network, error) {
	if err := d.kept().Download(d.dev); err != nil {
		return nn.Network{}, err
	}
	return d.kept().Network(), nil
}

func (d *descending) Save() error {
	if d.average != nil {
		if err := d.average.params.Download(d.dev); err != nil {
			return err
		}
	}
	return d.Download(d.dev)
}

func (d *descending) Close() {
	d.inference.Close()
	if d.average != nil {
		if d.average.run != nil {
			d.average.run.Close()
		}
		d.average.params.Forget(d.dev)
	}
	for _, s := range d.programs {
		s.Close()
	}
	d.Forget(d.dev)
}

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
	if s.Steps > 0 {
		a.updates = s.Averaged
		if err := copyAll(dataOf(a.params.All()), s.Average); err != nil {
			return nil, err
		}
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
