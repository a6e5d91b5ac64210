// Package cpu is the executor that always works: it replays programs on the processor, in vectors (vectors.h)
// shared out over the cores.
package cpu

import (
	"reflect"
	"runtime"
	"sync"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

const bytesPerValue = 4

// device keeps the parameters; each run keeps its own intermediate tensors.
type device struct {
	*program.Kept[*parameter]
	mu     sync.Mutex // held during a replay: a device does one thing at a time
	info   program.Info
	held   int64 // bytes
	closed bool
	log    check.Log
}

// parameter is the device's copy of a program.Parameter.
type parameter struct {
	values  []float32
	changes int // how often values has changed
}

// Open gives the processor as a device. Devices share nothing: each has its own copies
// of parameters. The error is always nil; it stands for the likeness with other executors.
func Open() (program.Device, error) { return OpenWith(check.Level()) }

// OpenWith is Open with a level of debugging other than that of INKSHADE_DEBUG.
func OpenWith(debug int) (program.Device, error) {
	details := message.Text("%s, %d threads", engine(), runtime.GOMAXPROCS(0))
	if runtime.GOMAXPROCS(0) == 1 {
		details = message.Text("%s, 1 thread", engine())
	}
	d := &device{
		info: program.Info{Kind: program.CPU, Name: processorName(), Version: details.String(), Details: details},
		log:  check.Log{Kind: program.CPU, Level: debug},
	}
	d.Kept = program.NewKept(d.do, program.Memory[*parameter]{
		New: func(par *program.Parameter) *parameter {
			q := &parameter{values: room(len(par.Data))}
			copy(q.values, par.Data)
			d.held += bytesPerValue * int64(len(q.values))
			return q
		},
		Free: func(q *parameter) { d.held -= bytesPerValue * int64(len(q.values)) },
		Write: func(q *parameter, from []float32) {
			copy(q.values, from)
			q.changes++
		},
		Read: func(q *parameter, into []float32) { copy(into, q.values) },
	})
	d.log.Printf(check.Device, "%s, %s", d.info.Name, d.info.Version)
	return d, nil
}

// do runs f while no replay does, unless the device is closed.
func (d *device) do(f func() error) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return program.ErrClosed
	}
	return f()
}

func (d *device) Info() program.Info { return d.info }

// Compile makes the buffers and one closure per operation with everything it needs
// bound, so that a replay neither allocates nor looks anything up.
func (d *device) Compile(p *program.Program) (program.Run, error) {
	begin := clock.Now()
	if err := p.Supported(program.CPU, func(op reflect.Type) bool { return kernels[op] != nil }); err != nil {
		return nil, err
	}
	var r *run
	err := d.do(func() (err error) {
		if r, err = d.prepare(p, runtime.GOMAXPROCS(0)); err != nil {
			return err
		}
		if r.sliced = r.slice(); r.sliced == nil {
			r.steps = r.build(r.ops, r.skipped)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	r.compile = clock.Since(begin)
	d.log.Printf(check.Times, "compiled %d operations in %v", len(p.Ops()), r.compile)
	return r, nil
}

func (d *device) Memory() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

// Wait returns at once: a replay is done when it returns.
func (d *device) Wait() error { return d.do(func() error { return nil }) }

func (d *device) Close() error {
	_ = d.do(func() error { // or it is closed
		d.Clear()
		d.closed, d.held = true, 0
		return nil
	})
	return nil
}
