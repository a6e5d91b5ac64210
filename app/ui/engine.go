package ui

import (
	"context"

	"inkshade/glcompute/program"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Engine is what the window needs of the recogniser. Prepare is called once, on a goroutine
// of its own; the others come from one other goroutine and may overlap with Prepare; none is
// called from the window's goroutine.
type Engine interface {
	// Prepare opens the devices and makes them ready, and returns when all that can be
	// had is ready. It calls report at once and after every change, later ones included;
	// report may be called from any goroutine, but one call after the other. Recognize
	// may be called as soon as a report named a device that answers.
	Prepare(report func(Status))
	// Recognize answers a drawing, maybe traced in a picture, on the device in charge, which it names. When that fails,
	// it reports the reason and goes on with the CPU.
	Recognize(k ink.Ink, traced bool) (recognizer.Answer, Side, error)
	// Measure recognises once on the given side and says where the time went.
	Measure(k ink.Ink, on Side) (recognizer.Timing, error)
	// RecognizeLine reads many characters; when ctx ends, its cause is the error.
	RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, Side, error)
	// MeasureLine reads a line once, and anew, on the given side.
	MeasureLine(ctx context.Context, k ink.Ink, o line.Options, on Side) (recognizer.Timing, error)
	// Choose says which device answers from now on, and reports what follows.
	Choose(c Choice)
	// Use puts a model in use: m, or what ships under the name where m is nil. On an error
	// the model before stays in use.
	Use(name string, m *nn.Model) error
	// Remember puts a memory beside the network; it is called again when the memory has
	// learned or lost a class.
	Remember(m recognizer.Memory)
	// Restrict lets only some classes be answered, nil all. It is an error, and changes
	// nothing, when none would be left.
	Restrict(allowed func(label string) bool) error
	// Close frees the devices.
	Close() error
}

// Side is one of the two devices that the window compares.
type Side string

// The two sides.
const (
	CPU Side = "CPU"
	GPU Side = "GPU"
)

// Choice is who a person wants to answer.
type Choice string

// The choices. Whatever is chosen, the CPU answers until the GPU is ready and when there
// is none.
const (
	ChooseGPU    Choice = "gpu"
	ChooseCPU    Choice = "cpu"
	ChooseFaster Choice = "faster" // the one that is faster for a single drawing, by measurement
)

// DeviceState is how far a device has come.
type DeviceState int

// The states of a device, in the order in which they come.
const (
	Preparing DeviceState = iota
	Ready
	Unavailable
)

// DeviceStatus is one device as the window shows it.
type DeviceStatus struct {
	State   DeviceState
	Info    program.Info
	Reasons []string // why it is unavailable: a sentence for each thing that was tried
}

// Status is both devices and who answers.
type Status struct {
	CPU, GPU  DeviceStatus
	Answering Side     // empty while nothing is ready
	Reasons   []string // why the CPU answers though the GPU was wanted; empty otherwise
	Choice    Choice
	Model     string   // what a person calls the model in use
	Labels    []string // its classes
	Fed       string   // how it is fed, where that was found out by trying; a sentence
	Network   []int    // the units of each of its layers, the inputs first
}

// Device gives the status of one side.
func (s Status) Device(side Side) DeviceStatus {
	if side == GPU {
		return s.GPU
	}
	return s.CPU
}

// Settled reports that no device is being prepared any more.
func (s Status) Settled() bool { return s.CPU.State != Preparing && s.GPU.State != Preparing }
