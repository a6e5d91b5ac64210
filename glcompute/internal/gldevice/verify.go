package gldevice

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"inkshade/glcompute/compare"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// verifications are the results of verify in this process, errors or nil, by the chooser's key.
var verifications sync.Map

// verified is verify, once for a driver and the shaders.
func (d *Device[T]) verified() error {
	if d.gl.options.Edit != nil {
		return d.verify() // that is no driver's doing
	}
	c := d.gl.chooser
	key := "verified by probes\x00" + c.key
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

// verify replays programs and compares their results with the reference: a driver may have limits that it does not tell, or
// faults. Softpipe of Mesa 22, for example, reads buffer textures of more than 16,384 texels at wrong places. Every operation is
// done by the variant that is taken without measuring.
func (d *Device[T]) verify() error {
	files := d.gl.chooser.files
	d.keepChoicesIn(nil)
	defer d.keepChoicesIn(files)
	for _, p := range probes(d.gl.Info.MaxTexture) {
		s := newSample()
		p.record(s)
		if err := d.replays(s, p); err != nil {
			if errors.Is(err, program.ErrLost) {
				return err
			}
			return message.Errorf("%s computes wrongly with %s shaders and cannot be used (%s: %w)", d.gl.Info.Name, d.gl.Kind, p.of, err)
		}
		d.gl.progress()
	}
	return nil
}

// replays makes a sample several times, of other inputs each time.
func (d *Device[T]) replays(s *sample, p probe) error {
	run, err := d.Compile(s.Program)
	if err != nil {
		return err
	}
	defer s.leave(d, run)
	for range max(p.times, 1) {
		got := map[string][]float32{}
		var bindings []program.Binding
		for t, fill := range s.inputs {
			bindings = append(bindings, program.In(t, s.fill(t, fill)))
		}
		for name, t := range s.results {
			got[name] = make([]float32, t.Len())
			bindings = append(bindings, program.Out(t, got[name]))
		}
		s.RunReference(s.values)
		if err := run.Do(bindings...); err != nil {
			return err
		}
		for name, t := range s.results {
			if err := alike(got[name], s.values[t], p.limit); err != nil {
				return message.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// alike is compare.Slices where a NaN is as good as another.
func alike(got []float32, want []float64, limit compare.Limit) error {
	want = slices.Clone(want)
	for i, v := range want {
		if math.IsNaN(v) && got[i] != got[i] {
			got[i], want[i] = 0, 0
		}
	}
	_, err := compare.Slices(got, want, limit)
	return err
}

func (d *Device[T]) keepChoicesIn(files *cache.Folder) {
	_ = d.thread.Do(func() error { // of a lost device the replay tells
		d.gl.chooser.files = files
		return nil
	})
}

// sample is a program with the values of its tensors, what its inputs are filled by, and the results that are compared.
type sample struct {
	*program.Program
	values  program.Values
	inputs  map[*program.Tensor]func(i int) float32
	results map[string]*program.Tensor
	rng     *rand.Rand
}

func newSample() *sample {
	return &sample{
		Program: program.New(), values: program.Values{}, inputs: map[*program.Tensor]func(int) float32{},
		results: map[string]*program.Tensor{}, rng: rand.New(rand.NewPCG(1, 2)),
	}
}

func (s *sample) input(rows, cols int, fill func(i int) float32) *program.Tensor {
	t := s.Input(rows, cols)
	s.inputs[t] = fill
	return t
}

func (s *sample) variable(rows, cols int, fill func(i int) float32) *program.Tensor {
	par := program.NewParameter("w", rows, cols, nil)
	t := s.Variable(par)
	par.Data = s.fill(t, fill)
	return t
}

// around gives random values within reach of middle.
func (s *sample) around(middle, reach float64) func(int) float32 {
	return func(int) float32 { return float32(middle + reach*(2*s.rng.Float64()-1)) }
}

// fill gives t values, here and in the reference.
func (s *sample) fill(t *program.Tensor, fill func(i int) float32) []float32 {
	data, values := make([]float32, t.Len()), s.values.Of(t)
	for i := range data {
		data[i] = fill(i)
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
