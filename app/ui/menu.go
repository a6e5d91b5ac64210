package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/settings"
	"inkshade/app/ui/widget"
)

// openPanel starts the panel that writes into other programs, beside the window.
func (w *Window) openPanel() {
	if err := w.opts.Panel(); err != nil {
		w.Tell(err)
	}
}

// menu makes the main menu; it is made anew when what is ticked changes.
func (w *Window) menu() *fyne.MainMenu {
	ctrl := fyne.KeyModifierShortcutDefault
	quit := page.WithKey(language.Tr("Quit"), fyne.KeyQ, ctrl, func() { w.WhenIdle(w.App.Quit) })
	quit.IsQuit = true
	view := append(w.pageItems(),
		w.appearanceItem(language.Tr("Same as System"), widget.System, fyne.Key1),
		w.appearanceItem(language.Tr("Light"), widget.Light, fyne.Key2),
		w.appearanceItem(language.Tr("Dark"), widget.Dark, fyne.Key3),
		fyne.NewMenuItemSeparator(), w.linesItem(),
		page.WithKey(language.Tr("Full Screen"), fyne.KeyF11, 0, w.toggleFullScreen))
	return fyne.NewMainMenu(
		fyne.NewMenu(language.Tr("File"),
			page.WithKey(language.Tr("Read a Picture…"), fyne.KeyR, ctrl, w.draw.ChoosePicture),
			page.WithKey(language.Tr("Open a Model…"), fyne.KeyO, ctrl|fyne.KeyModifierAlt, w.models.Choose),
			fyne.NewMenuItemSeparator(),
			page.WithKey(language.Tr("Write Samples…"), fyne.KeyN, ctrl, w.On("samples", w.samples.Write)),
			page.WithKey(language.Tr("Import…"), fyne.KeyO, ctrl, w.On("samples", w.samples.Import)),
			page.WithKey(language.Tr("Import Pictures…"), fyne.KeyO, ctrl|fyne.KeyModifierShift, w.On("samples", w.samples.ImportFolder)),
			page.WithKey(language.Tr("Export…"), fyne.KeyE, ctrl, w.On("samples", w.samples.Export)),
			fyne.NewMenuItemSeparator(),
			page.Greyed(page.WithKey(language.Tr("Write Anywhere"), fyne.KeyP, ctrl|fyne.KeyModifierShift, w.openPanel), w.opts.Panel == nil),
			page.WithKey(language.Tr("Settings…"), fyne.KeyComma, ctrl, w.showSettings),
			fyne.NewMenuItemSeparator(), quit),
		fyne.NewMenu(language.Tr("Edit"),
			page.WithShortcut(language.Tr("Undo"), &fyne.ShortcutUndo{}, w.Undo),
			page.WithKey(language.Tr("Redo"), fyne.KeyZ, ctrl|fyne.KeyModifierShift, w.Redo),
			page.WithKey(language.Tr("Clear"), fyne.KeyDelete, 0, w.Clear),
			fyne.NewMenuItemSeparator(),
			page.WithShortcut(language.Tr("Copy Answer"), &fyne.ShortcutCopy{}, w.draw.CopyAnswer),
			page.WithShortcut(language.Tr("Paste a Picture"), &fyne.ShortcutPaste{}, w.draw.Paste),
			page.WithKey(language.Tr("Crop the Picture"), fyne.KeyR, ctrl|fyne.KeyModifierShift, w.draw.StartCrop),
			fyne.NewMenuItem(language.Tr("Turn by a Quarter"), w.draw.Turn),
			page.WithShortcut(language.Tr("Select All"), &fyne.ShortcutSelectAll{}, w.SelectAll),
			page.WithKey(language.Tr("Search"), fyne.KeyF, ctrl, w.On("samples", w.samples.Search)),
			fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem(language.Tr("Drawn by Me"), w.On("samples", func() { w.samples.Credit(true) })),
			fyne.NewMenuItem(language.Tr("Drawn by Others"), w.On("samples", func() { w.samples.Credit(false) }))),
		fyne.NewMenu(language.Tr("View"), view...),
		fyne.NewMenu(language.Tr("Answers"), w.draw.ChoiceItems()...),
		fyne.NewMenu(language.Tr("Device"),
			w.choiceItem(language.Tr("GPU (OpenGL shaders)"), device.ChooseGPU, fyne.KeyG),
			w.choiceItem(language.Tr("CPU"), device.ChooseCPU, fyne.KeyU),
			w.choiceItem(language.Tr("The Faster One"), device.ChooseFaster, fyne.KeyM),
			fyne.NewMenuItemSeparator(),
			page.WithKey(language.Tr("About the Devices"), fyne.KeyI, ctrl, w.showDevices)),
		w.train.Menu(),
		w.draw.LineMenu(),
		fyne.NewMenu(language.Tr("Collections"), w.collectionItems()...),
		fyne.NewMenu(language.Tr("Help"),
			fyne.NewMenuItem(language.Tr("How to Correct, Learn and Undo"), w.showHelp),
			page.WithKey(language.Tr("Keys"), fyne.KeyF1, 0, w.showKeys),
			fyne.NewMenuItem(language.Tr("About Inkshade"), w.showAbout)),
	)
}

