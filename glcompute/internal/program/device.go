package program

import (
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
	// only where there are such; what OutLater binds comes later.
	Do(bindings ...Binding) error
	// Measure is Do with the time of each stage taken apart. It costs more than Do.
	Measure(bindings ...Binding) (Timing, error)
	// Info describes what did the last replay, before the first one what will do it: of a
	// device that is several the one that did it, with its Choice.
	Info() Info
	// Close frees the run's buffers; parameters stay on the device.
	Close() error
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
func (b Binding) Check(p *Program) error {
	switch {
	case b.Tensor == nil || b.Tensor.owner != p:
		return message.Errorf("binding of %s: the tensor belongs to another program", b.Tensor)
	case len(b.Data) != b.Tensor.Len():
		return message.Errorf("binding of %s: needs %d values, got %d", b.Tensor, b.Tensor.Len(), len(b.Data))
	case !b.Output && b.Tensor.Kind != Input:
		return message.Errorf("binding of %s: only inputs can be uploaded on a replay", b.Tensor)
	}
	return b.Later.check(b.Tensor)
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
	Version    string           // GL_VERSION, or the BLAS in use on the CPU
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
