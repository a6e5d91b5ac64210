package widget

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// Button is anything to press, by pointer or by Space and Enter; update brings what it looks like in step with its state.
type Button struct {
	Pressable
	Name, Key string // and the key that does the same
	why       string // it can be grey: shown where the pointer is on it then
	Words     *Label // of the name
	Whole     string // what the name is a part of: a quiet button shows it where the pointer is on it
	OnTap     func()
	Selected  bool // the page of a tab is in front, or what a quiet button shows is chosen
	grey      bool

	icon   fyne.Resource
	update func()
}

func (b *Button) finish(content *fyne.Container) *Button {
	b.Usable = func() bool { return !b.grey && b.OnTap != nil }
	b.Press = func() { b.OnTap() }
	b.PressedBy(fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter)
	b.Turned = b.Refresh
	b.Compose(b, content)
	b.update()
	return b
}

// Rename gives the button another name, and another icon where it is not nil.
func (b *Button) Rename(icon fyne.Resource, name string) *Button {
	b.Name = name
	if icon != nil {
		b.icon = icon
	}
	b.Refresh()
	return b
}

// Allow makes the button usable, or grey for a reason.
func (b *Button) Allow(on bool, why string) {
	b.why = why
	Enable(b, on)
}

func (b *Button) Enable()        { b.grey = false; b.Refresh() }
func (b *Button) Disable()       { b.grey = true; b.Refresh() }
func (b *Button) Disabled() bool { return b.grey }

func (b *Button) Refresh() {
	b.Words.Set(b.Name)
	b.update()
	b.Composed.Refresh()
}

