package ui

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
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

// plot shows values over sizes, both on logarithmic axes, out of lines and texts, so that it
// follows the theme and needs no picture of its own.
type plot struct {
	widget.BaseWidget
	title, unit string // of the values, over the axis; what the sizes count, under it
	format      func(float64) string
	series      []plotSeries
	sizes       []float64 // that will be measured
	mark        float64   // size from which the GPU is faster; 0 for none
	markText    string
	empty       string // stands in the middle while there is no reading
}

func newPlot() *plot {
	p := &plot{format: tickTime}
	p.ExtendBaseWidget(p)
	return p
}

// CreateRenderer implements fyne.Widget.
func (p *plot) CreateRenderer() fyne.WidgetRenderer {
	r := &plotRenderer{plot: p}
	r.Refresh()
	return r
}

// plotRenderer makes its objects anew on every change; they are few.
type plotRenderer struct {
	plot    *plot
	objects []fyne.CanvasObject
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

func (r *plotRenderer) MinSize() fyne.Size { return fyne.NewSize(240, 150) }

func (r *plotRenderer) Layout(size fyne.Size) { r.build(size) }

func (r *plotRenderer) build(size fyne.Size) {
	r.objects = nil
	p := r.plot
	top := r.heading(size.Width)
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
	r.sizesUnder(area, at)
	if ys.low == 0 {
		r.text(p.empty, fyne.NewPos(area.pos.X+area.size.Width/2, area.pos.Y+area.size.Height/2-8), 13, colorMuted, fyne.TextAlignCenter)
		return
	}
	r.grid(area, ys, at)
	if p.mark > 0 {
		top := at(p.mark, ys.high)
		r.line(top, at(p.mark, ys.low), colorMuted, 1.5)
		r.markWords(area, top)
	}
	for _, s := range p.series {
		for i := 1; i < len(s.points); i++ {
			a, b := s.points[i-1], s.points[i]
			r.line(at(a.x, a.y), at(b.x, b.y), s.color, 2)
		}
	}
	for _, s := range p.series {
		for _, q := range s.points {
			if q.low > 0 && q.high > q.low {
				r.line(at(q.x, q.low), at(q.x, q.high), s.color, 1)
			}
			r.dot(at(q.x, q.y), s.color, q.hollow)
		}
	}
}

func (p *plot) axes() (xs, ys logAxis) {
	x, y := slices.Clone(p.sizes), []float64{}
	for _, s := range p.series {
		for _, q := range s.points {
			x, y = append(x, q.x), append(y, q.y)
		}
	}
	return newLogAxis(x, 1.15), newLogAxis(y, 1.6)
}

// heading writes the title and the names of the devices, which go under it where they do not
// fit beside it, and gives where the chart begins.
func (r *plotRenderer) heading(width float32) (bottom float32) {
	const dot, gap = 14, 18
	title := fyne.MeasureText(r.plot.title, plotTitleText, fyne.TextStyle{}).Width
	r.text(r.plot.title, fyne.NewPos(0, 0), plotTitleText, theme.ColorNameForeground, fyne.TextAlignLeading)
	legend := float32(0)
	for _, s := range r.plot.series {
		legend += dot + fyne.MeasureText(s.name, plotText, fyne.TextStyle{}).Width + gap
	}
	x, y := width-legend+gap, float32(0)
	if x < title+gap {
		x, y = plotLeft, 20
	}
	for _, s := range r.plot.series {
		r.dot(fyne.NewPos(x+4, y+9), s.color, false)
		r.text(s.name, fyne.NewPos(x+dot, y), plotText, colorMuted, fyne.TextAlignLeading)
		x += dot + fyne.MeasureText(s.name, plotText, fyne.TextStyle{}).Width + gap
	}
	return y + plotTop
}

func (r *plotRenderer) grid(a area, ys logAxis, at func(x, y float64) fyne.Position) {
	left, right := a.pos.X, a.pos.X+a.size.Width
	for _, v := range ys.ticks() {
		y := at(1, v).Y
		r.line(fyne.NewPos(left, y), fyne.NewPos(right, y), colorBorder, 1)
		r.text(r.plot.format(v), fyne.NewPos(left-8, y-9), plotText, colorMuted, fyne.TextAlignTrailing)
	}
}

// sizesUnder writes the sizes under the axis, as many as there is room for.
func (r *plotRenderer) sizesUnder(a area, at func(x, y float64) fyne.Position) {
	bottom := a.pos.Y + a.size.Height
	r.line(fyne.NewPos(a.pos.X, bottom), fyne.NewPos(a.pos.X+a.size.Width, bottom), colorMuted, 1)
	free := float32(0)
	for _, x := range r.plot.sizes {
		name := fmt.Sprintf("%.0f", x)
		w := fyne.MeasureText(name, plotText, fyne.TextStyle{}).Width
		p := at(x, 1).X
		r.line(fyne.NewPos(p, bottom), fyne.NewPos(p, bottom+4), colorMuted, 1)
		if left := p - w/2; left >= free {
			r.text(name, fyne.NewPos(p, bottom+4), plotText, colorMuted, fyne.TextAlignCenter)
			free = left + w + 8
		}
	}
	r.text(r.plot.unit, fyne.NewPos(a.pos.X+a.size.Width/2, bottom+19), plotText, colorMuted, fyne.TextAlignCenter)
}

// markWords stand beside the mark, on the side that has the room.
func (r *plotRenderer) markWords(a area, top fyne.Position) {
	w := fyne.MeasureText(r.plot.markText, plotText, fyne.TextStyle{}).Width
	switch {
	case top.X+6+w <= a.pos.X+a.size.Width:
		r.text(r.plot.markText, top.AddXY(6, 0), plotText, theme.ColorNameForeground, fyne.TextAlignLeading)
	case top.X-6-w >= a.pos.X:
		r.text(r.plot.markText, top.AddXY(-6, 0), plotText, theme.ColorNameForeground, fyne.TextAlignTrailing)
	}
}

func (r *plotRenderer) line(a, b fyne.Position, c fyne.ThemeColorName, width float32) {
	l := canvas.NewLine(themed(c))
	l.StrokeWidth = width
	l.Position1, l.Position2 = a, b
	r.objects = append(r.objects, l)
}

func (r *plotRenderer) dot(at fyne.Position, c fyne.ThemeColorName, hollow bool) {
	d := canvas.NewCircle(themed(c))
	if hollow {
		d.FillColor, d.StrokeColor, d.StrokeWidth = themed(colorCard), themed(c), 2
	}
	place(d, at.X-4, at.Y-4, 8, 8)
	r.objects = append(r.objects, d)
}

// text writes at a position that is the left end, the right end or the middle of the top.
func (r *plotRenderer) text(s string, at fyne.Position, size float32, c fyne.ThemeColorName, align fyne.TextAlign) {
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
	r.objects = append(r.objects, t)
}

func (r *plotRenderer) Refresh() {
	r.build(r.plot.Size())
	canvas.Refresh(r.plot)
}

func (r *plotRenderer) Objects() []fyne.CanvasObject { return r.objects }
func (r *plotRenderer) Destroy()                     {}
