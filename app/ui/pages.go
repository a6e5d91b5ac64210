package ui

import (
	"slices"

	"fyne.io/fyne/v2"
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
	if key := w.pages[i].key; key != "" {
		w.app.Preferences().SetString(pagePreference, key)
	}
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
