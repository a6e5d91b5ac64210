package draw

import (
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
)

// stage is one part of a recognition's time.
type stage struct {
	color fyne.ThemeColorName
	of    func(recognizer.Timing) time.Duration
}

var stages = []stage{
	{widget.ColorPreprocess, func(t recognizer.Timing) time.Duration { return t.Preprocess }},
	{widget.ColorUpload, func(t recognizer.Timing) time.Duration { return t.Upload }},
	{widget.ColorCompute, func(t recognizer.Timing) time.Duration { return t.Compute }},
	{widget.ColorReadback, func(t recognizer.Timing) time.Duration { return t.Readback }},
}

// timingView compares CPU and GPU for the drawing at hand: one line and one bar of the stages
// each, on one scale, and the stages in numbers.
type timingView struct {
	title, repeats, note *widget.Label
	lines                map[device.Side]*deviceLine
	table                *fyne.Container // of the stages
	content              *fyne.Container
	status               device.Status
	compact              bool
	brief                bool // without the table
	hypotheses           int  // of the line that is timed; 0 for a single drawing
}

// deviceLine is what is shown of one device.
type deviceLine struct {
	side                device.Side
	name, device, total *widget.Label
	badge               *widget.Badge
	bar                 *widget.Bar
	cells               []*widget.Label // of the table
	taken               *worker.Times
}

var sides = []device.Side{device.CPU, device.GPU}

func newTimingView() *timingView {
	v := &timingView{
		title:   widget.NewLabel(language.Tr("Time for this drawing"), 14, theme.ColorNameForeground).Bold(),
		repeats: widget.NewLabel("", 12, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		note:    widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2),
		lines:   map[device.Side]*deviceLine{},
	}
	objs := []fyne.CanvasObject{v.title, v.repeats, v.note}
	for _, side := range sides {
		d := &deviceLine{
			side:   side,
			name:   widget.NewLabel(string(side), 15, theme.ColorNameForeground).Bold(),
			device: widget.NewLabel("", 12, widget.ColorMuted),
			badge:  widget.NewBadge(),
			total:  widget.NewLabel("", 15, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignTrailing),
			bar:    widget.NewBar(),
		}
		for range stages {
			d.cells = append(d.cells, widget.NewLabel("", 12, theme.ColorNameForeground).Aligned(fyne.TextAlignTrailing))
		}
		v.lines[side] = d
		objs = append(objs, d.name, d.device, d.badge, d.total, d.bar)
	}
	v.table = newStageTable(v.lines)
	v.content = container.New(widget.Arranged{
		Least: func() fyne.Size { return fyne.NewSize(300, v.put(v.content.Size().Width)) }, Put: func(size fyne.Size) { v.put(size.Width) },
	}, append(objs, v.table)...)
	v.fill()
	return v
}

// newStageTable has a column for each stage, under its legend, and a row for each device.
func newStageTable(lines map[device.Side]*deviceLine) *fyne.Container {
	row := func(head string, cells []fyne.CanvasObject) *fyne.Container {
		name := widget.NewLabel(head, 12, widget.ColorMuted)
		return container.New(widget.Arranged{Least: widget.AtLeast(300, name.LineHeight()+1), Put: func(size fyne.Size) {
			const headWidth = 40
			column := widget.Floor((size.Width - headWidth) / float32(len(stages)))
			widget.Place(name, 0, 0, headWidth, size.Height)
			for i, c := range cells {
				widget.Place(c, headWidth+float32(i)*column, 0, column, size.Height)
			}
		}}, append(cells, name)...)
	}
	var legend []fyne.CanvasObject
	names := []string{language.Tr("Preprocess"), language.Tr("Upload"), language.Tr("Compute"), language.Tr("Read back")}
	for i, s := range stages {
		name, swatch := widget.NewLabel(names[i], 12, widget.ColorMuted).Aligned(fyne.TextAlignTrailing), widget.NewFill(s.color, 2)
		legend = append(legend, container.New(widget.Arranged{Least: widget.AtLeast(0, 0), Put: func(size fyne.Size) {
			const side = 8
			width := min(name.Width(name.Text)+2, size.Width-side-6)
			widget.Place(name, size.Width-width, 0, width, size.Height)
			widget.Middle(swatch, size.Width-width-side-5, 0, side, size.Height-1, side)
		}}, swatch, name))
	}
	table := container.New(widget.Rows{}, row("µs", legend))
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
	widget.Place(v.title, 0, 0, width-120, v.title.LineHeight())
	widget.Place(v.repeats, width-150, 2, 150, v.repeats.LineHeight())
	y := v.title.LineHeight() + block - 2
	for _, side := range sides {
		d := v.lines[side]
		h, pills := d.name.LineHeight(), d.badge.MinSize()
		widget.Place(d.name, 0, y, nameWidth, h)
		widget.Place(d.total, width-totalWidth, y, totalWidth, h)
		widget.Middle(d.badge, nameWidth, y+1, min(pills.Width, width-nameWidth-totalWidth), h, pills.Height)
		widget.Place(d.device, 0, y+h, width, d.device.LineHeight())
		y += h + d.device.LineHeight() + line
		widget.Place(d.bar, 0, y, width, thick)
		y += thick + block
	}
	if v.table.Hidden = v.brief; !v.brief {
		widget.Place(v.table, 0, y-block/2, width, v.table.MinSize().Height)
		y += v.table.Size().Height - block/2
	}
	widget.Place(v.note, 0, y+line+2, width, v.note.Most())
	return y + line + 2 + v.note.Most()
}

