package nn

import (
	"cmp"
	"errors"
	"fmt"
	"sync"
	"time"

	"inkshade/glcompute/program"
)

// MixedTraining makes steps of gradient descent whose batch is split between devices
// (Takizawa et al., 2009). Each computes the gradients of its share of the rows. The first
// device, the owner, has the parameters and everything else that lasts: it takes the mean of
// the gradients, weighted by the shares, makes the update, and sends the new parameters to
// the others, which keep nothing of their own. So no copy can drift away from another, and
// when another device fails, the owner goes on alone and nothing is lost. The same split
// gives the same parameters. It is not safe for use by several goroutines at once.
type MixedTraining struct {
	descent Descent
	owner   program.Device
	parts   []*trainingPart // of the devices that have a share
	update  program.Run
	given   [][]*program.Tensor // inputs of update: gradients by part, in the order of Parameters.All
	setting *program.Tensor
	times   MixedTimes

	alone *Steps // of the owner, once another device has failed with the error lost
	lost  error
}

// MixedTimes says where the time of mixed steps went, in all.
type MixedTimes struct {
	Steps     int
	Weights   time.Duration // the owner's parameters on their way into the slowest other device
	Gradients time.Duration // computed by all devices and brought to the host
	Update    time.Duration // gradients into the owner, its update, parameters to the host
}

// Carrying is what one step costs beside the gradients.
func (t MixedTimes) Carrying() time.Duration {
	return (t.Weights + t.Update) / time.Duration(max(t.Steps, 1))
}

// trainingPart is what one device does of a step.
type trainingPart struct {
	dev         program.Device
	device      int // its place among the devices
	lost        func() error
	first, rows int
	rec         Training
	run         program.Run
	gradients   []*program.Tensor
	values      [][]float32 // of gradients
	weights     time.Duration
}

// NewMixedTraining prepares the steps of d, whose rows are dealt out in proportion to
// speeds (rows a second, say), one of each device. The values of d on the first device are
// those that count.
func NewMixedTraining(d Descent, devices []program.Device, speeds []float64) (*MixedTraining, error) {
	if len(devices) != len(speeds) {
		panic(fmt.Sprintf("nn: %d devices with %d speeds", len(devices), len(speeds)))
	}
	m := &MixedTraining{descent: d, owner: devices[0]}
	first := 0
	for i, rows := range shares(d.Batch, speeds, 1) {
		if rows == 0 {
			continue
		}
		part := &trainingPart{dev: devices[i], device: i, lost: watch(i, devices[i]), first: first, rows: rows}
		first += rows
		m.parts = append(m.parts, part)
		if err := part.compile(d); err != nil {
			err = fmt.Errorf("preparing its share of the training: %w", err)
			return nil, errors.Join(&deviceError{i, part.dev.Info().Name, err}, m.Close())
		}
	}
	if err := m.compileUpdate(); err != nil {
		return nil, errors.Join(fmt.Errorf("preparing training on the %s device: %w", m.owner.Info().Kind, err), m.Close())
	}
	return m, nil
}

// compile records the gradients as results.
func (t *trainingPart) compile(d Descent) error {
	p := program.New()
	t.rec, t.gradients = recordPass(p, t.rows, d.Params, d.Options)
	for _, x := range t.gradients {
		t.values = append(t.values, make([]float32, x.Len()))
	}
	var err error
	t.run, err = t.dev.Compile(p)
	return err
}

// compileUpdate records the owner's: the parts' gradients are means over their rows.
func (m *MixedTraining) compileUpdate() error {
	p := program.New()
	share := func(t *trainingPart) float32 { return float32(t.rows) / float32(m.descent.Batch) }
	var mean []*program.Tensor
	for k, t := range m.parts {
		var given []*program.Tensor
		for i, x := range t.gradients {
			given = append(given, p.Input(x.Rows, x.Cols))
			switch {
			case k == 0:
				mean = append(mean, given[i])
			case k == 1:
				mean[i] = p.Combine(mean[i], given[i], share(m.parts[0]), share(t))
			default:
				mean[i] = p.Combine(mean[i], given[i], 1, share(t))
			}
		}
		m.given = append(m.given, given)
	}
	m.setting = recordUpdates(p, mean, m.descent.Params, m.descent.Momenta, m.descent.Anchor, m.descent.Options)
	var err error
	if m.update, err = m.owner.Compile(p); err != nil {
		return err
	}
	return m.descent.Params.Download(m.owner)
}