// pageItems opens the pages by Ctrl+1, Ctrl+2, ...
func (w *Window) pageItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for i, p := range w.Pages {
		key := fyne.KeyName(rune('1' + i))
		items = append(items, page.WithKey(p.Name, key, fyne.KeyModifierShortcutDefault, func() { w.OpenPage(i) }))
	}
	return append(items, fyne.NewMenuItemSeparator())
}

// linesItem switches the baseline and the height of small letters on the paper for characters.
func (w *Window) linesItem() *fyne.MenuItem {
	p := w.App.Preferences()
	return page.Ticked(fyne.NewMenuItem(language.Tr("Lines to Write On"), func() {
		setting.Ruled.Set(p, !setting.Ruled.Get(p))
		w.Each(func(p *page.Page) func() { return p.Set })
		w.Menu()
	}), setting.Ruled.Get(p))
}

func (w *Window) appearanceItem(name string, a widget.Appearance, key fyne.KeyName) *fyne.MenuItem {
	do := func() { w.setAppearance(a) }
	return page.Ticked(page.WithKey(name, key, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, do), w.Theme.Appearance == a)
}

func (w *Window) choiceItem(name string, c device.Choice, key fyne.KeyName) *fyne.MenuItem {
	return page.Ticked(page.WithKey(name, key, fyne.KeyModifierShortcutDefault, func() { settings.ChooseDevice(w.Frame, c) }), w.Status.Choice == c)
}

func (w *Window) toggleFullScreen() { w.Win.SetFullScreen(!w.Win.FullScreen()) }

// connectKeys handles what menus cannot: keys without a modifier, a second key for Redo,
// and the key that is held to draw.
func (w *Window) connectKeys() {
	c := w.Win.Canvas()
	c.AddShortcut(&fyne.ShortcutRedo{}, func(fyne.Shortcut) { w.Redo() })
	w.draw.ConnectKeys(c)
	c.SetOnTypedKey(w.typedKey)
	c.SetOnTypedRune(w.Typed)
	w.takeDrops()
	if d, ok := c.(desktop.Canvas); ok {
		hold := func(down bool) func(*fyne.KeyEvent) {
			return func(e *fyne.KeyEvent) {
				if pen := w.Actions().Pen; e.Name == fyne.KeySpace && pen != nil {
					pen(down)
				}
			}
		}
		d.SetOnKeyDown(hold(true))
		d.SetOnKeyUp(hold(false))
	}
}

// typedKey does what a key does everywhere, or else on the page in front.
func (w *Window) typedKey(e *fyne.KeyEvent) {
	switch covered := w.Win.Canvas().Overlays().Top() != nil; {
	case covered:
		w.Key(e)
	case e.Name == fyne.KeyF1:
		w.showKeys()
	case e.Name == fyne.KeyF10: // as Alt alone does; macOS has its menus outside the window
		if c, ok := w.Win.Canvas().(interface{ ToggleMenu() }); ok {
			c.ToggleMenu()
		}
	case e.Name == fyne.KeyF11:
		w.toggleFullScreen()
	default:
		w.Key(e)
	}
}

// showSettings lets the window be set.
func (w *Window) showSettings() {
	settings.Show(w.Frame, w.draw.Taken)
}
