package ui

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inkshade/glcompute/program"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// fakeEngine answers by the number of strokes: one stroke is a 1, two are a 2.
type fakeEngine struct {
	gate    chan struct{} // when set, Prepare waits here before the GPU is ready
	noGPU   string        // why there is no GPU
	broken  error         // what Recognize fails with
	stall   chan struct{} // when set, each Recognize takes one value from here
	mu      sync.Mutex
	status  Status
	report  func(Status)
	asked   []ink.Ink
	timed   map[Side]int
	closed  bool
	asking  chan struct{} // when set, receives when a Recognize begins
	softGPU bool
	memory  recognizer.Memory
	allowed func(string) bool
	refuse  error  // what Use and Restrict fail with
	unsure  bool   // of what has several strokes
	model   string // that answers at first; empty for digits-mlp
	traced  bool   // of the last that was asked for
}

func (f *fakeEngine) set(change func(*Status)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(&f.status)
	f.report(f.status)
}

func (f *fakeEngine) Prepare(report func(Status)) {
	f.mu.Lock()
	f.report = report
	f.mu.Unlock()
	set := f.set
	set(func(s *Status) {
		s.CPU = DeviceStatus{State: Ready, Info: program.Info{Kind: program.CPU, Name: "AMD EPYC 7B13", Version: "gonum"}}
		s.Answering, s.Model, s.Choice = CPU, cmp.Or(f.model, "digits-mlp"), ChooseGPU
		s.Labels = strings.Split("0123456789", "")
	})
	if f.gate != nil {
		<-f.gate
	}
	set(func(s *Status) {
		if f.noGPU != "" {
			s.GPU = DeviceStatus{State: Unavailable, Reasons: []string{f.noGPU}}
			s.Reasons = s.GPU.Reasons
			return
		}
		s.GPU = DeviceStatus{State: Ready, Info: program.Info{
			Kind: program.Compute, Name: "llvmpipe (LLVM 15.0.6, 256 bits)", Vendor: "Mesa",
			Version: "4.5 (Core Profile) Mesa 22.3.6", Software: f.softGPU,
		}}
		s.Answering = GPU
	})
}

func (f *fakeEngine) Recognize(k ink.Ink, traced bool) (recognizer.Answer, Side, error) {
	if f.asking != nil {
		f.asking <- struct{}{}
	}
	if f.stall != nil {
		<-f.stall
	}
	f.mu.Lock()
	f.asked, f.traced = append(f.asked, k), traced
	f.mu.Unlock()
	return f.look(k)
}

// look answers without waiting.
func (f *fakeEngine) look(k ink.Ink) (recognizer.Answer, Side, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.broken != nil {
		return recognizer.Answer{}, f.status.Answering, f.broken
	}
	img, err := ink.Rasterize(k)
	if err != nil {
		return recognizer.Answer{}, f.status.Answering, err
	}
	labels := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	n := len(k) % 10
	labels[0], labels[n] = labels[n], labels[0]
	unknown := f.unsure && len(k) > 1
	shares := []float64{0.937, 0.041, 0.012, 0.006, 0.0031, 0.0005, 0.0002, 0.0001, 0.0001, 0}
	a := recognizer.Answer{Image: img, Seen: img, Unknown: unknown, Timing: recognizer.Timing{Preprocess: 90 * time.Microsecond, Compute: 300 * time.Microsecond}}
	for i, l := range labels {
		a.Candidates = append(a.Candidates, recognizer.Candidate{Label: l, Probability: shares[i]})
	}
	if f.memory != nil {
		a = f.memory.Adjust(a, k, f.allowed)
	}
	return a, f.status.Answering, nil
}

