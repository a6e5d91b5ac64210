package latency

import (
	"context"
	"encoding/csv"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/bench"
)

// measuring opens the page and has it measure by f.
func measuring(t *testing.T, e worker.Engine, f func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error)) (*pagetest.Stage, *Page) {
	t.Helper()
	s := pagetest.Open(t, e)
	p := New(s.Frame)
	p.Measure = f
	s.Show(p.Tab())
	p.view.Change(1)
	return s, p
}

// noted are the notes of the page.
func noted(p *Page) string {
	all := ""
	for _, o := range p.notes.Objects {
		all += o.(*widget.Label).Text + "\n"
	}
	return all
}

func TestLatencyShowsReadingsWhileTheyCome(t *testing.T) {
	next := make(chan struct{})
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(next))
	if !p.picture.Disabled() || !p.table.Disabled() {
		t.Error("there is something to save before anything was measured")
	}
	start := p.start.Name
	p.start.Tapped(nil)
	if p.start.Name == start || p.progress.Hidden {
		t.Errorf("while it runs the button says %q, bar hidden %t", p.start.Name, p.progress.Hidden)
	}
	points := func() int {
		n := 0
		for _, x := range p.plot.Series {
			n += len(x.Points)
		}
		return n
	}
	next <- struct{}{}
	next <- struct{}{}
	next <- struct{}{}
	s.Until("points of two or three sizes", func() bool { return points() >= 4 })
	if p.running == nil || p.experiment.Selected != 0 {
		t.Error("the run should still go on, with its experiment in front")
	}
	close(next)
	s.Until("the end", func() bool { return p.running == nil })
	if points() != 14 || p.start.Name != start || !strings.Contains(p.status.Text, "3.0 s") {
		t.Errorf("%d points, button %q, status %q", points(), p.start.Name, p.status.Text)
	}
	if p.plot.Mark != 64 || !strings.Contains(p.plot.MarkText, "64 "+language.Said(bench.Recognition.Unit())) {
		t.Errorf("mark %v %q", p.plot.Mark, p.plot.MarkText)
	}
	if want := language.AllSaid(p.Report.Chart(bench.Recognition)); p.words.Text != want || !strings.Contains(want, "7.7") || !strings.Contains(want, "4096") {
		t.Errorf("words %q, want %q", p.words.Text, want)
	}
	last := p.plot.Series[1].Points[6]
	if !last.Hollow || p.plot.Series[1].Points[5].Hollow {
		t.Error("a disturbed reading, and only that, is hollow")
	}
	for _, want := range []string{"software renderer", "1 of 15", "busy before the start", "fragment shaders: no OpenGL 3.3"} {
		if !strings.Contains(noted(p), want) {
			t.Errorf("the notes do not say %q: %q", want, noted(p))
		}
	}
}

func TestLatencyWaterfallEndsWhereTheTimeEnds(t *testing.T) {
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(nil))
	p.begin()
	s.Until("the end", func() bool { return p.running == nil && p.Report.Complete })
	steps := p.waterfall.steps
	if len(steps) != 5 || p.total.Text != "260\u00a0µs" {
		t.Fatalf("%d steps, total %q", len(steps), p.total.Text)
	}
	if between := waterSteps(bench.Drawing{Timing: recognizer.Timing{Compute: 300, Passes: []glcompute.Pass{{Name: "copy", Time: 200}}}, Total: bench.Spread{Median: 310, Repeats: 1}}); len(between) != 5 ||
		between[3].name == between[2].name || between[3].name == between[4].name || between[3].from != 200 || between[3].took != 100 || between[4].from != 300 {
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
	mixed := bench.Drawing{Network: []int{784, 6272, 128, 10}, Timing: recognizer.Timing{Passes: []glcompute.Pass{
		{Name: "convolution, relu"}, {Name: "product, relu"}, {Name: "product, bias"},
	}}}
	if got := passNames(mixed); !slices.Equal(got, []string{"convolution, relu", "dense, relu", "dense, bias"}) {
		t.Errorf("the passes of a network with a convolution are called %q", got)
	}
	if got := p.renderer.Text; got != "A renderer, 4.6 of a driver" {
		t.Errorf("the device is called %q", got)
	}
	if got, want := p.caption.Text, "Sample digit (nothing drawn), median of 5. First run: compiled in 12.0\u00a0ms."; got != want {
		t.Errorf("caption %q, want %q", got, want)
	}
	p.device.Change(0)
	if len(p.waterfall.steps) != 0 || p.total.Text != "" {
		t.Error("a device without a drawing shows the times of another")
	}
}

