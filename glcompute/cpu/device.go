// Package cpu is the executor that always works: it replays programs on the processor, in vectors (vectors.h)
// shared out over the cores.
package cpu

import (
	"fmt"
	"reflect"
	"runtime"
	"sync"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
)

const bytesPerValue = 4

// device keeps the parameters; each run keeps its own intermediate tensors.
type device struct {
	mu     sync.Mutex // held during a replay: a device does one thing at a time
	info   program.Info
	params map[*program.Parameter]*parameter
	held   int64 // bytes
	closed bool
	log    check.Log
}

// parameter is the device's copy of a program.Parameter.
type parameter struct {
	values  []float32
	runs    int // open runs that use it
	changes int // how often values has changed
}

// Open gives the processor as a device. Devices share nothing: each has its own copies
// of parameters. The error is always nil; it stands for the likeness with other executors.
func Open() (program.Device, error) { return OpenWith(check.Level()) }

// OpenWith is Open with a level of debugging other than that of INKSHADE_DEBUG.
func OpenWith(debug int) (program.Device, error) {
	d := &device{
		info: program.Info{
			Kind:    program.CPU,
			Name:    processorName(),
			Version: fmt.Sprintf("%s, %d threads", engine(), runtime.GOMAXPROCS(0)),
		},
		params: map[*program.Parameter]*parameter{},
		log:    check.Log{Kind: program.CPU, Level: debug},
	}
	d.log.Printf(check.Device, "%s, %s", d.info.Name, d.info.Version)
	return d, nil
}

func (d *device) Info() program.Info { return d.info }

// Compile makes the buffers and one closure per operation with everything it needs
// bound, so that a replay neither allocates nor looks anything up.
func (d *device) Compile(p *program.Program) (program.Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	begin := clock.Now()
	if d.closed {
		return nil, program.ErrClosed
	}
	if err := p.Supported(program.CPU, func(op reflect.Type) bool { return kernels[op] != nil }); err != nil {
		return nil, err
	}
	for _, t := range p.Tensors() {
		if t.Kind == program.Variable {
			if err := t.Parameter.Check(); err != nil {
				return nil, err
			}
		}
	}
	for _, t := range p.Tensors() {
		if t.Kind == program.Variable {
			d.use(t.Parameter)
		}
	}
	r := d.prepare(p, runtime.GOMAXPROCS(0))
	if r.sliced = r.slice(); r.sliced == nil {
		r.steps = r.build(r.ops, r.skipped)
	}
	r.compile = clock.Since(begin)
	d.log.Printf(check.Times, "compiled %d operations in %v", len(p.Ops()), r.compile)
	return r, nil
}

// counted is do, an operation, and counts the changes of the parameters that it writes.
func (d *device) counted(op program.Op, do func()) func() {
	var written []*parameter
	for _, t := range op.Writes() {
		if t.Parameter != nil {
			written = append(written, d.params[t.Parameter])
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

// use counts one more run on a parameter and brings it onto the device the first time.
func (d *device) use(par *program.Parameter) {
	q, ok := d.params[par]
	if !ok {
		q = &parameter{values: room(len(par.Data))}
		copy(q.values, par.Data)
		d.params[par] = q
		d.held += bytesPerValue * int64(len(q.values))
	}
	q.runs++
}

func (d *device) Upload(par *program.Parameter) error { return d.Store(par, par.Data) }

func (d *device) Download(par *program.Parameter) error { return d.Fetch(par, par.Data) }

// Store and Fetch are Upload and Download with values of the caller's in the place of Data.
func (d *device) Store(par *program.Parameter, from []float32) error {
	return d.exchange(par, func(q *parameter) {
		copy(q.values, from)
		q.changes++
	})
}

func (d *device) Fetch(par *program.Parameter, into []float32) error {
	return d.exchange(par, func(q *parameter) { copy(into, q.values) })
}

func (d *device) exchange(par *program.Parameter, transfer func(*parameter)) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return program.ErrClosed
	}
	q, ok := d.params[par]
	if !ok {
		return par.Absent()
	}
	if err := par.Check(); err != nil {
		return err
	}
	transfer(q)
	return nil
}

func (d *device) Forget(par *program.Parameter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if q, ok := d.params[par]; ok && q.runs == 0 {
		d.held -= bytesPerValue * int64(len(q.values))
		delete(d.params, par)
	}
}

func (d *device) Memory() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.held
}

// Wait returns at once: a replay is done when it returns.
func (d *device) Wait() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return program.ErrClosed
	}
	return nil
}

func (d *device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed, d.params, d.held = true, nil, 0
	return nil
}
