package widget

import (
	"fmt"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Entry takes a text.
type Entry struct {
	widget.Entry
	Most int                     // characters that it takes: far wider than the window it could not be painted, nor a click in it found; 0 for any number
	Keys map[fyne.KeyName]func() // what keys do in place of what the toolkit has them do
}

// Pasted are more characters than a label or a line may have.
const Pasted = 300

func NewEntry(hint string) *Entry {
	e := &Entry{Most: Pasted, Keys: map[fyne.KeyName]func(){}}
	e.ExtendBaseWidget(e)
	e.SetPlaceHolder(hint)
	return e
}

// NewLabelEntry makes an entry for a label: Enter gives it, Escape leaves it or, where there is nothing to leave, closes the dialog around it.
func NewLabelEntry(hint string, give func(label string), leave func()) *Entry {
	e := NewEntry(hint)
	e.Connect(give, leave)
	return e
}

// Connect says what Enter and Escape do.
func (e *Entry) Connect(give func(label string), leave func()) {
	e.Keys[fyne.KeyEscape] = func() {
		if leave == nil {
			PassKey(e, &fyne.KeyEvent{Name: fyne.KeyEscape})
			return
		}
		e.SetText("")
		leave()
	}
	e.OnSubmitted = func(text string) {
		e.SetText("")
		leave()
		give(text)
	}
}

// Begin gives the entry the focus with the first character typed.
func (e *Entry) Begin(first string) {
	if !painted(e) {
		return
	}
	e.SetText(first)
	e.CursorColumn = 1
	fyne.CurrentApp().Driver().CanvasForObject(e).Focus(e)
}

func (e *Entry) TappedSecondary(at *fyne.PointEvent) {
	if painted(e) {
		e.Entry.TappedSecondary(at)
	}
}

func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	if paste, ok := s.(*fyne.ShortcutPaste); ok && e.Most > 0 {
		s = &fyne.ShortcutPaste{Clipboard: firstOf{paste.Clipboard, e.room()}}
	}
	e.Entry.TypedShortcut(s)
}

func (e *Entry) TypedRune(r rune) {
	if e.Most == 0 || e.room() > 0 {
		e.Entry.TypedRune(r)
	}
}

// room is how many characters it takes in place of those that are selected.
func (e *Entry) room() int {
	return max(0, e.Most-utf8.RuneCountInString(e.Text)+utf8.RuneCountInString(e.SelectedText()))
}

// firstOf is a clipboard that gives no more than so many characters.
type firstOf struct {
	fyne.Clipboard
	most int
}

func (f firstOf) Content() string { return fmt.Sprintf("%.*s", f.most, f.Clipboard.Content()) }

func (e *Entry) TypedKey(k *fyne.KeyEvent) {
	if do := e.Keys[k.Name]; do != nil {
		do()
	} else {
		e.Entry.TypedKey(k)
	}
}

// These controls of the toolkit pass on Escape, which closes the dialog around them; Enter presses the button, too.
type (
	Press    struct{ widget.Button }
	DropDown struct{ widget.Select }
	CheckBox struct{ widget.Check }
	Slide    struct{ widget.Slider }
)

func NewPress(text string, do func()) *Press { return NewPressWithIcon(text, nil, do) }

func NewPressWithIcon(text string, icon fyne.Resource, do func()) *Press {
	b := &Press{widget.Button{Text: Readable(text), Icon: icon, OnTapped: do}}
	b.ExtendBaseWidget(b)
	return b
}

