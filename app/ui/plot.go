package ui

import (
	"fmt"
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
			x, y = append(x, q.x), append(y, q.y)
		}
	}
	if !p.linear {
		return newLogAxis(x, 1.15), newLogAxis(y, 1.6)
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
