package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer"
)

// stackedBar shows the stages of a time beside each other; its full width is the longest
// time shown.
type stackedBar struct {
	widget.BaseWidget
	timing *recognizer.Timing
	full   time.Duration
}

func newStackedBar() *stackedBar {
	b := &stackedBar{}
	b.ExtendBaseWidget(b)
	return b
}

func (b *stackedBar) show(t *recognizer.Timing, full time.Duration) {
	b.timing, b.full = t, full
	b.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (b *stackedBar) CreateRenderer() fyne.WidgetRenderer {
	r := &stackedBarRenderer{bar: b, track: canvas.NewRectangle(themed(colorTrack))}
	r.track.CornerRadius = 4
	for _, s := range stages {
		r.parts = append(r.parts, canvas.NewRectangle(themed(s.color)))
	}
	return r
}

type stackedBarRenderer struct {
	bar   *stackedBar
	track *canvas.Rectangle
	parts []*canvas.Rectangle
}

func (r *stackedBarRenderer) MinSize() fyne.Size { return fyne.NewSize(60, 8) }

func (r *stackedBarRenderer) Layout(size fyne.Size) {
	r.track.Resize(size)
	sum := time.Duration(0)
	at := func(d time.Duration) float32 {
		return floor(size.Width*float32(float64(d)/float64(r.bar.full)) + 0.5)
	}
	shown := []*canvas.Rectangle{}
	for i, s := range stages {
		p := r.parts[i]
		p.TopLeftCornerRadius, p.BottomLeftCornerRadius = 0, 0
		p.TopRightCornerRadius, p.BottomRightCornerRadius = 0, 0
		p.Hide()
		if r.bar.timing == nil || r.bar.full <= 0 {
			continue
		}
		from := at(sum)
		sum += s.of(*r.bar.timing)
		if to := at(sum); to > from {
			place(p, from, 0, to-from, size.Height)
			p.Show()
			shown = append(shown, p)
		}
	}
	if len(shown) > 0 {
		first, last := shown[0], shown[len(shown)-1]
		first.TopLeftCornerRadius, first.BottomLeftCornerRadius = 4, 4
		last.TopRightCornerRadius, last.BottomRightCornerRadius = 4, 4
	}
}

func (r *stackedBarRenderer) Refresh() {
	r.track.FillColor = themed(colorTrack)
	for i, s := range stages {
		r.parts[i].FillColor = themed(s.color)
	}
	r.Layout(r.bar.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *stackedBarRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.track}
	for _, p := range r.parts {
		o = append(o, p)
	}
	return o
}
func (r *stackedBarRenderer) Destroy() {}

// badge is up to two short words on a pill: what a device is, and that it answers.
type badge struct {
	widget.BaseWidget
	what, role string
}

func newBadge() *badge {
	b := &badge{}
	b.ExtendBaseWidget(b)
	return b
}

func (b *badge) describe(what string) { b.what, b.role = what, ""; b.Refresh() }
func (b *badge) mark(role string)     { b.role = role; b.Refresh() }

// CreateRenderer implements fyne.Widget.
func (b *badge) CreateRenderer() fyne.WidgetRenderer {
	r := &badgeRenderer{
		badge: b,
		pills: [2]*canvas.Rectangle{canvas.NewRectangle(themed(colorTrack)), canvas.NewRectangle(themed(colorTrack))},
		texts: [2]*label{
			newLabel("", 11, colorMuted).aligned(fyne.TextAlignCenter),
			newLabel("", 11, theme.ColorNamePrimary).aligned(fyne.TextAlignCenter),
		},
	}
	for _, p := range r.pills {
		p.CornerRadius = 8
	}
	r.Refresh()
	return r
}

type badgeRenderer struct {
	badge *badge
	pills [2]*canvas.Rectangle
	texts [2]*label
}

const badgeHeight = 17

func (r *badgeRenderer) words() [2]string { return [2]string{r.badge.what, r.badge.role} }

func (r *badgeRenderer) MinSize() fyne.Size {
	width := float32(0)
	for i, word := range r.words() {
		if word != "" {
			width += r.texts[i].width(word) + 14 + 4
		}
	}
	return fyne.NewSize(width, badgeHeight)
}

func (r *badgeRenderer) Layout(size fyne.Size) {
	x := float32(0)
	for i, word := range r.words() {
		r.pills[i].Hide()
		r.texts[i].Hide()
		if word == "" {
			continue
		}
		w := floor(r.texts[i].width(word) + 14)
		h := r.texts[i].MinSize().Height
		place(r.pills[i], x, 0, w, size.Height)
		place(r.texts[i], x, floor((size.Height-h)/2), w, h)
		r.pills[i].Show()
		r.texts[i].Show()
		x += w + 4
	}
}

func (r *badgeRenderer) Refresh() {
	for i, word := range r.words() {
		r.texts[i].set(word)
		r.pills[i].FillColor = themed(colorTrack)
	}
	r.Layout(r.badge.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *badgeRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.pills[0], r.pills[1], r.texts[0], r.texts[1]}
}
func (r *badgeRenderer) Destroy() {}
