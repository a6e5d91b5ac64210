package nn

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"inkshade/glcompute/program"
)

// MixedTraining makes steps of gradient descent whose batch is split between devices
// (Takizawa et al., 2009): each computes the gradients of its share of the rows, the host
// takes their mean, weighted by the shares, and every device makes the same update. It
// keeps its own copy of the parameters on each device. It is not safe for use by several
// goroutines at once.
type MixedTraining struct {
	parts  []*trainingPart
	batch  int
	losses []float32
	mean   [][]float32 // of the gradients, one of each parameter
}

// trainingPart is what one device does of a step.
type trainingPart struct {
	dev           program.Device
	rows          int
	params        *Parameters
	momenta       *Parameters
	forward       program.Run // loss and gradients of the part's rows
	update        program.Run // every parameter by the gradients of all rows
	input, target *program.Tensor
	loss          *program.Tensor
	gradients     []*program.Tensor // results of forward, in the order of Parameters.All
	values        [][]float32       // of gradients
	given         []*program.Tensor // inputs of update
	settings      *program.Tensor
}

// NewMixedTraining prepares steps of batch rows from the parameters of net, dealt out in
// proportion to speeds (rows a second, say), one of each device.
func NewMixedTraining(net Network, batch int, devices []program.Device, speeds []float64) (*MixedTraining, error) {
	if err := net.Check(); err != nil {
		return nil, err
	}
	if len(devices) != len(speeds) {
		panic(fmt.Sprintf("nn: %d devices with %d speeds", len(devices), len(speeds)))
	}
	m := &MixedTraining{batch: batch, losses: make([]float32, batch)}
	counts := shares(batch, speeds, 1)
	for i, dev := range devices {
		if counts[i] == 0 {
			continue
		}
		part := &trainingPart{dev: dev, rows: counts[i], params: NewParameters(net)}
		part.momenta = part.params.Zeros()
		m.parts = append(m.parts, part)
		if err := part.compile(); err != nil {
			return nil, errors.Join(fmt.Errorf("preparing training on the %s device: %w", dev.Info().Kind, err), m.Close())
		}
	}
	for _, par := range m.parts[0].params.All() {
		m.mean = append(m.mean, make([]float32, len(par.Data)))
	}
	return m, nil
}

// compile records the gradients as results of one program and as inputs of another.
func (t *trainingPart) compile() error {
	p := program.New()
	last := len(t.params.Weights) - 1
	t.input, t.target = p.Input(t.rows, t.params.Weights[0].Rows), p.Input(t.rows, t.params.Weights[last].Cols)
	outputs := recordLayers(p, t.input, t.params)
	_, loss, dz := CrossEntropy.record(p, outputs[last], t.target)
	t.loss = loss
	dWeights, dBias := recordBackward(p, t.input, outputs, dz, t.params)
	for i := range dWeights {
		t.gradients = append(t.gradients, dWeights[i], dBias[i])
	}
	for _, x := range t.gradients {
		t.values = append(t.values, make([]float32, x.Len()))
	}
	var err error
	if t.forward, err = t.dev.Compile(p); err != nil {
		return err
	}
	q := program.New()
	t.settings = q.Input(1, 3)
	momenta := t.momenta.All()
	for i, par := range t.params.All() {
		given := q.Input(par.Rows, par.Cols)
		t.given = append(t.given, given)
		update{par: par, momentum: momenta[i]}.record(q, given, t.settings)
	}
	t.update, err = t.dev.Compile(q)
	return err
}

// Step trains on a batch: input [batch][in], target [batch][classes], settings as in
// program.SGD. It gives the loss of each row before the step, in a slice that the next
// step reuses.
func (m *MixedTraining) Step(input, target, settings []float32) ([]float32, error) {
	if err := m.each(func(t *trainingPart, first int) error {
		in, out := t.input.Cols, t.target.Cols
		bindings := []program.Binding{
			program.In(t.input, input[first*in:(first+t.rows)*in]),
			program.In(t.target, target[first*out:(first+t.rows)*out]),
			program.Out(t.loss, m.losses[first:first+t.rows]),
		}
		for i, x := range t.gradients {
			bindings = append(bindings, program.Out(x, t.values[i]))
		}
		return t.forward.Do(bindings...)
	}); err != nil {
		return nil, err
	}
	m.combine()
	err := m.each(func(t *trainingPart, _ int) error {
		bindings := []program.Binding{program.In(t.settings, settings)}
		for i, x := range t.given {
			bindings = append(bindings, program.In(x, m.mean[i]))
		}
		return t.update.Do(bindings...)
	})
	return m.losses, err
}