// Step implements Stepper. An error of another device than the owner is no error of the
// step, which the owner then makes alone; see Lost.
func (m *MixedTraining) Step(b Batch) error {
	if m.alone != nil {
		return m.alone.Step(b)
	}
	b = b.atOnce() // the gradients are waited for
	begin := time.Now()
	own, others := m.gradients(b)
	if own != nil {
		return own
	}
	if others != nil {
		if err := m.goOnAlone(others); err != nil {
			return err
		}
		return m.alone.Step(b)
	}
	computed := time.Now()
	bindings := []program.Binding{program.In(m.setting, b.Settings)}
	weights := time.Duration(0)
	for k, t := range m.parts {
		weights = max(weights, t.weights)
		for i, x := range m.given[k] {
			bindings = append(bindings, program.In(x, t.values[i]))
		}
	}
	if err := m.update.Do(bindings...); err != nil {
		return err
	}
	if err := m.descent.Params.Download(m.owner); err != nil {
		return err
	}
	m.times.Steps++
	m.times.Weights += weights
	m.times.Gradients += computed.Sub(begin) - weights
	m.times.Update += time.Since(computed)
	return nil
}

// gradients has every device compute those of its rows at the same time.
func (m *MixedTraining) gradients(b Batch) (own, others error) {
	errs := make([]error, len(m.parts))
	var all sync.WaitGroup
	for i, t := range m.parts {
		all.Go(func() { errs[i] = t.compute(b, m.descent.Params, m.owner) })
	}
	all.Wait()
	for i, t := range m.parts {
		switch {
		case errs[i] == nil:
		case t.dev == m.owner:
			own = errs[i]
		default:
			others = &deviceError{t.device, t.dev.Info().Name, errs[i]}
		}
	}
	return own, others
}

func (t *trainingPart) compute(b Batch, params *Parameters, owner program.Device) error {
	begin := time.Now()
	if t.dev != owner {
		for _, par := range params.All() {
			if err := t.dev.Upload(par); err != nil {
				return err
			}
		}
		t.weights = time.Since(begin)
	}
	bindings := t.rec.bind(t.rec.part(b, t.first, t.rows))
	for i, x := range t.gradients {
		bindings = append(bindings, program.Out(x, t.values[i]))
	}
	return cmp.Or(t.run.Do(bindings...), t.lost())
}

// goOnAlone leaves everything to the owner.
func (m *MixedTraining) goOnAlone(why error) (err error) {
	m.lost = why
	if m.alone, err = NewSteps(m.owner, m.descent); err != nil {
		return errors.Join(why, err)
	}
	_ = m.closeParts() // what a lost device held went with it
	return nil
}

// Lost is why another device than the owner fell away, which then goes on alone, see
// Sharing.Survive; nil while none has.
func (m *MixedTraining) Lost() error { return m.lost }

// Times says where the time of the steps went.
func (m *MixedTraining) Times() MixedTimes { return m.times }

// Rows says how many rows of a batch each device does that does any.
func (m *MixedTraining) Rows() []int {
	var rows []int
	for _, t := range m.parts {
		rows = append(rows, t.rows)
	}
	return rows
}

// closeParts frees what the shares need, on the other devices the parameters too.
func (m *MixedTraining) closeParts() error {
	var errs []error
	for _, t := range m.parts {
		if t.run != nil {
			errs = append(errs, t.run.Close())
		}
		if t.dev != m.owner {
			m.descent.Params.Forget(t.dev)
		}
	}
	if m.update != nil {
		errs = append(errs, m.update.Close())
	}
	m.parts, m.update = nil, nil
	return errors.Join(errs...)
}

// Close implements Stepper. The owner keeps the parameters.
func (m *MixedTraining) Close() error {
	err := m.closeParts()
	if m.alone != nil {
		err = errors.Join(err, m.alone.Close())
	}
	return err
}
