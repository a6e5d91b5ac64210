package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/bench"
)

// waterfall shows stages and passes of one drawing under each other, each beginning where
// the one before ends.
type waterfall struct {
	widget.BaseWidget
	steps []waterStep
	room  float32 // that is left free on the right
}

// waterStep is one bar.
type waterStep struct {
	name  string
	color fyne.ThemeColorName
	from  time.Duration
	took  time.Duration
}

func newWaterfall() *waterfall {
	w := &waterfall{}
	w.ExtendBaseWidget(w)
	return w
}

func (w *waterfall) show(d bench.Drawing) {
	w.steps = waterSteps(d)
	w.Refresh()
}

// waterSteps puts the passes in the place of the computing that they make up.
func waterSteps(d bench.Drawing) []waterStep {
	if d.Total.Repeats == 0 {
		return nil
	}
	var steps []waterStep
	at := time.Duration(0)
	add := func(name string, c fyne.ThemeColorName, took time.Duration) {
		steps = append(steps, waterStep{name, c, at, took})
		at += took
	}
	add(tr("Preprocess"), colorPreprocess, d.Preprocess)
	add(tr("Upload"), colorUpload, d.Upload)
	begin := at
	names := passNames(d)
	for i, p := range d.Passes {
		add(names[i], colorCompute, p.Time)
	}
	if len(d.Passes) == 0 {
		add(tr("Compute"), colorCompute, d.Compute)
	}
	if between := begin + d.Compute - at; between > d.Total.Median/20 {
		add(tr("Between passes"), colorMuted, between)
	}
	at = max(at, begin+d.Compute)
	add(tr("Read back"), colorReadback, d.Readback)
	return steps
}

// CreateRenderer implements fyne.Widget.
func (w *waterfall) CreateRenderer() fyne.WidgetRenderer {
	r := &waterfallRenderer{waterfall: w}
	r.Refresh()
	return r
}

type waterfallRenderer struct {
	waterfall *waterfall
	objects   []fyne.CanvasObject
}

// leastRow is the height that a row needs at least.
const leastRow = 17

func (r *waterfallRenderer) MinSize() fyne.Size {
	return fyne.NewSize(220, leastRow*float32(len(r.waterfall.steps)))
}

func (r *waterfallRenderer) Layout(size fyne.Size) {
	const number = 66
	size.Width -= r.waterfall.room
	r.objects = nil
	steps := r.waterfall.steps
	if len(steps) == 0 {
		return
	}
	name := float32(0)
	for _, s := range steps {
		name = max(name, fyne.MeasureText(s.name, 12, fyne.TextStyle{}).Width)
	}
	name = floor(min(name+13, size.Width*0.55))
	row := floor(min(max(size.Height/float32(len(steps)), leastRow), 26))
	width := size.Width - name - number
	end := time.Duration(1)
	for _, s := range steps {
		end = max(end, s.from+s.took)
	}
	at := func(d time.Duration) float32 { return width * float32(float64(d)/float64(end)) }
	for i, s := range steps {
		y := row * float32(i)
		r.text(s.name, 0, y, name-8, row, colorMuted, fyne.TextAlignLeading)
		ground := canvas.NewRectangle(themed(colorTrack))
		place(ground, name, y+floor(row/2)-4, width, 8)
		bar := canvas.NewRectangle(themed(s.color))
		place(bar, name+at(s.from), y+floor(row/2)-4, max(at(s.took), 1), 8)
		r.objects = append(r.objects, ground, bar)
		r.text(duration(s.took), size.Width-number, y, number, row, theme.ColorNameForeground, fyne.TextAlignTrailing)
	}
}

func (r *waterfallRenderer) text(s string, x, y, w, row float32, c fyne.ThemeColorName, align fyne.TextAlign) {
	t := newLabel(s, 12, c).aligned(align)
	h := t.lineHeight()
	place(t, x, y+floor((row-h)/2), w, h)
	r.objects = append(r.objects, t)
}

func (r *waterfallRenderer) Refresh() {
	r.Layout(r.waterfall.Size())
	canvas.Refresh(r.waterfall)
}

func (r *waterfallRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *waterfallRenderer) Destroy()                     {}
