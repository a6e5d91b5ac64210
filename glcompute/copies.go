package glcompute

import (
	"errors"
	"slices"
	"sync"

	"inkshade/glcompute/message"
)

// state is what a device knows of a parameter.
type state uint8

const (
	absent state = iota
	stale        // has a copy that another device has overtaken
	valid
)

// place says where the values of a parameter are.
type place struct {
	on    []state   // by device
	runs  []int     // open runs that use it, by device
	host  []float32 // the values on their way from one device to another
	fresh bool      // host has them
}

// copies are several devices for the same programs, each with its own copy of every
// parameter. The values move by way of the host before a replay that needs them elsewhere.
// Of these devices all but the first may be lost.
type copies struct {
	compile func(*Program) (Run, error) // for some of them, with the lock held

	mu      sync.Mutex
	info    Info
	devices []Device
	lost    []error // why a device cannot be used any more; nil for others
	params  map[*Parameter]*place
	closed  bool
}

func newCopies(kind DeviceKind, devices []Device) *copies {
	c := &copies{devices: devices, lost: make([]error, len(devices)), params: map[*Parameter]*place{}}
	c.info = devices[0].Info()
	c.info.Kind = kind
	between := " or "
	if kind == Mixed {
		between = " and "
	}
	for _, dev := range devices[1:] {
		c.info.Name += between + dev.Info().Name
		c.info.Version += between + dev.Info().Version
	}
	return c
}

func (c *copies) Info() Info {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info
}

func (c *copies) Compile(p *Program) (Run, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.compile(p)
}

// lose gives up the device of an error, and reports whether the first can go on: not where it
// failed itself, nor after an error that is not the loss of a device. Parameters that no other
// has are from then on as their Data has them, that is, as of the last Download or Upload.
func (c *copies) lose(device int, err error) bool {
	if device == 0 || !errors.Is(err, ErrLost) {
		return false
	}
	c.lost[device] = message.Errorf("%s stopped working: %w", c.devices[device].Info().Name, err)
	for _, where := range c.params {
		where.on[device] = absent
	}
	if c.info.Kind != Mixed { // which tells of it in Choice.Lost
		c.info = c.devices[0].Info()
		c.info.Fallback = message.Text("%v", c.lost[device])
	}
	c.devices[device].Close() // its memory went with the context
	return true
}

// admit counts a way of doing a program that has just been compiled. A parameter that no
// program had before has the same values on all its devices, those of its Data.
func (c *copies) admit(ways ...*way) {
	known := map[*Parameter]bool{}
	for par := range c.params {
		known[par] = true
	}
	for _, w := range ways {
		for device, used := range w.uses {
			for _, par := range used {
				where, ok := c.params[par]
				if !ok {
					where = &place{on: make([]state, len(c.devices)), runs: make([]int, len(c.devices))}
					c.params[par] = where
				}
				where.runs[device]++
				switch {
				case !known[par]:
					where.on[device] = valid
				case where.on[device] == absent:
					where.on[device] = stale
				}
			}
		}
	}
}

// bring makes the values of a parameter valid on a device.
func (c *copies) bring(par *Parameter, device int) error {
	where := c.params[par]
	if where.on[device] == valid {
		return nil
	}
	if !where.fresh && !slices.Contains(where.on, valid) { // they were lost
		where.on[device] = valid
		return c.of(device, c.devices[device].Upload(par))
	}
	if err := c.fetch(par); err != nil {
		return err
	}
	return c.send(par, device)
}

// fetch brings the values of a parameter to the host. The caller's Data is left as it is, here
// and in send.
func (c *copies) fetch(par *Parameter) error {
	where := c.params[par]
	if where.fresh {
		return nil
	}
	if where.host == nil {
		where.host = make([]float32, par.Rows*par.Cols)
	}
	from := slices.Index(where.on, valid)
	err := where.lend(par, c.devices[from].Download)
	where.fresh = err == nil
	return c.of(from, err)
}

// send brings what fetch brought to a device.
func (c *copies) send(par *Parameter, device int) error {
	where := c.params[par]
	if err := where.lend(par, c.devices[device].Upload); err != nil {
		return c.of(device, err)
	}
	where.on[device] = valid
	return nil
}

// lend does something with the parameter while its Data is the values on their way.
func (where *place) lend(par *Parameter, do func(*Parameter) error) error {
	data := par.Data
	par.Data = where.host
	defer func() { par.Data = data }()
	return do(par)
}

// changed says that a device has given a parameter new values.
func (c *copies) changed(par *Parameter, device int) {
	where := c.params[par]
	where.fresh = false
	for i, s := range where.on {
		if i != device && s == valid {
			where.on[i] = stale
		}
	}
}

