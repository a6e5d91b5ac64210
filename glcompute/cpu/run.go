package cpu

import (
	"time"

	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/program"
)

// run is a compiled program.
type run struct {
	dev     *device
	program *program.Program
	values  [][]float32       // by tensor ID
	uploads []func([]float32) // of the inputs, by tensor ID
	params  []*program.Parameter
	steps   []step
	bytes   int64
	closed  bool
	compile time.Duration // how long it took
}

// step is one operation with its operands bound.
type step struct {
	name string
	do   func()
}

func (r *run) Do(bindings ...program.Binding) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.dev.log.Level >= check.Times {
		_, err := r.measure(bindings)
		return err
	}
	if err := r.upload(bindings); err != nil {
		return err
	}
	for i := range r.steps {
		r.steps[i].do()
	}
	r.readBack(bindings)
	return nil
}

func (r *run) Measure(bindings ...program.Binding) (program.Timing, error) {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	return r.measure(bindings)
}

func (r *run) measure(bindings []program.Binding) (program.Timing, error) {
	start := time.Now()
	if err := r.upload(bindings); err != nil {
		return program.Timing{}, err
	}
	uploaded := time.Now()
	t := program.Timing{Compile: r.compile, Upload: uploaded.Sub(start), Passes: make([]program.Pass, 0, len(r.steps))}
	found := false
	for i := range r.steps {
		var took time.Duration
		took, found = r.measured(i, found)
		t.Passes = append(t.Passes, program.Pass{Name: r.steps[i].name, Time: took})
	}
	computed := time.Now()
	t.Compute = computed.Sub(uploaded)
	r.readBack(bindings)
	t.Readback = time.Since(computed)
	r.dev.log.Times(t, r.dev.held, bindings)
	return t, nil
}

// upload checks all bindings before it copies the first, so that a wrong call changes nothing.
func (r *run) upload(bindings []program.Binding) error {
	if r.closed || r.dev.closed {
		return program.ErrClosed
	}
	for _, b := range bindings {
		if err := b.Check(r.program); err != nil {
			return err
		}
	}
	for _, b := range bindings {
		if !b.Output {
			r.uploads[b.Tensor.ID](b.Data)
		}
	}
	return nil
}

// uploader gives a function that copies into an input, large ones on several cores.
func uploader(input []float32) func([]float32) {
	var data []float32
	share := parallel(len(input), costCopy, func(from, to int) { copy(input[from:to], data[from:to]) })
	return func(given []float32) {
		data = given
		share()
		data = nil
	}
}

func (r *run) readBack(bindings []program.Binding) {
	for _, b := range bindings {
		if b.Output {
			copy(b.Data, r.values[b.Tensor.ID])
		}
	}
}

func (r *run) Info() program.Info { return r.dev.info }

func (r *run) Close() error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	r.values, r.uploads, r.steps = nil, nil, nil
	if r.dev.closed {
		return nil
	}
	r.dev.held -= r.bytes
	for _, par := range r.params {
		r.dev.params[par].runs--
	}
	return nil
}
