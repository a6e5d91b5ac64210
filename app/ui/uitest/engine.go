// Package uitest is what tests of the window's packages share. Only tests import it.
package uitest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Engine answers by the number of strokes: one stroke is a 1, two are a 2.
type Engine struct {
	Gate      chan struct{} // when set, Prepare waits here before the GPU is ready
	NoGPU     string        // why there is no GPU
	SoftGPU   bool
	Model     string                                  // that answers at first; empty for digits-mlp
	Change    func(ink.Ink, *recognizer.Answer) error // of each answer, before the memory sees it; nil for none
	Suggested string                                  // the model that knows every drawing

	Mu      sync.Mutex
	status  device.Status
	report  func(device.Status)
	Memory  recognizer.Memory
	Allowed func(string) bool
	Words   *nn.Model // that reads whole words; nil for the one that ships
	closed  bool
}

func (f *Engine) Set(change func(*device.Status)) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	change(&f.status)
	f.report(f.status)
}

func (f *Engine) Prepare(report func(device.Status)) {
	f.report = report
	f.Set(func(s *device.Status) {
		s.CPU = device.SideStatus{State: device.Ready, Info: glcompute.Info{Kind: glcompute.CPU, Name: "AMD EPYC 7B13", Version: "gonum"}}
		s.Answering, s.Model, s.Choice = device.CPU, cmp.Or(f.Model, "digits-mlp"), device.ChooseGPU
		s.Labels = strings.Split("0123456789", "")
	})
	if f.Gate != nil {
		<-f.Gate
	}
	f.Set(func(s *device.Status) {
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

func (f *Engine) Recognize(k ink.Ink, _ bool) (recognizer.Answer, device.Side, error) {
	var a recognizer.Answer
	img, err := ink.Rasterize(k)
	if err == nil {
		labels := strings.Split("0123456789", "")
		labels[0], labels[len(k)%10] = labels[len(k)%10], labels[0]
		a = recognizer.Answer{Image: img, Seen: img, Timing: recognizer.Timing{Preprocess: 90 * time.Microsecond, Compute: 300 * time.Microsecond}}
		for i, share := range []float64{0.937, 0.041, 0.012, 0.006, 0.0031, 0.0005, 0.0002, 0.0001, 0.0001, 0} {
			a.Candidates = append(a.Candidates, recognizer.Candidate{Label: labels[i], Probability: share})
		}
	}
	if err == nil && f.Change != nil {
		err = f.Change(k, &a)
	}
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if err == nil && f.Memory != nil {
		a = f.Memory.Adjust([]recognizer.Answer{a}, []ink.Ink{k}, f.Allowed)[0]
	}
	return a, f.status.Answering, err
}

// RecognizeLine takes every stroke for a character by itself, as Recognize does.
func (f *Engine) RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, device.Side, error) {
	r, err := line.Read(ctx, k, o, func(_ context.Context, shapes []line.Shape) (out []line.Answer, err error) {
		for _, s := range shapes {
			a, _, err := f.Recognize(s.Ink, false)
			if err != nil {
				return nil, err
			}
			out = append(out, line.Answer{Candidates: a.Candidates, Unknown: a.Unknown || len(s.Ink) > 1, OutOfDistribution: float64(3 * (len(s.Ink) - 1))})
		}
		return out, nil
	})
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return r, f.status.Answering, err
}

func (f *Engine) Suggest(ink.Ink, bool, *line.Result) string { return f.Suggested }

func (f *Engine) MeasureLine(_ context.Context, k ink.Ink, _ line.Options, on device.Side) (recognizer.Timing, error) {
	return f.Measure(k, on)
}

func (f *Engine) Measure(_ ink.Ink, on device.Side) (recognizer.Timing, error) {
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
	f.Set(func(s *device.Status) {
		s.Model = name
		if m != nil {
			s.Labels = m.Labels
		}
	})
	return nil
}

func (f *Engine) locked(do func()) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	do()
}

func (f *Engine) UseWords(m *nn.Model) error   { f.locked(func() { f.Words = m }); return nil }
func (f *Engine) Remember(m recognizer.Memory) { f.locked(func() { f.Memory = m }) }
func (f *Engine) Restrict(of func(string) bool) error {
	f.locked(func() { f.Allowed = of })
	return nil
}

func (f *Engine) Close() (err error) {
	f.locked(func() {
		if f.closed {
			err = errors.New("closed twice")
		}
		f.closed = true
	})
	return err
}

// MeasuredBy reports a machine whose GPU is faster from 64 drawings on, event by event; it waits for next before each size.
func MeasuredBy(next <-chan struct{}) func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error) {
	return func(ctx context.Context, o bench.Options, progress func(bench.Event)) (*bench.Report, error) {
		r := &bench.Report{Version: "1.2.3", Quick: o.Quick, Machine: bench.Machine{Processor: "A processor", Cores: 2, System: "linux/amd64", Load: 3}}
		r.Devices = []bench.Device{
			{Name: "cpu", Info: glcompute.Info{Kind: glcompute.CPU}},
			{Name: "fragment", Missing: errors.New("no OpenGL 3.3")},
			{Name: "compute", Info: glcompute.Info{Kind: glcompute.Compute, Name: "A renderer", Version: "4.6 of a driver", Software: true}},
		}
		for i := range r.Devices {
			progress(bench.Event{Device: &r.Devices[i], Total: 8})
		}
		r.Drawings = []bench.Drawing{{
			Device: "compute", Network: []int{784, 800, 10}, Total: bench.Spread{Median: 260 * time.Microsecond, Repeats: 5},
			Timing: recognizer.Timing{
				Preprocess: 30 * time.Microsecond, Upload: 10 * time.Microsecond,
				Compute: 200 * time.Microsecond, Readback: 20 * time.Microsecond, Compile: 12 * time.Millisecond,
				Passes: []glcompute.Pass{{Name: "product, tanh", Time: 150 * time.Microsecond}, {Name: "product, softmax", Time: 40 * time.Microsecond}},
			},
		}}
		progress(bench.Event{Experiment: bench.OneDrawing, Size: 1, Drawings: r.Drawings, Done: 1, Total: 8})
		for i, n := range bench.Recognition.Sizes(true) {
			if next != nil {
				select {
				case <-next:
				case <-ctx.Done():
				}
			}
			if ctx.Err() != nil {
				r.Crossovers = bench.Compare(r)
				return r, ctx.Err()
			}
			cpu, gpu := time.Duration(10+25*n)*time.Microsecond, time.Duration(1000+3*n)*time.Microsecond
			readings := []bench.Reading{
				{Experiment: bench.Recognition, Size: n, Device: "cpu", Spread: bench.Spread{Median: cpu, Fastest: cpu, Slowest: cpu, Repeats: 9}},
				{Experiment: bench.Recognition, Size: n, Device: "compute", Spread: bench.Spread{Median: gpu, Fastest: gpu / 2, Slowest: gpu, Repeats: 9, Disturbed: n == 4096}},
			}
			r.Readings = append(r.Readings, readings...)
			progress(bench.Event{Experiment: bench.Recognition, Size: n, Readings: readings, Done: 2 + i, Total: 8})
		}
		r.Crossovers, r.Complete, r.Elapsed = bench.Compare(r), true, 3*time.Second
		return r, nil
	}
}

