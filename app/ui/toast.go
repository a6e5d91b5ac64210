package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// toastTime is how long a sentence stands there that needs no answer.
const toastTime = 8 * time.Second

// toast says what has just happened and lets it be undone, over the page and without
// taking anything away from it.
type toast struct {
	widget.BaseWidget
	post  func(func())
	words *label
	undo  *widget.Button
	act   func()
	shown int         // counts sentences, so that a late clock ends none but its own
	over  func() area // where it may float
	layer *fyne.Container
}

// area is a part of the window.
type area struct {
	pos  fyne.Position
	size fyne.Size
}

func newToast(post func(func())) *toast {
	t := &toast{post: post, words: newLabel("", 14, theme.ColorNameForeground)}
	t.undo = widget.NewButton(tr("Undo"), t.takeBack)
	t.undo.Importance = widget.LowImportance
	t.ExtendBaseWidget(t)
	t.layer = container.New(toastLayer{t}, t)
	t.Hide()
	return t
}

// say shows a sentence for a while.
func (t *toast) say(text string) { t.offer(text, nil) }

// offer shows a sentence with a way back; a nil undo has none.
func (t *toast) offer(text string, undo func()) {
	t.act = undo
	t.words.set(text)
	if undo != nil {
		t.undo.Show()
	} else {
		t.undo.Hide()
	}
	t.place()
	t.Show()
	t.layer.Refresh() // Fyne does not know yet where a toast belongs that was never painted
	t.shown++
	mine := t.shown
	time.AfterFunc(toastTime, func() {
		t.post(func() {
			if t.shown == mine {
				t.hide()
			}
		})
	})
}

// reword says more about what has just happened; the clock runs on.
func (t *toast) reword(text string) {
	t.words.set(text)
	t.place()
	t.Refresh()
}

func (t *toast) hide() {
	t.act = nil
	t.Hide()
}

// canUndo tells whether there is something on offer.
func (t *toast) canUndo() bool { return t.Visible() && t.act != nil }

func (t *toast) takeBack() {
	if act := t.act; act != nil {
		t.hide()
		act()
	}
}

// place centres the toast at the lower edge of what it floats over.
func (t *toast) place() {
	a := t.over()
	if a.size.Width <= 0 {
		return
	}
	a.pos = a.pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.layer))
	width := t.words.width(t.words.text) + 36
	if t.act != nil {
		width += t.undo.MinSize().Width
	}
	width = min(floor(width), a.size.Width-16)
	place(t, floor(a.pos.X+(a.size.Width-width)/2), floor(a.pos.Y+a.size.Height-toastHeight-10), width, toastHeight)
}

const toastHeight = 40

// toastLayer keeps the toast over its place when the window changes its size.
type toastLayer struct{ toast *toast }

func (toastLayer) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

func (l toastLayer) Layout([]fyne.CanvasObject, fyne.Size) { l.toast.place() }

// CreateRenderer implements fyne.Widget.
func (t *toast) CreateRenderer() fyne.WidgetRenderer {
	r := &toastRenderer{toast: t, ground: canvas.NewRectangle(themed(theme.ColorNameOverlayBackground))}
	r.ground.CornerRadius, r.ground.StrokeWidth = toastHeight/2, 1
	return r
}

type toastRenderer struct {
	toast  *toast
	ground *canvas.Rectangle
}

func (r *toastRenderer) MinSize() fyne.Size { return fyne.NewSize(120, toastHeight) }

func (r *toastRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	right := size.Width - 18
	if r.toast.act != nil {
		m := r.toast.undo.MinSize()
		right = size.Width - 8 - m.Width
		place(r.toast.undo, right, floor((size.Height-m.Height)/2), m.Width, m.Height)
	}
	h := r.toast.words.lineHeight()
	place(r.toast.words, 18, floor((size.Height-h)/2), right-18, h)
}

func (r *toastRenderer) Refresh() {
	r.ground.FillColor, r.ground.StrokeColor = themed(theme.ColorNameOverlayBackground), themed(colorAccentSoft)
	r.Layout(r.toast.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *toastRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.toast.words, r.toast.undo}
}
func (r *toastRenderer) Destroy() {}
