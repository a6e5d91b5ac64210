package ui

import (
	"fmt"
	"image/color"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer"
)

// stage is one part of a recognition's time.
type stage struct {
	name  string
	color fyne.ThemeColorName
	of    func(recognizer.Timing) time.Duration
}

var stages = []stage{
	{"Preprocess", colorPreprocess, func(t recognizer.Timing) time.Duration { return t.Preprocess }},
	{"Upload", colorUpload, func(t recognizer.Timing) time.Duration { return t.Upload }},
	{"Compute", colorCompute, func(t recognizer.Timing) time.Duration { return t.Compute }},
	{"Read back", colorReadback, func(t recognizer.Timing) time.Duration { return t.Readback }},
}

// timingView compares CPU and GPU for the drawing at hand: one line and one stacked bar
// each, on one scale, and the stages in numbers.
type timingView struct {
	title, repeats *label
	lines          map[Side]*deviceLine
	heads          []*stageHead
	note, unit     *label
	content        *fyne.Container
	status         Status
	compact        bool
	brief          bool // without the table of the stages
}

// deviceLine is what is shown of one device.
type deviceLine struct {
	side         Side
	name, device *label
	badge        *badge
	total        *label
	bar          *stackedBar
	row          *label // the side again, before its numbers
	cells        []*label
	taken        *times
}

// stageHead is the legend of a stage, which is also the head of its column.
type stageHead struct {
	swatch *canvas.Rectangle
	name   *label
	color  fyne.ThemeColorName
}

func newTimingView() *timingView {
	v := &timingView{
		title:   newLabel(tr("Time for this drawing"), 14, theme.ColorNameForeground).bold(),
		repeats: newLabel("", 12, colorMuted).aligned(fyne.TextAlignTrailing),
		note:    newLabel("", 12, colorMuted).wrapped(2),
		unit:    newLabel("µs", 12, colorMuted),
		lines:   map[Side]*deviceLine{},
	}
	objs := []fyne.CanvasObject{v.title, v.repeats, v.note, v.unit}
	for _, side := range []Side{CPU, GPU} {
		v.lines[side] = newDeviceLine(side)
		objs = append(objs, v.lines[side].objects()...)
	}
	for _, s := range stages {
		h := &stageHead{newSwatch(s.color), newLabel(tr(s.name), 12, colorMuted).aligned(fyne.TextAlignTrailing), s.color}
		v.heads = append(v.heads, h)
		objs = append(objs, h.swatch, h.name)
	}
	v.content = container.New(&timingLayout{v}, objs...)
	v.fill()
	return v
}

func newSwatch(c fyne.ThemeColorName) *canvas.Rectangle {
	r := canvas.NewRectangle(color.Transparent)
	r.CornerRadius = 2
	r.FillColor = themed(c)
	return r
}

func newDeviceLine(side Side) *deviceLine {
	d := &deviceLine{
		side:   side,
		name:   newLabel(string(side), 15, theme.ColorNameForeground).bold(),
		device: newLabel("", 12, colorMuted),
		badge:  newBadge(),
		total:  newLabel("", 15, theme.ColorNameForeground).bold().aligned(fyne.TextAlignTrailing),
		bar:    newStackedBar(),
		row:    newLabel(string(side), 12, colorMuted),
	}
	for range stages {
		d.cells = append(d.cells, newLabel("", 12, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing))
	}
	return d
}

func (d *deviceLine) objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{d.name, d.device, d.badge, d.total, d.bar, d.row}
	for _, c := range d.cells {
		o = append(o, c)
	}
	return o
}

func (v *timingView) setStatus(s Status) {
	v.status = s
	v.fill()
}

// table are the objects of the table of the stages.
func (v *timingView) table() []fyne.CanvasObject {
	objs := []fyne.CanvasObject{v.unit}
	for _, h := range v.heads {
		objs = append(objs, h.swatch, h.name)
	}
	for _, d := range v.lines {
		objs = append(objs, d.row)
		for _, c := range d.cells {
			objs = append(objs, c)
		}
	}
	return objs
}

// setTimes shows what was measured of one side.
func (v *timingView) setTimes(t times) {
	v.lines[t.side].taken = &t
	v.fill()
}

// forget empties the numbers when the drawing they belong to is gone.
func (v *timingView) forget() {
	for _, d := range v.lines {
		d.taken = nil
	}
	v.fill()
}

func (v *timingView) fill() {
	longest := time.Duration(0)
	for _, d := range v.lines {
		if d.measured() {
			longest = max(longest, d.taken.timing.Total())
		}
	}
	for _, side := range []Side{CPU, GPU} {
		v.lines[side].fill(v.status, longest)
	}
	v.repeats.set("")
	for _, d := range v.lines {
		if d.measured() {
			v.repeats.set(tr("median of {{.Count}}", map[string]any{"Count": d.taken.repeats}))
		}
	}
	text, c := v.comparison()
	v.note.show(text, c)
	v.content.Refresh()
}

func (d *deviceLine) measured() bool { return d.taken != nil && d.taken.err == nil }

func (d *deviceLine) fill(s Status, longest time.Duration) {
	status := s.Device(d.side)
	d.badge.describe("")
	switch {
	case status.State == Preparing:
		d.device.show(tr("being prepared…"), colorMuted)
	case status.State == Unavailable:
		d.device.show(tr("not available"), theme.ColorNameWarning)
	default:
		d.device.show(status.Info.Name, colorMuted)
		if status.Info.Software {
			d.badge.describe(tr("software renderer"))
		}
	}
	if s.Answering == d.side {
		d.badge.mark(tr("answers"))
	}
	if !d.measured() {
		d.total.show("–", theme.ColorNameDisabled)
		d.bar.show(nil, 0)
		for _, c := range d.cells {
			c.show("–", theme.ColorNameDisabled)
		}
		return
	}
	d.total.show(duration(d.taken.timing.Total()), theme.ColorNameForeground)
	d.bar.show(&d.taken.timing, longest)
	for i, st := range stages {
		d.cells[i].show(microseconds(st.of(d.taken.timing)), theme.ColorNameForeground)
	}
}

// comparison is the sentence under the numbers: why the CPU stands in, or who is faster.
func (v *timingView) comparison() (string, fyne.ThemeColorName) {
	cpu, gpu := v.lines[CPU], v.lines[GPU]
	switch {
	case len(v.status.Reasons) > 0:
		return tr("The CPU answers (Ctrl+I says more): {{.Reason}}", map[string]any{"Reason": allSaid(v.status.Reasons)}), theme.ColorNameWarning
	case gpu.taken != nil && gpu.taken.err != nil:
		return tr("The GPU could not be timed: {{.Reason}}", map[string]any{"Reason": said(gpu.taken.err.Error())}), theme.ColorNameWarning
	case !cpu.measured() || !gpu.measured():
		return tr("Both devices are timed when the pen rests."), colorMuted
	}
	a, b := float64(cpu.taken.timing.Total()), float64(gpu.taken.timing.Total())
	if a <= 0 || b <= 0 {
		return "", colorMuted
	}
	faster, ratio := CPU, b/a
	if ratio < 1 {
		faster, ratio = GPU, a/b
	}
	if ratio < 1.05 {
		return tr("For one drawing both are equally fast."), colorMuted
	}
	return tr("For one drawing the {{.Side}} is {{.Ratio}} times as fast.", map[string]any{
		"Side": string(faster), "Ratio": fmt.Sprintf("%.1f", ratio),
	}), colorMuted
}
