package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/personal"
)

// comparison shows wrong answers before and after as two bars under a title.
type comparison struct {
	widget.BaseWidget
	title  string
	of     personal.Comparison
	slight float64 // a change of the share below this counts as none
}

func newComparison(title string, slight float64) *comparison {
	c := &comparison{title: title, slight: slight}
	c.ExtendBaseWidget(c)
	return c
}

func (c *comparison) show(of personal.Comparison) {
	c.of = of
	c.Refresh()
}

// tone is the colour of what came after.
func (c *comparison) tone() fyne.ThemeColorName {
	switch d := c.of.ErrorAfter() - c.of.ErrorBefore(); {
	case c.of.After == c.of.Before || d < c.slight && d > -c.slight:
		return theme.ColorNamePrimary
	case d < 0:
		return theme.ColorNameSuccess
	}
	return theme.ColorNameError
}

// CreateRenderer implements fyne.Widget.
func (c *comparison) CreateRenderer() fyne.WidgetRenderer {
	r := &comparisonRenderer{comparison: c, title: newLabel(c.title, 13, theme.ColorNameForeground).bold()}
	for i, name := range []string{tr("before"), tr("after")} {
		r.names[i] = newLabel(name, 12, colorMuted)
		r.values[i] = newLabel("", 12, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing)
		r.tracks[i] = canvas.NewRectangle(themed(colorTrack))
		r.bars[i] = canvas.NewRectangle(themed(colorPreprocess))
		r.tracks[i].CornerRadius, r.bars[i].CornerRadius = 4, 4
	}
	r.values[1].bold()
	r.Refresh()
	return r
}

type comparisonRenderer struct {
	comparison    *comparison
	title         *label
	names, values [2]*label
	tracks, bars  [2]*canvas.Rectangle
}

const comparisonRow = 20

func (r *comparisonRenderer) MinSize() fyne.Size {
	return fyne.NewSize(200, r.title.lineHeight()+4+2*comparisonRow)
}

func (r *comparisonRenderer) Layout(size fyne.Size) {
	const thick = 8
	th := r.title.lineHeight()
	place(r.title, 0, 0, size.Width, th)
	nameWidth := max(r.names[0].width(r.names[0].text), r.names[1].width(r.names[1].text)) + 10
	valueWidth := max(r.values[0].width(r.values[0].text), r.values[1].width(r.values[1].text)) + 12
	c := r.comparison.of
	full := float32(max(c.Before, c.After, 1))
	track := size.Width - nameWidth - valueWidth
	for i, wrong := range [2]int{c.Before, c.After} {
		y := th + 4 + float32(i)*comparisonRow
		h := r.names[i].lineHeight()
		place(r.names[i], 0, y+floor((comparisonRow-h)/2), nameWidth, h)
		place(r.values[i], size.Width-valueWidth, y+floor((comparisonRow-h)/2), valueWidth, h)
		by := y + floor((comparisonRow-thick)/2)
		place(r.tracks[i], nameWidth, by, track, thick)
		// A bar shorter than its round ends would be drawn as a stray dot.
		if width := floor(track * float32(wrong) / full); width >= 2 && c.Samples > 0 {
			place(r.bars[i], nameWidth, by, max(width, thick), thick)
			r.bars[i].Show()
		} else {
			r.bars[i].Hide()
		}
	}
}

func (r *comparisonRenderer) Refresh() {
	c := r.comparison
	if c.of.Samples == 0 {
		r.values[0].set(tr("not measured"))
		r.values[1].set(tr("not measured"))
	} else {
		r.values[0].set(errorRate(c.of.Before, c.of.Samples))
		r.values[1].set(errorRate(c.of.After, c.of.Samples))
	}
	for i := range r.tracks {
		r.tracks[i].FillColor = themed(colorTrack)
	}
	r.bars[0].FillColor, r.bars[1].FillColor = themed(colorPreprocess), themed(c.tone())
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *comparisonRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.title}
	for i := range r.names {
		o = append(o, r.names[i], r.tracks[i], r.bars[i], r.values[i])
	}
	return o
}
func (r *comparisonRenderer) Destroy() {}
