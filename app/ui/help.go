package ui

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/personal"
)

// house is the drawing by which the help explains itself: no model knows it. Points beside the corners keep these sharp.
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

func (w *Window) showHelp() {
	drawing := func(name string, color fyne.ThemeColorName) fyne.CanvasObject {
		view := widget.NewInkView(72)
		view.Set(house, 1)
		return container.NewBorder(nil, widget.NewLabel(name, 14, color).Bold().Aligned(fyne.TextAlignCenter), nil, nil, container.NewCenter(view))
	}
	boxed := func(text string, size float32, edge fyne.ThemeColorName) fyne.CanvasObject {
		return container.NewStack(widget.NewFill(theme.ColorNameInputBackground, 5).Edged(edge, 1.5),
			container.New(layout.NewCustomPaddedLayout(6, 6, 10, 10), widget.NewLabel(text, size, theme.ColorNameForeground).Natural()))
	}
	entry := container.NewHBox(boxed("house", 14, theme.ColorNamePrimary), boxed(page.KeyName("Enter"), 12, widget.ColorBorder))
	gain := widget.NewComparison(language.Tr("Kept for testing"), 0)
	gain.Set(personal.Comparison{Samples: 20, Before: 5, After: 1})
	undo := widget.Sized(40, 40, toolkit.NewIcon(theme.ContentUndoIcon()))

	steps := container.New(layout.NewFormLayout())
	for _, s := range []struct {
		picture     fyne.CanvasObject
		title, text string
	}{
		{drawing("?", widget.ColorMuted), language.Tr("Draw"), language.Tr("The answer stands beside the paper while the pen still moves. Where the network knows nothing like it, it says so.")},
		{container.NewCenter(entry), language.Tr("Correct"), language.Tr("Is it wrong? Type the right character or any word and press Enter, or click the right one in the list. Nothing else teaches.")},
		{drawing("house", theme.ColorNamePrimary), language.Tr("Remembered at once"), language.Tr("The next drawing like it gets your answer. Samples shows everything that you taught, and there it can be changed.")},
		{gain, language.Tr("Learn my handwriting"), language.Tr("On the Train page the network itself learns from your drawings. Of five of a character one is kept for testing: a model that does worse on these is not put in use.")},
		{container.NewCenter(undo), language.Tr("Undo"), language.Tr("Edit, Undo takes back the last thing that you did on any page: a stroke, a correction, a deletion, a training. Redo brings it back.")},
	} {
		steps.Add(container.New(layout.NewCustomPaddedLayout(6, 6, 0, 16), container.NewGridWrap(fyne.NewSize(210, 96), s.picture)))
		text := toolkit.NewLabel(s.text)
		text.Wrapping = fyne.TextWrapWord
		title := container.New(layout.NewCustomPaddedLayout(0, 0, theme.InnerPadding(), 0), widget.NewLabel(s.title, 16, theme.ColorNameForeground).Bold())
		steps.Add(container.NewBorder(title, nil, nil, nil, text))
	}
	w.Dialog(language.Tr("How to Correct, Learn and Undo"), container.NewVScroll(steps), fyne.NewSize(760, 660))
}

func (w *Window) showAbout() {
	icon := newIcon()
	icon.SetMinSize(fyne.NewSquareSize(72))
	centred := func(text string, size float32, c fyne.ThemeColorName) *widget.Label {
		return widget.NewLabel(text, size, c).Aligned(fyne.TextAlignCenter)
	}
	purpose := centred(language.Tr("Recognises handwriting with a neural network in OpenGL shaders."), 14, theme.ColorNameForeground)
	content := container.NewVBox(
		icon, centred("Inkshade "+w.opts.Version, 20, theme.ColorNameForeground).Bold(), purpose,
		centred(language.Tr("Nothing leaves this machine."), 14, theme.ColorNameForeground),
		centred(language.Tr("Free software under the BSD 3-Clause licence"), 13, widget.ColorMuted),
	)
	if w.Book != nil {
		where := widget.Selectable(language.Tr("Your samples lie in {{.Folder}}", map[string]any{"Folder": w.Book.Samples().Dir()}))
		where.Alignment, where.Wrapping = fyne.TextAlignCenter, fyne.TextWrapBreak
		content.Add(where)
	}
	if text := w.opts.Licence; text != "" {
		licence := widget.NewPress(language.Tr("Read the licence"), func() { w.ShowText(language.Tr("Licence"), text) })
		licence.Importance = toolkit.LowImportance
		content.Add(container.NewCenter(licence))
	}
	w.Dialog(language.Tr("About Inkshade"), content, fyne.NewSize(max(460, purpose.Width(purpose.Text)+60), 260))
}

