// Package glcompute runs tensor programs, mostly neural networks, on OpenGL shaders or on
// the processor: record a program once, compile it on a device, replay it.
//
//	dev := glcompute.OpenOrCPU(glcompute.Auto)
//	defer dev.Close()
//	p := glcompute.NewProgram()
//	x := p.Input(batch, 784)
//	h := p.Linear(x, p.Variable(w1), p.Variable(b1), glcompute.Tanh)
//	y := p.Softmax(p.Linear(h, p.Variable(w2), p.Variable(b2), glcompute.Identity))
//	run, err := dev.Compile(p)
//	err = run.Do(glcompute.In(x, pixels), glcompute.Out(y, probabilities))
//
// The vocabulary is that of package program, under the same names. Executors are the
// packages cpu (vectors), fragment (OpenGL 3.3) and compute (OpenGL 4.3); all three replay the
// same programs and agree within float32 rounding.
package glcompute

import "inkshade/glcompute/program"

// The vocabulary of programs.
type (
	Program    = program.Program
	Tensor     = program.Tensor
	Parameter  = program.Parameter
	Activation = program.Activation
	Op         = program.Op
)

// Devices and what they say.
type (
	Device           = program.Device
	DeviceKind       = program.DeviceKind
	Run              = program.Run
	Binding          = program.Binding
	Readback         = program.Readback
	Info             = program.Info
	Choice           = program.Choice
	Timing           = program.Timing
	Pass             = program.Pass
	UnsupportedError = program.UnsupportedError
)

const (
	Identity = program.Identity
	Tanh     = program.Tanh
	Sigmoid  = program.Sigmoid
	ReLU     = program.ReLU
)

const (
	CPU      = program.CPU
	Fragment = program.Fragment
	Compute  = program.Compute
	Auto     = program.Auto
	Mixed    = program.Mixed
)

// Errors to be recognised with errors.Is.
var (
	ErrClosed = program.ErrClosed
	ErrLost   = program.ErrLost
)

// NewProgram makes an empty program.
func NewProgram() *Program { return program.New() }

// NewParameter makes a matrix that outlives programs around data, nil standing for zeros.
func NewParameter(name string, rows, cols int, data []float32) *Parameter {
	return program.NewParameter(name, rows, cols, data)
}

// In uploads data (row-major, rows*cols values) into an input tensor before a replay.
func In(t *Tensor, data []float32) Binding { return program.In(t, data) }

// Out reads t back into data (row-major, rows*cols values) after a replay.
func Out(t *Tensor, data []float32) Binding { return program.Out(t, data) }

// NewReadback makes a readback for t.
func NewReadback(t *Tensor) *Readback { return program.NewReadback(t) }

// OutLater is Out for which the replay does not wait; see Readback.
func OutLater(t *Tensor, r *Readback) Binding { return program.OutLater(t, r) }