// leave takes one run of a device off a parameter and, once the device does not need it any
// more and another has its values, frees the copy there.
func (c *copies) leave(par *Parameter, device int) {
	where := c.params[par]
	where.runs[device]--
	if where.runs[device] > 0 {
		return
	}
	for i, s := range where.on {
		if i != device && s == valid {
			c.devices[device].Forget(par)
			where.on[device] = absent
			return
		}
	}
}

func (c *copies) Upload(par *Parameter) error {
	return c.exchange(par, func(where *place) error {
		where.fresh = false
		for i, s := range where.on {
			if s == absent {
				continue
			}
			where.on[i] = valid
			if err := c.devices[i].Upload(par); err != nil && !c.lose(i, err) {
				return err
			}
		}
		return nil
	})
}

func (c *copies) Download(par *Parameter) error {
	return c.exchange(par, func(where *place) error {
		from := slices.Index(where.on, valid)
		if from < 0 {
			return nil // lost: Data are the values
		}
		if err := c.devices[from].Download(par); err != nil && !c.lose(from, err) {
			return err
		}
		return nil
	})
}

func (c *copies) exchange(par *Parameter, f func(*place) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return ErrClosed
	}
	where, ok := c.params[par]
	if !ok {
		return par.Absent()
	}
	return f(where)
}

func (c *copies) Forget(par *Parameter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	where, ok := c.params[par]
	if !ok || slices.Max(where.runs) > 0 {
		return
	}
	for _, dev := range c.devices {
		dev.Forget(par)
	}
	delete(c.params, par)
}

func (c *copies) Memory() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	var sum int64
	for i, dev := range c.devices {
		if c.lost[i] == nil {
			sum += dev.Memory()
		}
	}
	return sum
}

func (c *copies) Wait() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var failed *deviceError
	err := c.rest()
	if errors.As(err, &failed) && c.lose(failed.device, failed.err) {
		return nil
	}
	return err
}

// rest waits for all devices.
func (c *copies) rest() error {
	for i, dev := range c.devices {
		if c.lost[i] != nil {
			continue
		}
		if err := dev.Wait(); err != nil {
			return c.of(i, err)
		}
	}
	return nil
}

// deviceError is what went wrong on one of several devices.
type deviceError struct {
	device int
	err    error
}

func (e *deviceError) Error() string { return e.err.Error() }
func (e *deviceError) Unwrap() error { return e.err }

// of says which device an error comes from; nil stays nil.
func (c *copies) of(device int, err error) error {
	if err == nil {
		return nil
	}
	return &deviceError{device, err}
}

func (c *copies) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed, c.params = true, nil
	var errs []error
	for _, dev := range c.devices {
		errs = append(errs, dev.Close())
	}
	return errors.Join(errs...)
}

// NewAuto gives a device that picks one of several for each program by timing its first replays, and closes them with itself.
// Each replay is made by one device alone. Its Info has the reason why there are no more, or nil.
func NewAuto(reason *message.Message, devices ...Device) Device {
	c := newCopies(Auto, devices)
	c.info.Fallback = reason
	c.compile = func(p *Program) (Run, error) { return newTrial(c, p, all(devices)...) }
	return c
}

// openBoth opens the processor and the best OpenGL device that works; without any, reason
// says what was tried.
func (o Options) openBoth() (devices []Device, reason *message.Message) {
	var reasons []error
	for _, kind := range []DeviceKind{CPU, Compute, Fragment} {
		if kind == Fragment && len(devices) == 2 {
			continue // compute shaders can do what fragment shaders can
		}
		dev, err := o.Open(kind)
		if err != nil {
			reasons = message.Once(reasons, err)
			continue
		}
		devices = append(devices, dev)
	}
	if len(devices) == 1 {
		reason = message.Text("only the processor can be used: %v", message.List(reasons))
	}
	return devices, reason
}

// all are the numbers of devices.
func all(devices []Device) (numbers []int) {
	for i := range devices {
		numbers = append(numbers, i)
	}
	return numbers
}

// NewStandIn gives a device for which the processor stands in once it is lost, and does everything
// where that could not be opened, with the error err. Then Info().Fallback says why.
func NewStandIn(processor, dev Device, err error) Device {
	devices := []Device{processor}
	if err == nil {
		devices = append(devices, dev)
	}
	c := newCopies(CPU, devices)
	c.compile = func(p *Program) (Run, error) { return newTrial(c, p, len(devices)-1) }
	if err == nil {
		c.info = dev.Info()
	} else {
		c.info.Fallback = message.Text("%v", err)
	}
	return c
}
