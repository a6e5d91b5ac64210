package glcompute

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// openAuto opens the processor and the best OpenGL executor that works. Without any it is
// the processor alone, and Info().Fallback says why.
func openAuto() (Device, error) {
	var devices []Device
	var reason string
	for _, kind := range []DeviceKind{CPU, Compute, Fragment} {
		if kind == Fragment && len(devices) == 2 {
			continue // compute shaders can do what fragment shaders can
		}
		dev, err := Open(kind)
		if err != nil {
			reason = fmt.Sprintf("%s%v; ", reason, err)
			continue
		}
		devices = append(devices, dev)
	}
	a := newAuto(devices...)
	if len(devices) == 1 {
		a.info.Fallback = "only the processor can be used: " + reason[:len(reason)-2]
	}
	return a, nil
}

// state is what a device knows of a parameter.
type state uint8

const (
	absent state = iota
	stale        // has a copy that another device has overtaken
	valid
)

// place says where the values of a parameter are.
type place struct {
	on   []state // by device
	runs []int   // open runs that use it, by device
}

// auto picks a device for each program by timing its first replays. Each replay runs on one
// device only; a parameter moves before a replay that needs it elsewhere.
type auto struct {
	mu      sync.Mutex
	info    Info
	devices []Device
	params  map[*Parameter]*place
	closed  bool
}

func newAuto(devices ...Device) *auto {
	a := &auto{devices: devices, params: map[*Parameter]*place{}}
	a.info = devices[0].Info()
	a.info.Kind = Auto
	for _, dev := range devices[1:] {
		a.info.Name += " or " + dev.Info().Name
		a.info.Version += " or " + dev.Info().Version
	}
	return a
}

func (a *auto) Info() Info { return a.info }

// Compile compiles p on every device. One that cannot do it is out of the choice; the
// error of the first comes back when none can.
func (a *auto) Compile(p *Program) (Run, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, ErrClosed
	}
	r := newAutoRun(a, p)
	var first error
	for i, dev := range a.devices {
		run, err := dev.Compile(p)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		r.candidates = append(r.candidates, &candidate{device: i, run: run})
	}
	if len(r.candidates) == 0 {
		var unsupported *UnsupportedError
		if errors.As(first, &unsupported) {
			return nil, &UnsupportedError{Device: Auto, Ops: unsupported.Ops}
		}
		return nil, first
	}
	for _, par := range r.params {
		where, known := a.params[par]
		if !known {
			where = &place{on: make([]state, len(a.devices)), runs: make([]int, len(a.devices))}
			a.params[par] = where
		}
		for _, c := range r.candidates {
			where.runs[c.device]++
			switch {
			case !known: // both copies were just made from the parameter's Data
				where.on[c.device] = valid
			case where.on[c.device] == absent:
				where.on[c.device] = stale
			}
		}
	}
	return r, nil
}

// bring makes the values of a parameter valid on a device, by way of the host. The
// caller's Data is left as it is.
func (a *auto) bring(par *Parameter, device int) error {
	where := a.params[par]
	if where.on[device] == valid {
		return nil
	}
	for i, s := range where.on {
		if s != valid {
			continue
		}
		data := par.Data
		par.Data = make([]float32, par.Rows*par.Cols)
		defer func() { par.Data = data }()
		if err := a.devices[i].Download(par); err != nil {
			return err
		}
		if err := a.devices[device].Upload(par); err != nil {
			return err
		}
		where.on[device] = valid
		return nil
	}
	return fmt.Errorf("no device has the values of parameter %s[%d][%d]", par.Name, par.Rows, par.Cols)
}

// leave takes one run of a device off a parameter and, once the device does not need it any
// more and another has its values, frees the copy there.
func (a *auto) leave(par *Parameter, device int) {
	where := a.params[par]
	where.runs[device]--
	if where.runs[device] > 0 {
		return
	}
	for i, s := range where.on {
		if i != device && s == valid {
			a.devices[device].Forget(par)
			where.on[device] = absent
			return
		}
	}
}

func (a *auto) Upload(par *Parameter) error {
	return a.exchange(par, func(where *place) error {
		for i, s := range where.on {
			if s == absent {
				continue
			}
			if err := a.devices[i].Upload(par); err != nil {
				return err
			}
			where.on[i] = valid
		}
		return nil
	})
}

func (a *auto) Download(par *Parameter) error {
	return a.exchange(par, func(where *place) error {
		for i, s := range where.on {
			if s == valid {
				return a.devices[i].Download(par)
			}
		}
		return fmt.Errorf("no device has the values of parameter %s[%d][%d]", par.Name, par.Rows, par.Cols)
	})
}

func (a *auto) exchange(par *Parameter, f func(*place) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return ErrClosed
	}
	where, ok := a.params[par]
	if !ok {
		return fmt.Errorf("parameter %s[%d][%d] is not on the device; compile a program that uses it first", par.Name, par.Rows, par.Cols)
	}
	return f(where)
}

func (a *auto) Forget(par *Parameter) {
	a.mu.Lock()
	defer a.mu.Unlock()
	where, ok := a.params[par]
	if !ok {
		return
	}
	for _, runs := range where.runs {
		if runs > 0 {
			return
		}
	}
	for _, dev := range a.devices {
		dev.Forget(par)
	}
	delete(a.params, par)
}

func (a *auto) Memory() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	var sum int64
	for _, dev := range a.devices {
		sum += dev.Memory()
	}
	return sum
}

func (a *auto) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed, a.params = true, nil
	var first error
	for _, dev := range a.devices {
		if err := dev.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// Choice is what Auto knows about a run.
type Choice struct {
	Device  Info // that does the next replay
	Last    Info // that did the last replay; zero before the first
	Decided bool // Device will stay that one
	Trials  []Trial
}

// Trial is the time of one replay on one device, the shortest measured so far.
type Trial struct {
	Device Info
	Time   time.Duration // 0 when not measured yet
}

// Chosen says what a run compiled by an Auto device has chosen; ok is false for other runs.
func Chosen(run Run) (c Choice, ok bool) {
	chooser, ok := run.(interface{ choice() (Choice, bool) })
	if !ok {
		return Choice{}, false
	}
	return chooser.choice()
}
