package latency

import (
	"math"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/bench"
	"inkshade/recognizer/ink"
)

// race shows how many drawings each device reads in a second, for more and more at once, readable from the back of a room.
type race struct {
	report   *bench.Report
	headline *widget.Label
	drawing  *widget.InkView
	rows     []widget.BarRow // of the runners
	at       *widget.Segments
	chosen   bool          // a person chose the size; else it follows what is measured
	unit     *widget.Label // of the bars
	count    *widget.Label // of drawings at once
	caption  *widget.Label
	content  *fyne.Container
}

func runners() []bench.Contestant {
	return bench.Contestants(glcompute.CPU, glcompute.Fragment, glcompute.Compute)
}

func newRace() *race {
	r := &race{
		report: &bench.Report{}, drawing: widget.NewInkView(72),
		headline: widget.NewLabel("", 26, theme.ColorNameForeground).Bold().Wrapped(2),
		unit:     widget.NewLabel(language.Tr("Drawings read in a second"), 13, widget.ColorMuted).Aligned(fyne.TextAlignTrailing),
		count:    widget.NewLabel("", 20, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignCenter),
		caption:  widget.NewLabel("", 13, widget.ColorMuted).Wrapped(3),
	}
	r.at = widget.NewSegments(widget.Map(bench.Race.Sizes(true), strconv.Itoa), func(int) { r.chosen = true; r.show() })
	var objects []fyne.CanvasObject
	for _, c := range runners() {
		row := widget.BarRow{
			Name: widget.NewLabel(language.Sentence(language.Said(bench.NameOf(c.Name))), 18, theme.ColorNameForeground), Bar: widget.NewBar(),
			Value: widget.NewLabel("", 26, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignTrailing),
		}
		r.rows, objects = append(r.rows, row), append(objects, row.Objects()...)
	}
	// The headline stands beside the drawing, the bars in the middle, and how many drawings at once under them.
	head := widget.Under(0, widget.Beside(16, widget.Sized(72, 72, r.drawing), widget.Under(0, layout.NewSpacer(), r.headline, layout.NewSpacer())), r.unit)
	foot := widget.Under(6, r.count, container.NewCenter(widget.Sized(480, 30, r.at)), widget.Sized(0, r.caption.Most(), r.caption))
	r.content = container.NewBorder(head, foot, nil, nil, container.New(widget.Arranged{Least: widget.AtLeast(420, 100), Put: func(size fyne.Size) {
		name, room := float32(0), widget.Floor(size.Height/float32(len(r.rows)))
		for _, row := range r.rows {
			name = max(name, row.Name.Width(row.Name.Text)+16)
		}
		for i, row := range r.rows {
			row.Put(float32(i)*room, size.Width, room, name, 170, widget.Floor(min(room*0.6, 64)))
		}
	}}, objects...))
	return r
}

// of says what is read, and by which model.
func (r *race) of(drawing ink.Ink, model string) {
	text := language.Tr("Your last drawing, again and again, read by {{.Name}}.", map[string]any{"Name": model})
	if drawing.Points() == 0 {
		text = language.Tr("A sample digit, again and again, read by {{.Name}}.", map[string]any{"Name": model})
	}
	all := []string{text, language.AllSaid(r.report.Cautions(nil))}
	for _, d := range r.report.Listed() {
		if d.Missing != nil {
			all = append(all, language.Said(d.Why())+language.Tr("."))
		}
	}
	r.caption.Set(language.Sentences(all...))
}

// take takes a report, as far as it has come, at the largest size that no device has left out, unless a person chose one.
func (r *race) take(report *bench.Report) {
	r.report = report
	if r.chosen {
		return
	}
	most := 0
	for i, size := range bench.Race.Sizes(true) {
		measured := 0
		for _, x := range report.Readings {
			if x.Size == size && x.Missing == nil {
				measured++
			}
		}
		if measured > 0 && measured >= most {
			most = measured
			r.at.Choose(i)
		}
	}
}

func (r *race) show() {
	size := bench.Race.Sizes(true)[r.at.Selected]
	r.count.Set(language.OneOrMany(size, language.Tr("One drawing"), language.Tr("{{.Count}} drawings at once", language.Counted(size))))
	speeds, best := make([]float64, len(r.rows)), 0.
	for i, c := range runners() {
		for _, x := range r.report.Of(bench.Race, c.Name) {
			if x.Size == size && x.Median > 0 {
				speeds[i] = float64(size) / x.Median.Seconds()
				best = max(best, speeds[i])
			}
		}
	}
	for i, row := range r.rows {
		row.Value.Set("")
		row.Bar.Set()
		switch {
		case speeds[i] == 0 && r.report.Complete: // it would have taken too long
			row.Value.Set("–")
		case speeds[i] > 0:
			row.Value.Set(readable(speeds[i]) + "/s")
			row.Bar.Set(widget.Span{From: 0, To: speeds[i] / best, Color: deviceColor(i)})
		}
	}
	r.headline.Set(r.words())
	r.content.Refresh()
}

func (r *race) words() string {
	var best *bench.Crossover
	for i, c := range r.report.Crossovers {
		if c.Experiment == bench.Race && !c.Never() && (best == nil || c.Lead > best.Lead) {
			best = &r.report.Crossovers[i]
		}
	}
	switch {
	case len(r.report.Crossovers) == 0 || !r.report.Complete:
		return language.Tr("How many drawings does this machine read in a second?")
	case best != nil:
		return language.Said(best.Words()[0])
	}
	return language.AllSaid(r.report.Chart(bench.Race))
}

// readable writes a number with three digits that count, in groups of three.
func readable(x float64) string {
	if x < 100 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	unit := math.Pow10(int(math.Log10(x)) - 2)
	text := strconv.FormatFloat(math.Round(x/unit)*unit, 'f', 0, 64)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}