// RecognizeLine takes every stroke for a character by itself, as Recognize does.
func (f *fakeEngine) RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, Side, error) {
	r, err := line.Read(ctx, k, o, func(_ context.Context, shapes []line.Shape) ([]line.Answer, error) {
		out := make([]line.Answer, len(shapes))
		for i, s := range shapes {
			a, _, err := f.look(s.Ink)
			if err != nil {
				return nil, err
			}
			out[i] = line.Answer{Candidates: a.Candidates, Unknown: a.Unknown || len(s.Ink) > 1, Novelty: float64(3 * (len(s.Ink) - 1))}
		}
		return out, nil
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	return r, f.status.Answering, err
}

func (f *fakeEngine) MeasureLine(_ context.Context, k ink.Ink, _ line.Options, on Side) (recognizer.Timing, error) {
	return f.Measure(k, on)
}

func (f *fakeEngine) Measure(k ink.Ink, on Side) (recognizer.Timing, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.timed == nil {
		f.timed = map[Side]int{}
	}
	f.timed[on]++
	if on == CPU {
		return recognizer.Timing{Preprocess: 92 * time.Microsecond, Compute: 61 * time.Microsecond, Upload: time.Microsecond, Readback: time.Microsecond}, nil
	}
	return recognizer.Timing{Preprocess: 93 * time.Microsecond, Upload: 131 * time.Microsecond, Compute: 402 * time.Microsecond, Readback: 187 * time.Microsecond}, nil
}

func (f *fakeEngine) Choose(c Choice) {
	f.set(func(s *Status) {
		s.Choice, s.Answering = c, CPU
		if c == ChooseGPU && s.GPU.State == Ready {
			s.Answering = GPU
		}
	})
}

func (f *fakeEngine) Use(name string, m *nn.Model) error {
	if f.refuse != nil {
		return f.refuse
	}
	f.set(func(s *Status) {
		s.Model = name
		if m != nil {
			s.Labels = m.Labels
		}
	})
	return nil
}

func (f *fakeEngine) Remember(m recognizer.Memory) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.memory = m
}

func (f *fakeEngine) Restrict(allowed func(string) bool) error {
	if f.refuse != nil {
		return f.refuse
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.allowed = allowed
	return nil
}

func (f *fakeEngine) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return errors.New("closed twice")
	}
	f.closed = true
	return nil
}

// stage is a window on the test driver whose posted functions run on the test's goroutine.
type testStage struct {
	*Window
	t     *testing.T
	queue chan func()
	end   sync.Once
}

func open(t *testing.T, e Engine, change ...func(*Options)) *testStage {
	t.Helper()
	t.Setenv("LANG", "en_GB.UTF-8")
	s := &testStage{t: t, queue: make(chan func(), 1024)}
	opts := Options{Engine: e, Appearance: Light, settle: time.Millisecond, post: func(f func()) { s.queue <- f }}
	for _, c := range change {
		c(&opts)
	}
	s.Window = New(test.NewTempApp(t), opts)
	t.Cleanup(s.close)
	return s
}

func (s *testStage) close() {
	s.end.Do(func() {
		if err := s.Close(); err != nil {
			s.t.Errorf("Close: %v", err)
		}
		s.win.Close()
	})
}

// until runs posted functions until ok, and fails when that takes longer than 5 seconds.
func (s *testStage) until(what string, ok func() bool) {
	s.t.Helper()
	late := time.After(5 * time.Second)
	for !ok() {
		select {
		case f := <-s.queue:
			f()
		case <-time.After(2 * time.Millisecond):
		case <-late:
			s.t.Fatalf("waited in vain for: %s", what)
		}
	}
}

func (s *testStage) answered(label string) {
	s.t.Helper()
	s.until("answer "+label, func() bool { return s.draw.answer.glyph.text == label })
}

func mouse(x, y float32, b desktop.MouseButton) *desktop.MouseEvent {
	e := &desktop.MouseEvent{Button: b}
	e.Position = fyne.NewPos(x, y)
	return e
}

// stroke sends the events of a stroke in the order in which Fyne's desktop driver does:
// a move without button, down, moves below the drag threshold, drags, up, drag end.
func stroke(p *pad, points ...fyne.Position) {
	first := points[0]
	p.MouseMoved(mouse(first.X, first.Y, 0))
	p.MouseDown(mouse(first.X, first.Y, desktop.MouseButtonPrimary))
	p.MouseMoved(mouse(first.X+1, first.Y, desktop.MouseButtonPrimary))
	last := first
	for _, q := range points[1:] {
		e := &fyne.DragEvent{Dragged: fyne.NewDelta(q.X-last.X, q.Y-last.Y)}
		e.Position = q
		p.Dragged(e)
		last = q
	}
	p.MouseUp(mouse(last.X, last.Y, desktop.MouseButtonPrimary))
	p.DragEnd()
}

// seven and dash are strokes well inside a pad of any layout.
var (
	seven = []fyne.Position{{X: 120, Y: 100}, {X: 180, Y: 98}, {X: 240, Y: 100}, {X: 200, Y: 190}, {X: 170, Y: 280}}
	dash  = []fyne.Position{{X: 130, Y: 190}, {X: 180, Y: 190}, {X: 250, Y: 188}}
)
