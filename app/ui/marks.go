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

// markOf is the sign of a mark and what it means.
func markOf(mark int) (icon fyne.Resource, words string) {
	switch mark {
	case markCorrected:
		return theme.NewPrimaryThemedResource(theme.DocumentCreateIcon()), tr("You corrected the answer.")
	case markHeldOut:
		return theme.NewThemedResource(theme.VisibilityOffIcon()), tr("Kept for testing: it measures what was learned.")
	}
	return theme.NewWarningThemedResource(theme.WarningIcon()), tr("Drawings like it have another label.")
}

// markLine explains a mark.
type markLine struct {
	composed
	words *label
}

const markIndent = cellIcon + 8

func newMarkLine(mark int) *markLine {
	sign, words := markOf(mark)
	icon, m := widget.NewIcon(sign), &markLine{words: newLabel(words, 13, colorMuted).wrapped(3)}
	m.compose(m, container.New(arranged{atLeast(120, cellIcon), func(size fyne.Size) {
		middle(icon, 0, 0, cellIcon, m.words.lineHeight(), cellIcon)
		place(m.words, markIndent, 0, size.Width-markIndent, size.Height)
	}}, icon, m.words))
	return m
}

// height is what the line needs at a width.
func (m *markLine) height(width float32) float32 {
	return max(m.words.height(width-markIndent), cellIcon)
}
