package uitest

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"inkshade/app/state/device"
	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Engine answers by the number of strokes: one stroke is a 1, two are a 2.
type Engine struct {
	Gate    chan struct{} // when set, Prepare waits here before the GPU is ready
	NoGPU   string        // why there is no GPU
	Broken  error         // what Recognize fails with
	Stall   chan struct{} // when set, each Recognize takes one value from here
	Mu      sync.Mutex
	status  device.Status
	report  func(device.Status)
	Asked   []ink.Ink
	Timed   map[device.Side]int
	closed  bool
	Asking  chan struct{} // when set, receives when a Recognize begins
	SoftGPU bool
	Memory  recognizer.Memory
	Allowed func(string) bool
	refuse  error  // what Use and Restrict fail with
	Unsure  bool   // of what has several strokes
	Model   string // that answers at first; empty for digits-mlp
	Traced  bool   // of the last that was asked for

	Suggested string // the model that knows every drawing
}

func (f *Engine) Set(change func(*device.Status)) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	change(&f.status)
	f.report(f.status)
}

func (f *Engine) Prepare(report func(device.Status)) {
	f.Mu.Lock()
	f.report = report
	f.Mu.Unlock()
	set := f.Set
	set(func(s *device.Status) {
		s.CPU = device.SideStatus{State: device.Ready, Info: glcompute.Info{Kind: glcompute.CPU, Name: "AMD EPYC 7B13", Version: "gonum"}}
		s.Answering, s.Model, s.Choice = device.CPU, cmp.Or(f.Model, "digits-mlp"), device.ChooseGPU
		s.Labels = strings.Split("0123456789", "")
	})
	if f.Gate != nil {
		<-f.Gate
	}
	set(func(s *device.Status) {
		if f.NoGPU != "" {
			s.GPU = device.SideStatus{State: device.Unavailable, Reasons: []error{message.Errorf("%s", f.NoGPU)}}
			s.Reasons = s.GPU.Reasons
			return
		}
		s.GPU = device.SideStatus{State: device.Ready, Info: glcompute.Info{
			Kind: glcompute.Compute, Name: "llvmpipe (LLVM 15.0.6, 256 bits)", Vendor: "Mesa",
			Version: "4.5 (Core Profile) Mesa 22.3.6", Software: f.SoftGPU,
		}}
		s.Answering = device.GPU
	})
}

func (f *Engine) Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error) {
	if f.Asking != nil {
		f.Asking <- struct{}{}
	}
	if f.Stall != nil {
		<-f.Stall
	}
	f.Mu.Lock()
	f.Asked, f.Traced = append(f.Asked, k), traced
	f.Mu.Unlock()
	return f.look(k)
}

// look answers without waiting.
func (f *Engine) look(k ink.Ink) (recognizer.Answer, device.Side, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.Broken != nil {
		return recognizer.Answer{}, f.status.Answering, f.Broken
	}
	img, err := ink.Rasterize(k)
	if err != nil {
		return recognizer.Answer{}, f.status.Answering, err
	}
	labels := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	n := len(k) % 10
	labels[0], labels[n] = labels[n], labels[0]
	unknown := f.Unsure && len(k) > 1
	shares := []float64{0.937, 0.041, 0.012, 0.006, 0.0031, 0.0005, 0.0002, 0.0001, 0.0001, 0}
	a := recognizer.Answer{Image: img, Seen: img, Unknown: unknown, Timing: recognizer.Timing{Preprocess: 90 * time.Microsecond, Compute: 300 * time.Microsecond}}
	for i, l := range labels {
		a.Candidates = append(a.Candidates, recognizer.Candidate{Label: l, Probability: shares[i]})
	}
	if f.Memory != nil {
		a = f.Memory.Adjust([]recognizer.Answer{a}, []ink.Ink{k}, f.Allowed)[0]
	}
	return a, f.status.Answering, nil
}

// RecognizeLine takes every stroke for a character by itself, as Recognize does.
func (f *Engine) RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, device.Side, error) {
	r, err := line.Read(ctx, k, o, func(_ context.Context, shapes []line.Shape) ([]line.Answer, error) {
		out := make([]line.Answer, len(shapes))
		for i, s := range shapes {
			a, _, err := f.look(s.Ink)
			if err != nil {
				return nil, err
			}
			out[i] = line.Answer{Candidates: a.Candidates, Unknown: a.Unknown || len(s.Ink) > 1, OutOfDistribution: float64(3 * (len(s.Ink) - 1))}
		}
		return out, nil
	})
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return r, f.status.Answering, err
}

// Suggest names what the test says.
func (f *Engine) Suggest(ink.Ink, bool, int) string { return f.Suggested }

func (f *Engine) MeasureLine(_ context.Context, k ink.Ink, _ line.Options, on device.Side) (recognizer.Timing, error) {
	return f.Measure(k, on)
}

func (f *Engine) Measure(k ink.Ink, on device.Side) (recognizer.Timing, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.Timed == nil {
		f.Timed = map[device.Side]int{}
	}
	f.Timed[on]++
	if on == device.CPU {
		return recognizer.Timing{Preprocess: 92 * time.Microsecond, Compute: 61 * time.Microsecond, Upload: time.Microsecond, Readback: time.Microsecond}, nil
	}
	return recognizer.Timing{Preprocess: 93 * time.Microsecond, Upload: 131 * time.Microsecond, Compute: 402 * time.Microsecond, Readback: 187 * time.Microsecond}, nil
}

func (f *Engine) Choose(c device.Choice) {
	f.Set(func(s *device.Status) {
		s.Choice, s.Answering = c, device.CPU
		if c == device.ChooseGPU && s.GPU.State == device.Ready {
			s.Answering = device.GPU
		}
	})
}

func (f *Engine) Use(name string, m *nn.Model) error {
	if f.refuse != nil {
		return f.refuse
	}
	f.Set(func(s *device.Status) {
		s.Model = name
		if m != nil {
			s.Labels = m.Labels
		}
	})
	return nil
}

func (f *Engine) Remember(m recognizer.Memory) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Memory = m
}

func (f *Engine) Restrict(allowed func(string) bool) error {
	if f.refuse != nil {
		return f.refuse
	}
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.Allowed = allowed
	return nil
}

func (f *Engine) Close() error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.closed {
		return errors.New("closed twice")
	}
	f.closed = true
	return nil
}
