package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// badge is up to two short words on pills: what a device is, and that it answers.
type badge struct {
	composed
	words [2]*label
}

const badgeHeight = 17

func newBadge() *badge {
	b := &badge{words: [2]*label{
		newLabel("", 11, colorMuted).aligned(fyne.TextAlignCenter),
		newLabel("", 11, theme.ColorNamePrimary).aligned(fyne.TextAlignCenter),
	}}
	pills := [2]*fill{newFill(colorTrack, 8), newFill(colorTrack, 8)}
	width := func(l *label) float32 { return floor(l.width(l.text) + 14) }
	b.compose(b, container.New(arranged{
		func() fyne.Size {
			size := fyne.NewSize(0, badgeHeight)
			for _, l := range b.words {
				if l.text != "" {
					size.Width += width(l) + 4
				}
			}
			return size
		},
		func(size fyne.Size) {
			x := float32(0)
			for i, l := range b.words {
				if pills[i].Hidden = l.text == ""; !pills[i].Hidden {
					place(pills[i], x, 0, width(l), size.Height)
					middle(l, x, 0, width(l), size.Height, l.lineHeight())
					x += width(l) + 4
				}
			}
		},
	}, pills[0], pills[1], b.words[0], b.words[1]))
	return b
}

func (b *badge) show(what, role string) {
	b.words[0].set(what)
	b.words[1].set(role)
	b.Refresh()
}
