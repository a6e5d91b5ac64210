package gldevice

import (
	"slices"
	"sync"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
)

// Run is a compiled program on a Device.
type Run[T any] struct {
	dev     *Device[T]
	program *program.Program
	tensors []T // by tensor ID
	owned   []T // what the run frees: all but the parameters
	params  []*program.Parameter
	tables  []*Table
	aliased map[*program.Tensor]bool // share memory with what they are a reshape of
	passes  *passes
	whole   *passes // with all intermediates written; nil until one of those left out is asked for
	builder *Builder[T]
	closed  bool
	compile time.Duration  // how long it took
	moving  []*transfer[T] // sent and not arrived
	spare   []staging      // buffers that no transfer has

	// One replay at a time puts its bindings here, so that the function handed to the GL
	// thread is made once and a replay allocates nothing.
	mu       sync.Mutex
	bindings []program.Binding
	replay   func()
}

// pass is what a replay does for one operation, or for several that are one.
type pass struct {
	op   program.Op
	step Step
}

// passes are a plan of all operations.
type passes struct {
	list    []pass
	skipped map[*program.Tensor]bool // not written, since the pass that reads it makes it itself
}

// plan plans all operations, fused or one by one.
func (b *Builder[T]) plan(fused bool) *passes {
	all := &passes{}
	ops := b.run.program.Ops()
	if fused {
		ops, all.skipped = b.run.program.Fused()
	}
	for _, op := range ops {
		all.list = append(all.list, pass{op, b.Operation(op)})
	}
	return all
}

// own makes memory that lives as long as the run.
func (r *Run[T]) own(rows, cols int) T {
	t := r.dev.exec.NewTensor(rows, cols)
	r.owned = append(r.owned, t)
	return t
}

// Do uploads, replays and reads back.
func (r *Run[T]) Do(bindings ...program.Binding) error {
	if r.dev.gl.Debug >= check.Times {
		_, err := r.Measure(bindings...)
		return err
	}
	if err := r.program.Check(bindings); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.bindings = bindings
	err := r.dev.do(r.replay)
	r.bindings = nil
	return err
}

func (r *Run[T]) replayBindings() {
	todo := r.passesFor(r.bindings)
	r.upload(r.bindings)
	for i := range todo.list {
		todo.list[i].step()
	}
	sent := len(r.moving)
	if !r.readBack(r.bindings, true) {
		// Nothing waits for this replay, so its commands must be sent on their way.
		gl.Flush()
	}
	if err := r.dev.gl.Noted("a replay"); err != nil {
		for _, x := range slices.Clone(r.moving[sent:]) {
			x.leave(err)
		}
		Fail(err)
	}
	for i := range r.bindings { // hands the readbacks what was sent for them
		if b := &r.bindings[i]; b.Later != nil {
			b.Later.Begin(r.moving[sent].fetch)
			sent++
		}
	}
}

// passesFor plans the operations one by one when an output is asked for that is not written where
// they are fused.
func (r *Run[T]) passesFor(bindings []program.Binding) *passes {
	switch {
	case r.closed:
		Fail(program.ErrClosed)
	case !slices.ContainsFunc(bindings, func(b program.Binding) bool { return b.Output && r.passes.skipped[b.Tensor] }):
		return r.passes
	case r.whole == nil:
		r.whole = r.builder.plan(false)
	}
	return r.whole
}

func (r *Run[T]) upload(bindings []program.Binding) {
	for i := range bindings {
		if b := &bindings[i]; !b.Output {
			r.dev.exec.Write(r.tensors[b.Tensor.ID], b.Data)
		}
	}
}

// readBack reads the outputs, for which it waits where there are any. Where some may come later, these are
// only sent, before.
func (r *Run[T]) readBack(bindings []program.Binding, later bool) (waited bool) {
	for i := range bindings {
		if b := &bindings[i]; later && b.Later != nil {
			r.send(r.tensors[b.Tensor.ID], b.Data)
		}
	}
	for i := range bindings {
		if b := &bindings[i]; b.Output && (!later || b.Later == nil) {
			r.dev.exec.Read(r.tensors[b.Tensor.ID], b.Data)
			waited = true
		}
	}
	return waited
}

