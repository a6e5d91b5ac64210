package ui

import (
	"bytes"
	"image/png"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/assets"
)

// page is one tab: what it is called, its content, what is to be done when it comes to the
// front, and what keys and menus do there.
type page struct {
	key     string // in the preferences
	name    string
	content fyne.CanvasObject
	opened  func()
	actions actions
	look    Appearance // that it was shown in last
}

// actions are what keys and menus do on a page; nil does nothing.
type actions struct {
	undo, redo, clear, selectAll func()
	typed                        func(rune)
	key                          func(fyne.KeyName)
	pen                          func(down bool) // the key that is held to draw
	toast                        func() area     // where a toast may float
}

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
		show(p.content, j == i)
	}
	w.front = i
	w.app.Preferences().SetString(pagePreference, w.pages[i].key)
	w.header.selectTab(i)
	if w.pages[i].look != w.theme.appearance {
		w.restyle()
	}
	run(w.pages[i].opened)
}

// openContent brings the page with that content to the front.
func (w *Window) openContent(o fyne.CanvasObject) {
	w.openPage(slices.IndexFunc(w.pages, func(p page) bool { return p.content == o }))
}

// drawingPage is the Draw tab and what keys do on it.
func (w *Window) drawingPage() page {
	d := w.draw
	undo := func() { d.crop.close(); w.changes.undoOn(d.paper())() }
	redo := func() { d.crop.close(); w.changes.redoOn(d.paper())() }
	clearPaper := func() { d.crop.close(); d.paper().clear() }
	d.tools.undo.onTap, d.tools.redo.onTap, d.tools.clear.onTap = undo, redo, clearPaper
	return page{key: "draw", name: tr("Draw"), content: d.content, actions: actions{
		undo:  undo,
		redo:  redo,
		clear: clearPaper,
		typed: w.typedRune,
		key: func(k fyne.KeyName) {
			switch {
			case d.crop.Visible():
				d.crop.key(k)
			case d.inLine:
				d.line.key(k)
			case w.manyKey(k):
			case k == fyne.KeyDelete || k == fyne.KeyBackspace || k == fyne.KeyEscape:
				d.pad.clear()
			}
		},
		pen:   func(down bool) { d.paper().keyPen(down) },
		toast: d.toastArea,
	}}
}

// above is an area without so much at its lower edge, where something stays to be read.
func (a area) above(height float32) area {
	a.size.Height -= height
	return a
}

// areaOf is where an object lies in the window.
func areaOf(o fyne.CanvasObject) area {
	return area{fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()}
}

func (w *Window) actions() actions {
	if w.win.Canvas().Overlays().Top() != nil {
		return actions{}
	}
	return w.pages[w.front].actions
}

// forEntry gives a shortcut to the entry that has the focus, if one has. The shortcuts of
// menus reach the menu even then.
func (w *Window) forEntry(s fyne.Shortcut) bool {
	switch e := w.win.Canvas().Focused().(type) {
	case *widget.Entry:
		e.TypedShortcut(s)
	case *labelEntry:
		e.TypedShortcut(s)
	default:
		return false
	}
	return true
}

func run(f func()) {
	if f != nil {
		f()
	}
}

// edit gives a shortcut to the entry that has the focus, or else does what it is on the page.
func (w *Window) edit(s fyne.Shortcut, otherwise func()) {
	if !w.forEntry(s) {
		run(otherwise)
	}
}

func (w *Window) undo()      { w.edit(&fyne.ShortcutUndo{}, w.actions().undo) }
func (w *Window) redo()      { w.edit(&fyne.ShortcutRedo{}, w.actions().redo) }
func (w *Window) selectAll() { w.edit(&fyne.ShortcutSelectAll{}, w.actions().selectAll) }
func (w *Window) clear()     { run(w.actions().clear) }

func (w *Window) typed(r rune) {
	if f := w.actions().typed; f != nil {
		f(r)
	}
}

// toastArea is where a toast may float: where the page in front says, or over all of it.
func (w *Window) toastArea() area {
	p := w.pages[w.front]
	if p.actions.toast != nil {
		return p.actions.toast()
	}
	return areaOf(p.content)
}

// onSamples does something with the Samples page in front.
func (w *Window) onSamples(f func()) func() {
	return func() {
		if w.pages[w.front].content != w.samples.content {
			w.openContent(w.samples.content)
		}
		f()
	}
}

