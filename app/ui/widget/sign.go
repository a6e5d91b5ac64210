package widget

import (
	"image"
	"maps"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"inkshade/recognizer/ink"
)

// A drawing in place of a text is so large a share of the height of its line, and its pen has so large a radius.
const (
	signShare = 0.62
	signPen   = 0.045
)

// signs are the drawings that labels show in place of a text, by that text.
var signs map[string]ink.Ink

// SetSigns has drawings stand wherever a label is one of these texts, and tells whether that is new.
func SetSigns(now map[string]ink.Ink) bool {
	before := signs
	signs = now
	return !maps.EqualFunc(before, now, SameInk)
}

// Lacking tells whether no font has some sign of a text: each such one is as wide as one that is private and in no font.
func Lacking(text string) bool {
	width := func(sign rune) float32 { return fyne.MeasureText(string(sign), 100, fyne.TextStyle{}).Width }
	none := width('\U0010FFFD')
	return strings.ContainsFunc(text, func(sign rune) bool { return width(sign) == none })
}

// drawn is what the label shows in place of its text; nil for the text.
func (l *Label) drawn() ink.Ink { return signs[l.Text] }

// showDrawn shows the drawing in place of the text, where there is one.
func (l *Label) showDrawn() {
	k := l.drawn()
	if l.picture == nil && k != nil {
		l.picture = canvas.NewRaster(func(w, h int) image.Image {
			s := newSheet(w, h, Opaque(l.color))
			side := float64(min(w, h))
			s.draw(fitted(l.drawn(), side*signShare), max(side*signPen, 0.9))
			return s.img
		})
		l.picture.ScaleMode = canvas.ImageScaleFastest
		l.Content.Objects = append(l.Content.Objects, l.picture)
	}
	if l.picture == nil {
		return
	}
	l.picture.Hidden = k == nil
	side, x := min(l.Size().Width, l.LineHeight()), float32(0)
	switch l.align {
	case fyne.TextAlignCenter:
		x = (l.Size().Width - side) / 2
	case fyne.TextAlignTrailing:
		x = l.Size().Width - side
	}
	Place(l.picture, x, (l.LineHeight()-side)/2, side, side)
	l.picture.Refresh()
}
