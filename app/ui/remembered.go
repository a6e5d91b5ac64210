package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// What the window remembers of itself between starts.
const (
	widthPreference  = "window.width"
	heightPreference = "window.height"
	pagePreference   = "window.page"
)

// sizeRests is how long a size must stay before it is remembered: who drags an edge passes
// many.
const sizeRests = 400 * time.Millisecond

// rememberedSize is the window's size of last time, or else the one given.
func rememberedSize(a fyne.App, otherwise fyne.Size) fyne.Size {
	p := a.Preferences()
	size := fyne.NewSize(float32(p.Float(widthPreference)), float32(p.Float(heightPreference)))
	if size.IsZero() {
		return otherwise
	}
	return size.Max(smallest)
}

// rememberedPage is the page that was in front last time, or else the first.
func (w *Window) rememberedPage() int {
	key := w.app.Preferences().String(pagePreference)
	return max(slices.IndexFunc(w.pages, func(p page) bool { return p.key != "" && p.key == key }), 0)
}

// resized remembers the size of the window once it rests, but that of the full screen.
func (w *Window) resized() {
	w.resizing.after(sizeRests, func() {
		if !w.win.FullScreen() {
			size := w.win.Canvas().Size()
			w.app.Preferences().SetFloat(widthPreference, float64(size.Width))
			w.app.Preferences().SetFloat(heightPreference, float64(size.Height))
		}
	})
}

// watched fills the window with its content and tells of every new size.
func (w *Window) watched(content fyne.CanvasObject) *fyne.Container {
	var last fyne.Size
	return container.New(arranged{content.MinSize, func(size fyne.Size) {
		place(content, 0, 0, size.Width, size.Height)
		if last != size {
			last = size
			w.resized()
		}
	}}, content)
}
