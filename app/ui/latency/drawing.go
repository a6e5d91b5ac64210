package latency

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/glcompute"
	"inkshade/recognizer/bench"
)

// timedDrawing is where the time of one drawing went on one device.
type timedDrawing struct {
	bench.Drawing
	info glcompute.Info
	of   string // which drawing it is
}

func (p *Page) setTimes(t worker.Times) {
	if t.OfLine {
		return
	}
	if t.Drawing != p.newest || p.last == nil {
		p.newest, p.last = t.Drawing, map[string]worker.Times{}
	}
	kind := string(t.Info.Kind)
	if delete(p.last, kind); t.Err == nil {
		p.last[kind] = t
	}
	if p.content.Visible() {
		p.showDrawing()
		p.content.Refresh()
	}
}

// drawingOf gives the last drawing as the window measured it on a device or, where it did not, or a run had the same, that of the run.
func (p *Page) drawingOf(name string) (timedDrawing, bool) {
	t, own := p.last[name]
	i := slices.IndexFunc(p.Report.Drawings, func(d bench.Drawing) bool { return d.Device == name && d.Missing == nil })
	current := p.began > 0 && p.began >= p.newest
	if own && (i < 0 || !current) {
		return timedDrawing{bench.Drawing{
			Device: name, Network: t.Network, Timing: t.Timing, Total: bench.Spread{Median: t.Timing.Total(), Repeats: t.Repeats},
		}, t.Info, language.Tr("Your last drawing, median of {{.Count}}.", language.Counted(t.Repeats))}, true
	}
	if i < 0 {
		return timedDrawing{}, false
	}
	d := p.Report.Drawings[i]
	n := language.Counted(d.Total.Repeats)
	of := language.Tr("Sample digit (nothing drawn), median of {{.Count}}.", n)
	if current {
		of = language.Tr("Your last drawing, median of {{.Count}}.", n)
	} else if p.began > 0 {
		of = language.Tr("Not your last drawing but the one at the start, median of {{.Count}}.", n)
	}
	return timedDrawing{d, p.Report.Device(name).Info, of}, true
}

func (p *Page) showDrawing() {
	p.preferMeasured()
	name := p.devices[p.device.Selected]
	d, ok := p.drawingOf(name)
	nothing, total := "", language.Duration(d.Total.Median)
	if !ok {
		nothing, total = p.missing(name), ""
	}
	p.drawing.Set(d.title())
	p.total.Set(total)
	p.renderer.Set(rendererWords(d.info))
	p.caption.Set(d.caption())
	p.nothing.Set(nothing)
	p.waterfall.show(d.Drawing)
	p.bars.Refresh()
}

// title names the network by its layers, as 784-800-10; more than are readable are counted.
func (d timedDrawing) title() string {
	const readable = 5
	network := strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Network), " ", "-"), "[]")
	switch n := len(d.Network); {
	case n == 0:
		return language.Tr("One drawing")
	case n > readable:
		network = language.Tr("{{.Count}} layers", language.Counted(n-1))
	}
	return language.Tr("One drawing") + language.Tr(", ") + network
}

// caption says which drawing it is and what went before the first.
func (d timedDrawing) caption() string {
	if d.Compile == 0 {
		return d.of
	}
	unbroken := strings.ReplaceAll(language.Duration(d.Compile), " ", "\u00a0") // number and unit in one line
	return language.Sentences(d.of, language.Tr("First run: compiled in {{.Time}}.", map[string]any{"Time": unbroken}))
}

// rendererWords are the name of a device and its driver, or the processor's library.
func rendererWords(i glcompute.Info) string {
	if i.Version == "" {
		return i.Name
	}
	return i.Name + language.Tr(", ") + i.Version
}

func (p *Page) missing(name string) string {
	for _, d := range p.Report.Devices {
		if d.Name == name && d.Missing != nil {
			return language.Said(d.Why())
		}
	}
	if p.running != nil {
		return ""
	}
	return language.Tr("Here you see where the time of one drawing goes.")
}

