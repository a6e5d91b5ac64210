package widget

import (
	"math"
	"slices"

	"inkshade/app/ui/language"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// PlotPoint is one reading: its value and the range of its replays. A hollow point was disturbed.
type PlotPoint struct {
	X, Y, Low, High float64
	Hollow          bool
}

// PlotSeries are the readings of one device, by rising x.
type PlotSeries struct {
	Name   string
	Color  fyne.ThemeColorName
	Points []PlotPoint
}

// Plot shows values over sizes on logarithmic axes, or curves over steps on linear ones, by lines and texts, so that it follows the
// theme; they are made anew on every change, because they are few.
type Plot struct {
	Composed
	Title, Unit string // of the values, over the axis; what the sizes count, under it
	Format      func(float64) string
	Series      []PlotSeries
	Sizes       []float64 // that are written under the axis
	Mark        float64   // size from which the GPU is faster; 0 for none
	MarkText    string
	Empty       string  // stands in the middle while there is no reading
	linear      bool    // the newest value of the only series stands beside the title
	Top         float64 // of a linear axis; 0 follows the values
}

func NewPlot() *Plot {
	p := &Plot{Format: TickTime}
	p.Compose(p, container.New(Arranged{AtLeast(160, 120), p.build}))
	return p
}

// NewCurve makes a plot of one curve over steps.
func NewCurve(title string, c fyne.ThemeColorName, format func(float64) string) *Plot {
	p := NewPlot()
	p.Title, p.Unit, p.Format, p.linear, p.Series = title, language.Tr("steps"), format, true, []PlotSeries{{Color: c}}
	return p
}

const (
	plotLeft   = 58
	plotTop    = 26
	PlotBottom = 38
	plotRight  = 14
	plotText   = 12
	titleText  = 13
)

func (p *Plot) build(size fyne.Size) {
	p.Content.Objects = nil
	top := p.heading(size.Width)
	area := Area{fyne.NewPos(plotLeft, top), fyne.NewSize(size.Width-plotLeft-plotRight, size.Height-top-PlotBottom)}
	if area.Size.Width < 40 || area.Size.Height < 40 {
		return
	}
	xs, ys := p.axes()
	right, bottom, middle := area.Pos.X+area.Size.Width, area.Pos.Y+area.Size.Height, area.Pos.X+area.Size.Width/2
	at := func(x, y float64) fyne.Position {
		return area.Pos.AddXY(area.Size.Width*float32(xs.at(x)), area.Size.Height*float32(1-ys.at(y)))
	}
	p.line(fyne.NewPos(plotLeft, bottom), fyne.NewPos(right, bottom), ColorMuted, 1)
	free := float32(0)
	for _, size := range p.Sizes { // as many as there is room for
		name, x := language.Number("%.0f", size), at(size, 1).X
		p.line(fyne.NewPos(x, bottom), fyne.NewPos(x, bottom+4), ColorMuted, 1)
		if left := x - textWidth(name, plotText)/2; left >= free {
			p.text(name, fyne.NewPos(x, bottom+4), plotText, ColorMuted, fyne.TextAlignCenter)
			free = left + textWidth(name, plotText) + 8
		}
	}
	p.text(p.Unit, fyne.NewPos(middle, bottom+19), plotText, ColorMuted, fyne.TextAlignCenter)
	if ys.high == 0 {
		p.text(p.Empty, fyne.NewPos(middle, area.Pos.Y+area.Size.Height/2-8), 13, ColorMuted, fyne.TextAlignCenter)
		return
	}
	for _, v := range ys.ticks() {
		y := at(1, v).Y
		p.line(fyne.NewPos(plotLeft, y), fyne.NewPos(right, y), ColorBorder, 1)
		p.text(p.Format(v), fyne.NewPos(plotLeft-8, y-9), plotText, ColorMuted, fyne.TextAlignTrailing)
	}
	if p.Mark > 0 {
		top, wide := at(p.Mark, ys.high), textWidth(p.MarkText, plotText)
		p.line(top, at(p.Mark, ys.low), ColorMuted, 1.5)
		switch { // on the side that has the room
		case top.X+6+wide <= right:
			p.text(p.MarkText, top.AddXY(6, 0), plotText, theme.ColorNameForeground, fyne.TextAlignLeading)
		case top.X-6-wide >= plotLeft:
			p.text(p.MarkText, top.AddXY(-6, 0), plotText, theme.ColorNameForeground, fyne.TextAlignTrailing)
		}
	}
	for _, s := range p.Series {
		points := s.Points
		if p.linear {
			points = thinned(points, xs, area.Size.Width)
		}
		for i := 1; i < len(points); i++ {
			p.line(at(points[i-1].X, points[i-1].Y), at(points[i].X, points[i].Y), s.Color, 2)
		}
		if p.linear {
			points = points[max(len(points)-1, 0):]
		}
		for _, q := range points {
			if q.Low > 0 && q.High > q.Low {
				p.line(at(q.X, q.Low), at(q.X, q.High), s.Color, 1)
			}
			p.dot(at(q.X, q.Y), s.Color, q.Hollow)
		}
	}
}

func (p *Plot) axes() (xs, ys axis) {
	x, y := slices.Clone(p.Sizes), []float64{}
	for _, s := range p.Series {
		for _, q := range s.Points {
			x, y = append(x, q.X), append(y, q.Y, q.Low, q.High)
		}
	}
	if !p.linear {
		return newLogAxis(x, 1.15), newLogAxis(y, 1.25)
	}
	if ys = newLinearAxis(y); p.Top > 0 {
		ys.high = p.Top
	}
	return axis{high: max(slices.Max(p.Sizes), 1), linear: true}, ys
}

// thinned takes at most one point for every two units of width, the mean of those that fall together.
func thinned(points []PlotPoint, xs axis, width float32) []PlotPoint {
	slots := float64(max(int(width/2), 2))
	slot := func(p PlotPoint) int { return int(xs.at(p.X) * slots) }
	var out []PlotPoint
	for from := 0; from < len(points); {
		to, sum := from, 0.0
		for to < len(points) && slot(points[to]) == slot(points[from]) {
			sum += points[to].Y
			to++
		}
		out = append(out, PlotPoint{X: points[to-1].X, Y: sum / float64(to-from)})
		from = to
	}
	return out
}

// heading writes the title and the names of the devices, beside it or under it, and gives where the chart begins.
func (p *Plot) heading(width float32) (bottom float32) {
	const dot, gap = 14, 18
	p.text(p.Title, fyne.NewPos(0, 0), titleText, theme.ColorNameForeground, fyne.TextAlignLeading)
	if p.linear {
		if points := p.Series[0].Points; len(points) > 0 {
			value := NewLabel(p.Format(Last(points).Y), 22, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignTrailing)
			Place(value, width-90-plotRight, 0, 90, value.LineHeight())
			p.Content.Objects = append(p.Content.Objects, value)
		}
		return plotTop + 14
	}
	x, y := width+gap, float32(0)
	for _, s := range p.Series {
		x -= dot + textWidth(s.Name, plotText) + gap
	}
	if x < textWidth(p.Title, titleText)+gap {
		x, y = plotLeft, 20
	}
	for _, s := range p.Series {
		p.dot(fyne.NewPos(x+4, y+9), s.Color, false)
		p.text(s.Name, fyne.NewPos(x+dot, y), plotText, ColorMuted, fyne.TextAlignLeading)
		x += dot + textWidth(s.Name, plotText) + gap
	}
	return y + plotTop
}

func textWidth(text string, size float32) float32 {
	return fyne.MeasureText(text, size, fyne.TextStyle{}).Width
}

func (p *Plot) line(a, b fyne.Position, c fyne.ThemeColorName, width float32) {
	l := canvas.NewLine(Themed(c))
	l.StrokeWidth = width
	l.Position1, l.Position2 = a, b
	p.Content.Objects = append(p.Content.Objects, l)
}

func (p *Plot) dot(at fyne.Position, c fyne.ThemeColorName, hollow bool) {
	d := canvas.NewCircle(Themed(c))
	if hollow {
		d.FillColor, d.StrokeColor, d.StrokeWidth = Themed(ColorCard), Themed(c), 2
	}
	Place(d, at.X-4, at.Y-4, 8, 8)
	p.Content.Objects = append(p.Content.Objects, d)
}

// text writes at a position that is the left end, the right end or the middle of the top.
func (p *Plot) text(s string, at fyne.Position, size float32, c fyne.ThemeColorName, align fyne.TextAlign) {
	t := canvas.NewText(s, Themed(c))
	t.TextSize = size
	m := t.MinSize()
	switch align {
	case fyne.TextAlignTrailing:
		at.X -= m.Width
	case fyne.TextAlignCenter:
		at.X -= m.Width / 2
	}
	Place(t, Floor(at.X), Floor(at.Y), m.Width, m.Height)
	p.Content.Objects = append(p.Content.Objects, t)
}

// axis maps values onto 0..1, by their logarithm or, where it is linear, as they are.
type axis struct {
	low, high float64
	linear    bool
}

// newLogAxis spans the values and a little more on either side. Without a value it is empty, from 0 to 0.
func newLogAxis(values []float64, margin float64) axis {
	values = slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return !(v > 0) || math.IsInf(v, 0) })
	if len(values) == 0 {
		return axis{}
	}
	return axis{low: slices.Min(values) / margin, high: slices.Max(values) * margin}
}