// Measure is Do with the stages apart; see timed for how passes are timed.
func (r *Run[T]) Measure(bindings ...program.Binding) (t program.Timing, err error) {
	if err = r.program.Check(bindings); err != nil {
		return t, err
	}
	err = r.dev.do(func() {
		t = r.measure(r.passesFor(bindings).list, bindings)
		r.dev.gl.Check("a measured replay")
	})
	return t, err
}

func (r *Run[T]) measure(todo []pass, bindings []program.Binding) program.Timing {
	t := program.Timing{Compile: r.compile}
	gl.Finish()
	start := clock.Now()
	r.upload(bindings)
	gl.Finish()
	t.Upload = clock.Since(start)

	found := false
	times, all := r.dev.gl.timed(len(todo), func(i int) {
		if found {
			todo[i].step()
		} else { // as long as nothing was found in this replay
			found = r.dev.gl.log().Inspect(todo[i].op, r.read, todo[i].step)
		}
	})
	t.Compute = all
	for i, d := range times {
		t.Passes = append(t.Passes, program.Pass{Name: todo[i].op.Name(), Time: d})
	}

	start = clock.Now()
	r.readBack(bindings, false)
	t.Readback = clock.Since(start)
	r.dev.gl.log().Times(t, r.dev.Memory(), bindings)
	return t
}

// Info describes the device.
func (r *Run[T]) Info() program.Info { return r.dev.Info() }

// Close frees the run's memory; parameters stay. What OutLater binds arrives first.
func (r *Run[T]) Close() error {
	err := r.dev.thread.Do(func() error {
		if !r.closed {
			r.free()
		}
		return nil
	})
	if err == program.ErrClosed {
		// The device freed everything when it was closed.
		return nil
	}
	return err
}

func (r *Run[T]) free() {
	r.closed = true
	r.endTransfers()
	for _, t := range r.owned {
		r.dev.exec.Free(t)
	}
	r.dev.Leave(r.params)
	r.leaveTables(0)
	r.owned, r.params, r.passes, r.whole, r.builder = nil, nil, nil, nil, nil
}

func (g *GL) log() check.Log                             { return check.Log{Kind: g.Kind, Level: g.Debug} }
func (g *GL) logf(level int, format string, args ...any) { g.log().Printf(level, format, args...) }

func (r *Run[T]) read(t *program.Tensor) []float32 {
	data := make([]float32, t.Len())
	r.dev.exec.Read(r.tensors[t.ID], data)
	return data
}

// timed does so many passes and gives the time of each, and of all: by GL_TIME_ELAPSED queries where a GPU keeps a
// clock, so that passes are not held up; by the processor's clock with glFinish around each on software renderers, whose work
// is the processor's and whose queries may leave out compute shaders.
func (g *GL) timed(passes int, do func(pass int)) (times []time.Duration, all time.Duration) {
	var bits int32
	if !g.Level.ES {
		gl.GetQueryiv(gl.TIME_ELAPSED, gl.QUERY_COUNTER_BITS, &bits)
	}
	times = make([]time.Duration, passes)
	start := clock.Now()
	if g.Info.Software || bits == 0 || passes == 0 {
		for i := range times {
			begin := clock.Now()
			do(i)
			gl.Finish()
			times[i] = clock.Since(begin)
		}
		return times, clock.Since(start)
	}
	queries := make([]uint32, passes)
	gl.GenQueries(int32(passes), &queries[0])
	defer gl.DeleteQueries(int32(passes), &queries[0])
	for i, q := range queries {
		gl.BeginQuery(gl.TIME_ELAPSED, q)
		do(i)
		gl.EndQuery(gl.TIME_ELAPSED)
	}
	gl.Finish()
	all = clock.Since(start)
	for i, q := range queries {
		var ns uint64
		gl.GetQueryObjectui64v(q, gl.QUERY_RESULT, &ns)
		times[i] = time.Duration(ns)
	}
	return times, all
}
