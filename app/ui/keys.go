package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

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

func (w *Window) holdPen(down bool) {
	if f := w.actions().pen; f != nil {
		f(down)
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