func (v *timingView) setStatus(s device.Status) {
	v.status = s
	v.fill()
}

// setTimes shows what was measured of one side.
func (v *timingView) setTimes(t worker.Times) {
	v.lines[t.Side].taken = &t
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
	v.repeats.Set("")
	for _, d := range v.lines {
		if d.measured() {
			longest = max(longest, d.taken.Timing.Total())
			v.repeats.Set(language.Tr("median of {{.Count}}", language.Counted(d.taken.Repeats)))
		}
	}
	s := v.status
	if v.readsWords() {
		s.Answering = device.CPU
	}
	for _, d := range v.lines {
		d.fill(s, longest)
	}
	v.note.SetColored(v.comparison())
	v.content.Refresh()
}

// readsWords tells whether a line was read whole, which the processor does.
func (v *timingView) readsWords() bool {
	t := v.lines[device.GPU].taken
	return t != nil && errors.Is(t.Err, device.ErrWords)
}

func (d *deviceLine) measured() bool { return d.taken != nil && d.taken.Err == nil }

func (d *deviceLine) fill(s device.Status, longest time.Duration) {
	status := s.Device(d.side)
	what, role := "", ""
	switch {
	case status.State == device.Preparing:
		d.device.SetColored(language.Tr("being prepared…"), widget.ColorMuted)
	case status.State == device.Unavailable:
		d.device.SetColored(language.Tr("not available"), theme.ColorNameWarning)
	default:
		d.device.SetColored(status.Info.Name, widget.ColorMuted)
		if status.Info.Software {
			what = language.Tr("software renderer")
		}
	}
	if s.Answering == d.side {
		role = language.Tr("answers")
	}
	d.badge.Set(what, role)
	d.total.SetColored("–", theme.ColorNameDisabled)
	d.bar.Set()
	for _, c := range d.cells {
		c.SetColored("–", theme.ColorNameDisabled)
	}
	if !d.measured() {
		return
	}
	d.total.SetColored(language.Duration(d.taken.Timing.Total()), theme.ColorNameForeground)
	var spans []widget.Span
	sum := time.Duration(0)
	for i, st := range stages {
		took := st.of(d.taken.Timing)
		d.cells[i].SetColored(language.Microseconds(took), theme.ColorNameForeground)
		spans = append(spans, widget.Span{From: float64(sum) / float64(longest), To: float64(sum+took) / float64(longest), Color: st.color})
		sum += took
	}
	if longest > 0 {
		d.bar.Set(spans...)
	}
}

// comparison is the sentence under the numbers: why the CPU stands in, or who is faster.
func (v *timingView) comparison() (string, fyne.ThemeColorName) {
	cpu, gpu := v.lines[device.CPU], v.lines[device.GPU]
	switch {
	case len(v.status.Reasons) > 0:
		return language.Tr("The CPU answers (Ctrl+I says more): {{.Reason}}", map[string]any{"Reason": language.Said(message.List(v.status.Reasons))}), theme.ColorNameWarning
	case v.status.GPU.Info.Differs != nil:
		return language.Said(v.status.GPU.Info.Differs), theme.ColorNameWarning
	case v.readsWords():
		return language.Tr("Whole words are read on the processor."), widget.ColorMuted
	case gpu.taken != nil && gpu.taken.Err != nil:
		return language.Tr("The GPU could not be timed: {{.Reason}}", map[string]any{"Reason": language.Said(gpu.taken.Err)}), theme.ColorNameWarning
	case !cpu.measured() || !gpu.measured():
		return language.Tr("Both devices are timed when the pen rests."), widget.ColorMuted
	}
	a, b := float64(cpu.taken.Timing.Total()), float64(gpu.taken.Timing.Total())
	if a <= 0 || b <= 0 {
		return "", widget.ColorMuted
	}
	faster, ratio := device.CPU, b/a
	if ratio < 1 {
		faster, ratio = device.GPU, a/b
	}
	values := map[string]any{
		"Side": string(faster), "Ratio": language.Number("%.1f", ratio),
		"Count": v.hypotheses, "Batch": recognizer.LineBatch(v.hypotheses),
	}
	words, equal := language.Tr("For one drawing the {{.Side}} is {{.Ratio}} times as fast.", values), language.Tr("For one drawing both are equally fast.")
	if v.hypotheses > 1 {
		words = language.Tr("{{.Count}} hypotheses in batches of {{.Batch}}: the {{.Side}} is {{.Ratio}} times as fast.", values)
		equal = language.Tr("{{.Count}} hypotheses in batches of {{.Batch}}: both are equally fast.", values)
	}
	if ratio < 1.05 {
		return equal, widget.ColorMuted
	}
	return words, widget.ColorMuted
}
