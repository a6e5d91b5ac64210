package ui

import (
	"fmt"
	"time"

	"fyne.io/fyne/v2"
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

// timingView compares CPU and GPU for the drawing at hand: one line and one bar of the stages
// each, on one scale, and the stages in numbers.
type timingView struct {
	title, repeats, note *label
	lines                map[Side]*deviceLine
	table                *fyne.Container // of the stages
	content              *fyne.Container
	status               Status
	compact              bool
	brief                bool // without the table
	hypotheses           int  // of the line that is timed; 0 for a single drawing
}

// deviceLine is what is shown of one device.
type deviceLine struct {
	side                Side
	name, device, total *label
	badge               *badge
	bar                 *bar
	cells               []*label // of the table
	taken               *times
}

var sides = []Side{CPU, GPU}

func newTimingView() *timingView {
	v := &timingView{
		title:   newLabel(tr("Time for this drawing"), 14, theme.ColorNameForeground).bold(),
		repeats: newLabel("", 12, colorMuted).aligned(fyne.TextAlignTrailing),
		note:    newLabel("", 12, colorMuted).wrapped(2),
		lines:   map[Side]*deviceLine{},
	}
	objs := []fyne.CanvasObject{v.title, v.repeats, v.note}
	for _, side := range sides {
		d := &deviceLine{
			side:   side,
			name:   newLabel(string(side), 15, theme.ColorNameForeground).bold(),
			device: newLabel("", 12, colorMuted),
			badge:  newBadge(),
			total:  newLabel("", 15, theme.ColorNameForeground).bold().aligned(fyne.TextAlignTrailing),
			bar:    newBar(),
		}
		for range stages {
			d.cells = append(d.cells, newLabel("", 12, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing))
		}
		v.lines[side] = d
		objs = append(objs, d.name, d.device, d.badge, d.total, d.bar)
	}
	v.table = newStageTable(v.lines)
	v.content = container.New(arranged{
		func() fyne.Size { return fyne.NewSize(300, v.put(v.content.Size().Width)) }, func(size fyne.Size) { v.put(size.Width) },
	}, append(objs, v.table)...)
	v.fill()
	return v
}

// newStageTable has a column for each stage, under its legend, and a row for each device.
func newStageTable(lines map[Side]*deviceLine) *fyne.Container {
	row := func(head string, cells []fyne.CanvasObject) *fyne.Container {
		name := newLabel(head, 12, colorMuted)
		return container.New(arranged{atLeast(300, name.lineHeight()+1), func(size fyne.Size) {
			const headWidth = 40
			column := floor((size.Width - headWidth) / float32(len(stages)))
			place(name, 0, 0, headWidth, size.Height)
			for i, c := range cells {
				place(c, headWidth+float32(i)*column, 0, column, size.Height)
			}
		}}, append(cells, name)...)
	}
	var legend []fyne.CanvasObject
	for _, s := range stages {
		name, swatch := newLabel(tr(s.name), 12, colorMuted).aligned(fyne.TextAlignTrailing), newFill(s.color, 2)
		legend = append(legend, container.New(arranged{atLeast(0, 0), func(size fyne.Size) {
			const side = 8
			width := min(name.width(name.text)+2, size.Width-side-6)
			place(name, size.Width-width, 0, width, size.Height)
			middle(swatch, size.Width-width-side-5, 0, side, size.Height-1, side)
		}}, swatch, name))
	}
	table := container.New(rows{}, row("µs", legend))
	for _, side := range sides {
		var cells []fyne.CanvasObject
		for _, c := range lines[side].cells {
			cells = append(cells, c)
		}
		table.Add(row(string(side), cells))
	}
	return table
}

// put places everything from top to bottom and returns the height that is needed, which depends
// on the density and on brief only, never on what is shown.
func (v *timingView) put(width float32) float32 {
	const nameWidth, totalWidth = 44, 92
	block, line, thick := float32(14), float32(4), float32(12)
	if v.compact {
		block, line, thick = 8, 1, 8
	}
	place(v.title, 0, 0, width-120, v.title.lineHeight())
	place(v.repeats, width-150, 2, 150, v.repeats.lineHeight())
	y := v.title.lineHeight() + block - 2
	for _, side := range sides {
		d := v.lines[side]
		h, pills := d.name.lineHeight(), d.badge.MinSize()
		place(d.name, 0, y, nameWidth, h)
		place(d.total, width-totalWidth, y, totalWidth, h)
		middle(d.badge, nameWidth, y+1, min(pills.Width, width-nameWidth-totalWidth), h, pills.Height)
		place(d.device, 0, y+h, width, d.device.lineHeight())
		y += h + d.device.lineHeight() + line
		place(d.bar, 0, y, width, thick)
		y += thick + block
	}
	if v.table.Hidden = v.brief; !v.brief {
		place(v.table, 0, y-block/2, width, v.table.MinSize().Height)
		y += v.table.Size().Height - block/2
	}
	place(v.note, 0, y+line+2, width, v.note.most())
	return y + line + 2 + v.note.most()
}

func (v *timingView) setStatus(s Status) {
	v.status = s
	v.fill()
}

// setTimes shows what was measured of one side.
func (v *timingView) setTimes(t times) {
	v.lines[t.side].taken = &t
	v.fill()
}

// setHypotheses says how many characters a line may have; 0 stands for a single drawing.
func (v *timingView) setHypotheses(n int) {
	v.hypotheses = n
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
	v.repeats.set("")
	for _, d := range v.lines {
		if d.measured() {
			longest = max(longest, d.taken.timing.Total())
			v.repeats.set(tr("median of {{.Count}}", counted(d.taken.repeats)))
		}
	}
	for _, d := range v.lines {
		d.fill(v.status, longest)
	}
	v.note.show(v.comparison())
	v.content.Refresh()
}

func (d *deviceLine) measured() bool { return d.taken != nil && d.taken.err == nil }

func (d *deviceLine) fill(s Status, longest time.Duration) {
	status := s.Device(d.side)
	what, role := "", ""
	switch {
	case status.State == Preparing:
		d.device.show(tr("being prepared…"), colorMuted)
	case status.State == Unavailable:
		d.device.show(tr("not available"), theme.ColorNameWarning)
	default:
		d.device.show(status.Info.Name, colorMuted)
		if status.Info.Software {
			what = tr("software renderer")
		}
	}
	if s.Answering == d.side {
		role = tr("answers")
	}
	d.badge.show(what, role)
	d.total.show("–", theme.ColorNameDisabled)
	d.bar.show()
	for _, c := range d.cells {
		c.show("–", theme.ColorNameDisabled)
	}
	if !d.measured() {
		return
	}
	d.total.show(duration(d.taken.timing.Total()), theme.ColorNameForeground)
	var spans []span
	sum := time.Duration(0)
	for i, st := range stages {
		took := st.of(d.taken.timing)
		d.cells[i].show(microseconds(took), theme.ColorNameForeground)
		spans = append(spans, span{float64(sum) / float64(longest), float64(sum+took) / float64(longest), st.color})
		sum += took
	}
	if longest > 0 {
		d.bar.show(spans...)
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
	values := map[string]any{
		"Side": string(faster), "Ratio": fmt.Sprintf("%.1f", ratio),
		"Count": v.hypotheses, "Batch": recognizer.LineBatch(v.hypotheses),
	}
	words, equal := tr("For one drawing the {{.Side}} is {{.Ratio}} times as fast.", values), tr("For one drawing both are equally fast.")
	if v.hypotheses > 1 {
		words = tr("{{.Count}} hypotheses in batches of {{.Batch}}: the {{.Side}} is {{.Ratio}} times as fast.", values)
		equal = tr("{{.Count}} hypotheses in batches of {{.Batch}}: both are equally fast.", values)
	}
	if ratio < 1.05 {
		return equal, colorMuted
	}
	return words, colorMuted
}
