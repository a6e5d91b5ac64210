package program

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"inkshade/glcompute/message"
)

// Device replays programs. All methods may be called from any goroutine; a device does
// one thing at a time. After Close every method returns ErrClosed.
type Device interface {
	// Info describes the device. It changes only where another comes to stand in for it.
	Info() Info
	// Compile checks that the device can do every operation, makes what it needs
	// (shaders, buffers) and brings the program's parameters onto the device. Operations
	// the device lacks are one error that lists them.
	Compile(p *Program) (Run, error)
	// Upload replaces the device's copy of a parameter by its Data.
	Upload(par *Parameter) error
	// Download copies the device's values of a parameter into its Data.
	Download(par *Parameter) error
	// Forget frees the device's copy of a parameter that no open Run uses any more.
	Forget(par *Parameter)
	// Wait returns when everything that was sent to the device is done: a replay without
	// outputs may only send it.
	Wait() error
	// Memory is the number of bytes of tensors and parameters now held on the device, with
	// the buffers through which readbacks pass.
	Memory() int64
	// Close frees everything. It is safe to call twice.
	Close() error
}

// Run is a compiled program.
type Run interface {
	// Do uploads the inputs bound by In, replays the operations, and reads back the
	// outputs bound by Out, into slices of exactly rows*cols values. It waits for the device
	// only where there are such; what OutLater binds comes later. An input that is not bound again
	// stays as it is; one that was never bound holds nothing that can be relied on, and no error says so. After Close of
	// the run or of its device it returns ErrClosed.
	Do(bindings ...Binding) error
	// Measure is Do with the time of each stage taken apart. It costs more than Do.
	Measure(bindings ...Binding) (Timing, error)
	// Info describes what did the last replay, before the first one what will do it: of a
	// device that is several the one that did it, with its Choice.
	Info() Info
	// Close frees the run's buffers; parameters stay on the device.
	Close() error
}

// Replay is Do, or where t is not nil Measure, which gives it the times.
func Replay(run Run, t *Timing, bindings []Binding) (err error) {
	if t == nil {
		return run.Do(bindings...)
	}
	*t, err = run.Measure(bindings...)
	return err
}

// Binding ties host memory to a tensor for one replay. Make it with In, Out or OutLater.
type Binding struct {
	Tensor *Tensor
	Data   []float32
	Output bool
	Later  *Readback // of an output that need not be in Data when the replay returns; nil for others
}

// In uploads data (row-major, rows*cols values) into an input tensor before the replay.
func In(t *Tensor, data []float32) Binding { return Binding{Tensor: t, Data: data} }

// Out reads t back into data (row-major, rows*cols values) after the replay.
func Out(t *Tensor, data []float32) Binding { return Binding{Tensor: t, Data: data, Output: true} }

// Check reports a binding that does not belong to p or does not fit its tensor.
func (p *Program) Check(bindings []Binding) error {
	for i := range bindings {
		switch b := &bindings[i]; {
		case b.Tensor == nil || b.Tensor.owner != p:
			return message.Errorf("binding of %s: the tensor belongs to another program", b.Tensor)
		case len(b.Data) != b.Tensor.Len():
			return message.Errorf("binding of %s: needs %d values, got %d", b.Tensor, b.Tensor.Len(), len(b.Data))
		case !b.Output && b.Tensor.Kind != Input:
			return message.Errorf("binding of %s: only inputs can be uploaded on a replay", b.Tensor)
		case b.Later != nil && b.Later.source != nil:
			return message.Errorf("binding of %s: the values of an earlier replay are still on their way; wait for them first", b.Tensor)
		}
	}
	return nil
}

// DeviceKind names an executor.
type DeviceKind string

const (
	CPU      DeviceKind = "cpu"      // the processor, in vectors
	Fragment DeviceKind = "fragment" // fragment shaders of OpenGL 3.3 or ES 3.0
	Compute  DeviceKind = "compute"  // compute shaders of OpenGL 4.3 or ES 3.1
	Auto     DeviceKind = "auto"     // the fastest that can be had, by measurement
	Mixed    DeviceKind = "mixed"    // the processor and OpenGL together, where that is faster
)