// NewDropDown shows one of the options at first, and tells which one is chosen then; a nil chosen is not told.
func NewDropDown(options []string, at int, chosen func(i int)) *DropDown {
	d := &DropDown{widget.Select{Options: Map(options, Readable)}}
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

func (e *Entry) FocusGained()    { e.Entry.FocusGained(); Reveal(e) }
func (b *Press) FocusGained()    { b.Button.FocusGained(); Reveal(b) }
func (d *DropDown) FocusGained() { d.Select.FocusGained(); Reveal(d) }
func (c *CheckBox) FocusGained() { c.Check.FocusGained(); Reveal(c) }
func (s *Slide) FocusGained()    { s.Slider.FocusGained(); Reveal(s) }

func (b *Press) TypedKey(k *fyne.KeyEvent) {
	if k.Name == fyne.KeyReturn || k.Name == fyne.KeyEnter {
		b.Tapped(nil)
		return
	}
	escapes(b, k, b.Button.TypedKey)
}

func (d *DropDown) Tapped(at *fyne.PointEvent) {
	if painted(d) {
		d.Select.Tapped(at)
	}
}

func (d *DropDown) TypedKey(k *fyne.KeyEvent) {
	if painted(d) {
		escapes(d, k, d.Select.TypedKey)
	}
}

func (c *CheckBox) TypedKey(k *fyne.KeyEvent) { escapes(c, k, c.Check.TypedKey) }
func (s *Slide) TypedKey(k *fyne.KeyEvent)    { escapes(s, k, s.Slider.TypedKey) }

func escapes(o fyne.CanvasObject, k *fyne.KeyEvent, otherwise func(*fyne.KeyEvent)) {
	if k.Name == fyne.KeyEscape {
		PassKey(o, k)
		return
	}
	otherwise(k)
}

// painted tells whether a control was in a frame of the window yet. The toolkit does not know before in which window it is, and
// crashes where a menu is opened there.
func painted(o fyne.CanvasObject) bool { return fyne.CurrentApp().Driver().CanvasForObject(o) != nil }

// ShiftHeld tells whether the Shift key is down.
func ShiftHeld() bool {
	d, ok := fyne.CurrentApp().Driver().(desktop.Driver)
	return ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0
}

// Selectable is a text that can be copied.
func Selectable(text string) *widget.Label {
	l := widget.NewLabel(Readable(text))
	l.Wrapping, l.Selectable = fyne.TextWrapWord, true
	return l
}

// Segments is a choice of few words beside each other; the arrow keys change it.
type Segments struct {
	Keyed
	Names    []*Label
	Selected int
	onChange func(int)
	ground   *Fill
}

var _ fyne.Tappable = (*Segments)(nil)

func NewSegments(names []string, onChange func(int)) *Segments {
	s := &Segments{onChange: onChange, ground: NewFill(ColorTrack, 8)}
	mark := NewFill(ColorCard, 7)
	objs := []fyne.CanvasObject{s.ground, mark}
	for _, name := range names {
		s.Names = append(s.Names, NewLabel(name, 12, ColorMuted).Aligned(fyne.TextAlignCenter))
		objs = append(objs, s.Names[len(s.Names)-1])
	}
	s.Turned = func() {
		s.ground.Edged("", 0)
		if s.Focused {
			s.ground.Edged(theme.ColorNamePrimary, 2)
		}
	}
	s.Keys = map[fyne.KeyName]func(){
		fyne.KeyLeft:  func() { s.Change(s.Selected - 1) },
		fyne.KeyRight: func() { s.Change(s.Selected + 1) },
		fyne.KeySpace: func() { s.Change((s.Selected + 1) % len(s.Names)) },
	}
	s.Compose(s, container.New(Arranged{AtLeast(60*float32(len(names)), 26), func(size fyne.Size) {
		s.ground.Resize(size)
		s.fit(size.Width)
		ends := s.Ends(size.Width)
		for i, name := range s.Names {
			w := ends[i+1] - ends[i]
			Place(name, ends[i], 0, w, size.Height)
			if i == s.Selected {
				Place(mark, ends[i]+2, 2, w-4, size.Height-4)
			}
		}
	}}, objs...))
	s.Choose(0)
	return s
}

// fit takes the largest size of text that leaves room between the words.
func (s *Segments) fit(width float32) {
	const between = 10
	for size := float32(12); size >= 10; size-- {
		rest := width
		for _, name := range s.Names {
			name.SetSize(size)
			rest -= name.Width(name.Text) + between
		}
		if rest >= 0 {
			return
		}
	}
}

// Ends are where the segments begin, and the last one ends: words take what they need, and share the rest.
func (s *Segments) Ends(width float32) []float32 {
	even, rest, wide := width/float32(len(s.Names)), width, false
	for _, name := range s.Names {
		wide = wide || name.Width(name.Text) > even
		rest -= name.Width(name.Text)
	}
	ends := []float32{0}
	for _, name := range s.Names {
		w := even
		if wide {
			w = name.Width(name.Text) + rest/float32(len(s.Names))
		}
		ends = append(ends, Last(ends)+w)
	}
	return ends
}

// Choose marks a segment without telling of it.
func (s *Segments) Choose(i int) {
	s.Selected = i
	for j, name := range s.Names {
		name.Recolor(ColorMuted)
		if i == j {
			name.Recolor(theme.ColorNameForeground)
		}
	}
	s.Refresh()
}

func (s *Segments) Change(i int) {
	if i = min(max(i, 0), len(s.Names)-1); i != s.Selected {
		s.Choose(i)
		s.onChange(i)
	}
}

func (s *Segments) Tapped(e *fyne.PointEvent) {
	ends, i := s.Ends(s.Size().Width), 0
	for i < len(s.Names)-1 && e.Position.X >= ends[i+1] {
		i++
	}
	s.Change(i)
}

// ListCard is a row of a list: a title with a badge beside it, and lines under both. It is chosen when the button goes
// down: a tap would be lost when the pointer moves by a hair, because the list can be dragged.
type ListCard struct {
	Composed
	Ground *Fill
	Title  *Label
	badge  *Badge
	Lines  []*Label
	Chosen func()
}

var _ desktop.Mouseable = (*ListCard)(nil)

func NewListCard(ground fyne.ThemeColorName, left, top float32, lines int) *ListCard {
	c := &ListCard{Ground: NewFill(ground, 10), Title: NewLabel("", 14, theme.ColorNameForeground).Bold().OfName(), badge: NewBadge()}
	all := Under(0, Sized(0, c.Title.LineHeight(), Beside(4, c.Title, c.badge)))
	for range lines {
		c.Lines = append(c.Lines, NewLabel("", 12, ColorMuted))
		all.Add(Sized(0, c.Lines[0].LineHeight(), Last(c.Lines)))
	}
	c.Compose(c, Sized(120, 0, container.NewStack(c.Ground, container.New(layout.NewCustomPaddedLayout(top, top, left, left), all))))
	return c
}

// Set takes what is written, and what role the badge names; empty for none.
func (c *ListCard) Set(title, role string, lines ...string) {
	c.Title.Set(title)
	c.badge.Set("", role)
	Show(c.badge, role != "")
	for i, words := range lines {
		c.Lines[i].Set(words)
	}
	c.Refresh()
}

func (c *ListCard) MouseDown(*desktop.MouseEvent) { c.Chosen() }
func (c *ListCard) MouseUp(*desktop.MouseEvent)   {}
