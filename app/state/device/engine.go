// Package device says who answers: it opens the processor and the best OpenGL device, makes the
// model ready on both, and keeps answering when one of them fails.
package device

import (
	"context"
	"errors"
	"sync"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/inputformat"
	"inkshade/recognizer/nn"
)

// Side is one of the two devices that the window compares.
type Side string

const (
	CPU Side = "CPU"
	GPU Side = "GPU"
)

// Choice is who a person wants to answer. Whatever is chosen, the CPU answers until the GPU is ready and when there is none.
type Choice string

const (
	ChooseGPU    Choice = "gpu"
	ChooseCPU    Choice = "cpu"
	ChooseFaster Choice = "faster" // the one that is faster for a single drawing, by measurement
)

// State is how far a device has come.
type State int

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
func (s Status) Device(side Side) SideStatus { return *s.of(side) }

func (s *Status) of(side Side) *SideStatus {
	if side == GPU {
		return &s.GPU
	}
	return &s.CPU
}

// Settled reports that no device is being prepared any more.
func (s Status) Settled() bool { return s.CPU.State != Preparing && s.GPU.State != Preparing }

// Engine is both devices with the model in use.
type Engine struct {
	load  func(name string) (*nn.Model, *inputformat.Inferred, error)
	name  string
	open  func(glcompute.DeviceKind) (glcompute.Device, error)
	kinds []glcompute.DeviceKind // OpenGL devices in the order in which they are tried
	tuner tuner
	life  context.Context // ends when it is closed
	end   context.CancelFunc

	mu      sync.Mutex
	status  Status
	sides   map[Side]*recognizer.Recognizer
	faster  Side // for a single drawing, by measurement; see Choose
	report  func(Status)
	model   *nn.Model               // in use; nil while none could be loaded
	memory  recognizer.Memory       // beside the network; nil for none
	allowed func(label string) bool // nil for all

	wordsName string                 // of the model that reads whole words; empty for none
	words     *recognizer.Recognizer // nil until it is ready
	wordless  bool                   // none of what it can read is allowed

	others map[string]*recognizer.Recognizer // that may know what the model in use does not; see Suggest
	tuning chan struct{}                     // closed when the tuner has ended; nil where it has not begun
}

// ErrUnderWine is why OpenGL is left out there unless a person chooses it; docs/packaging.md tells of the fault.
var ErrUnderWine = message.Errorf("under Wine the GPU can stop the window; choose it in Settings and start again")

// New makes an engine for a model that ships with Inkshade or an ONNX file. kind says who
// answers: Compute and Fragment ask for that kind of shaders, Auto for the better of
// them, CPU for the processor. Nothing is opened, by open, before Prepare.
func New(model string, kind glcompute.DeviceKind, open func(glcompute.DeviceKind) (glcompute.Device, error)) *Engine {
	e := &Engine{
		load: func(name string) (*nn.Model, *inputformat.Inferred, error) {
			return recognizer.OpenModel(context.Background(), name, inputformat.Format{})
		},
		name:      model,
		open:      open,
		wordsName: models.Words,
		kinds:     []glcompute.DeviceKind{glcompute.Compute, glcompute.Fragment},
		sides:     map[Side]*recognizer.Recognizer{},
		others:    map[string]*recognizer.Recognizer{},
	}
	e.life, e.end = context.WithCancel(context.Background())
	e.tuner = newTuner(func() (glcompute.Device, error) {
		rec, err := e.on(GPU)
		if err != nil {
			return nil, err
		}
		return rec.Device(), nil
	})
	e.status.Choice = ChooseGPU
	switch kind {
	case glcompute.CPU:
		e.status.Choice = ChooseCPU
	case glcompute.Compute, glcompute.Fragment:
		e.kinds = []glcompute.DeviceKind{kind}
	}
	return e
}

