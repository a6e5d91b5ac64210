package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// toolButton is a button with an icon, its name, and the key that does the same.
type toolButton struct {
	widget.DisableableWidget
	icon      fyne.Resource
	name, key string
	onTap     func()
	hovered   bool
	focused   bool
	pressed   bool
}

var (
	_ fyne.Tappable      = (*toolButton)(nil)
	_ fyne.Focusable     = (*toolButton)(nil)
	_ desktop.Hoverable  = (*toolButton)(nil)
	_ desktop.Mouseable  = (*toolButton)(nil)
	_ desktop.Cursorable = (*toolButton)(nil)
)

func newToolButton(icon fyne.Resource, name, key string, onTap func()) *toolButton {
	b := &toolButton{icon: icon, name: name, key: key, onTap: onTap}
	b.ExtendBaseWidget(b)
	return b
}

// rename gives the button another icon and name.
func (b *toolButton) rename(icon fyne.Resource, name string) {
	b.icon, b.name = icon, name
	b.Refresh()
}

func (b *toolButton) setEnabled(on bool) {
	if on == b.Disabled() {
		if on {
			b.Enable()
		} else {
			b.Disable()
		}
	}
}

// Tapped implements fyne.Tappable.
func (b *toolButton) Tapped(*fyne.PointEvent) {
	if !b.Disabled() {
		b.onTap()
	}
}

// Cursor implements desktop.Cursorable.
func (b *toolButton) Cursor() desktop.Cursor {
	if b.Disabled() {
		return desktop.DefaultCursor
	}
	return desktop.PointerCursor
}

// FocusGained implements fyne.Focusable.
func (b *toolButton) FocusGained() { b.focused = true; b.Refresh() }

// FocusLost implements fyne.Focusable.
func (b *toolButton) FocusLost() { b.focused = false; b.Refresh() }

// TypedRune implements fyne.Focusable.
func (b *toolButton) TypedRune(r rune) { passRune(b, r) }

// TypedKey implements fyne.Focusable: Space and Enter press the button.
func (b *toolButton) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.Tapped(nil)
	default:
		passKey(b, e)
	}
}

// MouseIn implements desktop.Hoverable.
func (b *toolButton) MouseIn(*desktop.MouseEvent) { b.hovered = true; b.Refresh() }

// MouseMoved implements desktop.Hoverable.
func (b *toolButton) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (b *toolButton) MouseOut() { b.hovered, b.pressed = false, false; b.Refresh() }

// MouseDown implements desktop.Mouseable.
func (b *toolButton) MouseDown(*desktop.MouseEvent) { b.pressed = true; b.Refresh() }

// MouseUp implements desktop.Mouseable.
func (b *toolButton) MouseUp(*desktop.MouseEvent) { b.pressed = false; b.Refresh() }

// CreateRenderer implements fyne.Widget.
func (b *toolButton) CreateRenderer() fyne.WidgetRenderer {
	r := &toolButtonRenderer{
		button: b,
		ground: canvas.NewRectangle(themed(theme.ColorNameButton)),
		veil:   canvas.NewRectangle(themed(theme.ColorNameHover)),
		icon:   widget.NewIcon(b.icon),
		name:   newLabel(b.name, 14, theme.ColorNameForeground),
		key:    newLabel(b.key, 12, colorFaint).aligned(fyne.TextAlignTrailing),
	}
	r.ground.CornerRadius, r.veil.CornerRadius = 10, 10
	r.Refresh()
	return r
}

type toolButtonRenderer struct {
	button       *toolButton
	ground, veil *canvas.Rectangle
	icon         *widget.Icon
	name, key    *label
}

const (
	toolHeight = 44
	toolIcon   = 20
	toolInset  = 14
)

func (r *toolButtonRenderer) MinSize() fyne.Size {
	return fyne.NewSize(2*toolInset+toolIcon+10+r.name.width(r.button.name)+4, toolHeight)
}

// Layout shows the key only where it fits beside the name.
func (r *toolButtonRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.veil.Resize(size)
	r.icon.Resize(fyne.NewSquareSize(toolIcon))
	r.icon.Move(fyne.NewPos(toolInset, floor((size.Height-toolIcon)/2)))
	x := float32(toolInset + toolIcon + 10)
	h := r.name.MinSize().Height
	nameWidth := min(r.name.width(r.button.name)+1, size.Width-x-toolInset)
	r.name.Move(fyne.NewPos(x, floor((size.Height-h)/2)))
	r.name.Resize(fyne.NewSize(nameWidth, h))
	keyWidth := r.key.width(r.button.key) + 1
	kh := r.key.MinSize().Height
	if x+nameWidth+12+keyWidth+toolInset > size.Width {
		r.key.Hide()
		return
	}
	r.key.Show()
	r.key.Move(fyne.NewPos(size.Width-toolInset-keyWidth, floor((size.Height-kh)/2)))
	r.key.Resize(fyne.NewSize(keyWidth, kh))
}

func (r *toolButtonRenderer) Refresh() {
	b := r.button
	r.ground.FillColor = themed(theme.ColorNameButton)
	r.ground.StrokeColor, r.ground.StrokeWidth = themed(colorBorder), 1
	nameColor, keyColor := theme.ColorNameForeground, colorFaint
	icon := b.icon
	if b.Disabled() {
		r.ground.FillColor = themed(theme.ColorNameBackground)
		nameColor, keyColor = theme.ColorNameDisabled, theme.ColorNameDisabled
		icon = theme.NewDisabledResource(b.icon)
	}
	if b.focused {
		r.ground.StrokeColor, r.ground.StrokeWidth = themed(theme.ColorNamePrimary), 2
	}
	switch {
	case b.Disabled() || !b.hovered:
		r.veil.Hide()
	case b.pressed:
		r.veil.FillColor = themed(theme.ColorNamePressed)
		r.veil.Show()
	default:
		r.veil.FillColor = themed(theme.ColorNameHover)
		r.veil.Show()
	}
	r.name.show(b.name, nameColor)
	r.key.show(b.key, keyColor)
	r.icon.SetResource(icon)
	r.Layout(b.Size())
	r.ground.Refresh()
	r.veil.Refresh()
	r.name.Refresh()
	r.key.Refresh()
	r.icon.Refresh()
}

func (r *toolButtonRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.veil, r.icon, r.name, r.key}
}
func (r *toolButtonRenderer) Destroy() {}
