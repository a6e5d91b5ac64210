package train

import (
	"context"

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

// descending learns by gradient descent, and keeps a moving average where that is wanted.
type descending struct {
	nn.OptimiserState
	dev       glcompute.Device
	steps     *nn.Steps
	average   *average // nil without
	inference *nn.Inference
	made      int // steps
}

// newDescending compiles everything, so that unsupported sizes fail before the first step.
func (s *session) newDescending() (Learner, error) {
	descent, err := s.newDescent()
	d := &descent
	if err == nil {
		d.steps, err = nn.NewSteps(s.dev, d.OptimiserState)
	}
	if err != nil {
		d.Close()
		return nil, err
	}
	d.steps.Resume(d.made)
	return d, nil
}

// newDescent has no step compiled. It takes up what a checkpoint has.
func (s *session) newDescent() (d descending, err error) {
	params := nn.NewParameters(s.net)
	d = descending{dev: s.dev, OptimiserState: nn.OptimiserState{
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
	if s.from != nil {
		d.made, err = s.from.Steps, copyAll(dataOf(d.Changing()), s.from.Values)
	}
	if err == nil && s.cfg.Average > 0 {
		d.average, err = s.newAverage(params)
	}
	d.inference = nn.InferenceOf(s.dev, d.kept())
	return d, err
}

// kept is the state that is evaluated and returned.
func (d *descending) kept() *nn.Parameters {
	if d.average != nil {
		return d.average.params
	}
	return d.Params
}

func (d *descending) Step(b nn.Batch) error {
	if err := d.steps.Step(b); err != nil {
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
func (d *descending) Info() glcompute.Info              { return d.steps.Info() }
func (d *descending) Inference() (*nn.Inference, error) { return d.inference, nil }

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
	if d.steps != nil {
		d.steps.Close()
	}
	d.Forget(d.dev)
}