// Prepare makes the CPU and what reads words ready, which takes milliseconds, and then the GPU.
func (e *Engine) Prepare(report func(Status)) {
	e.update(func() { e.report = report })
	m, trial, err := e.load(e.name)
	some := true
	e.update(func() {
		switch {
		case e.model != nil: // another was asked for meanwhile
		case err != nil:
			some = false
			e.status.CPU = SideStatus{State: Unavailable, Reasons: []error{err}}
			e.status.GPU = e.status.CPU
		default:
			e.use(e.name, m, trial)
		}
	})
	if !some {
		return
	}
	e.prepareAll()
	e.startTuning()
}

func (e *Engine) prepareAll() {
	e.prepare(CPU, []glcompute.DeviceKind{glcompute.CPU})
	if e.wordsName != "" {
		_ = e.readWords(nil, false) // without it lines are cut into characters
	}
	e.prepare(GPU, e.kinds)
}

// use makes m the model, and tells what was found out about it; the caller holds the lock.
func (e *Engine) use(name string, m *nn.Model, trial *inputformat.Inferred) {
	e.model = m
	e.status.Model, e.status.Labels, e.status.Network, e.status.Fed = name, m.Labels, m.Network.Folded().Sizes(), nil
	if trial != nil {
		e.status.Fed = trial.Reason
	}
}

// prepare makes the model ready on the first kind of device that works.
func (e *Engine) prepare(side Side, kinds []glcompute.DeviceKind) {
	var problems []error // what went wrong with the kinds, in the order in which they are tried
	for _, kind := range kinds {
		dev, err := e.open(kind)
		if err == nil {
			if err = e.settleOn(side, dev); err == nil {
				return
			}
			_ = dev.Close()
		}
		problems = message.Once(problems, err)
	}
	e.update(func() { *e.status.of(side) = SideStatus{State: Unavailable, Reasons: problems} })
}

// settleOn makes the model in use answer on a device for a side. When the model changes
// meanwhile it begins again.
func (e *Engine) settleOn(side Side, dev glcompute.Device) error {
	for {
		e.mu.Lock()
		m := e.model
		e.mu.Unlock()
		rec, err := ready(m, dev)
		if err != nil {
			return err
		}
		stale := false
		e.update(func() {
			switch {
			case e.life.Err() != nil:
				_ = release(rec)
			case e.model != m:
				stale = true
				_ = rec.Close()
			default:
				if old := e.sides[side]; old != nil {
					_ = old.Close()
				}
				e.sides[side] = rec
				e.equip(rec)
				*e.status.of(side) = SideStatus{State: Ready, Info: dev.Info()}
			}
		})
		if !stale {
			return nil
		}
	}
}

// ready compiles the model for a device. A first answer to a dot makes the driver finish
// what it put off.
func ready(m *nn.Model, dev glcompute.Device) (*recognizer.Recognizer, error) {
	rec, err := recognizer.New(m, dev)
	if err != nil {
		return nil, err
	}
	if _, err := rec.Measure(ink.Ink{{{X: 0, Y: 0}, {X: 1, Y: 1}}}, 1); err != nil {
		return nil, errors.Join(err, rec.Close())
	}
	return rec, nil
}

// update changes the status, settles who answers, and reports. It holds the lock while it
// reports, so that reports come in the order of the changes.
func (e *Engine) update(change func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change()
	e.settle()
	if e.report != nil {
		e.report(e.status)
	}
}

// settle decides who answers. The caller holds the lock.
func (e *Engine) settle() {
	s := &e.status
	s.Answering, s.Reasons, s.Words = "", nil, e.readsWords()
	cpu, gpu := s.CPU.State == Ready, s.GPU.State == Ready
	switch {
	case gpu && (s.Choice == ChooseGPU || !cpu):
		s.Answering = GPU
	case cpu:
		s.Answering = CPU
		if s.Choice == ChooseGPU && s.GPU.State == Unavailable {
			s.Reasons = s.GPU.Reasons
		}
	}
	if cpu && gpu && s.Choice == ChooseFaster {
		s.Answering = e.faster
	}
}

