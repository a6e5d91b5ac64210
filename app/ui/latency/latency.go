// Package latency is the page that measures the devices and shows the times as charts.
package latency

import (
	"cmp"
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/glcompute/message"
	"inkshade/recognizer/bench"
)

// Page is the tab that measures the devices and shows the times as charts while they come, and the stages of the last drawing.
type Page struct {
	win     *page.Frame
	Measure func(context.Context, bench.Options, func(bench.Event)) (*bench.Report, error)
	Report  *bench.Report // what is shown
	running *latencyRun
	ended   map[bool]ending // the last run of the race, and of all measurements
	chosen  bool            // a person chose the chart; else it follows what is measured

	view *widget.Segments // the race, or all measurements
	race *race

	status, detail *widget.Label
	pace           *widget.Segments
	start          *widget.Button
	picture, table *widget.Button
	progress       *widget.Bar // of the run

	experiment *widget.Segments
	plot       *widget.Plot
	words      *widget.Label

	drawing   *widget.Label
	device    *widget.Segments
	devices   []string // behind the segments
	picked    bool     // a person chose the device
	total     *widget.Label
	renderer  *widget.Label // the device's name and driver
	nothing   *widget.Label // stands there while there is no drawing
	waterfall *waterfall
	bars      *container.Scroll       // of the waterfall
	caption   *widget.Label           // which drawing it is
	last      map[string]worker.Times // of the last drawing that was recognised, by kind of device
	newest    uint64                  // the number of that drawing
	began     uint64                  // that of the drawing at the last start; 0 when the paper was empty
	notes     *fyne.Container
	scroll    *container.Scroll // of the notes

	inner   float32            // margin of the cards
	cards   [4]*fyne.Container // the last is the race
	content *fyne.Container
}

func New(w *page.Frame) *Page {
	p := &Page{
		win: w, Measure: bench.Run, Report: &bench.Report{}, race: newRace(), ended: map[bool]ending{},
		status:    widget.NewLabel("", 16, theme.ColorNameForeground).Bold(),
		detail:    widget.NewLabel("", 12, widget.ColorMuted),
		progress:  widget.NewBar(),
		plot:      widget.NewPlot(),
		words:     widget.NewLabel("", 13, theme.ColorNameForeground).Wrapped(2),
		drawing:   widget.NewLabel(language.Tr("One drawing"), 14, theme.ColorNameForeground).Bold(),
		total:     widget.NewLabel("", 13, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		nothing:   widget.NewLabel("", 12, widget.ColorMuted).Wrapped(5),
		renderer:  widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2),
		waterfall: newWaterfall(),
		caption:   widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2),
		notes:     widget.Under(8),
	}
	p.progress.Square = true
	p.view = widget.NewSegments([]string{language.Tr("Race"), language.Tr("Details")}, func(int) { p.show() })
	p.pace = widget.NewSegments([]string{language.Tr("Quick"), language.Tr("Thorough")}, func(int) {})
	p.start = widget.NewToolButton(theme.MediaPlayIcon(), language.Tr("Start"), page.KeyName("Enter"), func() {
		if p.running == nil {
			p.begin()
		} else {
			p.cancel()
		}
	})
	p.picture = widget.NewToolButton(theme.MediaPhotoIcon(), language.Tr("Save picture"), "", func() { w.ChooseTarget(language.Tr("Save picture"), "inkshade-latency.png", p.savePicture) })
	p.table = widget.NewToolButton(theme.DocumentSaveIcon(), language.Tr("Save table"), "", func() { w.ChooseTarget(language.Tr("Save table"), "inkshade-latency.csv", p.saveTable) })
	names := widget.Map(charted, func(e bench.Experiment) string { return language.Said(e.Name()) })
	p.experiment = widget.NewSegments(names, func(int) { p.chosen = true; p.show() })
	names = nil
	for _, c := range bench.Everything() {
		if c.Only == nil {
			p.devices = append(p.devices, c.Name)
			names = append(names, language.Said(bench.NameOf(c.Name)))
		}
	}
	p.device = widget.NewSegments(names, func(int) { p.picked = true; p.show() })
	p.device.Choose(len(names) - 1)

	p.bars = container.NewVScroll(p.waterfall)
	chart := widget.Under(8, widget.Sized(0, 34, p.experiment), widget.Rest(p.plot), widget.Sized(0, p.words.Most(), p.words))
	p.scroll = container.NewVScroll(container.New(layout.NewCustomPaddedLayout(0, 0, 0, scrollRoom), p.notes))
	heading := widget.Under(8, widget.Beside(0, p.drawing, widget.Sized(80, 0, p.total)), widget.Sized(0, 28, p.device), p.renderer)
	drawing := widget.Under(4, heading, widget.Rest(p.bars, p.nothing), p.caption)
	know := widget.NewLabel(language.Tr("Good to know"), 14, theme.ColorNameForeground).Bold()
	for i, o := range []fyne.CanvasObject{chart, drawing, container.NewBorder(know, nil, nil, nil, p.scroll), p.race.content} {
		p.cards[i] = widget.NewCard(o, &p.inner)
	}
	p.content = container.New(widget.Arranged{Least: widget.PageSize, Put: p.put}, p.view, p.status, p.detail, p.pace, p.start, p.picture, p.table,
		p.progress, p.cards[0], p.cards[1], p.cards[2], p.cards[3])
	p.show()
	return p
}