// newLinearAxis goes from 0 to 1, 2 or 5 times a power of ten, and holds the values.
func newLinearAxis(values []float64) axis {
	most := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			most = max(most, v)
		}
	}
	high := 1.
	if most > 0 {
		high = math.Pow(10, math.Floor(math.Log10(most)))
	}
	for _, m := range []float64{2, 2.5, 2} {
		if most > high*1.0001 {
			high *= m
		}
	}
	return axis{high: high, linear: true}
}

// at is where a value lies, 0 at the low end.
func (a axis) at(v float64) float64 {
	switch {
	case a.linear:
		v = (v - a.low) / (a.high - a.low)
	case v <= 0 || a.low == 0:
		return 0
	default:
		v = math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return min(max(v, 0), 1)
}

// ticks are the quarters of a linear axis, fifths where it goes to a five, else powers of ten, with their doubles and fives where there would be fewer than three.
func (a axis) ticks() []float64 {
	if a.linear {
		n := 4
		if math.Round(a.high/math.Pow(10, math.Floor(math.Log10(a.high)))) == 5 {
			n = 5
		}
		all := make([]float64, n+1)
		for i := range all {
			all[i] = a.high * float64(i) / float64(n)
		}
		return all
	}
	steps := []float64{1}
	if math.Log10(a.high/a.low) < 2.7 {
		steps = []float64{1, 2, 5}
	}
	var all []float64
	for e := math.Floor(math.Log10(a.low)); e <= math.Log10(a.high); e++ {
		for _, m := range steps {
			if v := m * math.Pow(10, e); v >= a.low && v <= a.high {
				all = append(all, v)
			}
		}
	}
	return all
}

// TickTime writes a time of so many nanoseconds as short as it can be.
func TickTime(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size*0.9999 {
			return language.Number("%.4g %s", ns/u.size, u.name)
		}
	}
	return language.Number("%.4g ns", ns)
}

func TickNumber(v float64) string { return language.Number("%.4g", v) }
