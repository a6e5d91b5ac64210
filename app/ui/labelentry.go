package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// labelEntry takes a label of any length; Enter gives it, Escape leaves it.
type labelEntry struct {
	widget.Entry
	leave func()
}

func newLabelEntry(give func(label string), leave func()) *labelEntry {
	e := &labelEntry{}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(tr("What is it?"))
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

// TypedKey implements fyne.Focusable.
func (e *labelEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		e.SetText("")
		e.leave()
		return
	}
	e.Entry.TypedKey(k)
}

// formEntry is an entry in a dialog, which Escape closes.
type formEntry struct{ widget.Entry }

func newFormEntry() *formEntry {
	e := &formEntry{}
	e.ExtendBaseWidget(e)
	return e
}

// TypedKey implements fyne.Focusable.
func (e *formEntry) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyEscape {
		passKey(e, k)
		return
	}
	e.Entry.TypedKey(k)
}

// setTeaching connects what says what the drawing is: the candidates and the entry.
func (d *drawPage) setTeaching(teach func(label string), choose, leave func()) {
	d.candidates.setOnCorrect(teach)
	d.entry.connect(teach, leave)
	d.choice.onTap = choose
}
