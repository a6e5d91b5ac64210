package ui

import (
	"time"

	"fyne.io/fyne/v2"

	"inkshade/app/state/setting"
	"inkshade/app/ui/widget"
)

// sizeRests is how long a size must stay before it is remembered: who drags an edge passes
// many.
const sizeRests = 400 * time.Millisecond

// rememberedSize is the window's size of last time, or else the one given.
func rememberedSize(a fyne.App, otherwise fyne.Size) fyne.Size {
	p := a.Preferences()
	size := fyne.NewSize(float32(setting.Width.Get(p)), float32(setting.Height.Get(p)))
	if size.IsZero() {
		return otherwise
	}
	return size.Max(widget.Smallest)
}

// resized remembers the size of the window once it rests, but that of the full screen.
func (w *Window) resized() {
	w.resizing.After(sizeRests, func() {
		if !w.Win.FullScreen() {
			size := w.Win.Canvas().Size()
			setting.Width.Set(w.App.Preferences(), float64(size.Width))
			setting.Height.Set(w.App.Preferences(), float64(size.Height))
		}
	})
}
