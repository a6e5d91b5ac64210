package ui

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/recognizer/bench"
)

// latencyPage is the tab that measures the devices and shows the times as charts while they
// come, with the crossover in words and the stages of the last drawing.
type latencyPage struct {
	win     *Window
	measure func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error)
	report  *bench.Report // what is shown
	running *latencyRun
	chosen  bool // a person chose the chart; else it follows what is measured

	status, detail *label
	pace           *segments
	start          *button
	picture, table *button
	progress       *bar // of the run

	experiment *segments
	plot       *plot
	words      *label

	drawing   *label
	device    *segments
	devices   []string // behind the segments
	picked    bool     // a person chose the device
	total     *label
	renderer  *label // the device's name and driver
	nothing   *label // stands there while there is no drawing
	waterfall *waterfall
	bars      *container.Scroll // of the waterfall
	caption   *label            // which drawing it is
	last      map[string]times  // of the last drawing that was recognised, by kind of device
	newest    uint64            // the number of that drawing
	began     uint64            // that of the drawing at the last start; 0 when the paper was empty
	notes     *fyne.Container
	scroll    *container.Scroll // of the notes

	inner   float32 // margin of the cards
	cards   [3]*fyne.Container
	content *fyne.Container
}

func newLatencyPage(w *Window) *latencyPage {
	p := &latencyPage{
		win: w, measure: bench.Run, report: &bench.Report{},
		status:    newLabel(tr("How fast is this machine?"), 16, theme.ColorNameForeground).bold(),
		detail:    newLabel(tr("Start measures the CPU and the GPU in turns."), 12, colorMuted),
		progress:  newBar(),
		plot:      newPlot(),
		words:     newLabel("", 13, theme.ColorNameForeground).wrapped(2),
		drawing:   newLabel(tr("One drawing"), 14, theme.ColorNameForeground).bold(),
		total:     newLabel("", 13, colorMuted).aligned(fyne.TextAlignTrailing),
		nothing:   newLabel("", 12, colorMuted).wrapped(5),
		renderer:  newLabel("", 12, colorMuted).wrapped(2),
		waterfall: newWaterfall(),
		caption:   newLabel("", 12, colorMuted).wrapped(2),
		notes:     container.New(rows{gap: 8}),
	}
	p.progress.square = true
	p.pace = newSegments([]string{tr("Quick"), tr("Thorough")}, func(int) {})
	p.start = newToolButton(theme.MediaPlayIcon(), tr("Start"), "Enter", p.startOrCancel)
	p.picture = newToolButton(theme.MediaPhotoIcon(), tr("Save picture"), "", func() { w.chooseTarget(tr("Save picture"), "inkshade-latency.png", p.savePicture) })
	p.table = newToolButton(theme.DocumentSaveIcon(), tr("Save table"), "", func() { w.chooseTarget(tr("Save table"), "inkshade-latency.csv", p.saveTable) })
	var names []string
	for _, e := range charted {
		names = append(names, benchWords().Experiment(e))
	}
	p.experiment = newSegments(names, func(int) { p.chosen = true; p.show() })
	names = nil
	for _, c := range bench.Everything() {
		if c.Only == nil {
			p.devices = append(p.devices, c.Name)
			names = append(names, benchWords().Device(c.Name))
		}
	}
	p.device = newSegments(names, func(int) { p.picked = true; p.show() })
	p.device.choose(len(names) - 1)

	p.bars = container.NewVScroll(p.waterfall)
	chart := container.New(arranged{atLeast(420, 300), p.putChart}, p.experiment, p.plot, p.words)
	drawing := container.New(arranged{atLeast(280, 200), p.putDrawing}, p.drawing, p.total, p.device, p.renderer, p.bars, p.caption, p.nothing)
	p.scroll = container.NewVScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, scrollRoom), p.notes))
	know := newLabel(tr("Good to know"), 14, theme.ColorNameForeground).bold()
	for i, o := range []fyne.CanvasObject{chart, drawing, container.NewBorder(know, nil, nil, nil, p.scroll)} {
		p.cards[i] = newCard(o, &p.inner)
	}
	p.content = container.New(arranged{pageSize, p.put}, p.status, p.detail, p.pace, p.start, p.picture, p.table,
		p.progress, p.cards[0], p.cards[1], p.cards[2])
	p.show()
	return p
}

