package ui

import (
	"fmt"
	"math"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// plotPoint is one reading: its value and the range of its replays. A hollow point was
// disturbed.
type plotPoint struct {
	x, y, low, high float64
	hollow          bool
}

// plotSeries are the readings of one device, by rising x.
type plotSeries struct {
	name   string
	color  fyne.ThemeColorName
	points []plotPoint
}

// plot shows values over sizes, both on logarithmic axes, or on linear ones curves over steps
// from 0 on. It is made of lines and texts, so that it follows the theme and needs no picture of
// its own; they are made anew on every change, because they are few.
type plot struct {
	composed
	title, unit string // of the values, over the axis; what the sizes count, under it
	format      func(float64) string
	series      []plotSeries
	sizes       []float64 // that are written under the axis
	mark        float64   // size from which the GPU is faster; 0 for none
	markText    string
	empty       string  // stands in the middle while there is no reading
	linear      bool    // the newest value of the only series stands beside the title
	top         float64 // of a linear axis; 0 follows the values
}

func newPlot() *plot {
	p := &plot{format: tickTime}
	p.compose(p, container.New(arranged{atLeast(160, 120), p.build}))
	return p
}

const (
	plotLeft   = 58
	plotTop    = 26
	plotBottom = 38
	plotRight  = 14
	plotText   = 12
	// plotTitleText is larger.
	plotTitleText = 13
)

func (p *plot) build(size fyne.Size) {
	p.content.Objects = nil
	top := p.heading(size.Width)
	area := area{fyne.NewPos(plotLeft, top), fyne.NewSize(size.Width-plotLeft-plotRight, size.Height-top-plotBottom)}
	if area.size.Width < 40 || area.size.Height < 40 {
		return
	}
	xs, ys := p.axes()
	at := func(x, y float64) fyne.Position {
		return fyne.NewPos(
			area.pos.X+area.size.Width*float32(xs.at(x)),
			area.pos.Y+area.size.Height*float32(1-ys.at(y)))
	}
	p.sizesUnder(area, at)
	if ys.high == 0 {
		p.text(p.empty, fyne.NewPos(area.pos.X+area.size.Width/2, area.pos.Y+area.size.Height/2-8), 13, colorMuted, fyne.TextAlignCenter)
		return
	}
	p.grid(area, ys, at)
	if p.mark > 0 {
		top := at(p.mark, ys.high)
		p.line(top, at(p.mark, ys.low), colorMuted, 1.5)
		p.markWords(area, top)
	}
	for _, s := range p.series {
		points := s.points
		if p.linear {
			points = thinned(points, xs, area.size.Width)
		}
		for i := 1; i < len(points); i++ {
			p.line(at(points[i-1].x, points[i-1].y), at(points[i].x, points[i].y), s.color, 2)
		}
		if p.linear {
			points = points[max(len(points)-1, 0):]
		}
		for _, q := range points {
			if q.low > 0 && q.high > q.low {
				p.line(at(q.x, q.low), at(q.x, q.high), s.color, 1)
			}
			p.dot(at(q.x, q.y), s.color, q.hollow)
		}
	}
}

func (p *plot) axes() (xs, ys axis) {
	x, y := slices.Clone(p.sizes), []float64{}
	for _, s := range p.series {
		for _, q := range s.points {
			x, y = append(x, q.x), append(y, q.y, q.low, q.high)
		}
	}
	if !p.linear {
		return newLogAxis(x, 1.15), newLogAxis(y, 1.25)
	}
	if ys = newLinearAxis(y); p.top > 0 {
		ys.high = p.top
	}
	return axis{high: max(slices.Max(p.sizes), 1), linear: true}, ys
}

// thinned takes at most one point for every two units of width, the mean of those that fall
// together.
func thinned(points []plotPoint, xs axis, width float32) []plotPoint {
	slots := float64(max(int(width/2), 2))
	slot := func(p plotPoint) int { return int(xs.at(p.x) * slots) }
	var out []plotPoint
	for from := 0; from < len(points); {
		to, sum := from, 0.0
		for to < len(points) && slot(points[to]) == slot(points[from]) {
			sum += points[to].y
			to++
		}
		out = append(out, plotPoint{x: points[to-1].x, y: sum / float64(to-from)})
		from = to
	}
	return out
}

// heading writes the title and the names of the devices, which go under it where they do not
// fit beside it, and gives where the chart begins.
func (p *plot) heading(width float32) (bottom float32) {
	const dot, gap = 14, 18
	title := fyne.MeasureText(p.title, plotTitleText, fyne.TextStyle{}).Width
	p.text(p.title, fyne.NewPos(0, 0), plotTitleText, theme.ColorNameForeground, fyne.TextAlignLeading)
	if p.linear {
		if points := p.series[0].points; len(points) > 0 {
			value := newLabel(p.format(points[len(points)-1].y), 22, theme.ColorNameForeground).bold().aligned(fyne.TextAlignTrailing)
			place(value, width-90-plotRight, 0, 90, value.lineHeight())
			p.content.Objects = append(p.content.Objects, value)
		}
		return plotTop + 14
	}
	legend := float32(0)
	for _, s := range p.series {
		legend += dot + fyne.MeasureText(s.name, plotText, fyne.TextStyle{}).Width + gap
	}
	x, y := width-legend+gap, float32(0)
	if x < title+gap {
		x, y = plotLeft, 20
	}
	for _, s := range p.series {
		p.dot(fyne.NewPos(x+4, y+9), s.color, false)
		p.text(s.name, fyne.NewPos(x+dot, y), plotText, colorMuted, fyne.TextAlignLeading)
		x += dot + fyne.MeasureText(s.name, plotText, fyne.TextStyle{}).Width + gap
	}
	return y + plotTop
}

func (p *plot) grid(a area, ys axis, at func(x, y float64) fyne.Position) {
	left, right := a.pos.X, a.pos.X+a.size.Width
	for _, v := range ys.ticks() {
		y := at(1, v).Y
		p.line(fyne.NewPos(left, y), fyne.NewPos(right, y), colorBorder, 1)
		p.text(p.format(v), fyne.NewPos(left-8, y-9), plotText, colorMuted, fyne.TextAlignTrailing)
	}
}

// sizesUnder writes the sizes under the axis, as many as there is room for.
func (p *plot) sizesUnder(a area, at func(x, y float64) fyne.Position) {
	bottom := a.pos.Y + a.size.Height
	p.line(fyne.NewPos(a.pos.X, bottom), fyne.NewPos(a.pos.X+a.size.Width, bottom), colorMuted, 1)
	free := float32(0)
	for _, x := range p.sizes {
		name := fmt.Sprintf("%.0f", x)
		w := fyne.MeasureText(name, plotText, fyne.TextStyle{}).Width
		x := at(x, 1).X
		p.line(fyne.NewPos(x, bottom), fyne.NewPos(x, bottom+4), colorMuted, 1)
		if left := x - w/2; left >= free {
			p.text(name, fyne.NewPos(x, bottom+4), plotText, colorMuted, fyne.TextAlignCenter)
			free = left + w + 8
		}
	}
	p.text(p.unit, fyne.NewPos(a.pos.X+a.size.Width/2, bottom+19), plotText, colorMuted, fyne.TextAlignCenter)
}

// markWords stand beside the mark, on the side that has the room.
func (p *plot) markWords(a area, top fyne.Position) {
	w := fyne.MeasureText(p.markText, plotText, fyne.TextStyle{}).Width
	switch {
	case top.X+6+w <= a.pos.X+a.size.Width:
		p.text(p.markText, top.AddXY(6, 0), plotText, theme.ColorNameForeground, fyne.TextAlignLeading)
	case top.X-6-w >= a.pos.X:
		p.text(p.markText, top.AddXY(-6, 0), plotText, theme.ColorNameForeground, fyne.TextAlignTrailing)
	}
}

func (p *plot) line(a, b fyne.Position, c fyne.ThemeColorName, width float32) {
	l := canvas.NewLine(themed(c))
	l.StrokeWidth = width
	l.Position1, l.Position2 = a, b
	p.content.Objects = append(p.content.Objects, l)
}

func (p *plot) dot(at fyne.Position, c fyne.ThemeColorName, hollow bool) {
	d := canvas.NewCircle(themed(c))
	if hollow {
		d.FillColor, d.StrokeColor, d.StrokeWidth = themed(colorCard), themed(c), 2
	}
	place(d, at.X-4, at.Y-4, 8, 8)
	p.content.Objects = append(p.content.Objects, d)
}

// text writes at a position that is the left end, the right end or the middle of the top.
func (p *plot) text(s string, at fyne.Position, size float32, c fyne.ThemeColorName, align fyne.TextAlign) {
	t := canvas.NewText(s, themed(c))
	t.TextSize = size
	m := t.MinSize()
	switch align {
	case fyne.TextAlignTrailing:
		at.X -= m.Width
	case fyne.TextAlignCenter:
		at.X -= m.Width / 2
	}
	place(t, floor(at.X), floor(at.Y), m.Width, m.Height)
	p.content.Objects = append(p.content.Objects, t)
}

// axis maps values onto 0..1, by their logarithm or, where it is linear, as they are.
type axis struct {
	low, high float64
	linear    bool
}

// newLogAxis spans the values given and a little more on either side. Without a value it is
// empty, from 0 to 0.
func newLogAxis(values []float64, margin float64) axis {
	a := axis{low: math.Inf(1)}
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	if a.high == 0 {
		return axis{}
	}
	return axis{low: a.low / margin, high: a.high * margin}
}

// newLinearAxis goes from 0 to 1, 2 or 5 times a power of ten, and holds the values.
func newLinearAxis(values []float64) axis {
	most := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			most = max(most, v)
		}
	}
	if most == 0 {
		return axis{high: 1, linear: true}
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range []float64{1, 2, 5} {
		if most <= m*power*1.0001 {
			return axis{high: m * power, linear: true}
		}
	}
	return axis{high: 10 * power, linear: true}
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

// ticks are the quarters of a linear axis, else the powers of ten within it, with their doubles
// and fives where there would be fewer than three.
func (a axis) ticks() []float64 {
	if a.linear {
		step := (a.high - a.low) / 4
		return []float64{a.low, a.low + step, a.low + 2*step, a.low + 3*step, a.high}
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

// tickTime writes a time of so many nanoseconds as short as it can be.
func tickTime(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size*0.9999 {
			return fmt.Sprintf("%.4g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.4g ns", ns)
}

func tickNumber(v float64) string { return fmt.Sprintf("%.4g", v) }
