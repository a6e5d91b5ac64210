package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// inkGrid is the gallery's grid. It makes cells only for what is visible, and leaves
// choosing to the selection, which knows Ctrl and Shift.
type inkGrid struct {
	widget.GridWrap
	gallery  *gallery
	focused  bool
	selected func() // called when what is chosen has changed
}

func newInkGrid(g *gallery) *inkGrid {
	x := &inkGrid{gallery: g}
	x.Length = func() int { return len(g.shown) }
	x.CreateItem = func() fyne.CanvasObject { return newInkCell(x.down) }
	x.UpdateItem = func(i int, o fyne.CanvasObject) {
		s := g.shown[i]
		o.(*inkCell).show(i, s, g.wholes[together(&s)], g.selected.ids[s.ID], x.focused && i == g.selected.cursor, g.likely(&s) != "")
	}
	x.ExtendBaseWidget(x)
	return x
}

func (x *inkGrid) down(i int, m fyne.KeyModifier) {
	x.gallery.selected.click(x.gallery.order, i, m&fyne.KeyModifierShortcutDefault != 0, m&fyne.KeyModifierShift != 0)
	if c := fyne.CurrentApp().Driver().CanvasForObject(x); c != nil {
		c.Focus(x)
	}
	x.changed(false)
}

func (x *inkGrid) changed(follow bool) {
	if follow {
		x.ScrollTo(x.gallery.selected.cursor)
	}
	x.Refresh()
	x.selected()
}

// These implement fyne.Focusable.
func (x *inkGrid) FocusGained()     { x.focused = true; x.Refresh() }
func (x *inkGrid) FocusLost()       { x.focused = false; x.Refresh() }
func (x *inkGrid) TypedRune(r rune) { passRune(x, r) }

// TypedKey implements fyne.Focusable: arrows and the like move, with Shift they extend.
func (x *inkGrid) TypedKey(e *fyne.KeyEvent) {
	columns := x.ColumnCount()
	page := max(int(x.Size().Height/(cellSide+cellUnder)), 1) * columns
	by := map[fyne.KeyName]int{
		fyne.KeyLeft: -1, fyne.KeyRight: 1, fyne.KeyUp: -columns, fyne.KeyDown: columns,
		fyne.KeyPageUp: -page, fyne.KeyPageDown: page, fyne.KeyHome: -len(x.gallery.order), fyne.KeyEnd: len(x.gallery.order),
	}
	step, ok := by[e.Name]
	if !ok {
		passKey(x, e)
		return
	}
	x.gallery.selected.move(x.gallery.order, step, shiftHeld())
	x.changed(true)
}
