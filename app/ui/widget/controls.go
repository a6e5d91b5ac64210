package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// LabelEntry takes a label of any length; Enter gives it, Escape leaves it or, where there is
// nothing to leave, closes the dialog around it.
type LabelEntry struct {
	widget.Entry
	leave  func()
	Arrows func(step int) // what the keys Up (-1) and Down (1) do outside of it; nil for nothing
}

func NewLabelEntry(hint string, give func(label string), leave func()) *LabelEntry {
	e := &LabelEntry{}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(hint)
	e.Connect(give, leave)
	return e
}

func (e *LabelEntry) Connect(give func(label string), leave func()) {
	e.leave = leave
	e.OnSubmitted = func(text string) {
		e.SetText("")
		leave()
		give(text)
	}
}

// Begin gives the entry the focus with the first character typed.
func (e *LabelEntry) Begin(first string) {
	e.SetText(first)
	e.CursorColumn = 1
	fyne.CurrentApp().Driver().CanvasForObject(e).Focus(e)
}

// TypedKey implements fyne.Focusable.
func (e *LabelEntry) TypedKey(k *fyne.KeyEvent) {
	switch {
	case k.Name == fyne.KeyUp && e.Arrows != nil:
		e.Arrows(-1)
	case k.Name == fyne.KeyDown && e.Arrows != nil:
		e.Arrows(1)
	case k.Name != fyne.KeyEscape:
		e.Entry.TypedKey(k)
	case e.leave == nil:
		PassKey(e, k)
	default:
		e.SetText("")
		e.leave()
	}
}

// These controls of the toolkit pass on Escape, which closes the dialog around them; Enter presses the button, too.
type (
	Press    struct{ widget.Button }
	DropDown struct{ widget.Select }
	CheckBox struct{ widget.Check }
	Slide    struct{ widget.Slider }
)

func NewPress(text string, do func()) *Press {
	b := &Press{widget.Button{Text: text, OnTapped: do}}
	b.ExtendBaseWidget(b)
	return b
}

// NewDropDown shows one of the options at first, and tells which one is chosen then; a nil chosen is not told.
func NewDropDown(options []string, at int, chosen func(i int)) *DropDown {
	d := &DropDown{widget.Select{Options: options}}
	d.ExtendBaseWidget(d)
	d.SetSelectedIndex(at)
	if chosen != nil {
		d.OnChanged = func(string) { chosen(d.SelectedIndex()) }
	}
	return d
}

func NewCheckBox(text string, changed func(bool)) *CheckBox {
	c := &CheckBox{widget.Check{Text: text, OnChanged: changed}}
	c.ExtendBaseWidget(c)
	return c
}

func NewSlide(low, high, step float64) *Slide {
	s := &Slide{widget.Slider{Min: low, Max: high, Step: step}}
	s.ExtendBaseWidget(s)
	return s
}

// These implement fyne.Focusable.
func (b *Press) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter {
		b.Tapped(nil)
		return
	}
	escapes(b, k, b.Button.TypedKey)
}

func (d *DropDown) TypedKey(k *fyne.KeyEvent) { escapes(d, k, d.Select.TypedKey) }
func (c *CheckBox) TypedKey(k *fyne.KeyEvent) { escapes(c, k, c.Check.TypedKey) }
func (s *Slide) TypedKey(k *fyne.KeyEvent)    { escapes(s, k, s.Slider.TypedKey) }

func escapes(o fyne.CanvasObject, k *fyne.KeyEvent, otherwise func(*fyne.KeyEvent)) {
	if k.Name == fyne.KeyEscape {
		PassKey(o, k)
		return
	}
	otherwise(k)
}

// ShiftHeld tells whether the Shift key is down.
func ShiftHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// Selectable is a text that can be copied.
func Selectable(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping, l.Selectable = fyne.TextWrapWord, true
	return l
}