// InChinese lets the window speak Chinese until the test ends.
func InChinese(t *testing.T) {
	t.Helper()
	InSystem(t, "zh_CN")
	language.Use("zh-Hans")
}

// InSystem lets the system's language be another. After the test the window's is English.
func InSystem(t *testing.T, locale string) {
	t.Helper()
	t.Cleanup(func() { language.Use("en") })
	for name, value := range map[string]string{"LANG": locale + ".UTF-8", "LC_ALL": "", "LANGUAGE": locale} {
		t.Setenv(name, value)
	}
}

// Pictures is the folder for pictures of the window, if they are wanted: they show what a change does to what people see.
var Pictures = os.Getenv("INKSHADE_PICTURES")

// Picture writes the window as a PNG file where pictures are wanted.
func Picture(t *testing.T, name string, w fyne.Window) {
	t.Helper()
	if Pictures == "" {
		return
	}
	base := filepath.Join(Pictures, strings.NewReplacer("/", "_", " ", "_").Replace(name))
	f, err := os.OpenFile(base+".png", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	for n := 2; errors.Is(err, fs.ErrExist); n++ {
		f, err = os.OpenFile(fmt.Sprintf("%s_%d.png", base, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, w.Canvas().Capture()); err != nil {
		t.Fatal(err)
	}
}

// Seven and Dash are strokes well inside a paper of any layout.
var (
	Seven = []fyne.Position{{X: 120, Y: 100}, {X: 180, Y: 98}, {X: 240, Y: 100}, {X: 200, Y: 190}, {X: 170, Y: 280}}
	Dash  = []fyne.Position{{X: 130, Y: 190}, {X: 180, Y: 190}, {X: 250, Y: 188}}
)

// SevenInk is a seven as it is stored.
var SevenInk = ink.Ink{{{X: 0, Y: 0}, {X: 30, Y: 2}, {X: 60, Y: 0}, {X: 40, Y: 50}, {X: 25, Y: 100}}}

// Mouse is an event of a button, 0 for none, at a place.
func Mouse(x, y float32, b desktop.MouseButton) *desktop.MouseEvent {
	e := &desktop.MouseEvent{Button: b}
	e.Position = fyne.NewPos(x, y)
	return e
}

// Paper is what can be drawn on.
type Paper interface {
	desktop.Mouseable
	desktop.Hoverable
	fyne.Draggable
}

// Stroke sends the events of a stroke in the order of Fyne's driver: move, down, moves below the drag threshold, drags, up, drag end.
func Stroke(p Paper, points ...fyne.Position) {
	first := points[0]
	p.MouseMoved(Mouse(first.X, first.Y, 0))
	p.MouseDown(Mouse(first.X, first.Y, desktop.MouseButtonPrimary))
	p.MouseMoved(Mouse(first.X+1, first.Y, desktop.MouseButtonPrimary))
	last := first
	for _, q := range points[1:] {
		e := &fyne.DragEvent{Dragged: fyne.NewDelta(q.X-last.X, q.Y-last.Y)}
		e.Position = q
		p.Dragged(e)
		last = q
	}
	p.MouseUp(Mouse(last.X, last.Y, desktop.MouseButtonPrimary))
	p.DragEnd()
}

// Sizes a person may give the window, the smallest first.
var Sizes = []fyne.Size{{Width: 900, Height: 571}, {Width: 900, Height: 600}, {Width: 1000, Height: 700}, {Width: 1280, Height: 800}, {Width: 1920, Height: 1080}, {Width: 900, Height: 1200}}

// Until runs posted functions until ok, and fails when that takes longer than half a minute: the race detector is slow.
func Until(t *testing.T, posted <-chan func(), what string, ok func() bool) {
	t.Helper()
	late := time.After(30 * time.Second)
	for !ok() {
		select {
		case f := <-posted:
			f()
		case <-time.After(2 * time.Millisecond):
		case <-late:
			t.Fatalf("waited in vain for: %s", what)
		}
	}
}
