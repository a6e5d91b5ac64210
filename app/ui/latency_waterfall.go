package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/bench"
)

// waterfall shows stages and passes of one drawing under each other, each beginning where
// the one before ends.
type waterfall struct {
	composed
	steps []waterStep
	rows  []barRow
	room  float32 // that is left free on the right
}

// waterStep is one bar.
type waterStep struct {
	name  string
	color fyne.ThemeColorName
	from  time.Duration
	took  time.Duration
}

// leastRow is the height that a row needs at least.
const leastRow = 17

func newWaterfall() *waterfall {
	w := &waterfall{}
	w.compose(w, container.New(arranged{func() fyne.Size { return fyne.NewSize(220, leastRow*float32(len(w.steps))) }, w.put}))
	return w
}

func (w *waterfall) show(d bench.Drawing) {
	w.steps, w.rows, w.content.Objects = waterSteps(d), nil, nil
	end := time.Duration(1)
	for _, s := range w.steps {
		end = max(end, s.from+s.took)
	}
	for _, s := range w.steps {
		row := barRow{newLabel(s.name, 12, colorMuted), newLabel(duration(s.took), 12, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing), newBar()}
		row.bar.square = true
		row.bar.show(span{float64(s.from) / float64(end), float64(s.from+s.took) / float64(end), s.color})
		w.rows, w.content.Objects = append(w.rows, row), append(w.content.Objects, row.objects()...)
	}
	w.Refresh()
}

func (w *waterfall) put(size fyne.Size) {
	size.Width -= w.room
	name := float32(0)
	for _, r := range w.rows {
		name = max(name, r.name.width(r.name.text))
	}
	name = floor(min(name+13, size.Width*0.55))
	row := floor(min(max(size.Height/float32(max(len(w.rows), 1)), leastRow), 26))
	for i, r := range w.rows {
		r.put(row*float32(i), size.Width, row, name, 66, 8)
	}
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