// Continue shows what was measured on a page that this one replaces.
func (p *Page) Continue(from *Page) {
	p.Report = from.Report
	p.race.take(from.race.report)
}

func (p *Page) Tab() *page.Page {
	return &page.Page{Key: "latency", Name: language.Tr("Latency"), Content: p.content, Opened: p.show, Measured: p.setTimes, Close: p.stop, Actions: page.Actions{
		Toast: func() widget.Area {
			if p.racing() {
				return widget.AreaOf(p.cards[3])
			}
			return widget.AreaOf(p.cards[0]).Above(p.words.Most() + widget.PlotBottom + p.inner)
		},
		Key: func(k fyne.KeyName) {
			switch k {
			case fyne.KeyReturn, fyne.KeyEnter:
				p.begin()
			case fyne.KeyEscape:
				p.cancel()
			}
		},
	}}
}

func (p *Page) show() {
	r, e := p.Report, charted[p.experiment.Selected]
	fillPlot(p.plot, r, e, p.pace.Selected == 0)
	p.plot.Empty = language.Tr("The readings appear here as they come.")
	p.plot.Refresh()
	p.words.Set(language.AllSaid(r.Chart(e)))
	p.showDrawing()
	notes := notesOf(r)
	if len(r.Devices) == 0 {
		notes = []string{
			language.Tr("Each time is the middle one of many runs. The devices take turns, so that other work on the machine slows all of them alike."),
			language.Tr("The drawing is the one on the Draw page; Quick takes under half a minute on a quiet machine, Thorough one to two minutes."),
			language.Tr("Fragment shaders run on every GPU with OpenGL 3.3, compute shaders need 4.3."),
			passWords(),
		}
	}
	notes = append(notes, language.Tr("The charts measure the same networks on every machine, such as 784-800-10: 784 inputs, 800 hidden units and 10 outputs. The bars are those of the model in use."))
	p.notes.RemoveAll()
	for _, n := range notes {
		p.notes.Add(widget.NewLabel(n, 12, widget.ColorMuted).Wrapped(12))
	}
	p.scroll.Refresh()
	racing := p.racing()
	if p.running == nil {
		end := cmp.Or(p.ended[racing], ending{language.Tr("How fast is this machine?"), language.Tr("Start measures the CPU and the GPU in turns.")})
		p.status.Set(end.status)
		p.detail.Set(end.detail)
	}
	p.pace.Hidden = p.running != nil || racing
	for i, card := range p.cards {
		card.Hidden = racing != (i == 3)
	}
	p.picture.Hidden, p.table.Hidden = racing, racing
	drawing := p.win.Paper.Drawing()
	if p.win.Worker != nil { // else the window is being made
		if drawn := int64(p.win.Worker.Sequence()); drawing.Points() > 0 {
			p.race.drawing.Set(drawing, drawn)
		} else {
			p.race.drawing.Set(bench.Seven, -1)
		}
	}
	p.race.of(drawing, language.ModelName(p.win.Status.Model))
	p.race.show()
	widget.Enable(p.picture, len(r.Readings) > 0)
	widget.Enable(p.table, len(r.Readings) > 0)
	p.progress.Hidden = p.running == nil
	p.content.Refresh()
}

func (p *Page) racing() bool { return p.view.Selected == 0 }

// fillPlot puts the readings of an experiment into a chart: times, or the speed of products.
func fillPlot(p *widget.Plot, r *bench.Report, e bench.Experiment, quick bool) {
	if len(r.Devices) > 0 {
		quick = r.Quick
	}
	p.Title, p.Unit, p.Format = plotTitle(e), language.Said(e.Unit()), widget.TickTime
	speed := e == bench.Product
	if speed {
		p.Format = widget.TickNumber
	}
	p.Sizes, p.Series, p.Mark, p.MarkText = widget.Map(e.Sizes(quick), func(n int) float64 { return float64(n) }), nil, 0, ""
	for i, d := range r.Devices {
		s := widget.PlotSeries{Name: language.Said(bench.NameOf(d.Name)), Color: deviceColor(i)}
		for _, x := range r.Of(e, d.Name) {
			q := widget.PlotPoint{
				X: float64(x.Size), Y: float64(x.Median), Hollow: x.Disturbed, Low: float64(x.Fastest), High: float64(x.Median + x.Deviation),
			}
			if work := x.GFLOPS * q.Y; speed {
				q.Y, q.Low, q.High = x.GFLOPS, work/q.High, work/q.Low
			}
			s.Points = append(s.Points, q)
		}
		if d.Missing == nil && (!d.Compared || len(s.Points) > 0) {
			p.Series = append(p.Series, s)
		}
	}
	for _, c := range r.Crossovers {
		if c.Experiment == e && c.From != 0 && !c.Always() && (p.Mark == 0 || float64(c.From) < p.Mark) {
			p.Mark = float64(c.From)
			p.MarkText = language.Tr("from {{.Count}} {{.Unit}} the GPU is faster", map[string]any{"Count": c.From, "Unit": language.Said(e.Unit())})
		}
	}
}

