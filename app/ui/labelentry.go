package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// labelEntry takes a label of any length; Enter gives it, Escape leaves it or, where there is
// nothing to leave, closes the dialog around it.
type labelEntry struct {
	widget.Entry
	leave func()
}

func newLabelEntry(hint string, give func(label string), leave func()) *labelEntry {
	e := &labelEntry{}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(hint)
	e.connect(give, leave)
	return e
}

func (e *labelEntry) connect(give func(label string), leave func()) {
	e.leave = leave
	e.OnSubmitted = func(text string) {
		e.SetText("")
		leave()
		give(text)
	}
}

// begin gives the entry the focus with the first character typed.
func (e *labelEntry) begin(first string) {
	e.SetText(first)
	e.CursorColumn = 1
	fyne.CurrentApp().Driver().CanvasForObject(e).Focus(e)
}

// TypedKey implements fyne.Focusable.
func (e *labelEntry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name != fyne.KeyEscape:
		e.Entry.TypedKey(k)
	case e.leave == nil:
		passKey(e, k)
	default:
		e.SetText("")
		e.leave()
	}
}
