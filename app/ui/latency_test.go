package ui

import (
	"context"
	"encoding/csv"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/glcompute/program"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
)

// latencyOf finds the Latency page of a window and has it measure by f.
func latencyOf(s *testStage, f func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error)) *latencyPage {
	s.t.Helper()
	s.openPage(slices.IndexFunc(s.pages, func(q page) bool { return q.content == s.latency.content }))
	s.latency.measure = f
	return s.latency
}

// noted are the notes of the page.
func noted(p *latencyPage) string {
	all := ""
	for _, o := range p.notes.Objects {
		all += o.(*label).text + "\n"
	}
	return all
}

// measuredBy gives a report of a machine whose GPU is faster from 64 drawings on, event by
// event; it waits for next before each size of the recognition.
func measuredBy(next <-chan struct{}) func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error) {
	return func(ctx context.Context, o bench.Options, progress func(bench.Event)) (*bench.Report, error) {
		r := &bench.Report{Version: "1.2.3", Quick: o.Quick, Machine: bench.Machine{Processor: "A processor", Cores: 2, System: "linux/amd64", Load: 3}}
		for _, d := range []bench.Device{
			{Name: "cpu", Info: program.Info{Kind: program.CPU}},
			{Name: "fragment", Missing: "no OpenGL 3.3"},
			{Name: "compute", Info: program.Info{Kind: program.Compute, Name: "A renderer", Version: "4.6 of a driver", Software: true}},
		} {
			r.Devices = append(r.Devices, d)
			progress(bench.Event{Device: &d, Total: 8})
		}
		drawing := bench.Drawing{
			Device: "compute", Network: []int{784, 800, 10}, Total: bench.Spread{Median: 260 * time.Microsecond, Repeats: 5},
			Timing: recognizer.Timing{
				Preprocess: 30 * time.Microsecond, Upload: 10 * time.Microsecond,
				Compute: 200 * time.Microsecond, Readback: 20 * time.Microsecond, Compile: 12 * time.Millisecond,
				Passes: []program.Pass{{Name: "product, tanh", Time: 150 * time.Microsecond}, {Name: "product, softmax", Time: 40 * time.Microsecond}},
			},
		}
		r.Drawings = append(r.Drawings, drawing)
		progress(bench.Event{Experiment: bench.OneDrawing, Size: 1, Drawings: r.Drawings, Done: 1, Total: 8})
		for i, n := range bench.Recognition.Sizes(true) {
			if next != nil {
				select {
				case <-next:
				case <-ctx.Done():
				}
			}
			if err := ctx.Err(); err != nil {
				r.Crossovers = bench.Compare(r)
				return r, err
			}
			cpu := time.Duration(10+25*n) * time.Microsecond
			gpu := time.Duration(1000+3*n) * time.Microsecond
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

func TestLatencyShowsReadingsWhileTheyCome(t *testing.T) {
	s := open(t, &fakeEngine{})
	next := make(chan struct{})
	p := latencyOf(s, measuredBy(next))
	if !p.picture.Disabled() || !p.table.Disabled() {
		t.Error("there is something to save before anything was measured")
	}
	p.start.Tapped(nil)
	if p.start.name != "Cancel" || p.progress.Hidden {
		t.Errorf("while it runs the button says %q, bar hidden %t", p.start.name, p.progress.Hidden)
	}
	points := func() int {
		n := 0
		for _, x := range p.plot.series {
			n += len(x.points)
		}
		return n
	}
	next <- struct{}{}
	next <- struct{}{}
	time.Sleep(2 * frames)
	next <- struct{}{}
	s.until("points of two or three sizes", func() bool { return points() >= 4 })
	if p.running == nil || p.experiment.selected != 0 {
		t.Error("the run should still go on, with its experiment in front")
	}
	close(next)
	s.until("the end", func() bool { return p.running == nil })
	if points() != 14 || p.start.name != "Start" || p.status.text != "Measured in 3.0 s" {
		t.Errorf("%d points, button %q, status %q", points(), p.start.name, p.status.text)
	}
	if p.plot.mark != 64 || p.plot.markText != "from 64 drawings at once the GPU is faster" {
		t.Errorf("mark %v %q", p.plot.mark, p.plot.markText)
	}
	if want := "From 64 drawings at once the GPU is faster (compute shaders, 7.7 times at 4096)."; p.words.text != want {
		t.Errorf("words %q, want %q", p.words.text, want)
	}
	last := p.plot.series[1].points[6]
	if !last.hollow || p.plot.series[1].points[5].hollow {
		t.Error("a disturbed reading, and only that, is hollow")
	}
	for _, want := range []string{"software renderer", "1 of 15", "busy before the start", "fragment shaders: no OpenGL 3.3"} {
		if !strings.Contains(noted(p), want) {
			t.Errorf("the notes do not say %q: %q", want, noted(p))
		}
	}
}

func TestLatencyWaterfallEndsWhereTheTimeEnds(t *testing.T) {
	s := open(t, &fakeEngine{})
	p := latencyOf(s, measuredBy(nil))
	p.begin()
	s.until("the end", func() bool { return p.running == nil && p.report.Complete })
	steps := p.waterfall.steps
	if len(steps) != 5 || p.total.text != "260 µs" {
		t.Fatalf("%d steps, total %q", len(steps), p.total.text)
	}
	if between := waterSteps(bench.Drawing{Timing: recognizer.Timing{Compute: 300, Passes: []program.Pass{{Name: "copy", Time: 200}}}, Total: bench.Spread{Median: 310, Repeats: 1}}); len(between) != 5 ||
		between[3].name != "Between passes" || between[3].from != 200 || between[3].took != 100 || between[4].from != 300 {
		t.Errorf("time in no pass is not shown: %+v", between)
	}
	// The passes begin after the upload; what lies between them and the read back belongs to
	// the computing.
	if steps[2].from != 40*time.Microsecond || steps[4].from != 240*time.Microsecond {
		t.Errorf("passes begin at %v, the read back at %v", steps[2].from, steps[4].from)
	}
	if a, b := steps[2].name, steps[3].name; a != "Layer 1: 784×800" || b != "Layer 2: 800×10, Softmax" {
		t.Errorf("the passes are called %q and %q", a, b)
	}
	mixed := bench.Drawing{Network: []int{784, 6272, 128, 10}, Timing: recognizer.Timing{Passes: []program.Pass{
		{Name: "convolution, relu"}, {Name: "product, relu"}, {Name: "product, bias"},
	}}}
	if got := passNames(mixed); !slices.Equal(got, []string{"convolution, relu", "dense, relu", "dense, bias"}) {
		t.Errorf("the passes of a network with a convolution are called %q", got)
	}
	if got := p.renderer.text; got != "A renderer, 4.6 of a driver" {
		t.Errorf("the device is called %q", got)
	}
	if got, want := p.caption.text, "Sample digit (nothing drawn), median of 5. First run: compiled in 12.0\u00a0ms."; got != want {
		t.Errorf("caption %q, want %q", got, want)
	}
	p.device.change(0)
	if len(p.waterfall.steps) != 0 || p.total.text != "" {
		t.Error("a device without a drawing shows the times of another")
	}
}

// The waterfall is of the last drawing that was recognised: before a run, after it, and when
// another drawing follows.
func TestLatencyFollowsTheLastDrawing(t *testing.T) {
	s := open(t, &fakeEngine{})
	p := latencyOf(s, measuredBy(nil))
	shows := func(total, caption string) bool {
		return p.total.text == total && strings.HasPrefix(p.caption.text, caption) && len(p.waterfall.steps) > 0
	}
	stroke(s.draw.pad, seven...)
	s.until("the times of the drawing", func() bool { return shows("813 µs", "Your last drawing, median of 25.") })
	if !strings.HasPrefix(p.renderer.text, "llvmpipe") {
		t.Errorf("the device is called %q", p.renderer.text)
	}
	p.begin()
	s.until("the end", func() bool { return p.running == nil && p.report.Complete })
	if !shows("260 µs", "Your last drawing, median of 5.") {
		t.Errorf("after a run with the drawing: total %q, %q", p.total.text, p.caption.text)
	}
	stroke(s.draw.pad, dash...)
	s.until("the times of the next drawing", func() bool { return shows("813 µs", "Your last drawing, median of 25.") })
	delete(p.last, "compute") // as on a device that the window does not use
	p.show()
	if !shows("260 µs", "Not your last drawing but the one at the start") {
		t.Errorf("on another device: total %q, %q", p.total.text, p.caption.text)
	}
}

// The picture has the devices by name and a waterfall for every drawing.
func TestLatencyPictureHasDevicesAndWaterfalls(t *testing.T) {
	s := open(t, &fakeEngine{})
	p := latencyOf(s, measuredBy(nil))
	p.begin()
	s.until("the end", func() bool { return p.running == nil && p.report.Complete })
	tiles, size := latencyPicture(p.report, p.drawings())
	texts, waterfalls := "", 0
	for _, t := range tiles {
		for _, o := range test.LaidOutObjects(t.content()) {
			switch o := o.(type) {
			case *label:
				texts += o.text + "\n"
			case *waterfall:
				waterfalls += len(o.steps)
			}
		}
	}
	if waterfalls != 5 || !strings.Contains(texts, "compute shaders: A renderer, 4.6 of a driver\n") || !strings.Contains(texts, "compiled in 12.0\u00a0ms") {
		t.Errorf("%d bars; the picture says %q", waterfalls, texts)
	}
	long, written := strings.Repeat("A long note. ", 40), ""
	for _, o := range pictureText([]string{long}, false).Objects {
		l := o.(*label)
		written += strings.Join(l.wrap(pictureWidth-2*pictureMargin), " ") + " "
	}
	if strings.TrimSpace(written) != strings.TrimSpace(long) {
		t.Errorf("of a long note the picture says %q", written)
	}
	for _, t2 := range tiles {
		if end := t2.at.Y + int(t2.size.Height); end > size.Y || t2.at.X+int(t2.size.Width) > size.X {
			t.Errorf("a tile at %v of %v leaves the picture of %v", t2.at, t2.size, size)
		}
	}
}

// Where the GPU cannot be measured the page shows a device that was, and says why the others
// were not; nothing is left out for want of room.
func TestLatencyWithoutAGPU(t *testing.T) {
	s := open(t, &fakeEngine{})
	why := strings.Repeat("no EGL display; ", 30)
	p := latencyOf(s, func(_ context.Context, _ bench.Options, progress func(bench.Event)) (*bench.Report, error) {
		r := &bench.Report{Devices: []bench.Device{
			{Name: "cpu", Info: program.Info{Kind: program.CPU}}, {Name: "fragment", Missing: why}, {Name: "compute", Missing: why},
		}}
		return r, nil
	})
	if p.nothing.text == "" {
		t.Error("an empty card does not say what will stand there")
	}
	p.begin()
	s.until("the end", func() bool { return p.running == nil && len(p.report.Devices) == 3 })
	if got := p.devices[p.device.selected]; got != "cpu" {
		t.Errorf("%s is shown", got)
	}
	s.win.Resize(sizes[0])
	if p.scroll.Content.MinSize().Height <= p.scroll.Size().Height || !p.notes.Objects[1].Visible() {
		t.Errorf("notes of %v in a place of %v", p.scroll.Content.MinSize(), p.scroll.Size())
	}
	p.device.change(2)
	if !strings.Contains(p.nothing.text, why[:14]) {
		t.Errorf("of the missing device it says %q", p.nothing.text)
	}
}

// Without a GPU the times of the last drawing are those of the CPU, and they are shown at once.
func TestLatencyOfADrawingWithoutAGPU(t *testing.T) {
	s := open(t, &fakeEngine{noGPU: "no OpenGL"})
	stroke(s.draw.pad, seven...)
	s.until("the time", func() bool { return s.draw.times.lines[CPU].measured() })
	s.openPage(4)
	if p := s.latency; p.devices[p.device.selected] != "cpu" || p.total.text == "" {
		t.Errorf("%s is shown, %q", p.devices[p.device.selected], p.nothing.text)
	}
}

func TestLatencyIsCancelledAndKeepsWhatItHas(t *testing.T) {
	s := open(t, &fakeEngine{})
	next := make(chan struct{})
	p := latencyOf(s, measuredBy(next))
	p.begin()
	next <- struct{}{}
	s.until("some progress", func() bool { return len(p.report.Drawings) > 0 })
	s.actions().key(fyne.KeyEscape)
	s.until("the end", func() bool { return p.running == nil })
	if !strings.HasPrefix(p.status.text, "Cancelled after") || p.report.Complete {
		t.Errorf("status %q, complete %t", p.status.text, p.report.Complete)
	}
	if n := len(p.report.Readings); n != 2 || p.table.Disabled() {
		t.Errorf("%d readings kept, want those of one size; saving disabled %t", n, p.table.Disabled())
	}
}

func TestClosingTheWindowEndsTheMeasuring(t *testing.T) {
	s := open(t, &fakeEngine{})
	p := latencyOf(s, measuredBy(make(chan struct{})))
	p.begin()
	closed := make(chan struct{})
	go func() { s.close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		t.Fatal("the window waits for the measurements")
	}
}

func TestLatencySavesPictureAndTable(t *testing.T) {
	s := open(t, &fakeEngine{})
	p := latencyOf(s, measuredBy(nil))
	p.begin()
	s.until("the end", func() bool { return p.running == nil && p.report.Complete })
	folder := t.TempDir()
	picture, table := filepath.Join(folder, "a.png"), filepath.Join(folder, "a.csv")
	p.savePicture(picture)
	s.until("the picture", func() bool { return strings.Contains(s.toast.words.text, picture) })
	p.saveTable(table)
	s.until("the table", func() bool { return strings.Contains(s.toast.words.text, table) })

	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colors := map[[3]uint32]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, a := img.At(x, y).RGBA()
			if a != 0xffff {
				t.Fatalf("nothing is painted at %d, %d", x, y)
			}
			colors[[3]uint32{r, g, b}]++
		}
	}
	for _, name := range []fyne.ThemeColorName{deviceColor(0), deviceColor(2)} {
		r, g, b, _ := themed(name).RGBA()
		if colors[[3]uint32{r, g, b}] < 200 {
			t.Errorf("the picture has %d pixels of the colour %s of a device", colors[[3]uint32{r, g, b}], name)
		}
	}

	c, err := os.Open(table)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	lines, err := csv.NewReader(c).ReadAll()
	if last := lines[len(lines)-1]; last[len(last)-2] != "A renderer" || last[len(last)-1] != "4.6 of a driver" {
		t.Errorf("the table does not name the device: %q", last)
	}
	if err != nil || len(lines) < 15 {
		t.Errorf("%d lines, error %v", len(lines), err)
	}

	p.saveTable(filepath.Join(folder, "no", "folder.csv"))
	s.until("a dialog that says why", func() bool { return s.win.Canvas().Overlays().Top() != nil })
}

func TestLatencyFitsEverySize(t *testing.T) {
	s := open(t, &fakeEngine{})
	p := latencyOf(s, measuredBy(nil))
	p.begin()
	s.until("the end", func() bool { return p.running == nil && p.report.Complete })
	for _, size := range sizes {
		s.win.Resize(size)
		p.running = &latencyRun{}
		p.show()
		for _, e := range append([]bench.Experiment{bench.TrainingStep, bench.ConvolutionStep, bench.Packing, bench.DenseRows}, charted...) {
			if words := "Measuring: " + benchWords().Experiment(e) + ", 4096"; p.status.width(words) > p.status.Size().Width {
				t.Errorf("%v: %q does not fit", size, words)
			}
		}
		p.running = nil
		p.show()
		for i, c := range p.cards {
			at, b, m := c.Position(), c.Size(), c.MinSize()
			if at.X < 0 || at.X+b.Width > p.content.Size().Width+0.5 || at.Y+b.Height > p.content.Size().Height+0.5 {
				t.Errorf("%v: card %d at %v of size %v leaves %v", size, i, at, b, p.content.Size())
			}
			if m.Width > b.Width+0.5 || m.Height > b.Height+0.5 {
				t.Errorf("%v: card %d has %v, needs %v", size, i, b, m)
			}
		}
		if p.status.width(p.status.text) > p.status.Size().Width {
			t.Errorf("%v: the status does not fit", size)
		}
		ends := p.experiment.ends(p.experiment.Size().Width)
		for i, name := range p.experiment.names {
			if air := ends[i+1] - ends[i] - name.width(name.text); air < 6 {
				t.Errorf("%v: %q has %g around it", size, name.text, air)
			}
		}
	}
}

func TestLogAxis(t *testing.T) {
	a := newLogAxis([]float64{0, 10, 1000}, 1)
	for v, want := range map[float64]float64{10: 0, 100: 0.5, 1000: 1, 1: 0, 1e6: 1, 0: 0} {
		if got := a.at(v); got < want-1e-9 || got > want+1e-9 {
			t.Errorf("%v lies at %v, want %v", v, got, want)
		}
	}
	if got := len(newLogAxis([]float64{1, 1e6}, 1).ticks()); got != 7 {
		t.Errorf("six decades have %d ticks", got)
	}
	if got := newLogAxis([]float64{30, 70}, 1).ticks(); len(got) != 1 || got[0] != 50 {
		t.Errorf("ticks %v", got)
	}
	for ns, want := range map[float64]string{500: "500 ns", 1e3: "1 µs", 2e5: "200 µs", 1e7: "10 ms", 2e9: "2 s"} {
		if got := tickTime(ns); got != want {
			t.Errorf("%v: %q, want %q", ns, got, want)
		}
	}
}
