package ui

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// page is one tab: what it is called, its content, what is to be done when it comes to the
// front, and what keys and menus do there.
type page struct {
	key     string // in the preferences
	name    string
	content fyne.CanvasObject
	opened  func()
	actions actions
}

// actions are what keys and menus do on a page; nil does nothing.
type actions struct {
	undo, redo, clear, selectAll func()
	typed                        func(rune)
	key                          func(fyne.KeyName)
	pen                          func(down bool) // the key that is held to draw
	toast                        func() area     // where a toast may float
}

// tab is the name of a page in the header; the one in front is underlined.
type tab struct {
	widget.BaseWidget
	name     string
	selected bool
	hovered  bool
	focused  bool
	onTap    func()
}

var (
	_ fyne.Tappable      = (*tab)(nil)
	_ fyne.Focusable     = (*tab)(nil)
	_ desktop.Hoverable  = (*tab)(nil)
	_ desktop.Cursorable = (*tab)(nil)
)

func newTab(name string, onTap func()) *tab {
	t := &tab{name: name, onTap: onTap}
	t.ExtendBaseWidget(t)
	return t
}

func (t *tab) selectIf(on bool) {
	if t.selected != on {
		t.selected = on
		t.Refresh()
	}
}

// Tapped implements fyne.Tappable.
func (t *tab) Tapped(*fyne.PointEvent) { t.onTap() }

// FocusGained implements fyne.Focusable.
func (t *tab) FocusGained() { t.focused = true; t.Refresh() }

// FocusLost implements fyne.Focusable.
func (t *tab) FocusLost() { t.focused = false; t.Refresh() }

// TypedRune implements fyne.Focusable.
func (t *tab) TypedRune(r rune) { passRune(t, r) }

// TypedKey implements fyne.Focusable: Space and Enter open the page.
func (t *tab) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		t.onTap()
	default:
		passKey(t, e)
	}
}

// Cursor implements desktop.Cursorable.
func (t *tab) Cursor() desktop.Cursor { return desktop.PointerCursor }

// MouseIn implements desktop.Hoverable.
func (t *tab) MouseIn(*desktop.MouseEvent) { t.hovered = true; t.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (t *tab) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (t *tab) MouseOut() { t.hovered = false; t.Refresh() }

// CreateRenderer implements fyne.Widget.
func (t *tab) CreateRenderer() fyne.WidgetRenderer {
	r := &tabRenderer{
		tab:  t,
		name: newLabel(t.name, 15, colorMuted).aligned(fyne.TextAlignCenter),
		line: canvas.NewRectangle(themed(theme.ColorNamePrimary)),
		ring: canvas.NewRectangle(color.Transparent),
	}
	r.line.CornerRadius, r.ring.CornerRadius, r.ring.StrokeWidth = 1.5, 8, 2
	r.Refresh()
	return r
}

type tabRenderer struct {
	tab  *tab
	name *label
	line *canvas.Rectangle
	ring *canvas.Rectangle // where the keys go
}

func (r *tabRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.name.width(r.tab.name)+28, headerHeight(0))
}

func (r *tabRenderer) Layout(size fyne.Size) {
	h := r.name.MinSize().Height
	place(r.name, 0, floor((size.Height-h)/2), size.Width, h)
	place(r.line, 12, size.Height-5, size.Width-24, 3)
	place(r.ring, 4, 6, size.Width-8, size.Height-14)
}

func (r *tabRenderer) Refresh() {
	c := fyne.ThemeColorName(colorMuted)
	if r.tab.selected || r.tab.hovered {
		c = theme.ColorNameForeground
	}
	r.line.FillColor = themed(theme.ColorNamePrimary)
	r.line.Hidden = !r.tab.selected
	r.name.show(r.tab.name, c)
	r.ring.StrokeColor, r.ring.Hidden = themed(theme.ColorNamePrimary), !r.tab.focused
	r.ring.Refresh()
	r.line.Refresh()
	r.name.Refresh()
}

func (r *tabRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ring, r.name, r.line}
}
func (r *tabRenderer) Destroy() {}

// openPage brings a page to the front. What another page said and offered goes with it,
// and so do the keys: what is hidden takes none.
func (w *Window) openPage(i int) {
	if i != w.front {
		if w.modal != nil {
			w.modal.Hide()
			w.modal = nil
		}
		w.toast.hide()
		w.win.Canvas().Unfocus()
	}
	for j, p := range w.pages {
		if j == i {
			p.content.Show()
		} else {
			p.content.Hide()
		}
	}
	w.front = i
	if key := w.pages[i].key; key != "" {
		w.app.Preferences().SetString(pagePreference, key)
	}
	w.header.selectTab(i)
	if f := w.pages[i].opened; f != nil {
		f()
	}
}