// The waterfall is of the last drawing that was recognised: before a run, after it, and when
// another drawing follows.
func TestLatencyFollowsTheLastDrawing(t *testing.T) {
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(nil))
	shows := func(total, caption string) bool {
		return p.total.Text == total && strings.HasPrefix(p.caption.Text, caption) && len(p.waterfall.steps) > 0
	}
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.Until("the times of the drawing", func() bool { return shows("813\u00a0µs", "Your last drawing, median of 25.") })
	if !strings.HasPrefix(p.renderer.Text, "llvmpipe") {
		t.Errorf("the device is called %q", p.renderer.Text)
	}
	p.begin()
	s.Until("the end", func() bool { return p.running == nil && p.Report.Complete })
	if !shows("260\u00a0µs", "Your last drawing, median of 5.") {
		t.Errorf("after a run with the drawing: total %q, %q", p.total.Text, p.caption.Text)
	}
	uitest.Stroke(s.Paper, uitest.Dash...)
	s.Until("the times of the next drawing", func() bool { return shows("813\u00a0µs", "Your last drawing, median of 25.") })
	delete(p.last, "compute") // as on a device that the window does not use
	p.show()
	if !shows("260\u00a0µs", "Not your last drawing but the one at the start") {
		t.Errorf("on another device: total %q, %q", p.total.Text, p.caption.Text)
	}
}

// The picture has the devices by name and a waterfall for every drawing.
func TestLatencyPictureHasDevicesAndWaterfalls(t *testing.T) {
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(nil))
	p.begin()
	s.Until("the end", func() bool { return p.running == nil && p.Report.Complete })
	tiles, size := latencyPicture(p.Report, p.drawings())
	texts, waterfalls := "", 0
	for _, t := range tiles {
		for _, o := range test.LaidOutObjects(t.content) {
			switch o := o.(type) {
			case *widget.Label:
				texts += o.Text + "\n"
			case *waterfall:
				waterfalls += len(o.steps)
			}
		}
	}
	if waterfalls != 5 || !strings.Contains(texts, widget.Last(rendererLines(p.Report))+"\n") || !strings.Contains(texts, "12.0\u00a0ms") {
		t.Errorf("%d bars; the picture says %q", waterfalls, texts)
	}
	long, written := strings.Repeat("A long note. ", 40), ""
	for _, o := range pictureText([]string{long}, false).Objects {
		l := o.(*widget.Label)
		written += strings.Join(l.Wrap(pictureWidth-2*pictureMargin), " ") + " "
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
	why := strings.Repeat("no EGL display; ", 30)
	s, p := measuring(t, &uitest.Engine{}, func(_ context.Context, _ bench.Options, progress func(bench.Event)) (*bench.Report, error) {
		r := &bench.Report{Devices: []bench.Device{
			{Name: "cpu", Info: glcompute.Info{Kind: glcompute.CPU}}, {Name: "fragment", Missing: errors.New(why)}, {Name: "compute", Missing: errors.New(why)},
		}}
		return r, nil
	})
	if p.nothing.Text == "" {
		t.Error("an empty card does not say what will stand there")
	}
	p.begin()
	s.Until("the end", func() bool { return p.running == nil && len(p.Report.Devices) == 3 })
	if got := p.devices[p.device.Selected]; got != "cpu" {
		t.Errorf("%s is shown", got)
	}
	s.Win.Resize(uitest.Sizes[0])
	if p.scroll.Content.MinSize().Height <= p.scroll.Size().Height || !p.notes.Objects[1].Visible() {
		t.Errorf("notes of %v in a place of %v", p.scroll.Content.MinSize(), p.scroll.Size())
	}
	p.device.Change(2)
	if !strings.Contains(p.nothing.Text, why[:14]) {
		t.Errorf("of the missing device it says %q", p.nothing.Text)
	}
}