// Info describes a device for people and for reports.
type Info struct {
	Kind       DeviceKind
	Name       string           // what a person calls it: GL_RENDERER, or the processor's model
	Vendor     string           // GL_VENDOR; empty on the CPU
	Version    string           // GL_VERSION; on the CPU the vectors it uses, and its threads
	Details    *message.Message `json:"-"` // Version where that has words; nil elsewhere
	Language   string           // of the shaders: "OpenGL 3.3", "OpenGL ES 3.0"; empty on the CPU
	Software   bool             // OpenGL drawn by the processor (llvmpipe, softpipe, SwiftShader)
	MaxTexture int              // largest texture side in texels; 0 on the CPU
	MaxBuffer  int64            // largest storage buffer in bytes; 0 where it does not apply
	Fallback   *message.Message // why this device stands in for the one asked for; nil otherwise
	Differs    *message.Message // what it does wrongly and is therefore not asked to do as usual, by comparisons so far; nil for nothing

	// Choice is how a device that is several came to give its last replay to this one, or to
	// all of them; nil for others, and where it does not describe a Run.
	Choice *Choice
}

// Timing is where the time of one replay went, and what went before the first.
type Timing struct {
	// Compile is how long Device.Compile took to make the run: linking or loading shaders,
	// choosing variants by measurement where they are new, making buffers. It is no part of the
	// replay and the same for all of the run; with Auto it is that of the device that did this one.
	Compile  time.Duration
	Upload   time.Duration // host to device
	Compute  time.Duration // all operations
	Readback time.Duration // device to host
	// Passes are all operations in order, as measured by the device's own clock. A pass may
	// be several of them; its name is then theirs, with commas between.
	Passes []Pass
}

// Pass is the time of one recorded operation.
type Pass struct {
	Name string
	Time time.Duration
}

// Readback receives the values of a tensor without the device standing still: a replay that
// binds it with OutLater copies them behind its operations and returns, and they are taken
// to Data by a later Ready or Wait. A replay on the processor, and Measure on every device,
// has them there when it returns. It must not be used by several goroutines at once.
type Readback struct {
	Data   []float32                                 // row-major; of the replay only when Ready or Wait says so
	source func(wait bool) (arrived bool, err error) // see Begin; nil where nothing is on its way
}

// OutLater is Out for which the replay does not wait; see Readback. r must not be on its way.
func OutLater(t *Tensor, r *Readback) Binding {
	return Binding{Tensor: t, Data: r.Data, Output: true, Later: r}
}

// Begin is for executors: a replay has begun to bring the values. The function reports whether they are in the slice that
// the replay was bound to, having waited for them where it should. After an error they never come.
func (r *Readback) Begin(source func(wait bool) (arrived bool, err error)) { r.source = source }

// Ready reports, without waiting, whether nothing is on its way any more: the values of the
// last replay are in Data, or there was none. An error says that they will never be there,
// ErrLost or ErrClosed that the device has gone. Closing the run waits for them.
func (r *Readback) Ready() (bool, error) { return r.fetch(false) }

// Wait is Ready, and waits.
func (r *Readback) Wait() error {
	_, err := r.fetch(true)
	return err
}

func (r *Readback) fetch(wait bool) (bool, error) {
	if r.source == nil {
		return true, nil
	}
	arrived, err := r.source(wait)
	if arrived || err != nil {
		r.source = nil
		return true, err
	}
	return false, nil
}

// Choice is how a device that is several came to give the replays of a Run to one of them, or
// to all with a share of the samples each. Slices are in the order of Devices.
type Choice struct {
	Devices   []Info
	Shares    []float64        // of the samples of the last replay; they add up to 1
	Decided   bool             // what did the last replay does the next ones too
	Alone     []time.Duration  // the shortest replay of each alone; 0 where none was timed
	Together  time.Duration    // the shortest replay of all together; 0 where none was timed
	Measuring time.Duration    // taken by the replays that were made to find out
	Apart     *message.Message // why the samples cannot be shared; nil otherwise
	Lost      *message.Message // why a device has fallen away; nil otherwise
	Joint     JointTime
}