// Recognize answers on the device in charge. A GPU that fails is given up, and the CPU
// answers the same drawing, which may be traced in a picture.
func (e *Engine) Recognize(k ink.Ink, traced bool) (a recognizer.Answer, by Side, err error) {
	by, err = e.answer(func(rec *recognizer.Recognizer) (failed, err error) {
		recognize := rec.Recognize
		if traced {
			recognize = rec.RecognizeTraced
		}
		if a, err = recognize(k); !errors.Is(err, ink.ErrEmpty) {
			failed = err
		}
		return failed, err
	})
	return a, by, err
}

// answer lets the device in charge do something, and the CPU where the GPU failed.
func (e *Engine) answer(do func(*recognizer.Recognizer) (failed, err error)) (Side, error) {
	for {
		e.mu.Lock()
		side := e.status.Answering
		rec, reasons := e.sides[side], e.status.CPU.Reasons
		e.mu.Unlock()
		switch {
		case rec == nil && len(reasons) > 0:
			return side, reasons[0]
		case rec == nil:
			return side, message.Errorf("no device is ready")
		}
		failed, err := do(rec)
		if failed == nil || side == CPU {
			return side, err
		}
		e.lose(failed)
	}
}

// lose gives the GPU up for the rest of the session.
func (e *Engine) lose(why error) {
	e.update(func() {
		if rec := e.sides[GPU]; rec != nil {
			delete(e.sides, GPU)
			_ = release(rec)
		}
		e.status.GPU = SideStatus{
			State: Unavailable, Info: e.status.GPU.Info,
			Reasons: []error{message.Errorf("the GPU failed while it worked: %w", why)},
		}
	})
}

// Measure times one recognition on a side.
func (e *Engine) Measure(k ink.Ink, on Side) (recognizer.Timing, error) {
	return e.measure(k, on, 1)
}

// measure gives the median of each stage.
func (e *Engine) measure(k ink.Ink, on Side, repeats int) (recognizer.Timing, error) {
	rec, err := e.on(on)
	if err != nil {
		return recognizer.Timing{}, err
	}
	return rec.Measure(k, repeats)
}

func (e *Engine) on(side Side) (*recognizer.Recognizer, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if rec := e.sides[side]; rec != nil {
		return rec, nil
	}
	return nil, message.Errorf("the %s is not ready", side)
}

// trials is how often each side is timed to find the faster one.
const trials = 9

// Choose says who answers from now on. Choosing the faster one measures both as the window does.
func (e *Engine) Choose(c Choice) {
	faster := CPU
	if c == ChooseFaster {
		drawing := ink.Ink{{{X: 0, Y: 0}, {X: 10, Y: 2}, {X: 4, Y: 20}}}
		cpu, err := e.measure(drawing, CPU, trials)
		gpu, failed := e.measure(drawing, GPU, trials)
		if failed == nil && (err != nil || gpu.Total() < cpu.Total()) {
			faster = GPU
		}
	}
	e.update(func() { e.status.Choice, e.faster = c, faster })
}

func release(rec *recognizer.Recognizer) error {
	return errors.Join(rec.Close(), rec.Device().Close())
}

// Close frees the devices. A device that is still being prepared is freed when it is ready.
func (e *Engine) Close() error {
	e.mu.Lock()
	e.end()
	tuning := e.tuning
	e.mu.Unlock()
	if tuning != nil {
		<-tuning // the variant that is being measured
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []error
	for side, rec := range e.sides {
		all = append(all, release(rec))
		delete(e.sides, side)
	}
	if e.words != nil {
		all = append(all, release(e.words))
		e.words = nil
	}
	for _, rec := range e.others {
		all = append(all, release(rec))
	}
	return errors.Join(all...)
}
