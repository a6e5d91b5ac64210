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
	p.preferMeasured()
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