func (w *Window) showKeys() {
	table := container.New(layout.NewFormLayout())
	add := func(keys, text string) {
		table.Add(widget.NewLabel(keys, 13, theme.ColorNameForeground).Bold().Aligned(fyne.TextAlignTrailing).Natural())
		table.Add(container.New(layout.NewCustomPaddedLayout(0, 0, 16, 0), widget.NewLabel(text, 13, theme.ColorNameForeground).Natural()))
	}
	some := func(text string, ids ...string) { add(w.KeysOf(ids...), text) }
	named := func(ids ...string) {
		var names []string
		for _, id := range ids {
			names = append(names, strings.TrimRight(w.Command(id).Name, "\u00a0…"))
		}
		some(strings.Join(names, language.Tr(", ")), ids...)
	}
	named("undo", "redo")
	add(page.KeyName("Del, Esc")+", "+w.KeysOf("erase", "select"), language.Tr("Clear; erase strokes, as the right button does; select some"))
	add(language.Tr("hold Space"), language.Tr("Draw without a button"))
	add(language.Tr("any character"), language.Tr("Say what the drawing is"))
	named("copy", "all")
	add(page.KeyName("1, 2, … 9, 0, Enter, PgDn"), language.Tr("Of many characters: take a candidate, the first, see more"))
	named(widget.Map(append(page.ClassSets(), page.OwnSet("")), page.ClassSet.Command)...)
	some(language.Tr("One character or a line"), "line")
	add(page.KeyName("←, →, Enter")+", "+w.KeysOf("take1", "take2", "take3", "take4", "take5"), language.Tr("Of a line: choose, confirm, take a candidate"))
	some(language.Tr("Of a line: split, join, put a space, move the border"), "split", "join", "space", "left", "right")
	some(language.Tr("Of a line: anything, numbers, English words, digits only"), "language0", "language1", "language2", "language3")
	named(w.pageIDs()...)
	some(language.Tr("Read a picture, paste one, crop it"), "picture", "paste", "crop")
	some(language.Tr("Write, import, export, search samples"), "write", "import", "export", "search")
	some(language.Tr("Learn my handwriting, cancel that, go back to the previous model"), "learn", "cancel", "back")
	named("model", "pictures", "panel")
	named("look-system", "look-light", "look-dark", "full")
	some(language.Tr("Answer with the GPU, the CPU, the faster one"), "by-gpu", "by-cpu", "by-faster")
	named("devices")
	some(language.Tr("Menus, settings"), "menus", "settings")
	named("keys", "quit")
	w.Dialog(language.Tr("Keys"), container.New(layout.NewCustomPaddedLayout(0, 0, 20, 20), table), fyne.Size{})
}

func (w *Window) showDevices() {
	form := toolkit.NewForm()
	for _, side := range []device.Side{device.CPU, device.GPU} {
		form.Append(string(side), widget.Selectable(deviceText(w.Status.Device(side))))
	}
	if m := w.Status.Model; m != "" {
		form.Append(language.Tr("Model"), toolkit.NewLabel(language.ModelName(m)+" ("+m+")"))
	}
	w.Dialog(language.Tr("About the Devices"), container.NewVScroll(form), fyne.NewSize(640, 360))
}

func deviceText(d device.SideStatus) string {
	switch d.State {
	case device.Preparing:
		return language.Tr("being prepared…")
	case device.Unavailable:
		return language.Tr("not available") + ": " + language.Said(message.List(d.Reasons))
	}
	name := d.Info.Name
	if d.Info.Software {
		name += " (" + language.Tr("software renderer") + ")"
	}
	lines := slices.DeleteFunc([]string{name, d.Info.Vendor, cmp.Or(language.Said(d.Info.Details), d.Info.Version), language.Said(d.Info.Differs)}, func(s string) bool { return s == "" })
	return strings.Join(lines, "\n")
}
