package draw

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
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
// each, on one scale, and the stages in numbers. Its height depends on the density and on whether there is a table, never on what is shown.
type timingView struct {
	title, repeats, note *widget.Label
	lines                map[device.Side]*deviceLine
	table                *fyne.Container // of the stages; hidden where there is no room for it
	content              *fyne.Container
	status               device.Status
	hypotheses           int         // of the line that is timed; 0 for a single drawing
	readsWords           func() bool // tells whether a line is read whole, which the processor does
}

// deviceLine is what is shown of one device.
type deviceLine struct {
	side          device.Side
	device, total *widget.Label
	badge         *widget.Badge
	bar           *widget.Bar
	cells         []*widget.Label // of the table
	content       *fyne.Container
	taken         *worker.Times
}

var sides = []device.Side{device.CPU, device.GPU}

func newTimingView(readsWords func() bool) *timingView {
	v := &timingView{
		readsWords: readsWords,
		title:      widget.NewLabel(language.Tr("Time for this drawing"), 14, theme.ColorNameForeground).Bold(),
		repeats:    widget.NewLabel("", 12, widget.ColorMuted).Aligned(fyne.TextAlignTrailing).Natural(),
		note:       widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2),
		lines:      map[device.Side]*deviceLine{},
	}
	v.table = widget.Under(1)
	row := func(head string, cells ...fyne.CanvasObject) {
		name := widget.Sized(40, 0, widget.NewLabel(head, 12, widget.ColorMuted))
		v.table.Add(container.NewBorder(nil, nil, name, nil, widget.Evenly(0, cells...)))
	}
	var legend []fyne.CanvasObject
	names := []string{language.Tr("Preprocess"), language.Tr("Upload"), language.Tr("Compute"), language.Tr("Read back")}
	for i, s := range stages {
		swatch := container.NewCenter(widget.Sized(8, 8, widget.NewFill(s.color, 2)))
		legend = append(legend, widget.Beside(5, layout.NewSpacer(), swatch, widget.NewLabel(names[i], 12, widget.ColorMuted).Natural()))
	}
	row("µs", legend...)
	v.content = widget.Under(0, widget.Beside(0, v.title, v.repeats))
	for _, side := range sides {
		d := &deviceLine{
			side: side, device: widget.NewLabel("", 12, widget.ColorMuted), badge: widget.NewBadge(), bar: widget.NewBar(),
			total: widget.NewLabel("", 15, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignTrailing),
		}
		var cells []fyne.CanvasObject
		for range stages {
			d.cells = append(d.cells, widget.NewLabel("", 12, theme.ColorNameForeground).Aligned(fyne.TextAlignTrailing))
			cells = append(cells, widget.Last(d.cells))
		}
		row(string(side), cells...)
		v.lines[side] = d
		name := widget.Sized(44, 0, widget.NewLabel(string(side), 15, theme.ColorNameForeground).Bold())
		d.content = widget.Under(0, widget.Under(0, widget.Beside(0, name, d.badge, layout.NewSpacer(), widget.Sized(92, 0, d.total)), d.device), d.bar)
		v.content.Add(d.content)
	}
	v.content.Add(v.table)
	v.content.Add(widget.Sized(0, v.note.Most(), v.note))
	v.fill()
	return v
}

// squeeze leaves so much between the title, the devices, the table and the note.
func (v *timingView) squeeze(gap float32) {
	line, thick := float32(1), float32(8)
	if gap >= 10 {
		line, thick = 4, 12
	}
	widget.Space(v.content, gap)
	for _, d := range v.lines {
		widget.Space(d.content, line)
		d.bar.Thick = thick
	}
}

func (v *timingView) forget() {
	for _, d := range v.lines {
		d.taken = nil
	}
	v.fill()
}

func (v *timingView) fill() {
	longest, s := time.Duration(0), v.status
	v.repeats.Set("")
	for _, d := range v.lines {
		if d.measured() {
			longest = max(longest, d.taken.Timing.Total())
			v.repeats.Set(language.Tr("median of {{.Count}}", language.Counted(d.taken.Repeats)))
		}
	}
	if v.readsWords() {
		s.Answering = device.CPU
	}
	for _, d := range v.lines {
		d.fill(s, longest)
	}
	v.note.SetColored(v.comparison())
	v.content.Refresh()
}

func (d *deviceLine) measured() bool { return d.taken != nil && d.taken.Err == nil }

func (d *deviceLine) fill(s device.Status, longest time.Duration) {
	status := s.Device(d.side)
	what, role, name, tone := "", "", status.Info.Name, widget.ColorMuted
	switch {
	case status.State == device.Preparing:
		name = language.Tr("being prepared…")
	case status.State == device.Unavailable:
		name, tone = language.Tr("not available"), theme.ColorNameWarning
	case status.Info.Software:
		what = language.Tr("software renderer")
	}
	if s.Answering == d.side {
		role = language.Tr("answers")
	}
	d.device.SetColored(name, tone)
	d.badge.Set(what, role)
	if !d.measured() {
		for _, l := range append(d.cells, d.total) {
			l.SetColored("–", theme.ColorNameDisabled)
		}
		d.bar.Set()
		return
	}
	d.total.SetColored(language.Duration(d.taken.Timing.Total()), theme.ColorNameForeground)
	var spans []widget.Span
	sum, whole := 0., max(float64(longest), 1)
	for i, st := range stages {
		took := st.of(d.taken.Timing)
		d.cells[i].SetColored(language.Microseconds(took), theme.ColorNameForeground)
		spans = append(spans, widget.Span{From: sum / whole, To: (sum + float64(took)) / whole, Color: st.color})
		sum += float64(took)
	}
	d.bar.Set(spans...)
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
