package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// button is anything to press, by pointer or by Space and Enter. What it looks like, update brings
// in step with its state.
type button struct {
	pressable
	name, key string // and the key that does the same
	why       string // it can be grey: shown where the pointer is on it then
	words     *label // of the name
	onTap     func()
	selected  bool // the page of a tab is in front
	grey      bool

	icon   fyne.Resource
	update func()
}

// finish makes the button of its content.
func (b *button) finish(content *fyne.Container) *button {
	b.usable = func() bool { return !b.grey && b.onTap != nil }
	b.press = func() { b.onTap() }
	b.pressedBy(fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter)
	b.turned = b.Refresh
	b.compose(b, content)
	b.update()
	return b
}

// rename gives the button another name, and another icon where it is not nil.
func (b *button) rename(icon fyne.Resource, name string) {
	b.name = name
	if icon != nil {
		b.icon = icon
	}
	b.Refresh()
}

// allow makes the button usable, or grey for a reason.
func (b *button) allow(on bool, why string) {
	b.why = why
	enable(b, on)
}

// These implement fyne.Disableable.
func (b *button) Enable()        { b.grey = false; b.Refresh() }
func (b *button) Disable()       { b.grey = true; b.Refresh() }
func (b *button) Disabled() bool { return b.grey }

func (b *button) Refresh() {
	b.words.set(b.name)
	b.update()
	b.composed.Refresh()
}

// passKey gives a key that a widget with the focus has no use for to the window, which knows
// what it does on the page.
func passKey(o fyne.CanvasObject, e *fyne.KeyEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedKey() != nil {
		c.OnTypedKey()(e)
	}
}

// passRune does the same with a character.
func passRune(o fyne.CanvasObject, r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil && c.OnTypedRune() != nil {
		c.OnTypedRune()(r)
	}
}

const toolHeight = 44

// newToolButton makes a button with an icon, its name and, where there is room, its key.
func newToolButton(icon fyne.Resource, name, key string, onTap func()) *button {
	const iconSize, inset, gap = 20, 14, 10
	b := &button{name: name, key: key, onTap: onTap, words: newLabel(name, 14, theme.ColorNameForeground), icon: icon}
	ground, veil := newFill(theme.ColorNameButton, 10), newFill("", 10)
	shown, keys := widget.NewIcon(icon), newLabel("", 12, colorFaint).aligned(fyne.TextAlignTrailing)
	reason := newTip()
	b.update = func() {
		reason.show(b, b.Disabled() && b.hovered)
		ground.edged(colorBorder, 1).recolor(theme.ColorNameButton)
		if b.focused {
			ground.edged(theme.ColorNamePrimary, 2)
		}
		shown.SetResource(b.icon)
		b.words.recolor(theme.ColorNameForeground)
		keys.show(b.key, colorFaint)
		veil.recolor("")
		switch {
		case b.Disabled():
			ground.recolor(theme.ColorNameBackground)
			shown.SetResource(theme.NewDisabledResource(b.icon))
			b.words.recolor(theme.ColorNameDisabled)
			keys.recolor(theme.ColorNameDisabled)
		case b.pressed && b.hovered:
			veil.recolor(theme.ColorNamePressed)
		case b.hovered:
			veil.recolor(theme.ColorNameHover)
		}
	}
	return b.finish(container.New(arranged{
		func() fyne.Size { return fyne.NewSize(2*inset+iconSize+gap+b.words.width(b.name)+4, toolHeight) },
		func(size fyne.Size) {
			ground.Resize(size)
			veil.Resize(size)
			middle(shown, inset, 0, iconSize, size.Height, iconSize)
			const x = inset + iconSize + gap
			width, keyWidth := min(b.words.width(b.name)+1, size.Width-x-inset), keys.width(b.key)+1
			middle(b.words, x, 0, width, size.Height, b.words.lineHeight())
			middle(keys, size.Width-inset-keyWidth, 0, keyWidth, size.Height, keys.lineHeight())
			keys.Hidden = x+width+12+keyWidth+inset > size.Width
		},
	}, ground, veil, shown, b.words, keys, reason.content))
}

// tip is why a button is grey, over it.
type tip struct {
	words   *label
	content *fyne.Container
}

func newTip() *tip {
	t := &tip{words: newLabel("", 12, theme.ColorNameForeground).natural()}
	ground := newFill(theme.ColorNameOverlayBackground, 6).edged(colorBorder, 1)
	t.content = container.NewStack(ground, container.New(layout.NewCustomPaddedLayout(3, 3, 8, 8), t.words))
	t.content.Hide()
	return t
}

// show places it on that side of a button to which there is room.
func (t *tip) show(b *button, visible bool) {
	visible = visible && b.why != ""
	if visible {
		t.words.set(b.why)
		size, x := t.content.MinSize(), float32(0)
		if c := fyne.CurrentApp().Driver().CanvasForObject(b); c != nil && areaOf(b).pos.X+size.Width > c.Size().Width {
			x = b.Size().Width - size.Width
		}
		place(t.content, x, -size.Height-3, size.Width, size.Height)
	}
	show(t.content, visible)
}

const quietInset = 6

// newQuietButton makes a word that opens something, in a place where it should not shout; an
// icon stands behind it.
func newQuietButton(size float32, onTap func()) *button {
	b := &button{onTap: onTap, words: newLabel("", size, colorMuted)}
	ground, shown := newFill("", 6), widget.NewIcon(nil)
	iconSize := func() float32 {
		if b.icon == nil {
			return 0
		}
		return size + 4
	}
	b.update = func() {
		if b.icon != nil {
			shown.SetResource(theme.NewColoredResource(b.icon, colorMuted))
		}
		b.words.recolor(colorMuted)
		ground.edged("", 0).recolor("")
		if b.hovered || b.focused {
			b.words.recolor(theme.ColorNameForeground)
			ground.recolor(theme.ColorNameHover)
		}
		if b.focused {
			ground.edged(theme.ColorNamePrimary, 2)
		}
	}
	return b.finish(container.New(arranged{
		func() fyne.Size {
			return fyne.NewSize(b.words.width(b.name)+iconSize()+2*quietInset+1, b.words.lineHeight()+2*quietInset)
		},
		func(size fyne.Size) {
			ground.Resize(size)
			middle(b.words, quietInset, 0, size.Width-2*quietInset-iconSize(), size.Height, b.words.lineHeight())
			middle(shown, size.Width-quietInset-iconSize(), 0, iconSize(), size.Height, iconSize())
		},
	}, ground, b.words, shown))
}

// newTab makes the name of a page in the header; the one in front is underlined.
func newTab(name string, onTap func()) *button {
	b := &button{name: name, onTap: onTap, words: newLabel(name, 15, colorMuted).aligned(fyne.TextAlignCenter)}
	line, ring := newFill("", 1.5), newFill("", 8)
	b.update = func() {
		b.words.recolor(colorMuted)
		if b.selected || b.hovered {
			b.words.recolor(theme.ColorNameForeground)
		}
		line.recolor(theme.ColorNamePrimary)
		line.Hidden = !b.selected
		ring.edged(theme.ColorNamePrimary, 2)
		ring.Hidden = !b.focused
	}
	return b.finish(container.New(arranged{
		func() fyne.Size { return fyne.NewSize(b.words.width(name)+28, headerHeight(0)) },
		func(size fyne.Size) {
			middle(b.words, 0, 0, size.Width, size.Height, b.words.lineHeight())
			place(line, 12, size.Height-5, size.Width-24, 3)
			place(ring, 4, 6, size.Width-8, size.Height-14)
		},
	}, ring, b.words, line))
}
