package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// inkCell is one sample in the gallery: its ink, its label, and marks for what is known of it.
type inkCell struct {
	composed
	index  int
	view   *inkView
	label  *label
	frame  *fill
	icons  [markCount]*widget.Icon
	onDown func(index int, m fyne.KeyModifier)
}

// The size of a cell and the height of what is under its ink.
const (
	cellSide  = 88
	cellUnder = 20
	cellIcon  = 15
)

func newInkCell(onDown func(index int, m fyne.KeyModifier)) *inkCell {
	c := &inkCell{
		onDown: onDown,
		view:   newInkView(cellSide - 8),
		label:  newLabel("", 14, theme.ColorNameForeground).bold().aligned(fyne.TextAlignCenter),
		frame:  newFill(theme.ColorNameSelection, 10).edged(theme.ColorNamePrimary, 2),
	}
	objs := []fyne.CanvasObject{c.frame, c.view, c.label}
	for i := range c.icons {
		sign, _ := markOf(i)
		c.icons[i] = widget.NewIcon(sign)
		objs = append(objs, c.icons[i])
	}
	c.compose(c, container.New(arranged{atLeast(cellSide, cellSide+cellUnder), c.put}, objs...))
	return c
}

func (c *inkCell) put(size fyne.Size) {
	c.frame.Resize(size)
	inner := size.Width - 8
	place(c.view, 4, 4, inner, inner)
	middle(c.label, 4, size.Height-cellUnder-2, inner, cellUnder, c.label.lineHeight())
	x := size.Width - 8
	for _, icon := range c.icons {
		if icon.Visible() {
			x -= cellIcon + 1
			place(icon, x, 8, cellIcon, cellIcon)
		}
	}
}

// show shows a sample on the scale of those written with it, whether it is chosen, whether the focus is here, and
// whether others contradict it.
func (c *inkCell) show(index int, s samples.Sample, whole float64, selected, here, doubtful bool) {
	c.index = index
	c.view.showBeside(s.Ink, s.ID, whole)
	c.label.set(s.Label)
	ground, edge := fyne.ThemeColorName(""), float32(2)
	if selected {
		ground = theme.ColorNameSelection
	}
	if here {
		edge = 4
	}
	changed := c.frame.Hidden == (selected || here) || c.frame.color != ground || c.frame.rect.StrokeWidth != edge
	c.frame.Hidden = !selected && !here
	c.frame.color, c.frame.rect.StrokeWidth = ground, edge
	for i, marked := range [markCount]bool{s.Correction, s.HoldOut, doubtful} {
		changed = changed || c.icons[i].Hidden == marked
		c.icons[i].Hidden = !marked
	}
	if changed {
		c.frame.Refresh()
		c.Refresh()
	}
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a
// hair, because the list under it can be dragged.
func (c *inkCell) MouseDown(e *desktop.MouseEvent) { c.onDown(c.index, e.Modifier) }

// MouseUp implements desktop.Mouseable.
func (c *inkCell) MouseUp(*desktop.MouseEvent) {}
