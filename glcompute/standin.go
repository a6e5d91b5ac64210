package glcompute

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"inkshade/glcompute/cpu"
	"inkshade/glcompute/program"
)

// standIn is a device that survives the loss of its OpenGL context: the processor takes
// over with all open runs and known parameters, whose values are then those of
// their Data, that is, of the last Download or Upload.
type standIn struct {
	mu      sync.Mutex
	dev     Device
	reason  string // why dev is the processor
	params  map[*Parameter]bool
	runs    map[*standInRun]bool
	openCPU func() (Device, error)
}

// standInRun is a run that moves with its device.
type standInRun struct {
	dev     *standIn
	program *Program
	run     Run
}

// newStandIn wraps dev, or the processor when dev could not be opened for the reason err.
func newStandIn(dev Device, err error) *standIn {
	d := &standIn{dev: dev, params: map[*Parameter]bool{}, runs: map[*standInRun]bool{}, openCPU: cpu.Open}
	if err != nil {
		d.dev, _ = d.openCPU() // never fails
		d.reason = err.Error()
	}
	return d
}

func (d *standIn) Info() Info {
	d.mu.Lock()
	defer d.mu.Unlock()
	info := d.dev.Info()
	if d.reason != "" {
		info.Fallback = d.reason
	}
	return info
}

// surviving calls f, and once more on the processor when the context was lost meanwhile.
// The caller holds the lock.
func (d *standIn) surviving(f func() error) error {
	err := f()
	if err == nil {
		return nil
	}
	if err := d.takeOver(err); err != nil {
		return err
	}
	return f()
}

// takeOver moves everything to the processor if err is the loss of the context; any
// other error comes back.
func (d *standIn) takeOver(err error) error {
	if !errors.Is(err, ErrLost) {
		return err
	}
	if moveErr := d.moveToCPU(err); moveErr != nil {
		return errors.Join(err, moveErr)
	}
	return nil
}

// moveToCPU brings parameters and open runs onto the processor.
func (d *standIn) moveToCPU(lost error) error {
	dev, err := d.openCPU()
	if err != nil {
		return err
	}
	p := NewProgram() // a program without operations, for parameters that no open run uses
	for par := range d.params {
		p.Variable(par)
	}
	all, err := dev.Compile(p)
	if err != nil {
		return err
	}
	moved := map[*standInRun]Run{}
	for r := range d.runs {
		if moved[r], err = dev.Compile(r.program); err != nil {
			return errors.Join(err, dev.Close())
		}
	}
	for r, run := range moved {
		r.run.Close() // its memory went with the context
		r.run = run
	}
	d.reason = fmt.Sprintf("%s stopped working: %v", d.dev.Info().Name, lost)
	d.dev.Close()
	d.dev = dev
	return all.Close()
}

func (d *standIn) Compile(p *Program) (Run, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &standInRun{dev: d, program: p}
	err := d.surviving(func() (err error) {
		r.run, err = d.dev.Compile(p)
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, par := range parameters(p) {
		d.params[par] = true
	}
	d.runs[r] = true
	return r, nil
}

func (d *standIn) Upload(par *Parameter) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.surviving(func() error { return d.dev.Upload(par) })
}

func (d *standIn) Download(par *Parameter) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.surviving(func() error { return d.dev.Download(par) })
}

func (d *standIn) Forget(par *Parameter) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for r := range d.runs {
		if slices.Contains(parameters(r.program), par) {
			return
		}
	}
	delete(d.params, par)
	d.dev.Forget(par)
}

func (d *standIn) Memory() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dev.Memory()
}

func (d *standIn) Wait() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.surviving(func() error { return d.dev.Wait() })
}

func (d *standIn) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	clear(d.runs)
	clear(d.params)
	return d.dev.Close()
}

func (r *standInRun) Do(bindings ...Binding) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	err := r.run.Do(bindings...)
	if err == nil {
		return nil
	}
	if err := r.dev.takeOver(err); err != nil {
		return err
	}
	return r.run.Do(bindings...)
}

func (r *standInRun) Measure(bindings ...Binding) (t Timing, err error) {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	err = r.dev.surviving(func() (err error) {
		t, err = r.run.Measure(bindings...)
		return err
	})
	return t, err
}

func (r *standInRun) Close() error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	delete(r.dev.runs, r)
	return r.run.Close()
}

func (r *standInRun) Info() Info {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	info := r.run.Info()
	if r.dev.reason != "" {
		info.Fallback = r.dev.reason
	}
	return info
}

// parameters lists those that p uses.
func parameters(p *program.Program) []*Parameter {
	set := map[*Parameter]bool{}
	for _, t := range p.Tensors() {
		if t.Parameter != nil {
			set[t.Parameter] = true
		}
	}
	return slices.Collect(maps.Keys(set))
}
