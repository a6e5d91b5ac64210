package cpu

import (
	"reflect"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
)

// run is a compiled program.
type run struct {
	dev     *device
	program *program.Program
	threads int
	values  [][]float32                       // by tensor ID
	uploads []func([]float32)                 // of the inputs, by tensor ID
	params  []*program.Parameter              // with those of lanes
	copies  map[*program.Parameter]*parameter // of the device
	ops     []program.Op                      // made one where the result between them is nothing else
	steps   []step                            // of these, nil until they are needed where slices do the work
	skipped map[*program.Tensor]bool
	single  []step  // all operations, nil until a result is needed that is skipped
	sliced  *sliced // nil where operations are made one after another, each of all samples
	bytes   int64
	closed  bool
	compile time.Duration // how long it took
	turns   turns         // of who replays it
}

// prepare makes what all replays of a program need, for so many threads.
func (d *device) prepare(p *program.Program, threads int) (*run, error) {
	r := &run{
		dev: d, program: p, threads: threads, copies: map[*program.Parameter]*parameter{},
		values: make([][]float32, len(p.Tensors())), uploads: make([]func([]float32), len(p.Tensors())),
	}
	b := r.builder()
	for _, t := range p.Tensors() {
		switch t.Kind {
		case program.Variable:
			q, err := d.Use(t.Parameter)
			if err != nil {
				d.Leave(r.params)
				return nil, err
			}
			r.values[t.ID], r.copies[t.Parameter] = q.values, q
			r.params = append(r.params, t.Parameter)
		case program.Input:
			r.values[t.ID] = b.Scratch(t.Len())
			r.uploads[t.ID] = b.uploader(r.values[t.ID])
		}
	}
	r.hold(b)
	r.ops, r.skipped = p.Fused()
	return r, nil
}

func (r *run) builder() *builder {
	return &builder{values: r.values, params: r.copies, threads: r.threads}
}

func (r *run) hold(b *builder) {
	r.bytes += b.bytes
	r.dev.held += b.bytes
}

// build binds the operands of operations, and makes the tensors that are not skipped.
func (r *run) build(ops []program.Op, skipped map[*program.Tensor]bool) []step {
	b := r.builder()
	same := r.program.Renamed()
	for _, t := range r.program.Tensors() {
		if r.values[t.ID] == nil && !skipped[t] && same[t] == nil {
			r.values[t.ID] = b.Scratch(t.Len())
		}
	}
	for _, t := range r.program.Tensors() {
		if x := same[t]; x != nil {
			r.values[t.ID] = r.values[x.ID]
		}
	}
	var steps []step
	for _, op := range ops {
		steps = append(steps, step{op.Name(), r.counted(op, kernels[reflect.TypeOf(op)](b, op))})
	}
	r.hold(b)
	return steps
}

// counted is do, an operation, and counts the changes of the parameters that it writes.
func (r *run) counted(op program.Op, do func()) func() {
	var written []*parameter
	for _, t := range op.Writes() {
		if t.Parameter != nil {
			written = append(written, r.copies[t.Parameter])
		}
	}
	if written == nil {
		return do
	}
	return func() {
		do()
		for _, q := range written {
			q.changes++
		}
	}
}

// chosen gives the steps for a replay: one by one where a result is asked for that the others leave
// out, and where the debug level looks at each.
func (r *run) chosen(bindings []program.Binding) []step {
	alone := r.dev.log.Level >= check.Broken
	if !alone && r.sliced.gives(bindings) {
		return r.sliced.steps
	}
	for _, b := range bindings {
		alone = alone || r.skipped[b.Tensor]
	}
	if !alone || len(r.skipped) == 0 {
		if r.steps == nil {
			r.steps = r.build(r.ops, r.skipped)
		}
		return r.steps
	}
	if r.single == nil {
		r.single = r.build(r.program.Ops(), nil)
	}
	return r.single
}

// step is one operation with its operands bound.
type step struct {
	name string
	do   func()
}

func (r *run) Do(bindings ...program.Binding) error { return r.replay(nil, bindings) }

func (r *run) Measure(bindings ...program.Binding) (t program.Timing, err error) {
	err = r.replay(&t, bindings)
	return t, err
}

// replay checks all bindings before it copies the first, so that a wrong call changes nothing. Where t is not nil it gets the times.
func (r *run) replay(t *program.Timing, bindings []program.Binding) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed || r.dev.closed {
		return program.ErrClosed
	}
	if err := r.program.Check(bindings); err != nil {
		return err
	}
	start := clock.Now()
	for _, b := range bindings {
		if !b.Output {
			r.uploads[b.Tensor.ID](b.Data)
		}
	}
	uploaded := clock.Now()
	steps := r.chosen(bindings)
	if t == nil && r.dev.log.Level >= check.Times {
		t = &program.Timing{}
	}
	if t == nil {
		for _, s := range steps {
			s.do()
			r.turns.take()
		}
	} else {
		*t = program.Timing{Compile: r.compile, Upload: uploaded.Sub(start), Passes: r.measured(steps)}
	}
	computed := clock.Now()
	for _, b := range bindings {
		if b.Output {
			copy(b.Data, r.values[b.Tensor.ID])
		}
	}
	if t != nil {
		t.Compute, t.Readback = computed.Sub(uploaded), clock.Since(computed)
		r.dev.log.Times(*t, r.dev.held, bindings)
	}
	return nil
}

// measured runs steps and gives their times. As long as nothing was found in this replay, it
// looks at each as the debug level asks, which does not count.
func (r *run) measured(steps []step) []program.Pass {
	passes, found := make([]program.Pass, len(steps)), false
	read := func(t *program.Tensor) []float32 { return r.values[t.ID] }
	for i, s := range steps {
		timed := func() {
			start := clock.Now()
			s.do()
			passes[i] = program.Pass{Name: s.name, Time: clock.Since(start)}
		}
		if found || r.dev.log.Level < check.Broken {
			timed()
		} else {
			found = r.dev.log.Inspect(r.program.Ops()[i], read, timed)
		}
	}
	return passes
}

// From so many values on a copy passes the caches by (runtime.memmove), which takes a third of the time: what it writes was
// last read by other cores, who would have to give up each line first.
const passBy = 300_000

// uploader gives a function that copies into an input, large ones on several cores.
func (b *builder) uploader(input []float32) func([]float32) {
	var data []float32
	n, unit := len(input), 1
	if n >= passBy {
		unit = (n + n/passBy - 1) / (n / passBy)
	}
	share := b.parallel((n+unit-1)/unit, unit*costCopy, func(from, to int) { copy(input[from*unit:min(n, to*unit)], data[from*unit:]) })
	return func(given []float32) {
		data = given
		share()
		data = nil
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
	r.values, r.uploads, r.steps, r.single, r.sliced = nil, nil, nil, nil, nil
	if r.dev.closed {
		return nil
	}
	r.dev.held -= r.bytes
	r.dev.Leave(r.params)
	return nil
}
