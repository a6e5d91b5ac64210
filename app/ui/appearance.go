package ui

import (
	"fyne.io/fyne/v2"

	"inkshade/app/state/setting"
	"inkshade/app/ui/widget"
)

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
