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
	Step(b nn.Batch) error             // learns from a batch
	Holds() bool                       // all samples of its Lesson: it is given nn.Batch.Samples instead of Input
	Info() glcompute.Info              // of what did the last step
	Inference() (*nn.Inference, error) // of the state that is kept; the learner closes it
	Network() (nn.Network, error)      // the state that is kept, on the host
	Save() error                       // brings everything to the host, where the processor goes on should the device be lost
	Close()                            // frees what the learner holds on the device
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

	// Pass goes once through what an epoch consists of: input [Batch][Width], classes [Batch]. Both hold until the next call.
	Pass    func(ctx context.Context, use func(input, classes []float32) error) error
	Samples int                                                       // where each is the same row in every epoch, else 0
	Rows    func(ctx context.Context, dst []float32, first int) error // writes those from number first on into dst[n][Width]
}

// descending learns by gradient descent, and keeps a moving average where that is wanted. Of lines it has a program for each
// class of widths.
type descending struct {
	nn.OptimiserState
	kept      *nn.Parameters // that are evaluated and returned: Params, or their average
	dev       glcompute.Device
	programs  map[int]*nn.Steps // by nn.Batch.Columns
	last      *nn.Steps         // that made a step
	inference *nn.Inference
	made      int // steps

	average  glcompute.Run // moves kept; nil without
	rate     *glcompute.Tensor
	every    int     // steps between its updates
	moves    float64 // part of the way that one goes, in the long run
	averaged int     // updates so far
}

// averageStride is the largest number of steps between two updates of the average. One
// update costs about as much memory traffic as the update of the weights, and the average
// over thousands of steps hardly changes when most of them are left out.
const averageStride = 8

// newDescending takes up what a checkpoint has, and compiles everything but for lines, so that unsupported sizes fail before the first step.
func (s *session) newDescending() (_ Learner, err error) {
	params := nn.NewParameters(s.net)
	d := &descending{kept: params, dev: s.dev, programs: map[int]*nn.Steps{}, made: s.Steps, averaged: s.Averaged, OptimiserState: nn.OptimiserState{
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
	if s.cfg.Average > 0 {
		d.kept = nn.NewParameters(s.net)
		d.every = max(1, min(averageStride, s.feed.steps/100))
		d.moves = 1 - math.Pow(s.cfg.Average, float64(d.every))
	}
	d.inference = nn.InferenceOf(s.dev, d.kept)
	if s.Steps > 0 {
		if err = copyAll(dataOf(d.Changing()), s.Values); err == nil && d.every > 0 {
			err = copyAll(dataOf(d.kept.All()), s.Average)
		}
	}
	if err == nil && d.every > 0 {
		p := glcompute.NewProgram()
		d.rate = nn.RecordAverage(p, params, d.kept)
		if d.average, err = s.dev.Compile(p); err != nil {
			err = message.Errorf("preparing the average on the %s device: %w", s.dev.Info().Kind, err)
		}
	}
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

func (d *descending) Step(b nn.Batch) error {
	if err := d.compile(b.Columns); err != nil {
		return message.Errorf("lines of %d columns: %w", b.Columns, err)
	}
	b.Number = d.made
	if err := d.last.Step(b); err != nil {
		return err
	}
	if d.made++; d.average == nil || d.made%d.every != 0 {
		return nil
	}
	rate := max(d.moves, 9/float64(10+d.averaged)) // the first updates weigh more, so that the start is soon forgotten
	d.averaged++
	if err := d.average.Do(glcompute.In(d.rate, []float32{float32(rate)})); err != nil {
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
	if err := d.kept.Download(d.dev); err != nil {
		return nn.Network{}, err
	}
	return d.kept.Network(), nil
}

func (d *descending) Save() error {
	if d.average != nil {
		if err := d.kept.Download(d.dev); err != nil {
			return err
		}
	}
	return d.Download(d.dev)
}

func (d *descending) Close() {
	d.inference.Close()
	if d.average != nil {
		d.average.Close()
	}
	for _, s := range d.programs {
		s.Close()
	}
	d.kept.Forget(d.dev)
	d.Forget(d.dev)
}