// PassKey gives a key that a widget with the focus has no use for to the window, which knows what it does on the page.
func PassKey(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// PassRune does the same with a character.
func PassRune(o fyne.CanvasObject, r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}

const ToolHeight = 44

// NewToolButton makes a button with an icon, its name and, where there is room, its key.
func NewToolButton(icon fyne.Resource, name, key string, onTap func()) *Button {
	const iconSize, inset, gap = 20, 14, 10
	b := &Button{Name: name, Key: key, OnTap: onTap, Words: NewLabel(name, 14, theme.ColorNameForeground), icon: icon}
	ground, veil := NewFill(theme.ColorNameButton, 10), NewFill("", 10)
	shown, keys := widget.NewIcon(icon), NewLabel("", 12, ColorFaint).Aligned(fyne.TextAlignTrailing)
	over, iconOnly := NewTip(), false
	b.update = func() {
		tip, face, words, faint, shade := "", theme.ColorNameButton, theme.ColorNameForeground, ColorFaint, fyne.ThemeColorName("")
		shown.SetResource(b.icon)
		switch {
		case b.grey:
			tip, face, words, faint = b.why, theme.ColorNameBackground, theme.ColorNameDisabled, theme.ColorNameDisabled
			shown.SetResource(theme.NewDisabledResource(b.icon))
		case b.pressed && b.Hovered:
			shade = theme.ColorNamePressed
		case b.Hovered:
			shade = theme.ColorNameHover
		}
		if iconOnly && !b.grey {
			tip = b.Name
		}
		over.Show(b, b.Hovered, tip)
		ground.Edged(ColorBorder, 1).Recolor(face)
		if b.Focused {
			ground.Edged(theme.ColorNamePrimary, 2)
		}
		b.Words.Recolor(words)
		keys.SetColored(b.Key, faint)
		veil.Recolor(shade)
	}
	return b.finish(container.New(Arranged{
		func() fyne.Size { return fyne.NewSize(2*inset+iconSize+gap+b.Words.Width(b.Name)+4, ToolHeight) },
		func(size fyne.Size) {
			a := Whole(size)
			a.Put(ground, veil)
			a.Left(inset, 0)
			a.Right(inset, 0)
			icon := a.Left(iconSize, gap)
			if short := b.Words.Width(b.Name) + 1 - a.Size.Width; short < inset/2 { // rather than no words, some of the room beside them
				a.Size.Width += max(0, short)
			}
			width, keyWidth := min(b.Words.Width(b.Name)+1, a.Size.Width), keys.Width(b.Key)+1
			if iconOnly = width < b.Words.Width(b.Name); iconOnly {
				icon.Pos.X, width = (size.Width-iconSize)/2, 0
			}
			keys.Hidden = iconOnly || width+12+keyWidth > a.Size.Width
			Middle(shown, icon.Pos.X, 0, iconSize, size.Height, iconSize)
			a.Right(keyWidth, 0).Put(keys)
			a.Size.Width = width
			a.Put(b.Words)
		},
	}, ground, veil, shown, b.Words, keys, over.Content))
}

// Tip is over what the pointer is on: why a button is grey, or a name that has no room inside.
type Tip struct {
	words   *Label
	Content *fyne.Container
}

func NewTip() *Tip {
	t := &Tip{words: NewLabel("", 12, theme.ColorNameForeground).Natural()}
	ground := NewFill(theme.ColorNameOverlayBackground, 6).Edged(ColorBorder, 1)
	t.Content = container.NewStack(ground, container.New(layout.NewCustomPaddedLayout(3, 3, 8, 8), t.words))
	t.Content.Hide()
	return t
}

// Show shows a text, if any, while the pointer is on an object, on the side to which there is room.
func (t *Tip) Show(over fyne.CanvasObject, hovered bool, text string) {
	visible := hovered && text != ""
	if visible {
		t.words.Set(text)
		size, x := t.Content.MinSize(), float32(0)
		if left, c := AreaOf(over).Pos.X, fyne.CurrentApp().Driver().CanvasForObject(over); c != nil && left+size.Width > c.Size().Width {
			x = max(over.Size().Width-size.Width, -left)
		}
		Place(t.Content, x, -size.Height-3, size.Width, size.Height)
	}
	Show(t.Content, visible)
}

const QuietInset = 6

// NewQuietButton makes a word, with an icon behind it, that opens something in a place where it should not shout.
func NewQuietButton(size float32, onTap func()) *Button {
	b := &Button{OnTap: onTap, Words: NewLabel("", size, ColorMuted)}
	ground, shown, over := NewFill("", 6), widget.NewIcon(nil), NewTip()
	iconSize := func() float32 {
		if b.icon == nil {
			return 0
		}
		return size + 4
	}
	b.update = func() {
		if shown.Hidden = b.icon == nil; b.icon != nil {
			shown.SetResource(theme.NewColoredResource(b.icon, ColorMuted))
		}
		over.Show(b, b.Hovered, b.Whole)
		b.Words.Recolor(ColorMuted)
		ground.Edged("", 0).Recolor("")
		if b.Hovered || b.Focused || b.Selected {
			b.Words.Recolor(theme.ColorNameForeground)
			ground.Recolor(theme.ColorNameHover)
		}
		if b.Focused || b.Selected {
			ground.Edged(theme.ColorNamePrimary, 2)
		}
	}
	return b.finish(container.New(Arranged{
		func() fyne.Size {
			return fyne.NewSize(b.Words.Width(b.Name)+iconSize()+2*QuietInset+1, b.Words.LineHeight()+2*QuietInset)
		},
		func(size fyne.Size) {
			a := Whole(size)
			a.Put(ground)
			a.Left(QuietInset, 0)
			a.Right(QuietInset, 0)
			icon := a.Right(iconSize(), 0)
			Middle(shown, icon.Pos.X, 0, iconSize(), size.Height, iconSize())
			a.Put(b.Words)
		},
	}, ground, b.Words, shown, over.Content))
}

// NewTab makes the name of a page in the header; the one in front is underlined.
func NewTab(name string, onTap func()) *Button {
	b := &Button{Name: name, OnTap: onTap, Words: NewLabel(name, 16, ColorMuted).Aligned(fyne.TextAlignCenter)}
	line, ring := NewFill("", 1.5), NewFill("", 8)
	b.update = func() {
		b.Words.Recolor(ColorMuted)
		if b.Selected || b.Hovered {
			b.Words.Recolor(theme.ColorNameForeground)
		}
		line.Recolor(theme.ColorNamePrimary)
		line.Hidden = !b.Selected
		ring.Edged(theme.ColorNamePrimary, 2)
		ring.Hidden = !b.Focused
	}
	return b.finish(container.New(Arranged{
		func() fyne.Size { return fyne.NewSize(b.Words.Width(name)+28, HeaderHeight(0)) },
		func(size fyne.Size) {
			Whole(size).Put(b.Words)
			Place(line, 12, size.Height-5, size.Width-24, 3)
			Place(ring, 4, 6, size.Width-8, size.Height-14)
		},
	}, ring, b.Words, line))
}