// shiftHeld tells whether the Shift key is down.
func shiftHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// headerHeight is the height of the header over content of the given height in all.
func headerHeight(all float32) float32 {
	if all < 700 {
		return 46
	}
	return 56
}

// header is the strip on top: the name, the pages, and who answers.
type header struct {
	composed
	tabs   []*button
	status Status
	who    *button // who answers; opens what is known of the devices
	dot    *fill
}

func newHeader(pages []page, open func(int), devices func()) *header {
	const margin, iconSize, dot = 20, 28, 8
	h := &header{who: newQuietButton(13, devices), dot: newFill(theme.ColorNamePrimary, dot/2)}
	icon := newIcon()
	name := newLabel("Inkshade", 19, theme.ColorNameForeground).bold()
	content := container.New(arranged{atLeast(400, headerHeight(0)), func(size fyne.Size) {
		middle(icon, margin, 0, iconSize, size.Height, iconSize)
		middle(name, margin+iconSize+10, 0, 140, size.Height, name.lineHeight())
		x := float32(margin + iconSize + 10 + 130)
		for _, t := range h.tabs {
			place(t, x, 0, t.MinSize().Width, size.Height)
			x += t.Size().Width
		}
		who := h.who.MinSize()
		width := min(who.Width, size.Width-x-60)
		left := size.Width - margin - width + quietInset
		middle(h.who, left, 0, width, size.Height, who.Height)
		middle(h.dot, left-dot-2, 0, dot, size.Height, dot)
	}}, icon, name, h.dot, h.who)
	for i, p := range pages {
		h.tabs = append(h.tabs, newTab(p.name, func() { open(i) }))
		content.Add(h.tabs[i])
	}
	h.compose(h, content)
	return h
}

func (h *header) selectTab(i int) {
	for j, t := range h.tabs {
		t.selected = i == j
		t.Refresh()
	}
}

func (h *header) setStatus(s Status) {
	h.status = s
	text, c := summary(s)
	h.who.rename(nil, text)
	h.dot.recolor(c)
	h.Refresh()
}

// summary is the state of the devices in one line, and the colour of its dot.
func summary(s Status) (string, fyne.ThemeColorName) {
	switch {
	case s.CPU.State == Unavailable && s.GPU.State == Unavailable:
		return tr("Nothing can answer: {{.Reason}}", map[string]any{"Reason": allSaid(s.CPU.Reasons)}), theme.ColorNameError
	case s.GPU.State == Preparing && s.Answering == CPU:
		return tr("Preparing GPU… the CPU answers meanwhile"), theme.ColorNamePrimary
	case s.GPU.State == Preparing:
		return tr("Preparing GPU…"), theme.ColorNamePrimary
	case len(s.Reasons) > 0:
		return tr("The CPU answers, because the GPU cannot"), theme.ColorNameWarning
	case s.Answering == CPU:
		return tr("The CPU answers"), theme.ColorNameSuccess
	case s.GPU.Info.Software:
		return tr("The GPU answers (software renderer)"), theme.ColorNameSuccess
	}
	return tr("The GPU answers"), theme.ColorNameSuccess
}

func newIcon() *canvas.Image {
	img, err := png.Decode(bytes.NewReader(assets.Icon()))
	if err != nil {
		panic("ui: the icon inside the program is damaged: " + err.Error())
	}
	return &canvas.Image{Image: img, FillMode: canvas.ImageFillContain}
}

// layOut fills the window: the header on top, the notice under it while there is one, the pages in the rest, and the
// toast over all. Every new size is remembered.
func (w *Window) layOut() *fyne.Container {
	var last fyne.Size
	return container.New(arranged{
		func() fyne.Size { return smallest.Max(w.stack.MinSize().AddWidthHeight(0, w.header.MinSize().Height)) },
		func(size fyne.Size) {
			y := headerHeight(size.Height)
			place(w.header, 0, 0, size.Width, y)
			strip := w.notice.height(size.Width)
			place(w.notice, 0, y, size.Width, strip)
			if strip > 0 {
				y += strip + 10
			}
			place(w.stack, 0, y, size.Width, size.Height-y)
			place(w.toast.layer, 0, 0, size.Width, size.Height)
			if last != size {
				last = size
				w.resized()
			}
		},
	}, w.header, w.stack, w.notice, w.toast.layer, w.trace.firstFrame())
}
