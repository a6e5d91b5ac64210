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
	values  [][]float32       // by tensor ID
	uploads []func([]float32) // of the inputs, by tensor ID
	params  []*program.Parameter
	ops     []program.Op // made one where the result between them is nothing else
	steps   []step       // of these, nil until they are needed where slices do the work
	skipped map[*program.Tensor]bool
	single  []step  // all operations, nil until a result is needed that is skipped
	sliced  *sliced // nil where operations are made one after another, each of all samples
	bytes   int64
	closed  bool
	compile time.Duration // how long it took
}

// prepare makes what all replays of a program need, of whose parameters the device has copies, for so many threads.
func (d *device) prepare(p *program.Program, threads int) *run {
	r := &run{dev: d, program: p, threads: threads, values: make([][]float32, len(p.Tensors())), uploads: make([]func([]float32), len(p.Tensors()))}
	b := r.builder()
	for _, t := range p.Tensors() {
		switch t.Kind {
		case program.Variable:
			r.values[t.ID] = d.params[t.Parameter].values
			r.params = append(r.params, t.Parameter)
		case program.Input:
			r.values[t.ID] = b.Scratch(t.Len())
			r.uploads[t.ID] = b.uploader(r.values[t.ID])
		}
	}
	r.hold(b)
	r.ops, r.skipped = p.Fused()
	for _, t := range unread(p) {
		r.skipped[t] = true
	}
	return r
}

func (r *run) builder() *builder {
	return &builder{values: r.values, params: r.dev.params, threads: r.threads}
}

// hold counts what a builder has allocated.
func (r *run) hold(b *builder) {
	r.bytes += b.bytes
	r.dev.held += b.bytes
}

// build binds the operands of operations, and makes the tensors that are not skipped.
func (r *run) build(ops []program.Op, skipped map[*program.Tensor]bool) []step {
	b := r.builder()
	same := renamed(r.program)
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
		steps = append(steps, step{op.Name(), r.dev.counted(op, kernels[reflect.TypeOf(op)](b, op))})
	}
	r.hold(b)
	return steps
}

// renamed gives the tensors that are another in a new shape, for as long as nothing changes either.
func renamed(p *program.Program) map[*program.Tensor]*program.Tensor {
	written := map[*program.Tensor]int{}
	for _, op := range p.Ops() {
		for _, t := range op.Writes() {
			written[t]++
		}
	}
	same := map[*program.Tensor]*program.Tensor{}
	for _, op := range p.Ops() {
		if o, ok := op.(*program.Reshape); ok && o.X.Kind != program.Variable && written[o.X] <= 1 && written[o.Out] == 1 {
			same[o.Out] = o.X
		}
	}
	return same
}

// unread gives the places of the largest and smallest that no operation reads, as those of a pooling in recognition.
func unread(p *program.Program) []*program.Tensor {
	read := map[*program.Tensor]bool{nil: true}
	for _, op := range p.Ops() {
		for _, t := range op.Reads() {
			read[t] = true
		}
	}
	var all []*program.Tensor
	for _, op := range p.Ops() {
		if o, ok := op.(*program.Reduce); ok && !read[o.Index] {
			all = append(all, o.Index)
		}
	}
	return all
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
	for _, s := range r.chosen(bindings) {
		s.do()
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
	start := clock.Now()
	if err := r.upload(bindings); err != nil {
		return program.Timing{}, err
	}
	uploaded := clock.Now()
	steps := r.chosen(bindings)
	t := program.Timing{Compile: r.compile, Upload: uploaded.Sub(start), Passes: make([]program.Pass, 0, len(steps))}
	found := false
	for i, s := range steps {
		var took time.Duration
		took, found = r.measured(i, s, found)
		t.Passes = append(t.Passes, program.Pass{Name: s.name, Time: took})
	}
	computed := clock.Now()
	t.Compute = computed.Sub(uploaded)
	r.readBack(bindings)
	t.Readback = clock.Since(computed)
	r.dev.log.Times(t, r.dev.held, bindings)
	return t, nil
}

// measured runs step number i and gives its time. As long as nothing was found in this replay, it
// looks at the step as the debug level asks, which does not count.
func (r *run) measured(i int, s step, found bool) (time.Duration, bool) {
	if found || r.dev.log.Level < check.Broken {
		start := clock.Now()
		s.do()
		return clock.Since(start), found
	}
	var took time.Duration
	read := func(t *program.Tensor) []float32 { return r.values[t.ID] }
	found = r.dev.log.Inspect(r.program.Ops()[i], read, func() {
		start := clock.Now()
		s.do()
		took = clock.Since(start)
	})
	return took, found
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
func (b *builder) uploader(input []float32) func([]float32) {
	var data []float32
	share := b.parallel(len(input), costCopy, func(from, to int) { copy(input[from:to], data[from:to]) })
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
	r.values, r.uploads, r.steps, r.single, r.sliced = nil, nil, nil, nil, nil
	if r.dev.closed {
		return nil
	}
	r.dev.held -= r.bytes
	for _, par := range r.params {
		r.dev.params[par].runs--
	}
	return nil
}
