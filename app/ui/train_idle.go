package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
)

// newTrainIdle says what learning does, as long as there is no training to look at: steps under
// each other in the middle.
func newTrainIdle() *fyne.Container {
	const disc, gap = 34, 16
	head := newLabel(tr("What learning does"), 16, theme.ColorNameForeground).bold()
	steps := container.New(rows{})
	texts := [][2]string{
		{tr("One in five of your drawings is kept for testing"), tr("The model never learns from them, and so they show honestly whether learning helped. Corrections are always learned.")},
		{tr("The model in use learns from all others"), tr("It sees them in many small variations, and replays what it knew, so that this is not forgotten. Nothing leaves this machine.")},
		{tr("You see before and after, and decide"), tr("A better model is put in use at once. Every training stays in the history and can be undone.")},
	}
	row := float32(104) // a step
	for i, text := range texts {
		ground, number := newFill(colorTrack, disc/2), newLabel(string(rune('1'+i)), 15, theme.ColorNamePrimary).bold().aligned(fyne.TextAlignCenter)
		title, detail := newLabel(text[0], 15, theme.ColorNameForeground).bold(), newLabel(text[1], 13, colorMuted).wrapped(3)
		steps.Add(container.New(arranged{func() fyne.Size { return fyne.NewSize(300, row) }, func(size fyne.Size) {
			place(ground, 0, 0, disc, disc)
			middle(number, 0, 0, disc, disc, number.lineHeight())
			left, h := float32(disc+gap), title.lineHeight()
			place(title, left, 0, size.Width-left, h)
			place(detail, left, h+2, size.Width-left, detail.most())
		}}, ground, number, title, detail))
	}
	return container.New(arranged{atLeast(300, 270), func(size fyne.Size) {
		n := float32(len(texts))
		width := min(size.Width, 620)
		x := floor((size.Width - width) / 2)
		row = floor(min(max((size.Height-70)/n, 72), 104))
		th := head.lineHeight()
		y := floor(max((size.Height-th-20-row*n)/2, 0))
		place(head, x, y, width, th)
		place(steps, x, y+th+20, width, row*n)
	}}, head, steps)
}
