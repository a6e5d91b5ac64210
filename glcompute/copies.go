package glcompute

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"inkshade/glcompute/message"
)

// copies are one or two devices for the same programs, each with its own copy of every
// parameter. The values move by way of the host before a replay that needs them elsewhere.
// The second device may be lost.
type copies struct {
	compile func(*Program) (Run, error) // for one of them or both, with the lock held

	mu      sync.Mutex
	info    Info
	devices []Device
	lost    error // why the second cannot be used any more
	params  map[*Parameter]*place
	closed  bool
}

// place says which versions of a parameter's values are where; each change makes another.
type place struct {
	newest int
	on     [2]int    // by device; 0 for no copy
	runs   [2]int    // open runs that use it
	host   []float32 // the values on their way from one device to the other
	onHost int
}

func newCopies(kind DeviceKind, devices []Device) *copies {
	c := &copies{devices: devices, params: map[*Parameter]*place{}}
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

// otherError is an error of the second device.
type otherError struct{ error }

func (e otherError) Unwrap() error { return e.error }

// of says which device an error comes from; nil stays nil.
func of(device int, err error) error {
	if device == 1 && err != nil {
		return otherError{err}
	}
	return err
}

// lose gives the second device up after its loss, and reports whether that was the error. Parameters that the first does not
// have are from then on as their Data has them, that is, as of the last Download or Upload.
func (c *copies) lose(err error) bool {
	var other otherError
	if !errors.As(err, &other) || !errors.Is(err, ErrLost) {
		return false
	}
	c.lost = message.Errorf("%s stopped working: %w", c.devices[1].Info().Name, other.error)
	for _, where := range c.params {
		where.on[1] = 0
	}
	if c.info.Kind != Mixed { // which tells of it in Choice.Lost
		c.info = c.devices[0].Info()
		c.info.Fallback = message.Text("%v", c.lost)
	}
	c.devices[1].Close() // its memory went with the context
	return true
}

// admit counts ways of doing a program that has just been compiled. A parameter that no
// program had before has the same values on all its devices, those of its Data.
func (c *copies) admit(ways ...*way) {
	const first, outdated = 2, 1
	known := maps.Clone(c.params)
	for _, w := range ways {
		for device, used := range w.uses {
			for _, par := range used {
				where := c.params[par]
				if where == nil {
					where = &place{newest: first}
					c.params[par] = where
				}
				where.runs[device]++
				switch {
				case known[par] == nil:
					where.on[device] = first
				case where.on[device] == 0:
					where.on[device] = outdated
				}
			}
		}
	}
}

func (c *copies) has(par *Parameter, device int) bool {
	where := c.params[par]
	return where.on[device] == where.newest
}

func (c *copies) bring(par *Parameter, device int) error {
	where := c.params[par]
	if c.has(par, device) {
		return nil
	}
	if where.onHost != where.newest && !c.has(par, 1-device) { // they were lost
		where.on[device] = where.newest
		return of(device, c.devices[device].Upload(par))
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
	if where.onHost == where.newest {
		return nil
	}
	if where.host == nil {
		where.host = make([]float32, par.Rows*par.Cols)
	}
	from := slices.Index(where.on[:], where.newest)
	if err := where.lend(par, c.devices[from].Download); err != nil {
		return of(from, err)
	}
	where.onHost = where.newest
	return nil
}

// send brings what fetch brought to a device.
func (c *copies) send(par *Parameter, device int) error {
	where := c.params[par]
	if err := where.lend(par, c.devices[device].Upload); err != nil {
		return of(device, err)
	}
	where.on[device] = where.newest
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
	where.newest++
	where.on[device] = where.newest
}

// leave takes one run of a device off a parameter and, once the device does not need it any
// more and the other has its values, frees the copy there.
func (c *copies) leave(par *Parameter, device int) {
	where := c.params[par]
	if where.runs[device]--; where.runs[device] == 0 && c.has(par, 1-device) {
		c.devices[device].Forget(par)
		where.on[device] = 0
	}
}

func (c *copies) Upload(par *Parameter) error {
	return c.exchange(par, func(where *place) error {
		where.newest++
		for i, dev := range c.devices {
			if where.on[i] == 0 {
				continue
			}
			where.on[i] = where.newest
			if err := dev.Upload(par); err != nil && !c.lose(of(i, err)) {
				return err
			}
		}
		return nil
	})
}

func (c *copies) Download(par *Parameter) error {
	return c.exchange(par, func(where *place) error {
		from := slices.Index(where.on[:], where.newest)
		if from < 0 {
			return nil // lost: Data are the values
		}
		if err := c.devices[from].Download(par); err != nil && !c.lose(of(from, err)) {
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
	if where := c.params[par]; where == nil || where.runs != [2]int{} {
		return
	}
	for _, dev := range c.devices {
		dev.Forget(par)
	}
	delete(c.params, par)
}

// working are the devices that are not lost.
func (c *copies) working() []Device {
	if c.lost != nil {
		return c.devices[:1]
	}
	return c.devices
}

func (c *copies) Memory() (sum int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, dev := range c.working() {
		sum += dev.Memory()
	}
	return sum
}

func (c *copies) Wait() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.rest(); !c.lose(err) {
		return err
	}
	return nil
}

func (c *copies) rest() error {
	for i, dev := range c.working() {
		if err := dev.Wait(); err != nil {
			return of(i, err)
		}
	}
	return nil
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

// NewAuto gives a device that picks one of two, or the only one, for each program by timing its first replays, and closes them with
// itself. A second one that is a software renderer is tried once the first has worked for a second. Each replay is made by one device
// alone. Its Info has the reason why there are no more, or nil.
func NewAuto(reason *message.Message, devices ...Device) Device {
	c := newCopies(Auto, devices)
	c.info.Fallback = reason
	c.compile = func(p *Program) (Run, error) {
		if len(devices) == 1 || !devices[1].Info().Software {
			return newTrial(c, p, 0, 1)
		}
		r, err := newTrial(c, p, 0)
		if err == nil {
			r.alone = worthTrying
		}
		return r, err
	}
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

// NewStandIn gives a device for which the processor stands in once it is lost, and does everything
// where that could not be opened, with the error err. Then Info().Fallback says why.
func NewStandIn(processor, dev Device, err error) Device {
	if err != nil {
		c := newCopies(CPU, []Device{processor})
		c.info.Fallback = message.Text("%v", err)
		c.compile = func(p *Program) (Run, error) { return newTrial(c, p, 0) }
		return c
	}
	c := newCopies(CPU, []Device{processor, dev})
	c.info = dev.Info()
	c.compile = func(p *Program) (Run, error) { return newTrial(c, p, 1) }
	return c
}