func (p *latencyPage) page() page {
	return page{key: "latency", name: tr("Latency"), content: p.content, opened: p.show, actions: actions{
		toast: func() area { return areaOf(p.cards[0]).above(p.words.most() + plotBottom + p.inner) },
		key: func(k fyne.KeyName) {
			switch k {
			case fyne.KeyReturn, fyne.KeyEnter:
				p.begin()
			case fyne.KeyEscape:
				p.cancel()
			}
		},
	}}
}

// show fills the page from the report.
func (p *latencyPage) show() {
	r, e := p.report, charted[p.experiment.selected]
	fillPlot(p.plot, r, e, p.pace.selected == 0)
	p.plot.empty = tr("The readings appear here as they come.")
	p.plot.Refresh()
	p.words.set(benchWords().Chart(r, e))
	p.showDrawing()
	notes := notesOf(r)
	if len(r.Devices) == 0 {
		notes = []string{
			tr("Every reading is the median of many replays, in turns of the devices, so that what else the machine does meets them alike."),
			tr("The drawing is the one on the Draw page; Quick takes under half a minute on a quiet machine, Thorough one to two minutes."),
			tr("Fragment shaders run on every GPU with OpenGL 3.3, compute shaders need 4.3."),
			passWords(),
		}
	}
	notes = append(notes, tr("The charts measure the same networks on every machine, such as 784-800-10: 784 inputs, 800 hidden units and 10 outputs. The bars are those of the model in use."))
	p.notes.RemoveAll()
	for _, n := range notes {
		p.notes.Add(newLabel(n, 12, colorMuted).wrapped(12))
	}
	p.scroll.Refresh()
	p.pace.Hidden = p.running != nil
	enable(p.picture, len(r.Readings) > 0)
	enable(p.table, len(r.Readings) > 0)
	p.progress.Hidden = p.running == nil
	p.content.Refresh()
}

// fillPlot puts the readings of an experiment into a chart: times, or the speed of products.
func fillPlot(p *plot, r *bench.Report, e bench.Experiment, quick bool) {
	if len(r.Devices) > 0 {
		quick = r.Quick
	}
	p.title, p.unit, p.format = plotTitle(e), benchWords().Unit(e), tickTime
	speed := e == bench.Product
	if speed {
		p.format = tickNumber
	}
	p.sizes, p.series, p.mark, p.markText = nil, nil, 0, ""
	for _, n := range e.Sizes(quick) {
		p.sizes = append(p.sizes, float64(n))
	}
	for i, d := range r.Devices {
		s := plotSeries{name: benchWords().Device(d.Name), color: deviceColor(i)}
		for _, x := range r.Of(e, d.Name) {
			s.points = append(s.points, pointOf(x, speed))
		}
		if d.Missing == "" && (!d.Compared || len(s.points) > 0) {
			p.series = append(p.series, s)
		}
	}
	for _, c := range r.Crossovers {
		if c.Experiment == e && c.From != 0 && !c.Always() && (p.mark == 0 || float64(c.From) < p.mark) {
			p.mark = float64(c.From)
			p.markText = tr("from {{.Count}} {{.Unit}} the GPU is faster", map[string]any{"Count": c.From, "Unit": benchWords().Unit(e)})
		}
	}
}

func pointOf(x bench.Reading, speed bool) plotPoint {
	q := plotPoint{
		x: float64(x.Size), y: float64(x.Median), hollow: x.Disturbed,
		low: float64(x.Fastest), high: float64(x.Median + x.Deviation),
	}
	if speed {
		work := x.GFLOPS * q.y
		q.y, q.low, q.high = x.GFLOPS, work/q.high, work/q.low
	}
	return q
}

// scrollRoom is room for the scroll bar beside notes and bars.
const scrollRoom = 8

// put places what is going on and the buttons on top, the chart left, the drawing and the notes
// right.
func (p *latencyPage) put(size fyne.Size) {
	d := densityOf(size)
	margin, gap := d.margin, d.gap
	right := d.of(floor(min(max(size.Width*0.32, 380), 520)), 344)
	p.inner = d.inner
	x := size.Width - margin
	for _, b := range []*button{p.table, p.picture, p.start} {
		w := b.MinSize().Width
		if b == p.start && !d.compact {
			w += 60 // for the key
		}
		x -= w
		place(b, x, 0, w, toolHeight)
		x -= 8
	}
	if pace := float32(170); p.pace.Visible() {
		x -= pace + 4
		middle(p.pace, x, 0, pace, toolHeight, 30)
	}
	sh := p.status.lineHeight()
	place(p.status, margin, 0, x-margin-10, sh)
	place(p.detail, margin, sh+1, x-margin-10, p.detail.lineHeight())

	y := float32(toolHeight) + 6
	full := size.Width - 2*margin
	place(p.progress, margin, y, full, 4)
	y += gap

	height := size.Height - margin - y
	left := full - gap - right
	place(p.cards[0], margin, y, left, height)
	drawing := floor(min(height*d.of(0.54, 0.68), 2*p.inner+380))
	x = margin + left + gap
	place(p.cards[1], x, y, right, drawing)
	place(p.cards[2], x, y+drawing+gap, right, height-drawing-gap)
	p.scroll.Refresh()
}

