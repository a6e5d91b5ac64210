package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// inkCell is one sample in the gallery: its ink, its label, and marks for what is known of it.
type inkCell struct {
	widget.BaseWidget
	index    int
	selected bool
	marks    [markCount]bool
	view     *inkView
	label    *label
	frame    *canvas.Rectangle
	icons    [markCount]*widget.Icon
	onDown   func(index int, m fyne.KeyModifier)
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
		frame:  canvas.NewRectangle(themed(theme.ColorNameSelection)),
	}
	for i := range c.icons {
		c.icons[i] = widget.NewIcon(markIcon(i))
	}
	c.ExtendBaseWidget(c)
	return c
}

func (c *inkCell) show(index int, s samples.Sample, selected, doubtful bool) {
	c.index = index
	c.view.show(s.Ink, s.ID)
	c.label.set(s.Label)
	marks := [markCount]bool{s.Correction, s.HoldOut, doubtful}
	if c.selected != selected || c.marks != marks {
		c.selected, c.marks = selected, marks
		c.Refresh()
	}
}

// MouseDown implements desktop.Mouseable. A tap would be lost when the pointer moves by a
// hair, because the list under it can be dragged.
func (c *inkCell) MouseDown(e *desktop.MouseEvent) { c.onDown(c.index, e.Modifier) }

// MouseUp implements desktop.Mouseable.
func (c *inkCell) MouseUp(*desktop.MouseEvent) {}

// CreateRenderer implements fyne.Widget.
func (c *inkCell) CreateRenderer() fyne.WidgetRenderer {
	r := &inkCellRenderer{c}
	c.frame.CornerRadius = 10
	r.Refresh()
	return r
}

type inkCellRenderer struct{ cell *inkCell }

func (r *inkCellRenderer) MinSize() fyne.Size { return fyne.NewSize(cellSide, cellSide+cellUnder) }

func (r *inkCellRenderer) Layout(size fyne.Size) {
	c := r.cell
	c.frame.Resize(size)
	inner := size.Width - 8
	place(c.view, 4, 4, inner, inner)
	h := c.label.lineHeight()
	place(c.label, 4, size.Height-cellUnder-2+floor((cellUnder-h)/2), inner, h)
	x := size.Width - 8
	for i, icon := range c.icons {
		if c.marks[i] {
			x -= cellIcon + 1
			place(icon, x, 8, cellIcon, cellIcon)
		}
	}
}

func (r *inkCellRenderer) Refresh() {
	c := r.cell
	c.frame.FillColor, c.frame.StrokeColor, c.frame.StrokeWidth = themed(theme.ColorNameSelection), themed(theme.ColorNamePrimary), 2
	c.frame.Hidden = !c.selected
	for i, icon := range c.icons {
		icon.Hidden = !c.marks[i]
	}
	r.Layout(c.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *inkCellRenderer) Objects() []fyne.CanvasObject {
	c := r.cell
	return []fyne.CanvasObject{c.frame, c.view, c.label, c.icons[0], c.icons[1], c.icons[2]}
}
func (r *inkCellRenderer) Destroy() {}
