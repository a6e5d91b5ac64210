package nn

import (
	"fmt"
	"math/rand/v2"

	"inkshade/glcompute/program"
)

// Descent is a training by gradient descent: what is trained, and how.
type Descent struct {
	Batch   int         // rows in a step
	Params  *Parameters // what is trained
	Momenta *Parameters // Params.Zeros() at first
	Anchor  *Parameters // what the decay pulls toward; nil for zero
	Options TrainingOptions
}

// Batch is what a step is given, and what it gives back where a slice is not nil.
type Batch struct {
	Input        []float32 // [batch][in]
	Target       []float32 // [batch][classes], see Loss.Target
	Affine, Grid []float32 // with TrainingOptions.Warp, as program.Warp has them
	Settings     []float32 // as program.SGD has them, or program.Adam with TrainingOptions.Second

	Loss          []float32 // [batch] that of each row before the step
	Probabilities []float32 // [batch][classes] outputs before the step

	// What is not waited for instead, nil where it is not wanted; see program.OutLater. A
	// shared step has it when it returns.
	LossLater, ProbabilitiesLater *program.Readback
}

// Stepper makes the steps of a training.
type Stepper interface {
	Step(b Batch) error
	// Close frees compiled programs; parameters stay on their device.
	Close() error
}

// Steps makes those of a Descent on one device.
type Steps struct {
	rec   Training
	run   program.Run
	seed  int64
	steps uint64 // made so far
}

// NewSteps compiles the steps of d for dev.
func NewSteps(dev program.Device, d Descent) (*Steps, error) {
	p := program.New()
	s := &Steps{seed: d.Options.Seed, rec: RecordTrainingWith(p, d.Batch, d.Params, d.Momenta, d.Anchor, d.Options)}
	var err error
	if s.run, err = dev.Compile(p); err != nil {
		return nil, fmt.Errorf("preparing the training on the %s device: %w", dev.Info().Kind, err)
	}
	return s, nil
}

// Step implements Stepper. It is not waited for unless something is read back at once.
func (s *Steps) Step(b Batch) error {
	bindings := append(s.rec.bind(b), program.In(s.rec.Settings, b.Settings))
	rng := rand.New(rand.NewPCG(uint64(s.seed), s.steps))
	for _, m := range s.rec.masks {
		bindings = append(bindings, program.In(m.tensor, m.draw(rng)))
	}
	s.steps++
	return s.run.Do(bindings...)
}

// Run is the compiled step.
func (s *Steps) Run() program.Run { return s.run }

// Close implements Stepper.
func (s *Steps) Close() error { return s.run.Close() }

// bind ties a batch to all tensors but the settings.
func (t *Training) bind(b Batch) []program.Binding {
	bindings := []program.Binding{program.In(t.Input, b.Input), program.In(t.Target, b.Target)}
	if t.Affine != nil {
		bindings = append(bindings, program.In(t.Affine, b.Affine), program.In(t.Grid, b.Grid))
	}
	if b.Loss != nil {
		bindings = append(bindings, program.Out(t.Loss, b.Loss))
	}
	if b.Probabilities != nil {
		bindings = append(bindings, program.Out(t.Probabilities, b.Probabilities))
	}
	if b.LossLater != nil {
		bindings = append(bindings, program.OutLater(t.Loss, b.LossLater))
	}
	if b.ProbabilitiesLater != nil {
		bindings = append(bindings, program.OutLater(t.Probabilities, b.ProbabilitiesLater))
	}
	return bindings
}

// atOnce has what could come later in its readbacks when the step returns.
func (b Batch) atOnce() Batch {
	if b.LossLater != nil {
		b.Loss, b.LossLater = b.LossLater.Data, nil
	}
	if b.ProbabilitiesLater != nil {
		b.Probabilities, b.ProbabilitiesLater = b.ProbabilitiesLater.Data, nil
	}
	return b
}

// part is rows first to first+n of a batch.
func (t *Training) part(b Batch, first, n int) Batch {
	rows := func(x []float32, perRow int) []float32 {
		if x == nil {
			return nil
		}
		return x[first*perRow : (first+n)*perRow]
	}
	b.Input, b.Target = rows(b.Input, t.Input.Len()/t.Target.Rows), rows(b.Target, t.Target.Cols)
	b.Loss, b.Probabilities = rows(b.Loss, 1), rows(b.Probabilities, t.Target.Cols)
	if t.Affine != nil {
		b.Affine, b.Grid = rows(b.Affine, t.Affine.Cols), rows(b.Grid, t.Grid.Len()/t.Target.Rows)
	}
	return b
}

// likeNew is a descent of the same shapes and values whose steps leave those of d alone.
func (d Descent) likeNew() Descent {
	again := d
	again.Params = NewParameters(d.Params.Network())
	again.Momenta = again.Params.Zeros()
	if d.Anchor != nil {
		again.Anchor = NewParameters(d.Anchor.Network())
	}
	if d.Options.Low != nil {
		again.Options.Low = again.Params.Zeros()
	}
	if d.Options.Second != nil {
		again.Options.Second = again.Params.Zeros()
	}
	return again
}

// sets are the parameters that change or are kept with those of the network.
func (d Descent) sets() []*Parameters {
	return []*Parameters{d.Params, d.Momenta, d.Anchor, d.Options.Low, d.Options.Second}
}

// Download copies all values from the device to the host, for another device to go on.
func (d Descent) Download(dev program.Device) error {
	for _, set := range d.sets() {
		if set == nil || set == d.Anchor {
			continue
		}
		if err := set.Download(dev); err != nil {
			return err
		}
	}
	return nil
}

// Forget frees what dev keeps of the descent.
func (d Descent) Forget(dev program.Device) {
	for _, set := range d.sets() {
		if set != nil {
			set.Forget(dev)
		}
	}
}
