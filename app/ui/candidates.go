package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer"
)

const shownCandidates = 5

// candidateList is the best candidates as bars. All rows are always there, so that
// nothing moves when values change.
type candidateList struct {
	rows    []*candidateRow
	content *fyne.Container
}

func newCandidateList() *candidateList {
	l := &candidateList{}
	l.content = container.New(evenRows{})
	for range shownCandidates {
		row := newCandidateRow()
		l.rows = append(l.rows, row)
		l.content.Add(row)
	}
	return l
}

// show takes candidates, best first; nil empties the rows. Where the answer is unknown the
// first of them is none to be stressed.
func (l *candidateList) show(c []recognizer.Candidate, unknown bool) {
	width := float32(shortLabel)
	for _, x := range c[:min(len(c), len(l.rows))] {
		width = max(width, min(fyne.MeasureText(x.Label, candidateText, fyne.TextStyle{Bold: true}).Width+2, longLabel))
	}
	for i, row := range l.rows {
		row.labelWidth, row.strong = width, i == 0 && !unknown
		if i < len(c) {
			row.show(&c[i])
		} else {
			row.show(nil)
		}
	}
}

// setOnCorrect makes the rows answer to a tap with "this was it"; nil makes them plain.
func (l *candidateList) setOnCorrect(f func(label string)) {
	for _, row := range l.rows {
		row.onTap = f
	}
}

// candidateRow is one label, its bar and its probability.
type candidateRow struct {
	widget.BaseWidget
	strong     bool // it is the answer
	candidate  *recognizer.Candidate
	labelWidth float32 // the same for all rows
	hovered    bool
	onTap      func(label string)
}

func newCandidateRow() *candidateRow {
	r := &candidateRow{}
	r.ExtendBaseWidget(r)
	return r
}

func (c *candidateRow) show(x *recognizer.Candidate) {
	c.candidate = x
	c.Refresh()
}

func (c *candidateRow) tappable() bool { return c.onTap != nil && c.candidate != nil }

// Tapped implements fyne.Tappable.
func (c *candidateRow) Tapped(*fyne.PointEvent) {
	if c.tappable() {
		c.onTap(c.candidate.Label)
	}
}

// MouseIn implements desktop.Hoverable.
func (c *candidateRow) MouseIn(*desktop.MouseEvent) { c.hovered = true; c.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (c *candidateRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (c *candidateRow) MouseOut() { c.hovered = false; c.Refresh() }

// Cursor implements desktop.Cursorable.
func (c *candidateRow) Cursor() desktop.Cursor {
	if c.tappable() {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// CreateRenderer implements fyne.Widget.
func (c *candidateRow) CreateRenderer() fyne.WidgetRenderer {
	r := &candidateRenderer{
		row:   c,
		veil:  canvas.NewRectangle(themed(theme.ColorNameHover)),
		label: newLabel("", candidateText, theme.ColorNameForeground).bold(),
		track: canvas.NewRectangle(themed(colorTrack)),
		bar:   canvas.NewRectangle(themed(colorAccentSoft)),
		share: newLabel("", 14, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing),
	}
	r.veil.CornerRadius = 6
	r.track.CornerRadius, r.bar.CornerRadius = 4, 4
	r.Refresh()
	return r
}

// Labels of one character have one width; longer ones get room up to a limit.
const (
	candidateText = 18
	shortLabel    = 24
	longLabel     = 96
)

type candidateRenderer struct {
	row          *candidateRow
	veil         *canvas.Rectangle
	label, share *label
	track, bar   *canvas.Rectangle
}

func (r *candidateRenderer) MinSize() fyne.Size { return fyne.NewSize(200, 21) }

func (r *candidateRenderer) Layout(size fyne.Size) {
	const shareWidth, gap, thick = 66, 10, 10
	labelWidth := max(r.row.labelWidth, shortLabel)
	r.veil.Resize(size)
	lh, sh := r.label.MinSize().Height, r.share.MinSize().Height
	place(r.label, 0, floor((size.Height-lh)/2)-1, labelWidth, lh)
	place(r.share, size.Width-shareWidth, floor((size.Height-sh)/2), shareWidth, sh)
	left := labelWidth + gap
	width := size.Width - left - shareWidth - gap
	y := floor((size.Height - thick) / 2)
	place(r.track, left, y, width, thick)
	share := float32(0)
	if c := r.row.candidate; c != nil {
		share = float32(c.Probability)
	}
	// A bar shorter than its round ends would be drawn as a stray dot.
	if filled := floor(width*share + 0.5); filled >= 2 {
		place(r.bar, left, y, max(filled, thick/2), thick)
		r.bar.Show()
	} else {
		r.bar.Hide()
	}
}

func (r *candidateRenderer) Refresh() {
	c := r.row
	r.track.FillColor = themed(colorTrack)
	r.bar.FillColor = themed(colorAccentSoft)
	strong := fyne.ThemeColorName(colorMuted)
	if c.strong {
		r.bar.FillColor = themed(theme.ColorNamePrimary)
		strong = theme.ColorNameForeground
	}
	if c.candidate == nil {
		r.label.show("", theme.ColorNameForeground)
		r.share.show("", colorMuted)
	} else {
		r.label.show(c.candidate.Label, theme.ColorNameForeground)
		r.share.show(percent(c.candidate.Probability), strong)
	}
	r.veil.FillColor = themed(theme.ColorNameHover)
	if c.hovered && c.tappable() {
		r.veil.Show()
	} else {
		r.veil.Hide()
	}
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *candidateRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.veil, r.label, r.track, r.bar, r.share}
}
func (r *candidateRenderer) Destroy() {}

// evenRows gives every object the full width and the same share of the height; the last ones
// go where there is no room for all.
type evenRows struct{}

func (evenRows) MinSize(objs []fyne.CanvasObject) fyne.Size {
	var size fyne.Size
	for _, o := range objs {
		m := o.MinSize()
		size = fyne.NewSize(max(size.Width, m.Width), size.Height+m.Height)
	}
	return size
}

func (evenRows) Layout(objs []fyne.CanvasObject, size fyne.Size) {
	fit := len(objs)
	for fit > 1 && float32(fit)*objs[0].MinSize().Height > size.Height+0.5 {
		fit--
	}
	h := size.Height / float32(fit)
	for i, o := range objs {
		if o.Visible() != (i < fit) {
			show(o, i < fit)
		}
		place(o, 0, floor(float32(i)*h), size.Width, floor(h))
	}
}
