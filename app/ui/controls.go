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

// newStandIn is an entry for a person in place of one of the toolkit's, which keeps Escape to itself.
func newStandIn(of *widget.Entry) *labelEntry {
	e, changed := newLabelEntry(of.PlaceHolder, nil, nil), of.OnChanged
	e.SetText(of.Text)
	e.OnChanged, e.OnSubmitted = of.SetText, of.OnSubmitted
	of.OnChanged = func(text string) {
		changed(text)
		e.SetText(text)
	}
	return e
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

// These controls of the toolkit pass on Escape, which closes the dialog around them; Enter presses the button, too.
type (
	press    struct{ widget.Button }
	dropDown struct{ widget.Select }
	checkBox struct{ widget.Check }
	slide    struct{ widget.Slider }
)

func newPress(text string, do func()) *press {
	b := &press{widget.Button{Text: text, OnTapped: do}}
	b.ExtendBaseWidget(b)
	return b
}

// newDropDown shows one of the options at first, and tells which one is chosen then; a nil chosen is not told.
func newDropDown(options []string, at int, chosen func(i int)) *dropDown {
	d := &dropDown{widget.Select{Options: options}}
	d.ExtendBaseWidget(d)
	d.SetSelectedIndex(at)
	if chosen != nil {
		d.OnChanged = func(string) { chosen(d.SelectedIndex()) }
	}
	return d
}

func newCheckBox(text string, changed func(bool)) *checkBox {
	c := &checkBox{widget.Check{Text: text, OnChanged: changed}}
	c.ExtendBaseWidget(c)
	return c
}

func newSlide(low, high, step float64) *slide {
	s := &slide{widget.Slider{Min: low, Max: high, Step: step}}
	s.ExtendBaseWidget(s)
	return s
}

// These implement fyne.Focusable.
func (b *press) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter {
		b.Tapped(nil)
		return
	}
	escapes(b, k, b.Button.TypedKey)
}

func (d *dropDown) TypedKey(k *fyne.KeyEvent) { escapes(d, k, d.Select.TypedKey) }
func (c *checkBox) TypedKey(k *fyne.KeyEvent) { escapes(c, k, c.Check.TypedKey) }
func (s *slide) TypedKey(k *fyne.KeyEvent)    { escapes(s, k, s.Slider.TypedKey) }

func escapes(o fyne.CanvasObject, k *fyne.KeyEvent, otherwise func(*fyne.KeyEvent)) {
	if k.Name == fyne.KeyEscape {
		passKey(o, k)
		return
	}
	otherwise(k)
}
