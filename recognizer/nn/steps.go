package nn

import (
	"math/rand/v2"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// OptimiserState is a training by gradient descent: its parameters, what its optimiser keeps of them, and how they are trained.
type OptimiserState struct {
	Batch   int         // rows in a step
	Params  *Parameters // what is trained
	Momenta *Parameters // Params.Zeros() at first
	Anchor  *Parameters // what the decay pulls toward; nil for zero
	Options TrainingOptions
}

// Batch is what a step is given, and what it gives back.
type Batch struct {
	Number       int       // of the step, from 0, for what is drawn by it
	Columns      int       // of a network that reads lines
	Input        []float32 // [batch][in]
	Samples      []int     // [batch] which sample each row is, for what holds them all
	Target       []float32 // [batch][classes], see Loss.Target
	Affine, Grid []float32 // with TrainingOptions.Warp, as Program.Warp of glcompute has them
	Settings     []float32 // as Program.SGD has them, or Program.Adam with TrainingOptions.Second

	// That of each row [batch] and outputs [batch][classes] before the step, both nil where they are not wanted.
	Loss, Probabilities *glcompute.AsyncRead
	Later               bool // they are not waited for; see glcompute.OutAsync
}

// Outs binds what the step gives back.
func (b Batch) Outs(loss, probabilities *glcompute.Tensor) []glcompute.Binding {
	switch {
	case b.Loss == nil:
		return nil
	case b.Later:
		return []glcompute.Binding{glcompute.OutAsync(loss, b.Loss), glcompute.OutAsync(probabilities, b.Probabilities)}
	}
	return []glcompute.Binding{glcompute.Out(loss, b.Loss.Data), glcompute.Out(probabilities, b.Probabilities.Data)}
}

// Steps makes those of a training.
type Steps struct {
	whole  compiled
	sparse *sparseSteps // nil where they cannot be faster
	seed   int64
}

// compiled is a recorded step, ready on a device.
type compiled struct {
	Training
	run glcompute.Run
}

func compile(dev glcompute.Device, d OptimiserState) (c compiled, err error) {
	p := glcompute.NewProgram()
	if c.Training, err = d.Record(p); err == nil {
		c.run, err = dev.Compile(p)
	}
	if err != nil {
		err = message.Errorf("preparing the training on the %s device: %w", dev.Info().Kind, err)
	}
	return c, err
}

// NewSteps compiles the steps of d for dev.
func NewSteps(dev glcompute.Device, d OptimiserState) (*Steps, error) {
	whole, err := compile(dev, d)
	if err != nil {
		return nil, err
	}
	s := &Steps{seed: d.Options.Seed, whole: whole}
	if dev.Info().Kind == glcompute.CPU && d.fitsSparse() {
		s.sparse = &sparseSteps{dev: dev, state: d}
	}
	return s, nil
}

// Step makes one. It is not waited for unless something is read back at once.
func (s *Steps) Step(b Batch) error {
	if s.sparse != nil {
		return s.eitherWay(b)
	}
	return s.whole.step(b, []glcompute.Binding{glcompute.In(s.whole.Input, b.Input)}, s.seed)
}

// step makes one with an input that is bound already.
func (c *compiled) step(b Batch, input []glcompute.Binding, seed int64) error {
	bindings := append(b.Outs(c.Loss, c.Probabilities), glcompute.In(c.Target, b.Target), glcompute.In(c.Settings, b.Settings))
	if c.Affine != nil {
		bindings = append(bindings, glcompute.In(c.Affine, b.Affine), glcompute.In(c.Grid, b.Grid))
	}
	rng := rand.New(rand.NewPCG(uint64(seed), uint64(b.Number)))
	for _, m := range c.masks {
		bindings = append(bindings, glcompute.In(m.tensor, m.draw(rng)))
	}
	return c.run.Do(append(bindings, input...)...)
}

// Info describes what did the last step.
func (s *Steps) Info() glcompute.Info { return s.whole.run.Info() }

// Close frees the compiled step; parameters stay on their device.
func (s *Steps) Close() error {
	if s.sparse != nil {
		s.sparse.close()
	}
	return s.whole.run.Close()
}

// Changing lists what steps change.
func (d OptimiserState) Changing() []*glcompute.Parameter {
	all := d.Params.All()
	for _, set := range []*Parameters{d.Momenta, d.Options.Low, d.Options.Second} {
		all = append(all, set.Learned(d.Options.Frozen)...)
	}
	return all
}

// Download copies all values from the device to the host, for another device to go on.
func (d OptimiserState) Download(dev glcompute.Device) error { return download(dev, d.Changing()) }

// Forget frees what dev keeps of it.
func (d OptimiserState) Forget(dev glcompute.Device) {
	for _, set := range []*Parameters{d.Params, d.Momenta, d.Anchor, d.Options.Low, d.Options.Second} {
		if set != nil {
			set.Forget(dev)
		}
	}
}
