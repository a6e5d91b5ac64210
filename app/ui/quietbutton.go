package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
)

// quietButton is a word that opens something, in a place where it should not shout.
type quietButton struct {
	toolButton
	words *label
}

func newQuietButton(size float32, onTap func()) *quietButton {
	b := &quietButton{words: newLabel("", size, colorMuted)}
	b.onTap = onTap
	b.ExtendBaseWidget(b)
	return b
}

func (b *quietButton) show(text string) {
	b.words.set(text)
	b.Refresh()
}

// TypedRune implements fyne.Focusable.
func (b *quietButton) TypedRune(r rune) { passRune(b, r) }

// TypedKey implements fyne.Focusable: Space and Enter press the button.
func (b *quietButton) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		b.onTap()
	default:
		passKey(b, e)
	}
}

// CreateRenderer implements fyne.Widget.
func (b *quietButton) CreateRenderer() fyne.WidgetRenderer {
	r := &quietRenderer{b, canvas.NewRectangle(themed(theme.ColorNameHover))}
	r.ground.CornerRadius = 6
	r.Refresh()
	return r
}

type quietRenderer struct {
	button *quietButton
	ground *canvas.Rectangle
}

const quietInset = 6

func (r *quietRenderer) MinSize() fyne.Size {
	return fyne.NewSize(r.button.words.width(r.button.words.text)+2*quietInset+1, r.button.words.lineHeight()+2*quietInset)
}

func (r *quietRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	h := r.button.words.lineHeight()
	place(r.button.words, quietInset, floor((size.Height-h)/2), size.Width-2*quietInset, h)
}

func (r *quietRenderer) Refresh() {
	b := r.button
	c := fyne.ThemeColorName(colorMuted)
	if b.hovered || b.focused {
		c = theme.ColorNameForeground
	}
	r.ground.Hidden = !b.hovered && !b.focused
	r.ground.FillColor, r.ground.StrokeWidth = themed(theme.ColorNameHover), 0
	if b.focused {
		r.ground.StrokeColor, r.ground.StrokeWidth = themed(theme.ColorNamePrimary), 2
	}
	b.words.recolor(c)
	r.ground.Refresh()
	b.words.Refresh()
}

func (r *quietRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.button.words}
}
func (r *quietRenderer) Destroy() {}