// JointTime is where the time of the replays goes that all devices make together, on average of
// all but the first, in which drivers compile.
type JointTime struct {
	Replays int
	Shares  []float64 // of the devices in them
	Mean    time.Duration
	// Carrying is the part of Mean for bringing parameters to the other devices, and for what
	// the first device does alone once it has the sums of all, which is the update.
	Carrying time.Duration
}

// Add counts a replay.
func (j *JointTime) Add(took, carrying time.Duration) {
	if n := time.Duration(j.Replays); n > 0 {
		j.Mean += (took - j.Mean) / n
		j.Carrying += (carrying - j.Carrying) / n
	}
	j.Replays++
}

// SharingWins is how many times faster than the fastest device alone all must be together to
// be used, so that noise does not decide.
const SharingWins = 1.05

// Shared reports whether the last replay was made by more than one device.
func (c *Choice) Shared() bool { return len(c.Shares) > 0 && slices.Max(c.Shares) < 1 }

// Device is the index of the one that made the last replay, or most of it; 0 where there is none.
func (c *Choice) Device() int {
	if len(c.Shares) == 0 {
		return 0
	}
	return slices.Index(c.Shares, slices.Max(c.Shares))
}

// Win is how many times faster sharing is than the fastest device alone; 0 where it was not
// measured.
func (c *Choice) Win() float64 {
	if c.Together == 0 {
		return 0
	}
	return c.Alone[c.fastest()].Seconds() / c.Together.Seconds()
}

// fastest is the index of the device with the shortest time alone, 0 where none was timed.
func (c *Choice) fastest() int {
	best := 0
	for i, t := range c.Alone {
		if t > 0 && (c.Alone[best] == 0 || t < c.Alone[best]) {
			best = i
		}
	}
	return best
}

// String says in a sentence what does the work and why: "mixed: CPU 62 %, compute shaders
// 38 %, 1.3 times the CPU alone".
func (c *Choice) String() string {
	name := func(i int) string { return c.Devices[i].Kind.words() }
	one := name(c.Device())
	switch {
	case c.Lost.String() != "":
		return fmt.Sprintf("%s goes on alone: %s", one, c.Lost)
	case !c.Decided:
		return one + " so far, too little done to know whether sharing is faster"
	case c.Shared() && c.Together == 0:
		return c.shares() + ", as was asked for"
	case c.Shared():
		return fmt.Sprintf("%s, %.1f times %s alone", c.shares(), c.Win(), name(c.fastest()))
	case c.Together > 0:
		return fmt.Sprintf("%s alone is faster, mixed not used (%s against %s)", one, milliseconds(c.Alone[c.Device()]), milliseconds(c.Together))
	case c.Apart.String() != "" && slices.Max(c.Alone) > 0:
		return fmt.Sprintf("%s alone is faster, mixed not used (%s)", one, c.Apart)
	case c.Apart.String() != "":
		return fmt.Sprintf("%s alone, mixed not used (%s)", one, c.Apart)
	}
	return one + " alone"
}

func (c *Choice) shares() string {
	return "mixed: " + c.List(c.Shares, func(d Info) string { return strings.TrimPrefix(d.Kind.words(), "the ") })
}

// List names the devices with shares of the samples: "cpu 62 %, compute 38 %".
func (c *Choice) List(shares []float64, name func(Info) string) string {
	var parts []string
	for i, share := range shares {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", name(c.Devices[i]), 100*share))
	}
	return strings.Join(parts, ", ")
}

// words name a kind in a sentence.
func (k DeviceKind) words() string {
	switch k {
	case CPU:
		return "the CPU"
	case Compute:
		return "compute shaders"
	case Fragment:
		return "fragment shaders"
	}
	return string(k)
}

func milliseconds(d time.Duration) string { return fmt.Sprintf("%.3g ms", 1e3*d.Seconds()) }
