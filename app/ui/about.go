package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// showAbout says what this program is, under which licence it may be used, and where it
// keeps what a person wrote.
func (w *Window) showAbout() {
	icon := canvas.NewImageFromImage(iconImage())
	icon.FillMode = canvas.ImageFillContain
	icon.SetMinSize(fyne.NewSquareSize(72))
	centred := func(l *label) *label { return l.aligned(fyne.TextAlignCenter) }
	purpose := centred(newLabel(tr("Recognises handwriting with a neural network in OpenGL shaders."), 14, theme.ColorNameForeground))
	content := container.NewVBox(
		icon,
		centred(newLabel("Inkshade "+w.opts.Version, 20, theme.ColorNameForeground).bold()),
		purpose,
		centred(newLabel(tr("Nothing leaves this machine."), 14, theme.ColorNameForeground)),
		centred(newLabel(tr("Free software under the BSD 3-Clause licence"), 13, colorMuted)),
	)
	if w.book != nil {
		where := selectable(tr("Your samples lie in {{.Folder}}", map[string]any{"Folder": w.book.Store.Dir()}))
		where.Alignment, where.Wrapping = fyne.TextAlignCenter, fyne.TextWrapBreak
		content.Add(where)
	}
	if text := w.opts.Licence; text != "" {
		licence := widget.NewButton(tr("Read the licence"), func() { w.showText(tr("Licence"), text) })
		licence.Importance = widget.LowImportance
		content.Add(container.NewCenter(licence))
	}
	w.open(tr("About Inkshade"), content, fyne.NewSize(max(460, purpose.width(purpose.text)+60), 260))
}