// putChart places the choice, the chart, its words.
func (p *latencyPage) putChart(size fyne.Size) {
	place(p.experiment, 0, 0, min(size.Width, float32(len(charted))*108), 30)
	words := p.words.most()
	place(p.plot, 0, 42, size.Width, size.Height-42-words-8)
	place(p.words, 0, size.Height-words, size.Width, words)
}

// putDrawing places the title and the total, the choice of the device and its name, the bars, and
// under them which drawing it is.
func (p *latencyPage) putDrawing(size fyne.Size) {
	h := p.drawing.lineHeight()
	place(p.drawing, 0, 0, size.Width-80, h)
	place(p.total, size.Width-80, 0, 80, h)
	place(p.device, 0, h+8, size.Width, 28)
	y := h + 42
	place(p.nothing, 0, y+4, size.Width, p.nothing.most())
	over, under := p.renderer.height(size.Width), p.caption.height(size.Width)
	place(p.renderer, 0, y, size.Width, p.renderer.most())
	place(p.caption, 0, size.Height-under, size.Width, p.caption.most())
	height := size.Height - y - over - under - 8
	p.waterfall.room = 0
	if p.waterfall.MinSize().Height > height {
		p.waterfall.room = scrollRoom
	}
	place(p.bars, 0, y+over+4, size.Width, height)
}

// charted are the experiments that have a chart, in the order of the choice.
var charted = []bench.Experiment{bench.Recognition, bench.Convolution, bench.HiddenUnits, bench.TrainingSamples, bench.Product, bench.SparseRows, bench.PrototypeStep}

// benchWords put a report into the language of the window. What has no values may be a sentence
// of another room.
func benchWords() bench.Words {
	return bench.Words{Join: sentences, Mark: tr("hollow points"), Say: func(text string, values ...any) string {
		if len(values) == 0 {
			return said(text)
		}
		return tr(text, values...)
	}}
}

// plotTitle says what the values are.
func plotTitle(e bench.Experiment) string {
	switch e {
	case bench.Recognition:
		return tr("Time of a recognition, 784-800-10")
	case bench.Convolution:
		return tr("Time of a recognition, convolutional network")
	case bench.HiddenUnits:
		return tr("Time of a training step, 2-h-1, {{.Count}} samples", counted(bench.FixedSamples))
	case bench.TrainingSamples:
		return tr("Time of a training step, 2-{{.Count}}-1", counted(bench.FixedHidden))
	case bench.Product:
		return tr("Speed of a product in GFLOP/s")
	case bench.SparseRows:
		return tr("Time of the first layer, 784-800, and its gradient, {{.Count}} drawings", counted(bench.FixedDrawings))
	case bench.PrototypeStep:
		return tr("Time of a step of GLVQ, {{.Count}} classes", counted(bench.ChinesePrototypes.Classes))
	}
	return ""
}

// deviceColor tells the devices of a chart apart; all are readable on a card.
func deviceColor(i int) fyne.ThemeColorName {
	colors := []fyne.ThemeColorName{
		theme.ColorNameWarning, theme.ColorNameSuccess, theme.ColorNamePrimary, colorMuted, theme.ColorNameError,
	}
	return colors[i%len(colors)]
}

// notesOf is what is said beside the charts.
func notesOf(r *bench.Report) []string {
	words := benchWords()
	var notes []string
	for _, s := range []string{words.Training(r), words.Packing(r), words.Gain(r, bench.PrototypeStep)} {
		if s != "" {
			notes = append(notes, s)
		}
	}
	notes = append(append(notes, words.Cautions(r)...), words.NotMeasured(r)...)
	if len(r.Drawings) > 0 {
		notes = append(notes, passWords())
	}
	return notes
}
