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

	// What is not waited for instead, nil where it is not wanted; see program.OutLater.
	LossLater, ProbabilitiesLater *program.Readback
}

// Steps makes those of a Descent.
type Steps struct {
	rec   Training
	run   program.Run
	seed  int64
	steps uint64 // made so far
}

// NewSteps compiles the steps of d for dev.
func NewSteps(dev program.Device, d Descent) (*Steps, error) {
	p := program.New()
	s := &Steps{seed: d.Options.Seed, rec: d.Record(p)}
	var err error
	if s.run, err = dev.Compile(p); err != nil {
		return nil, fmt.Errorf("preparing the training on the %s device: %w", dev.Info().Kind, err)
	}
	return s, nil
}

// Step makes one. It is not waited for unless something is read back at once.
func (s *Steps) Step(b Batch) error {
	bindings := append(s.rec.bind(b), program.In(s.rec.Settings, b.Settings))
	rng := rand.New(rand.NewPCG(uint64(s.seed), s.steps))
	for _, m := range s.rec.masks {
		bindings = append(bindings, program.In(m.tensor, m.draw(rng)))
	}
	s.steps++
	return s.run.Do(bindings...)
}

// Info describes what did the last step.
func (s *Steps) Info() program.Info { return s.run.Info() }

// Close frees the compiled step; parameters stay on their device.
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

// sets are the parameters that change or are kept with those of the network.
func (d Descent) sets() []*Parameters {
	return []*Parameters{d.Params, d.Momenta, d.Anchor, d.Options.Low, d.Options.Second}
}

// Download copies all values from the device to the host, for another device to go on.
func (d Descent) Download(dev program.Device) error {
	if err := d.Params.Download(dev); err != nil {
		return err
	}
	for _, set := range []*Parameters{d.Momenta, d.Options.Low, d.Options.Second} {
		if err := download(dev, set.Learned(d.Options.Frozen)); err != nil {
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