// scrollRoom is room for the scroll bar beside notes and bars.
const scrollRoom = 8

// put places what is going on and the buttons on top, the chart left, the drawing and the notes right.
func (p *Page) put(size fyne.Size) {
	d, left := widget.DensityOf(size)
	p.inner = d.Inner
	top := left.Top(widget.ToolHeight, 6)
	for _, b := range []*widget.Button{p.table, p.picture, p.start} {
		switch w := b.MinSize().Width; {
		case !b.Visible():
		case b != p.start && d.Compact:
			top.Right(widget.ToolHeight, 8).Put(b) // its icon alone
		case d.Compact:
			top.Right(w, 8).Put(b)
		default:
			top.Right(w+60, 8).Put(b) // for the key
		}
	}
	middle := func(a widget.Area, o fyne.CanvasObject) {
		widget.Middle(o, a.Pos.X, a.Pos.Y, a.Size.Width, a.Size.Height, 30)
	}
	if p.pace.Visible() {
		middle(top.Right(170, 4), p.pace)
	}
	middle(top.Left(166, 14), p.view)
	top.Right(10, 0)
	top.Top(p.status.LineHeight(), 1).Put(p.status)
	top.Top(p.detail.LineHeight(), 0).Put(p.detail)

	left.Top(4, d.Gap-4).Put(p.progress)
	left.Put(p.cards[3])
	right := left.Right(d.Of(widget.Floor(min(max(size.Width*0.32, 380), 520)), 344), d.Gap)
	left.Put(p.cards[0])
	right.Top(widget.Floor(min(right.Size.Height*d.Of(0.54, 0.68), 2*p.inner+380)), d.Gap).Put(p.cards[1])
	right.Put(p.cards[2])
	p.scroll.Refresh()
}

// charted are the experiments that have a chart, in the order of the choice.
var charted = []bench.Experiment{bench.Recognition, bench.Convolution, bench.HiddenUnits, bench.TrainingSamples, bench.Product, bench.SparseRows, bench.PrototypeStep}

func plotTitle(e bench.Experiment) string {
	return map[bench.Experiment]string{
		bench.Recognition:     language.Tr("Time of a recognition, 784-800-10"),
		bench.Convolution:     language.Tr("Time of a recognition, convolutional network"),
		bench.HiddenUnits:     language.Tr("Time of a training step, 2-h-1, {{.Count}} samples", language.Counted(bench.FixedSamples)),
		bench.TrainingSamples: language.Tr("Time of a training step, 2-{{.Count}}-1", language.Counted(bench.FixedHidden)),
		bench.Product:         language.Tr("Speed of a product in GFLOP/s"),
		bench.SparseRows:      language.Tr("Time of the first layer, 784-800, and its gradient, {{.Count}} drawings", language.Counted(bench.FixedDrawings)),
		bench.PrototypeStep:   language.Tr("Time of a step of GLVQ, {{.Count}} classes", language.Counted(bench.ChinesePrototypes.Classes)),
	}[e]
}

// deviceColor tells the devices of a chart apart; all are readable on a card.
func deviceColor(i int) fyne.ThemeColorName {
	colors := []fyne.ThemeColorName{
		theme.ColorNameWarning, theme.ColorNameSuccess, theme.ColorNamePrimary, widget.ColorMuted, theme.ColorNameError,
	}
	return colors[i%len(colors)]
}

func notesOf(r *bench.Report) []string {
	var notes []string
	for _, words := range [][]*message.Message{r.Training(), r.PackingWords(), r.Gain(bench.PrototypeStep)} {
		if words != nil {
			notes = append(notes, language.AllSaid(words))
		}
	}
	for _, words := range slices.Concat(r.Cautions(message.Text("hollow points")), r.NotMeasured()) {
		notes = append(notes, language.Said(words))
	}
	if len(r.Drawings) > 0 {
		notes = append(notes, passWords())
	}
	return notes
}