// Without a GPU the times of the last drawing are those of the CPU, and they are shown at once.
func TestLatencyOfADrawingWithoutAGPU(t *testing.T) {
	s := pagetest.Open(t, &uitest.Engine{NoGPU: "no OpenGL"})
	p := New(s.Frame)
	s.Show(&page.Page{Key: "other", Content: canvas.NewRectangle(nil)}, p.Tab())
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.Until("the time", func() bool { return len(p.last) > 0 })
	s.OpenPage(1)
	if p.devices[p.device.Selected] != "cpu" || p.total.Text == "" {
		t.Errorf("%s is shown, %q", p.devices[p.device.Selected], p.nothing.Text)
	}
}

func TestLatencyIsCancelledAndKeepsWhatItHas(t *testing.T) {
	next := make(chan struct{})
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(next))
	p.begin()
	next <- struct{}{}
	next <- struct{}{} // the readings of one size are there
	s.Until("some progress", func() bool { return len(p.Report.Drawings) > 0 })
	s.Actions().Key(fyne.KeyEscape)
	s.Until("the end", func() bool { return p.running == nil })
	if !strings.HasPrefix(p.status.Text, "Cancelled after") || p.Report.Complete {
		t.Errorf("status %q, complete %t", p.status.Text, p.Report.Complete)
	}
	if n := len(p.Report.Readings); n != 2 && n != 4 || p.table.Disabled() {
		t.Errorf("%d readings kept, want those of one size or two; saving disabled %t", n, p.table.Disabled())
	}
}

func TestClosingTheWindowEndsTheMeasuring(t *testing.T) {
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(make(chan struct{})))
	p.begin()
	closed := make(chan struct{})
	go func() { s.Close(); close(closed) }()
	select {
	case <-closed:
	case <-time.After(5 * time.Second):
		t.Fatal("the window waits for the measurements")
	}
}

func TestLatencySavesPictureAndTable(t *testing.T) {
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(nil))
	p.begin()
	s.Until("the end", func() bool { return p.running == nil && p.Report.Complete })
	folder := t.TempDir()
	picture, table := filepath.Join(folder, "a.png"), filepath.Join(folder, "a.csv")
	p.savePicture(picture)
	s.Until("the picture", func() bool { return strings.Contains(s.Toast.Words.Text, picture) })
	p.saveTable(table)
	s.Until("the table", func() bool { return strings.Contains(s.Toast.Words.Text, table) })

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
		r, g, b, _ := widget.Themed(name).RGBA()
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
	s.Until("a dialog that says why", func() bool { return s.Win.Canvas().Overlays().Top() != nil })
}

func TestLatencyFitsEverySize(t *testing.T) {
	s, p := measuring(t, &uitest.Engine{}, uitest.MeasuredBy(nil))
	p.begin()
	s.Until("the end", func() bool { return p.running == nil && p.Report.Complete })
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		p.running = &latencyRun{}
		p.show()
		for _, e := range append([]bench.Experiment{bench.TrainingStep, bench.ConvolutionStep, bench.Packing, bench.DenseRows}, charted...) {
			if words := "Measuring: " + language.Said(e.Name()) + ", 4096"; p.status.Width(words) > p.status.Size().Width {
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
		if p.status.Width(p.status.Text) > p.status.Size().Width {
			t.Errorf("%v: the status does not fit", size)
		}
		ends := p.experiment.Ends(p.experiment.Size().Width)
		for i, name := range p.experiment.Names {
			if air := ends[i+1] - ends[i] - name.Width(name.Text); air < 6 {
				t.Errorf("%v: %q has %g around it", size, name.Text, air)
			}
		}
	}
}

func TestNothingOfTheLatencyPageStaysEnglish(t *testing.T) {
	uitest.InChinese(t)
	r := &bench.Report{
		Devices: []bench.Device{{Name: "fragment", Missing: message.Errorf("no device can be measured: %w", message.Errorf("the disk is full"))}},
		Readings: []bench.Reading{
			{Experiment: bench.Product, Size: 1024, Device: "fragment", Missing: message.Errorf("left out: one replay would take about %s", "600ms")},
			{Experiment: bench.TrainingStep, Size: 128, Device: bench.MixedName, Missing: message.Errorf("left out: the %s device is too slow for a share of %d", "compute", 128)},
		},
	}
	for _, s := range notesOf(r) {
		if regexp.MustCompile("[a-z]+ [a-z]+").MatchString(s) {
			t.Errorf("%q", s)
		}
	}
}
