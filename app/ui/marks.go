package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// The marks of a sample in the gallery.
const (
	markCorrected = iota
	markHeldOut
	markContradicted
	markCount
)

func markIcon(mark int) fyne.Resource {
	switch mark {
	case markCorrected:
		return theme.NewPrimaryThemedResource(theme.DocumentCreateIcon())
	case markHeldOut:
		return theme.NewThemedResource(theme.VisibilityOffIcon())
	}
	return theme.NewWarningThemedResource(theme.WarningIcon())
}

func markWords(mark int) string {
	switch mark {
	case markCorrected:
		return tr("You corrected the answer.")
	case markHeldOut:
		return tr("Held out: it measures what was learned.")
	}
	return tr("Drawings like it have another label.")
}

// markLine explains a mark.
type markLine struct {
	widget.BaseWidget
	icon  *widget.Icon
	words *label
}

func newMarkLine(mark int) *markLine {
	m := &markLine{icon: widget.NewIcon(markIcon(mark)), words: newLabel(markWords(mark), 13, colorMuted).wrapped(3)}
	m.ExtendBaseWidget(m)
	return m
}

// height is what the line needs at a width.
func (m *markLine) height(width float32) float32 {
	return max(float32(len(m.words.wrap(width-markIndent)))*m.words.lineHeight(), cellIcon)
}

const markIndent = cellIcon + 8

// CreateRenderer implements fyne.Widget.
func (m *markLine) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.New(markLayout{m}, m.icon, m.words))
}

type markLayout struct{ line *markLine }

func (l markLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(120, cellIcon) }

func (l markLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	m := l.line
	place(m.icon, 0, floor((m.words.lineHeight()-cellIcon)/2), cellIcon, cellIcon)
	place(m.words, markIndent, 0, size.Width-markIndent, size.Height)
}
