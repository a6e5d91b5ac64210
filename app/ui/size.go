package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inkshade/app/state/setting"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/widget"
)

// sizeRests is how long a size must stay before it is remembered: who drags an edge passes
// many.
const sizeRests = 400 * time.Millisecond

// scrolled is the content of a window with larger texts in a window that is no larger on the screen for them: what has no room
// is scrolled to.
func (w *Window) scrolled(content fyne.CanvasObject) fyne.CanvasObject {
	larger := float32(setting.TextSize.Get(w.App.Preferences()))
	if larger <= 1 {
		return content
	}
	s := container.NewScroll(content)
	s.SetMinSize(within(widget.Smallest, larger))
	return s
}

// rememberedSize is the window's size of last time, or else the one given, which is for texts of the usual size.
func rememberedSize(a fyne.App, otherwise fyne.Size) fyne.Size {
	p := a.Preferences()
	size := fyne.NewSize(float32(setting.Width.Get(p)), float32(setting.Height.Get(p)))
	larger := float32(setting.TextSize.Get(p))
	if size.IsZero() {
		size = within(otherwise, larger)
	}
	return size.Max(within(widget.Smallest, larger))
}

// setTextSize makes texts so many times as large as usual in a window that stays as large on the screen, and remembers it.
func (w *Window) setTextSize(larger float64) {
	size, before := w.Win.Canvas().Size(), setting.TextSize.Get(w.App.Preferences())
	setting.TextSize.Set(w.App.Preferences(), larger)
	settings.Enlarge(w.App)
	w.Restyle() // with which the toolkit looks for its scale
	w.Win.SetContent(w.scrolled(w.body))
	w.Win.Resize(within(size, float32(larger/before)).Max(within(widget.Smallest, float32(larger))))
}

// within is the size for larger texts that is as large on the screen as one for usual texts.
func within(usual fyne.Size, larger float32) fyne.Size {
	return fyne.NewSize(usual.Width/larger, usual.Height/larger)
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

// chosenAppearance is what the caller asked for, or else what was chosen last time.
func chosenAppearance(a fyne.App, asked widget.Appearance) widget.Appearance {
	if asked == "" {
		asked = widget.Appearance(setting.Appearance.Get(a.Preferences()))
	}
	switch asked {
	case widget.Light, widget.Dark:
		return asked
	}
	return widget.System
}

// setAppearance switches the palette at once and remembers it.
func (w *Window) setAppearance(a widget.Appearance) {
	setting.Appearance.Set(w.App.Preferences(), string(a))
	w.Theme.Appearance = a
	w.Restyle()
	w.Menu()
}
