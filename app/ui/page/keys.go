package page

import (
	"fyne.io/fyne/v2"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/widget"
)

// edit gives a shortcut to the entry that has the focus, or else does what it is on the page.
func (f *Frame) edit(s fyne.Shortcut, otherwise func()) {
	if !f.ForEntry(s) {
		widget.Run(otherwise)
	}
}

// Undo, Redo, SelectAll and Clear are what keys and menus do on the page in front, or in the entry that has the focus.
func (f *Frame) Undo()      { f.edit(&fyne.ShortcutUndo{}, f.Actions().Undo) }
func (f *Frame) Redo()      { f.edit(&fyne.ShortcutRedo{}, f.Actions().Redo) }
func (f *Frame) SelectAll() { f.edit(&fyne.ShortcutSelectAll{}, f.Actions().SelectAll) }
func (f *Frame) Clear()     { widget.Run(f.Actions().Clear) }

// Typed gives the page in front a character.
func (f *Frame) Typed(r rune) {
	if typed := f.Actions().Typed; typed != nil {
		typed(r)
	}
}

// Key leaves the page alone while a dialog is open; Escape closes that, and Enter gives its stressed answer.
func (f *Frame) Key(e *fyne.KeyEvent) {
	if top := f.Win.Canvas().Overlays().Top(); top != nil {
		switch e.Name {
		case fyne.KeyEscape:
			if _, ok := top.(*toolkit.PopUp); ok && f.StopJob != nil {
				f.StopJob()
			} else if ok && f.Modal != nil {
				f.Modal.Hide()
			} else if around, ok := top.(fyne.Tappable); ok { // a menu, after a press on a line of it that does nothing
				around.Tapped(nil)
			}
		case fyne.KeyReturn, fyne.KeyEnter:
			widget.Run(f.OnEnter)
		}
		return
	}
	if key := f.Actions().Key; key != nil {
		key(e.Name)
	}
}
