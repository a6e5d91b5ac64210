// Package glcompute runs tensor programs, mostly neural networks and their training, on OpenGL
// shaders or on the processor: any GPU, and no library but the driver's. A program is recorded once, compiled
// on a device, and replayed:
//
//	dev := glcompute.OpenOrCPU(glcompute.Auto)
//	defer dev.Close()
//	p := program.New()
//	x := p.Input(batch, 784)
//	h := p.Layer(x, p.Variable(w1), p.Variable(b1), expr.Function{Name: "relu", Of: expr.ReLU})
//	y := p.Softmax(p.Product(program.Plain(h), program.Plain(p.Variable(w2))))
//	run, err := dev.Compile(p)
//	err = run.Do(glcompute.In(x, pixels), glcompute.Out(y, probabilities))
//
// # Programs
//
// A tensor is a row-major float32 matrix with the samples of a mini-batch in rows; images are
// [images · positions][channels]. An Input is uploaded with a replay, an intermediate tensor is
// the result of an operation, and a Variable stands for a Parameter, which stays on the
// device from replay to replay and is shared by all programs that name it: Device.Upload and
// Device.Download bring its values from and to Parameter.Data. Any tensor can be read back.
//
// The operations are methods of Program, see package program: products with views (Product, Layer,
// Convolution, Distances, SparseProduct), formulas of elements (Elementwise, Apply), reductions
// (Reduce, Extreme, Pool), Softmax and CrossEntropy, columns (Concat, Slice, Reshape), and updates
// of variables (Update, SGD, Adam). A formula is a tree of package expr, so a nonlinearity
// of your own is a line of Go that runs on every device. Gradients records the
// backward pass of all of them.
//
// Shapes are checked when an operation is recorded: a wrong one is a mistake in the calling code and
// panics. What depends on the machine, a device that cannot be had or is lost, is an error.
//
// # Devices
//
// CPU is the processor, Fragment OpenGL 3.3, Compute OpenGL 4.3; they replay the same programs
// and agree within float32 rounding. Auto tries a program on the processor and the best OpenGL
// device with its first replays and stays with the faster one. Mixed may also deal the samples of a mini-batch
// (Program.Batch) out to both. Run.Info says who did the last replay, and its Choice why. A device
// from OpenOrCPU is never missing: where one cannot be opened, or is lost, the processor stands in,
// and Info().Fallback says so.
//
// A replay without outputs is only sent to the device; OutLater reads back without waiting.
package glcompute

import "inkshade/glcompute/program"

// The vocabulary of programs.
type (
	Program   = program.Program
	Tensor    = program.Tensor
	Parameter = program.Parameter
)

// Devices and what they say.
type (
	Device           = program.Device
	DeviceKind       = program.DeviceKind
	Run              = program.Run
	Binding          = program.Binding
	Info             = program.Info
	Choice           = program.Choice
	Timing           = program.Timing
	UnsupportedError = program.UnsupportedError
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

// In uploads data (row-major, rows*cols values) into an input tensor before a replay.
func In(t *Tensor, data []float32) Binding { return program.In(t, data) }

// Out reads t back into data (row-major, rows*cols values) after a replay.
func Out(t *Tensor, data []float32) Binding { return program.Out(t, data) }
