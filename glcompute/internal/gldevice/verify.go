package gldevice

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// verifications are the results of verify in this process, errors or nil, by the chooser's key.
var verifications sync.Map

// verified is verify, once for a driver and the shaders.
func (d *Device[T]) verified() error {
	c := d.gl.chooser
	key := "verified\x00" + c.key
	if _, kept := c.files.Get(key); kept {
		return nil
	}
	if found, known := verifications.Load(key); known {
		err, _ := found.(error)
		return err
	}
	err := d.verify()
	if err == nil {
		c.files.Put(key, nil)
	}
	if !errors.Is(err, program.ErrLost) {
		verifications.Store(key, err)
	}
	return err
}

// verify replays a training step of a small convolutional network and compares its results
// with the reference: a driver may have limits that it does not tell. Softpipe of Mesa 22, for
// example, reads buffer textures of more than 16,384 texels at wrong places. Every operation is
// done by the variant that is taken without measuring.
func (d *Device[T]) verify() error {
	files := d.gl.chooser.files
	d.keepChoicesIn(nil)
	defer d.keepChoicesIn(files)
	s := newSample()
	d.gl.progress()
	run, err := d.Compile(s.Program)
	if err != nil {
		return err
	}
	defer s.leave(d, run)
	bindings, got := s.inputs, map[string][]float32{}
	for name, t := range s.results {
		got[name] = make([]float32, t.Len())
		bindings = append(bindings, program.Out(t, got[name]))
	}
	if err := run.Do(bindings...); err != nil {
		return err
	}
	limit := compare.Limit{Abs: 1e-4, Rel: 1e-3, Reason: "roundings of float32 add up"}
	for name, t := range s.results {
		if _, err := compare.Slices(got[name], s.values[t], limit); err != nil {
			return message.Errorf("%s computes wrongly with %s shaders and cannot be used (%s of a training step: %w)", d.gl.Info.Name, d.gl.Kind, name, err)
		}
	}
	return nil
}

func (d *Device[T]) keepChoicesIn(files *cache.Folder) {
	_ = d.thread.Do(func() error { // of a lost device the replay tells
		d.gl.chooser.files = files
		return nil
	})
}

// sample is the training step that is replayed, with the values of its inputs and the results
// that are compared. Everything in it is smooth, so that roundings stay roundings.
type sample struct {
	*program.Program
	values  program.Values
	inputs  []program.Binding
	results map[string]*program.Tensor
	rng     *rand.Rand
}

func newSample() *sample {
	const images, side, kernel, filters, hidden, classes = 16, 28, 5, 8, 128, 10
	s := &sample{Program: program.New(), values: program.Values{}, results: map[string]*program.Tensor{}, rng: rand.New(rand.NewPCG(1, 2))}
	filter := program.Window{Height: side, Width: side, KernelHeight: kernel, KernelWidth: kernel}
	height, width := filter.Output()
	half := program.Window{Height: height, Width: width, KernelHeight: 2, KernelWidth: 2, StrideY: 2, StrideX: 2}
	height, width = half.Output()
	inner := height * width * filters

	x, target := s.input(images*side*side, 1), s.input(images, classes)
	w := []*program.Tensor{s.variable(kernel*kernel, filters), s.variable(inner, hidden), s.variable(hidden, classes)}
	maps := s.Pool(program.ReduceMean, s.Apply(expr.Tanh, s.Convolution(x, w[0], filter, 1)), half)
	y := s.Layer(s.Layer(s.Reshape(maps, images, inner), w[1], s.variable(1, hidden), expr.Tanh), w[2], nil, expr.Identity)
	s.results["the answer"] = s.Softmax(y)
	loss := s.CrossEntropy(s.results["the answer"], target)
	for i, g := range program.Must(s.Gradients(loss, 1, w...)) {
		s.results[fmt.Sprintf("gradient %d", i+1)] = g
	}
	s.RunReference(s.values)
	return s
}

// input has values from 0 to 1, and variable from -0.1 to 0.1.
func (s *sample) input(rows, cols int) *program.Tensor {
	t := s.Input(rows, cols)
	s.inputs = append(s.inputs, program.In(t, s.fill(t, 0.5, 0.5)))
	return t
}

func (s *sample) variable(rows, cols int) *program.Tensor {
	par := program.NewParameter("w", rows, cols, nil)
	t := s.Variable(par)
	par.Data = s.fill(t, 0, 0.1)
	return t
}

// fill gives t random values within reach of middle.
func (s *sample) fill(t *program.Tensor, middle, reach float64) []float32 {
	data, values := make([]float32, t.Len()), s.values.Of(t)
	for i := range data {
		data[i] = float32(middle + reach*(2*s.rng.Float64()-1))
		values[i] = float64(data[i])
	}
	return data
}

// leave frees what the sample holds on the device.
func (s *sample) leave(d program.Device, run program.Run) {
	_ = run.Close() // a lost device has nothing to free
	for _, t := range s.Tensors() {
		if t.Parameter != nil {
			d.Forget(t.Parameter)
		}
	}
}
