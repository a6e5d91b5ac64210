package ui

import (
	"runtime"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// keyName writes a key for people of this system.
func keyName(key string) string {
	if runtime.GOOS == "darwin" {
		return strings.NewReplacer("Ctrl+", "Cmd+").Replace(key)
	}
	return key
}

func ticked(item *fyne.MenuItem, on bool) *fyne.MenuItem {
	item.Checked = on
	return item
}

// greyed makes an item grey and without effect where it has none: by keys the toolkit would do it all the same.
func greyed(item *fyne.MenuItem, grey bool) *fyne.MenuItem {
	if grey {
		item.Disabled, item.Action = true, nil
	}
	return item
}

func withKey(text string, key fyne.KeyName, mods fyne.KeyModifier, do func()) *fyne.MenuItem {
	return withShortcut(text, &desktop.CustomShortcut{KeyName: key, Modifier: mods}, do)
}

func withShortcut(text string, s fyne.Shortcut, do func()) *fyne.MenuItem {
	item := fyne.NewMenuItem(text, do)
	item.Shortcut = s
	return item
}

// menu makes the main menu; it is made anew when what is ticked changes.
func (w *Window) menu() *fyne.MainMenu {
	ctrl := fyne.KeyModifierShortcutDefault
	quit := withKey(tr("Quit"), fyne.KeyQ, ctrl, func() { w.train.whenIdle(w.app.Quit) })
	quit.IsQuit = true
	view := append(w.pageItems(),
		w.appearanceItem(tr("Same as System"), System, fyne.Key1),
		w.appearanceItem(tr("Light"), Light, fyne.Key2),
		w.appearanceItem(tr("Dark"), Dark, fyne.Key3),
		fyne.NewMenuItemSeparator(), w.linesItem(),
		withKey(tr("Full Screen"), fyne.KeyF11, 0, w.toggleFullScreen))
	return fyne.NewMainMenu(
		fyne.NewMenu(tr("File"),
			withKey(tr("Read a Picture…"), fyne.KeyR, ctrl, w.choosePicture),
			withKey(tr("Open a Model…"), fyne.KeyO, ctrl|fyne.KeyModifierAlt, w.chooseModel),
			fyne.NewMenuItemSeparator(),
			withKey(tr("Write Samples…"), fyne.KeyN, ctrl, w.onSamples(w.samples.chooseGuided)),
			withKey(tr("Import…"), fyne.KeyO, ctrl, w.onSamples(w.samples.chooseImport)),
			withKey(tr("Import Pictures…"), fyne.KeyO, ctrl|fyne.KeyModifierShift, w.onSamples(w.samples.chooseImportFolder)),
			withKey(tr("Export…"), fyne.KeyE, ctrl, w.onSamples(w.samples.chooseExport)),
			fyne.NewMenuItemSeparator(),
			withKey(tr("Settings…"), fyne.KeyComma, ctrl, w.showSettings),
			fyne.NewMenuItemSeparator(), quit),
		fyne.NewMenu(tr("Edit"),
			withShortcut(tr("Undo"), &fyne.ShortcutUndo{}, w.undo),
			withKey(tr("Redo"), fyne.KeyZ, ctrl|fyne.KeyModifierShift, w.redo),
			withKey(tr("Clear"), fyne.KeyDelete, 0, w.clear),
			fyne.NewMenuItemSeparator(),
			withShortcut(tr("Copy Answer"), &fyne.ShortcutCopy{}, w.copyAnswer),
			withShortcut(tr("Paste a Picture"), &fyne.ShortcutPaste{}, w.paste),
			withKey(tr("Crop the Picture"), fyne.KeyR, ctrl|fyne.KeyModifierShift, w.startCrop),
			fyne.NewMenuItem(tr("Turn by a Quarter"), w.turn),
			withShortcut(tr("Select All"), &fyne.ShortcutSelectAll{}, w.selectAll),
			withKey(tr("Search"), fyne.KeyF, ctrl, w.onSamples(func() { w.win.Canvas().Focus(w.samples.bar.search) })),
			fyne.NewMenuItemSeparator(),
			fyne.NewMenuItem(tr("Drawn by Me"), w.onSamples(func() { w.samples.credit(true) })),
			fyne.NewMenuItem(tr("Drawn by Others"), w.onSamples(func() { w.samples.credit(false) }))),
		fyne.NewMenu(tr("View"), view...),
		fyne.NewMenu(tr("Answers"), w.choiceItems()...),
		fyne.NewMenu(tr("Device"),
			w.choiceItem(tr("GPU (OpenGL shaders)"), ChooseGPU, fyne.KeyG),
			w.choiceItem(tr("CPU"), ChooseCPU, fyne.KeyU),
			w.choiceItem(tr("The Faster One"), ChooseFaster, fyne.KeyM),
			fyne.NewMenuItemSeparator(),
			withKey(tr("About the Devices"), fyne.KeyI, ctrl, w.showDevices)),
		w.train.menu(),
		w.draw.line.menu(),
		fyne.NewMenu(tr("Collections"), w.collectionItems()...),
		fyne.NewMenu(tr("Help"),
			fyne.NewMenuItem(tr("How to Correct, Learn and Undo"), w.showHelp),
			withKey(tr("Keys"), fyne.KeyF1, 0, w.showKeys),
			fyne.NewMenuItem(tr("About Inkshade"), w.showAbout)),
	)
}

// pageItems opens the pages by Ctrl+1, Ctrl+2, ...
func (w *Window) pageItems() []*fyne.MenuItem {
	var items []*fyne.MenuItem
	for i, p := range w.pages {
		key := fyne.KeyName(rune('1' + i))
		items = append(items, withKey(p.name, key, fyne.KeyModifierShortcutDefault, func() { w.openPage(i) }))
	}
	return append(items, fyne.NewMenuItemSeparator())
}

// linesItem switches the baseline and the height of small letters on the paper for characters.
func (w *Window) linesItem() *fyne.MenuItem {
	p := w.app.Preferences()
	return ticked(fyne.NewMenuItem(tr("Lines to Write On"), func() {
		p.SetBool(linesPreference, !p.Bool(linesPreference))
		w.applySettings()
		w.win.SetMainMenu(w.menu())
	}), p.Bool(linesPreference))
}

func (w *Window) appearanceItem(name string, a Appearance, key fyne.KeyName) *fyne.MenuItem {
	do := func() { w.setAppearance(a) }
	return ticked(withKey(name, key, fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift, do), w.theme.appearance == a)
}

func (w *Window) choiceItem(name string, c Choice, key fyne.KeyName) *fyne.MenuItem {
	return ticked(withKey(name, key, fyne.KeyModifierShortcutDefault, func() { w.chooseDevice(c) }), w.header.status.Choice == c)
}

func (w *Window) toggleFullScreen() { w.win.SetFullScreen(!w.win.FullScreen()) }

// copyAnswer puts the answer on the clipboard.
func (w *Window) copyAnswer() {
	if w.forEntry(&fyne.ShortcutCopy{Clipboard: w.app.Clipboard()}) {
		return
	}
	switch c := w.draw.candidates.rows[0].candidate; {
	case w.draw.inLine:
		w.draw.line.copyText()
	case w.draw.many.content.Visible() && w.draw.many.text.Text != "":
		w.copyText(w.draw.many.text.Text)
	case c != nil:
		w.app.Clipboard().SetContent(c.Label)
	}
}

// copyText puts a text on the clipboard, and says so.
func (w *Window) copyText(text string) {
	w.app.Clipboard().SetContent(text)
	w.toast.say(tr("Copied: {{.Text}}", map[string]any{"Text": text}))
}

// connectKeys handles what menus cannot: keys without a modifier, a second key for Redo,
// and the key that is held to draw.
func (w *Window) connectKeys() {
	c := w.win.Canvas()
	c.AddShortcut(&fyne.ShortcutRedo{}, func(fyne.Shortcut) { w.redo() })
	w.draw.line.connectKeys(c)
	c.SetOnTypedKey(w.typedKey)
	c.SetOnTypedRune(w.typed)
	w.takeDrops()
	if d, ok := c.(desktop.Canvas); ok {
		hold := func(down bool) func(*fyne.KeyEvent) {
			return func(e *fyne.KeyEvent) {
				if pen := w.actions().pen; e.Name == fyne.KeySpace && pen != nil {
					pen(down)
				}
			}
		}
		d.SetOnKeyDown(hold(true))
		d.SetOnKeyUp(hold(false))
	}
}

// typedKey leaves the drawing alone while a dialog is open; Escape closes that, and Enter gives its stressed answer.
func (w *Window) typedKey(e *fyne.KeyEvent) {
	if top := w.win.Canvas().Overlays().Top(); top != nil {
		switch e.Name {
		case fyne.KeyEscape:
			if _, ok := top.(*widget.PopUp); ok && w.stop != nil {
				w.stop()
			} else if ok && w.modal != nil {
				w.modal.Hide()
			} else if around, ok := top.(fyne.Tappable); ok { // a menu, after a press on a line of it that does nothing
				around.Tapped(nil)
			}
		case fyne.KeyReturn, fyne.KeyEnter:
			run(w.onEnter)
		}
		return
	}
	switch e.Name {
	case fyne.KeyF1:
		w.showKeys()
	case fyne.KeyF10: // as Alt alone does; macOS has its menus outside the window
		if c, ok := w.win.Canvas().(interface{ ToggleMenu() }); ok {
			c.ToggleMenu()
		}
	case fyne.KeyF11:
		w.toggleFullScreen()
	default:
		if f := w.actions().key; f != nil {
			f(e.Name)
		}
	}
}