// preferMeasured shows, until a person picks one, a device that takes part: before a run the last with a drawing, else the chosen or first.
func (p *Page) preferMeasured() {
	if p.picked {
		return
	}
	if p.running == nil && len(p.Report.Devices) == 0 {
		for i, name := range p.devices {
			if _, ok := p.last[name]; ok {
				p.device.Choose(i)
			}
		}
		return
	}
	absent := func(name string) bool {
		return slices.ContainsFunc(p.Report.Devices, func(d bench.Device) bool { return d.Name == name && d.Missing != nil })
	}
	if i := slices.IndexFunc(p.devices, func(name string) bool { return !absent(name) }); i >= 0 && absent(p.devices[p.device.Selected]) {
		p.device.Choose(i)
	}
}

func passWords() string {
	return language.Tr("The GPU computes each layer of the network in one go.")
}

// passNames tells the passes of a drawing apart. Where all layers are products they have their number and sizes.
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
				parts = append(parts, language.Tr("Layer {{.Layer}}: {{.Inputs}}×{{.Outputs}}", map[string]any{
					"Layer": layer + 1, "Inputs": d.Network[layer], "Outputs": d.Network[layer+1],
				}))
				layer++
				inLayer = true
			case part == "softmax":
				parts = append(parts, language.Tr("Softmax"))
			case part == "product":
				parts = append(parts, language.Tr("dense"))
			case !inLayer:
				parts = append(parts, language.InWords(part))
			}
		}
		names = append(names, strings.Join(parts, language.Tr(", ")))
	}
	return names
}

// waterfall shows stages and passes of one drawing under each other, each beginning where the one before ends.
type waterfall struct {
	widget.Composed
	steps []waterStep
	rows  []widget.BarRow
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
	w.Compose(w, container.New(widget.Arranged{Least: func() fyne.Size { return fyne.NewSize(220, leastRow*float32(len(w.steps))) }, Put: w.put}))
	return w
}

func (w *waterfall) show(d bench.Drawing) {
	w.steps, w.rows, w.Content.Objects = waterSteps(d), nil, nil
	end := time.Duration(1)
	for _, s := range w.steps {
		end = max(end, s.from+s.took)
	}
	for _, s := range w.steps {
		row := widget.BarRow{Name: widget.NewLabel(s.name, 12, widget.ColorMuted), Value: widget.NewLabel(language.Duration(s.took), 12, theme.ColorNameForeground).Aligned(fyne.TextAlignTrailing), Bar: widget.NewBar()}
		row.Bar.Square = true
		row.Bar.Set(widget.Span{From: float64(s.from) / float64(end), To: float64(s.from+s.took) / float64(end), Color: s.color})
		w.rows, w.Content.Objects = append(w.rows, row), append(w.Content.Objects, row.Objects()...)
	}
	w.Refresh()
}

func (w *waterfall) put(size fyne.Size) {
	size.Width -= scrollRoom
	name := float32(0)
	for _, r := range w.rows {
		name = max(name, r.Name.Width(r.Name.Text))
	}
	name = widget.Floor(min(name+13, size.Width*0.55))
	row := widget.Floor(min(max(size.Height/float32(max(len(w.rows), 1)), leastRow), 26))
	for i, r := range w.rows {
		r.Put(row*float32(i), size.Width, row, name, 66, 8)
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
	add(language.Tr("Preprocess"), widget.ColorPreprocess, d.Preprocess)
	add(language.Tr("Upload"), widget.ColorUpload, d.Upload)
	begin := at
	names := passNames(d)
	for i, p := range d.Passes {
		add(names[i], widget.ColorCompute, p.Time)
	}
	if len(d.Passes) == 0 {
		add(language.Tr("Compute"), widget.ColorCompute, d.Compute)
	}
	if between := begin + d.Compute - at; between > d.Total.Median/20 {
		add(language.Tr("Between passes"), widget.ColorMuted, between)
	}
	at = max(at, begin+d.Compute)
	add(language.Tr("Read back"), widget.ColorReadback, d.Readback)
	return steps
}
