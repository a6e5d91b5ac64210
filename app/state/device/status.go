package device

import "inkshade/glcompute/message"

import "inkshade/glcompute"

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

// State is how far a device has come.
type State int

// The states of a device, in the order in which they come.
const (
	Preparing State = iota
	Ready
	Unavailable
)

// SideStatus is one device as the window shows it.
type SideStatus struct {
	State   State
	Info    glcompute.Info
	Reasons []error // why it is unavailable: a sentence for each thing that was tried
}

// Status is both devices and who answers.
type Status struct {
	CPU, GPU  SideStatus
	Answering Side    // empty while nothing is ready
	Reasons   []error // why the CPU answers though the GPU was wanted; empty otherwise
	Choice    Choice
	Model     string           // what a person calls the model in use
	Labels    []string         // its classes
	Fed       *message.Message // how it is fed, where that was found out by trying; nil otherwise
	Network   []int            // the units of each of its layers, the inputs first
	Words     bool             // lines that are not of digits alone are read whole, by models.Words
}

// Device gives the status of one side.
func (s Status) Device(side Side) SideStatus {
	if side == GPU {
		return s.GPU
	}
	return s.CPU
}

// Settled reports that no device is being prepared any more.
func (s Status) Settled() bool { return s.CPU.State != Preparing && s.GPU.State != Preparing }
