package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/glcompute/program"
	"inkshade/recognizer/bench"
)

// timedDrawing is where the time of one drawing went on one device.
type timedDrawing struct {
	bench.Drawing
	info program.Info
	of   string // which drawing it is
}

// setTimes takes what the window measured of the last drawing on one of its devices.
func (p *latencyPage) setTimes(t times) {
	if t.drawing != p.newest || p.last == nil {
		p.newest, p.last = t.drawing, map[string]times{}
	}
	kind := string(t.info.Kind)
	if delete(p.last, kind); t.err == nil {
		p.last[kind] = t
	}
	if p.content.Visible() {
		p.showDrawing()
		p.content.Refresh()
	}
}

// drawingOf gives the last drawing that was recognised, on a device. The window measures it
// there when the pen rests; on a device that the window does not use, and beside a run of the
// measurements that had the same drawing, it is that of the run.
func (p *latencyPage) drawingOf(name string) (timedDrawing, bool) {
	t, own := p.last[name]
	i := slices.IndexFunc(p.report.Drawings, func(d bench.Drawing) bool { return d.Device == name && d.Missing == "" })
	current := p.began > 0 && p.began >= p.newest
	if own && (i < 0 || !current) {
		return timedDrawing{bench.Drawing{
			Device: name, Network: t.network, Timing: t.timing, Total: bench.Spread{Median: t.timing.Total(), Repeats: t.repeats},
		}, t.info, tr("Your last drawing, median of {{.Count}}.", counted(t.repeats))}, true
	}
	if i < 0 {
		return timedDrawing{}, false
	}
	d := p.report.Drawings[i]
	device := p.report.Device(name)
	n := counted(d.Total.Repeats)
	of := tr("Sample digit (nothing drawn), median of {{.Count}}.", n)
	if current {
		of = tr("Your last drawing, median of {{.Count}}.", n)
	} else if p.began > 0 {
		of = tr("Not your last drawing but the one at the start, median of {{.Count}}.", n)
	}
	return timedDrawing{d, device.Info, of}, true
}

func (p *latencyPage) showDrawing() {
	p.preferMeasured()
	name := p.devices[p.device.selected]
	d, ok := p.drawingOf(name)
	if !ok {
		p.drawing.set(tr("One drawing"))
		p.total.set("")
		p.renderer.set("")
		p.caption.set("")
		p.nothing.set(p.missing(name))
	} else {
		p.nothing.set("")
		p.drawing.set(d.title())
		p.total.set(duration(d.Total.Median))
		p.renderer.set(rendererWords(d.info))
		p.caption.set(d.caption())
	}
	p.waterfall.show(d.Drawing)
	p.bars.Refresh()
}

func (d timedDrawing) title() string {
	if len(d.Network) == 0 {
		return tr("One drawing")
	}
	return tr("One drawing") + tr(", ") + networkWords(d.Network)
}

// caption says which drawing it is and what went before the first.
func (d timedDrawing) caption() string {
	if d.Compile == 0 {
		return d.of
	}
	return sentences(d.of, tr("First run: compiled in {{.Time}}.", map[string]any{"Time": unbroken(duration(d.Compile))}))
}

// unbroken keeps a number and its unit in one line.
func unbroken(s string) string { return strings.ReplaceAll(s, " ", "\u00a0") }

// rendererWords are the name of a device and its driver, or the processor's library.
func rendererWords(i program.Info) string {
	if i.Version == "" {
		return i.Name
	}
	return i.Name + tr(", ") + i.Version
}

// missing says why there is no drawing of a device.
func (p *latencyPage) missing(name string) string {
	for _, d := range p.report.Devices {
		if d.Name == name && d.Missing != "" {
			return tr("Not measured: {{.Device}}: {{.Reason}}", map[string]any{"Device": benchWords().Device(name), "Reason": said(d.Missing)})
		}
	}
	if p.running != nil {
		return ""
	}
	return tr("Here you see where the time of one drawing goes.")
}

// preferMeasured shows, until a person picks one, a device that takes part: before a run the last that has a drawing, else the
// chosen one or, where that cannot, the first that can.
func (p *latencyPage) preferMeasured() {
	if p.picked {
		return
	}
	if p.running == nil && len(p.report.Devices) == 0 {
		for i, name := range p.devices {
			if _, ok := p.last[name]; ok {
				p.device.choose(i)
			}
		}
		return
	}
	absent := func(name string) bool {
		return slices.ContainsFunc(p.report.Devices, func(d bench.Device) bool { return d.Name == name && d.Missing != "" })
	}
	if i := slices.IndexFunc(p.devices, func(name string) bool { return !absent(name) }); i >= 0 && absent(p.devices[p.device.selected]) {
		p.device.choose(i)
	}
}

// networkWords writes a network as its layers: 784-800-10.
func networkWords(sizes []int) string {
	const readable = 5 // more are counted
	if len(sizes) > readable {
		return tr("{{.Count}} layers", counted(len(sizes)-1))
	}
	var all []string
	for _, n := range sizes {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, "-")
}

// passWords explain the names of the passes.
func passWords() string {
	return tr("A layer is one pass: product, bias and nonlinearity.")
}

// passNames tells the passes of a drawing apart. Where all layers of the network are products, with their bias and nonlinearity,
// they have their number and sizes.
func passNames(d bench.Drawing) []string {
	var names []string
	layer, products := 0, 0
	for _, p := range d.Passes {
		if strings.HasPrefix(p.Name, "product") {
			products++
		}
	}
	perceptron := products == len(d.Network)-1
	for _, p := range d.Passes {
		var parts []string
		inLayer := false
		for _, part := range strings.Split(p.Name, ", ") {
			switch {
			case part == "product" && perceptron:
				parts = append(parts, tr("Layer {{.Layer}}: {{.Inputs}}×{{.Outputs}}", map[string]any{
					"Layer": layer + 1, "Inputs": d.Network[layer], "Outputs": d.Network[layer+1],
				}))
				layer++
				inLayer = true
			case part == "softmax":
				parts = append(parts, tr("Softmax"))
			case part == "product":
				parts = append(parts, tr("dense"))
			case !inLayer:
				parts = append(parts, inWords(part))
			}
		}
		names = append(names, strings.Join(parts, tr(", ")))
	}
	return names
}

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
