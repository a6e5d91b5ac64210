package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/personal"
)

// house is the drawing by which the help explains itself: no model knows it. Points beside the
// corners keep these sharp.
var house = func() ink.Ink {
	corners := ink.Stroke{{X: 12, Y: 100}, {X: 12, Y: 48}, {X: 56, Y: 8}, {X: 100, Y: 48}, {X: 100, Y: 100}, {X: 12, Y: 100}}
	var s ink.Stroke
	for i, to := range corners[1:] {
		for _, share := range []float64{0, 0.03, 0.97} {
			from := corners[i]
			s = append(s, ink.Point{X: from.X + share*(to.X-from.X), Y: from.Y + share*(to.Y-from.Y)})
		}
	}
	return ink.Ink{append(s, corners[0])}
}()

// showHelp explains correcting, learning and undoing, a picture beside each step.
func (w *Window) showHelp() {
	drawing := func(name string, color fyne.ThemeColorName) fyne.CanvasObject {
		view := newInkView(72)
		view.show(house, 1)
		below := newLabel(name, 14, color).bold().aligned(fyne.TextAlignCenter)
		return container.NewBorder(nil, below, nil, nil, container.NewCenter(view))
	}
	boxed := func(text string, size float32, edge fyne.ThemeColorName) fyne.CanvasObject {
		return container.NewStack(newFill(theme.ColorNameInputBackground, 5).edged(edge, 1.5),
			container.New(layout.NewCustomPaddedLayout(6, 6, 10, 10), newLabel(text, size, theme.ColorNameForeground).natural()))
	}
	entry := container.NewHBox(boxed("house", 14, theme.ColorNamePrimary), boxed("Enter", 12, colorBorder))
	gain := newComparison(tr("Kept for testing"), 0)
	gain.show(personal.Comparison{Samples: 20, Before: 5, After: 1})
	undo := widget.NewIcon(theme.ContentUndoIcon())

	steps := container.New(layout.NewFormLayout())
	for _, s := range []struct {
		picture     fyne.CanvasObject
		title, text string
	}{
		{drawing("?", colorMuted), tr("Draw"), tr("The answer stands beside the paper while the pen still moves. Where the network knows nothing like it, it says so.")},
		{container.NewCenter(entry), tr("Correct"), tr("Is it wrong? Type the right character or any word and press Enter, or click the right one in the list. Nothing else teaches.")},
		{drawing("house", theme.ColorNamePrimary), tr("Remembered at once"), tr("The next drawing like it gets your answer. Samples shows everything that you taught, and there it can be changed.")},
		{gain, tr("Learn my handwriting"), tr("On the Train page the network itself learns from your drawings. Some are kept for testing: they tell whether it helped, and only a better model is put in use.")},
		{container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(40), undo)), tr("Undo"), tr("Edit, Undo takes back the last thing that you did on any page: a stroke, a correction, a deletion, a training. Redo brings it back.")},
	} {
		steps.Add(container.New(layout.NewCustomPaddedLayout(6, 6, 0, 16), container.NewGridWrap(fyne.NewSize(210, 96), s.picture)))
		text := widget.NewLabel(s.text)
		text.Wrapping = fyne.TextWrapWord
		title := container.New(layout.NewCustomPaddedLayout(0, 0, theme.InnerPadding(), 0), newLabel(s.title, 15, theme.ColorNameForeground).bold())
		steps.Add(container.NewBorder(title, nil, nil, nil, text))
	}
	w.open(tr("How to Correct, Learn and Undo"), container.NewVScroll(steps), fyne.NewSize(760, 660))
}

// showAbout says what this program is, under which licence it may be used, and where it
// keeps what a person wrote.
func (w *Window) showAbout() {
	icon := newIcon()
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
		licence := newPress(tr("Read the licence"), func() { w.showText(tr("Licence"), text) })
		licence.Importance = widget.LowImportance
		content.Add(container.NewCenter(licence))
	}
	w.open(tr("About Inkshade"), content, fyne.NewSize(max(460, purpose.width(purpose.text)+60), 260))
}
