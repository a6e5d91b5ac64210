package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// segments is a choice of few words beside each other; the arrow keys change it.
type segments struct {
	widget.BaseWidget
	names    []string
	selected int
	focused  bool
	onChange func(int)
}

var (
	_ fyne.Tappable  = (*segments)(nil)
	_ fyne.Focusable = (*segments)(nil)
)

func newSegments(names []string, onChange func(int)) *segments {
	s := &segments{names: names, onChange: onChange}
	s.ExtendBaseWidget(s)
	return s
}

// choose marks a segment without telling of it.
func (s *segments) choose(i int) {
	s.selected = i
	s.Refresh()
}

func (s *segments) change(i int) {
	if i = min(max(i, 0), len(s.names)-1); i != s.selected {
		s.choose(i)
		s.onChange(i)
	}
}

// Tapped implements fyne.Tappable.
func (s *segments) Tapped(e *fyne.PointEvent) {
	s.change(int(e.Position.X / (s.Size().Width / float32(len(s.names)))))
}

// FocusGained implements fyne.Focusable.
func (s *segments) FocusGained() { s.focused = true; s.Refresh() }

// FocusLost implements fyne.Focusable.
func (s *segments) FocusLost() { s.focused = false; s.Refresh() }

// TypedRune implements fyne.Focusable.
func (s *segments) TypedRune(r rune) { passRune(s, r) }

// TypedKey implements fyne.Focusable.
func (s *segments) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyLeft:
		s.change(s.selected - 1)
	case fyne.KeyRight:
		s.change(s.selected + 1)
	case fyne.KeySpace:
		s.change((s.selected + 1) % len(s.names))
	default:
		passKey(s, e)
	}
}

// CreateRenderer implements fyne.Widget.
func (s *segments) CreateRenderer() fyne.WidgetRenderer {
	r := &segmentsRenderer{segments: s, ground: canvas.NewRectangle(themed(colorTrack)), mark: canvas.NewRectangle(themed(colorCard))}
	r.ground.CornerRadius, r.mark.CornerRadius = 8, 7
	for _, name := range s.names {
		r.names = append(r.names, newLabel(name, 12, colorMuted).aligned(fyne.TextAlignCenter))
	}
	r.Refresh()
	return r
}

type segmentsRenderer struct {
	segments     *segments
	ground, mark *canvas.Rectangle
	names        []*label
}

func (r *segmentsRenderer) MinSize() fyne.Size { return fyne.NewSize(60*float32(len(r.names)), 26) }

func (r *segmentsRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	w := size.Width / float32(len(r.names))
	place(r.mark, w*float32(r.segments.selected)+2, 2, w-4, size.Height-4)
	for i, name := range r.names {
		h := name.lineHeight()
		place(name, w*float32(i), floor((size.Height-h)/2), w, h)
	}
}

func (r *segmentsRenderer) Refresh() {
	r.ground.FillColor, r.mark.FillColor = themed(colorTrack), themed(colorCard)
	r.ground.StrokeWidth = 0
	if r.segments.focused {
		r.ground.StrokeColor, r.ground.StrokeWidth = themed(theme.ColorNamePrimary), 2
	}
	for i, name := range r.names {
		name.recolor(colorMuted)
		if i == r.segments.selected {
			name.recolor(theme.ColorNameForeground)
		}
	}
	r.Layout(r.segments.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *segmentsRenderer) Objects() []fyne.CanvasObject {
	o := []fyne.CanvasObject{r.ground, r.mark}
	for _, name := range r.names {
		o = append(o, name)
	}
	return o
}
func (r *segmentsRenderer) Destroy() {}
