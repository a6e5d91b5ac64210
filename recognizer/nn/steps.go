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

// Batch is what a step is given, and what it gives back.
type Batch struct {
	Input        []float32 // [batch][in]
	Samples      []int     // [batch] which sample each row is, for what holds them all
	Target       []float32 // [batch][classes], see Loss.Target
	Affine, Grid []float32 // with TrainingOptions.Warp, as program.Warp has them
	Settings     []float32 // as program.SGD has them, or program.Adam with TrainingOptions.Second

	// That of each row [batch] and outputs [batch][classes] before the step, both nil where they are not wanted.
	Loss, Probabilities *program.Readback
	Later               bool // they are not waited for; see program.OutLater
}

// Outs binds what the step gives back.
func (b Batch) Outs(loss, probabilities *program.Tensor) []program.Binding {
	switch {
	case b.Loss == nil:
		return nil
	case b.Later:
		return []program.Binding{program.OutLater(loss, b.Loss), program.OutLater(probabilities, b.Probabilities)}
	}
	return []program.Binding{program.Out(loss, b.Loss.Data), program.Out(probabilities, b.Probabilities.Data)}
}

// Steps makes those of a Descent.
type Steps struct {
	whole  compiled
	sparse *sparseSteps // nil where they cannot be faster
	seed   int64
	steps  uint64 // made so far
}

// compiled is a recorded step, ready on a device.
type compiled struct {
	Training
	run program.Run
}

func compile(dev program.Device, d Descent) (c compiled, err error) {
	p := program.New()
	c.Training = d.Record(p)
	if c.run, err = dev.Compile(p); err != nil {
		err = fmt.Errorf("preparing the training on the %s device: %w", dev.Info().Kind, err)
	}
	return c, err
}

// NewSteps compiles the steps of d for dev.
func NewSteps(dev program.Device, d Descent) (*Steps, error) {
	whole, err := compile(dev, d)
	if err != nil {
		return nil, err
	}
	s := &Steps{seed: d.Options.Seed, whole: whole}
	if dev.Info().Kind == program.CPU && d.fitsSparse() {
		s.sparse = &sparseSteps{dev: dev, descent: d}
	}
	return s, nil
}

// Step makes one. It is not waited for unless something is read back at once.
func (s *Steps) Step(b Batch) error {
	s.steps++
	if s.sparse != nil {
		return s.eitherWay(b)
	}
	return s.whole.step(b, []program.Binding{program.In(s.whole.Input, b.Input)}, s.draws())
}

// draws are the random numbers of the step.
func (s *Steps) draws() *rand.Rand { return rand.New(rand.NewPCG(uint64(s.seed), s.steps-1)) }

// step makes one with an input that is bound already.
func (c *compiled) step(b Batch, input []program.Binding, rng *rand.Rand) error {
	bindings := append(b.Outs(c.Loss, c.Probabilities), program.In(c.Target, b.Target), program.In(c.Settings, b.Settings))
	if c.Affine != nil {
		bindings = append(bindings, program.In(c.Affine, b.Affine), program.In(c.Grid, b.Grid))
	}
	for _, m := range c.masks {
		bindings = append(bindings, program.In(m.tensor, m.draw(rng)))
	}
	return c.run.Do(append(bindings, input...)...)
}

// Info describes what did the last step.
func (s *Steps) Info() program.Info { return s.whole.run.Info() }

// Close frees the compiled step; parameters stay on their device.
func (s *Steps) Close() error {
	if s.sparse != nil {
		s.sparse.close()
	}
	return s.whole.run.Close()
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