// combine takes the mean of the parts' gradients, which are means over their rows.
func (m *MixedTraining) combine() {
	for i, mean := range m.mean {
		clear(mean)
		for _, t := range m.parts {
			weight := float32(t.rows) / float32(m.batch)
			for j, v := range t.values[i] {
				mean[j] += weight * v
			}
		}
	}
}

// each runs f for every part at the same time, with the number of its first row.
func (m *MixedTraining) each(f func(t *trainingPart, first int) error) error {
	errs := make([]error, len(m.parts))
	var all sync.WaitGroup
	first := 0
	for i, t := range m.parts {
		from := first
		first += t.rows
		all.Go(func() { errs[i] = f(t, from) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// Rows says how many rows of a batch each device does that does any.
func (m *MixedTraining) Rows() []int {
	var rows []int
	for _, t := range m.parts {
		rows = append(rows, t.rows)
	}
	return rows
}

// Network reads the trained parameters back.
func (m *MixedTraining) Network() (Network, error) {
	t := m.parts[0]
	if err := t.params.Download(t.dev); err != nil {
		return Network{}, err
	}
	return t.params.Network(), nil
}

// Close frees what the devices hold.
func (m *MixedTraining) Close() error {
	var errs []error
	for _, t := range m.parts {
		for _, run := range []program.Run{t.forward, t.update} {
			if run != nil {
				errs = append(errs, run.Close())
			}
		}
		t.params.Forget(t.dev)
		t.momenta.Forget(t.dev)
	}
	return errors.Join(errs...)
}

// TrainingRates are steps a second of one training, each device alone and all together.
type TrainingRates struct {
	Alone []float64
	Mixed float64
	Rows  []int // of a mixed batch, by device that does any
}

// Wins reports whether mixing is faster than the fastest device alone.
func (r TrainingRates) Wins() bool { return r.Mixed > slices.Max(r.Alone) }

// MeasureTraining times steps of batch rows from net, for about as long as budget each way,
// so that mixing is used only where it wins.
func MeasureTraining(net Network, batch int, devices []program.Device, budget time.Duration) (TrainingRates, error) {
	var rates TrainingRates
	width, classes := net.Layers[0].In, net.Layers[len(net.Layers)-1].Out
	input, target := make([]float32, batch*width), make([]float32, batch*classes)
	for i := range input {
		input[i] = float32(i%7) / 7
	}
	for i := range batch {
		target[i*classes+i%classes] = 1
	}
	settings := []float32{0.01, 0.9, 0}
	for _, dev := range devices {
		params := NewParameters(net)
		momenta := params.Zeros()
		p := program.New()
		t := RecordTraining(p, batch, params, momenta, nil)
		run, err := dev.Compile(p)
		if err != nil {
			return rates, err
		}
		losses := make([]float32, batch)
		rate, err := stepRate(budget, func() error {
			return run.Do(program.In(t.Input, input), program.In(t.Target, target),
				program.In(t.Settings, settings), program.Out(t.Loss, losses))
		})
		err = errors.Join(err, run.Close())
		params.Forget(dev)
		momenta.Forget(dev)
		if err != nil {
			return rates, err
		}
		rates.Alone = append(rates.Alone, rate)
	}
	m, err := NewMixedTraining(net, batch, devices, rates.Alone)
	if err != nil {
		return rates, err
	}
	rates.Rows = m.Rows()
	rates.Mixed, err = stepRate(budget, func() error {
		_, err := m.Step(input, target, settings)
		return err
	})
	return rates, errors.Join(err, m.Close())
}

// stepRate is how often step can be done in a second, after a first time in which drivers
// compile.
func stepRate(budget time.Duration, step func() error) (float64, error) {
	if err := step(); err != nil {
		return 0, err
	}
	start, n := time.Now(), 0
	for n == 0 || time.Since(start) < budget {
		if err := step(); err != nil {
			return 0, err
		}
		n++
	}
	return float64(n) / time.Since(start).Seconds(), nil
}
