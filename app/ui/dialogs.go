package ui

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/samples"
)

// open shows a dialog with a Close button, of that size where the window has the room, but no smaller than it must be.
func (w *Window) open(title string, content fyne.CanvasObject, size fyne.Size) {
	d := dialog.NewCustomWithoutButtons(title, content, w.win)
	d.SetButtons([]fyne.CanvasObject{newPress(tr("Close"), d.Hide)})
	d.Resize(size.Min(w.win.Canvas().Size().SubtractWidthHeight(80, 60)).Max(d.MinSize()))
	w.present(d, d.Hide)
}

// present shows a dialog, in place of the one that is open, in which Enter does something, if anything, while no
// control has the focus.
func (w *Window) present(d dialog.Dialog, onEnter func()) {
	if w.modal != nil {
		w.modal.Hide()
	}
	w.modal, w.onEnter = d, onEnter
	d.SetOnClosed(func() {
		if w.modal == d {
			w.onEnter = nil
		}
	})
	d.Show()
}

// showText shows a text that can be copied, in a dialog as high as it needs up to a limit.
func (w *Window) showText(title, text string) {
	const width, around, most = 640, 120, 420
	words := selectable(text)
	words.Resize(fyne.NewSize(width-40, 0)) // wraps it
	w.open(title, container.NewVScroll(words), fyne.NewSize(width, min(words.MinSize().Height+around, most)))
}

// showFailure tells why something did not work.
func (w *Window) showFailure(title string, err error) { w.showText(title, sentence(said(err.Error()))) }

func selectable(text string) *widget.Label {
	l := widget.NewLabel(text)
	l.Wrapping, l.Selectable = fyne.TextWrapWord, true
	return l
}

// ask shows a form with an entry, if any, that has the focus and gives the form by Enter; then is
// called when the form is given. What the entry refuses is told under it, where its hint was, and moves nothing.
func (w *Window) ask(title, give string, width float32, entry *labelEntry, then func(), items ...*widget.FormItem) {
	words := newLabel("", 12, colorMuted).wrapped(2)
	for _, item := range items {
		if item.Widget == entry && entry.Validator != nil {
			words.set(item.HintText)
			item.HintText, item.Widget = "", container.NewVBox(entry, words)
		}
	}
	form := widget.NewForm(items...)
	button := w.chooseAnswer(title, container.NewGridWrap(fyne.NewSize(width, form.MinSize().Height), form), answer{tr("Cancel"), nil}, answer{give, then})
	if entry == nil {
		return
	}
	if check, hint := entry.Validator, words.text; check != nil {
		entry.Validator = func(text string) error {
			err := check(text)
			if words.show(hint, colorMuted); err != nil && text != "" {
				words.show(sentence(said(err.Error())), theme.ColorNameError)
			}
			enable(button, err == nil)
			return err
		}
		_ = entry.Validate()
		words.show(hint, colorMuted) // nothing was typed yet
	}
	entry.OnSubmitted = func(string) { button.Tapped(nil) }
	w.typeInto(entry)
}

// typeInto gives an entry the focus; what is typed replaces what stands there, unless a key moves to its end before.
func (w *Window) typeInto(entry *labelEntry) {
	w.win.Canvas().Focus(entry)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// confirm asks whether to do something, and does it when that is confirmed; Enter alone does not.
func (w *Window) confirm(title, text, yes, no string, do func()) {
	w.chooseAnswer(title, question(text), answer{yes, do}, answer{no, nil})
}

// question is a text of a few lines above answers.
func question(text string) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(400, 70), newLabel(text, 14, theme.ColorNameForeground).wrapped(3))
}

// chooseFile asks for a file with one of the endings.
func (w *Window) chooseFile(title string, endings []string, then func(path string)) {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err == nil && r != nil {
			_ = r.Close() // it is read by its path, which tells its size
			then(r.URI().Path())
		}
	}, w.win)
	d.SetFilter(storage.NewExtensionFileFilter(endings))
	w.browse(d, title)
}

// chooseFolder asks for a folder.
func (w *Window) chooseFolder(title string, then func(path string)) {
	w.browse(dialog.NewFolderOpen(func(l fyne.ListableURI, err error) {
		if err == nil && l != nil {
			then(l.Path())
		}
	}, w.win), title)
}

// chooseTarget asks where a file goes, whose name ends as the one that is offered: where a file has that name with the
// ending that was left out, it asks again.
func (w *Window) chooseTarget(title, name string, then func(path string)) {
	ending := filepath.Ext(name)
	d := dialog.NewFileSave(func(out fyne.URIWriteCloser, err error) {
		if err != nil || out == nil {
			return
		}
		path := out.URI().Path()
		_ = errors.Join(out.Close(), os.Remove(path)) // the toolkit has made it, or emptied it; nothing is left where nothing is written
		if !strings.HasSuffix(strings.TrimSuffix(path, ".gz"), ending) {
			path += ending
			if _, err := os.Stat(path); err == nil {
				w.chooseTarget(title, filepath.Base(path), then)
				return
			}
		}
		then(path)
	}, w.win)
	d.SetFileName(name)
	w.browse(d, title)
}

// browse shows a dialog of files as large as is useful; Escape closes it.
func (w *Window) browse(d *dialog.FileDialog, title string) {
	s := w.win.Canvas().Size()
	d.SetTitleText(title)
	d.SetView(dialog.ListView) // as long as nobody chose: under icons the toolkit cuts endings
	d.Resize(fyne.NewSize(min(s.Width-60, 900), min(s.Height-60, 620)))
	w.present(d, nil)
	over := w.win.Canvas().Overlays()
	w.adapt(over.Top(), func() { w.adapt(over.Top(), nil) })
}

// adapt translates what the toolkit says in English alone in a dialog of files, and lets Escape leave its entry. Where
// pressed is set, it is called after each press of a button: what that opened speaks English, too.
func (w *Window) adapt(o fyne.CanvasObject, pressed func()) {
	switch o := o.(type) {
	case *widget.PopUp:
		w.adapt(o.Content, pressed)
	case *container.Scroll:
		if name, ok := o.Content.(*widget.Entry); ok {
			entry := newStandIn(name)
			o.Content = entry
			o.Refresh()
			w.typeInto(entry)
		}
	case *container.Split:
		w.adapt(o.Leading, pressed)
	case *fyne.Container:
		for _, part := range o.Objects {
			w.adapt(part, pressed)
		}
	case *widget.Label:
		o.SetText(said(o.Text))
	case *widget.List:
		update := o.UpdateItem
		o.UpdateItem = func(id widget.ListItemID, item fyne.CanvasObject) {
			update(id, item)
			w.adapt(item, nil)
		}
		o.Refresh()
	case *widget.Button:
		if press := o.OnTapped; pressed != nil {
			o.OnTapped = func() {
				press()
				pressed()
			}
		}
	}
}

// answer is a button of a dialog; a nil do only closes that.
type answer struct {
	text string
	do   func()
}

// chooseAnswer asks a question with several answers; the last is stressed, and Enter gives it. It gives the button of that.
func (w *Window) chooseAnswer(title string, content fyne.CanvasObject, answers ...answer) (stressed *press) {
	d := dialog.NewCustomWithoutButtons(title, content, w.win)
	var buttons []fyne.CanvasObject
	for _, a := range answers {
		stressed = newPress(a.text, func() {
			d.Hide()
			run(a.do)
		})
		buttons = append(buttons, stressed)
	}
	stressed.Importance = widget.HighImportance
	d.SetButtons(buttons)
	w.present(d, func() { stressed.Tapped(nil) })
	return stressed
}

// askWhose asks who drew what is imported.
func (w *Window) askWhose(then func(samples.Whose)) {
	w.chooseAnswer(tr("Who drew this?"), question(tr("Drawings of others are learned from and measured with too, but do not count as your own writing.")), answer{tr("Cancel"), nil},
		answer{tr("Others did"), func() { then(samples.Others) }}, answer{tr("I did"), func() { then(samples.Mine) }})
}

// jobDelay is how long a job may take before it is worth a dialog.
const jobDelay = 300 * time.Millisecond

// job does something long in the background. While it lasts a dialog says what it does at
// first and how far it is, and cancels it; what is left after that share is to save. Then follows
// on the window's goroutine, or why it failed is shown under what failed, or what being cancelled means.
func (w *Window) job(title, first, failed, cancelled string, work func(ctx context.Context, tell func(done, all int)) error, then func()) {
	w.jobs++
	ctx, cancel := context.WithCancel(w.background)
	bar := widget.NewProgressBar()
	words := widget.NewLabel(first)
	d := dialog.NewCustomWithoutButtons(title, container.NewVBox(words, bar), w.win)
	stop := newPress(tr("Cancel"), nil)
	stop.OnTapped = func() {
		cancel()
		stop.Disable()
		words.SetText(tr("Cancelling…"))
	}
	d.SetButtons([]fyne.CanvasObject{stop})
	d.Resize(fyne.NewSize(380, 160))
	delay := alarm{post: w.opts.post}
	delay.after(jobDelay, func() {
		w.stop = stop.OnTapped
		d.Show()
	})
	var follow pace
	tell := func(done, all int) {
		if all > 0 && (follow.due(nil) || done >= all) {
			w.opts.post(func() {
				follow.shown(nil)
				bar.SetValue(float64(done) / float64(all))
				if done >= all && ctx.Err() == nil {
					words.SetText(tr("Saving…"))
				}
			})
		}
	}
	w.off(func() {
		err := work(ctx, tell)
		w.opts.post(func() {
			delay.stop()
			w.stop = nil
			w.jobs--
			cancel()
			d.Hide()
			switch {
			case errors.Is(err, context.Canceled):
				w.toast.say(cancelled)
			case err != nil:
				w.showFailure(failed, err)
			default:
				then()
			}
		})
	})
}

func (w *Window) showKeys() {
	table := container.New(layout.NewFormLayout())
	for _, k := range [][2]string{
		{"Ctrl+Z", tr("Undo")},
		{"Ctrl+Shift+Z, Ctrl+Y", tr("Redo")},
		{"Del, Esc", tr("Clear")},
		{tr("hold Space"), tr("Draw without a button")},
		{tr("any character"), tr("Say what the drawing is")},
		{"Ctrl+C", tr("Copy Answer")},
		{"1, 2, … 9, 0, Enter, PgDn", tr("Of many characters: take a candidate, the first, see more")},
		{"Ctrl+T", tr("One character or a line")},
		{"←, →, Enter, Alt+1, 2, 3, 4, 5", tr("Of a line: choose, confirm, take a candidate")},
		{"Ctrl+K, Ctrl+J, Alt+←, Alt+→", tr("Of a line: split, join, move the border")},
		{"Ctrl+Shift+X, N, W", tr("Of a line: anything, numbers, English words")},
		{"Ctrl+1, 2, 3, 4, 5", tr("Draw, Samples, Train, Models, Latency")},
		{"Ctrl+R, Ctrl+V, Ctrl+Shift+R", tr("Read a picture, paste one, crop it")},
		{"Ctrl+N, Ctrl+O, Ctrl+E, Ctrl+F", tr("Write, import, export, search samples")},
		{"Ctrl+L, Ctrl+., Ctrl+B", tr("Learn my handwriting, cancel that, go back to the previous model")},
		{"Ctrl+Alt+O", tr("Open a model")},
		{"Ctrl+Shift+1, 2, 3, F11", tr("Same as System, Light, Dark, Full Screen")},
		{"Ctrl+G, Ctrl+U, Ctrl+M", tr("Answer with the GPU, the CPU, the faster one")},
		{"Ctrl+I", tr("About the Devices")},
		{"F10, Ctrl+,", tr("Menus, settings")},
		{"Ctrl+Q", tr("Quit")},
	} {
		table.Add(newLabel(keyName(k[0]), 13, theme.ColorNameForeground).bold().aligned(fyne.TextAlignTrailing).natural())
		table.Add(container.New(layout.NewCustomPaddedLayout(0, 0, 16, 0), newLabel(k[1], 13, theme.ColorNameForeground).natural()))
	}
	w.open(tr("Keys"), container.New(layout.NewCustomPaddedLayout(0, 0, 20, 20), table), fyne.Size{})
}

// showDevices tells everything that is known about both devices, as text to be copied.
func (w *Window) showDevices() {
	form := widget.NewForm()
	for _, side := range sides {
		form.Append(string(side), selectable(deviceText(w.header.status.Device(side))))
	}
	if m := w.header.status.Model; m != "" {
		form.Append(tr("Model"), widget.NewLabel(m))
	}
	w.open(tr("About the Devices"), container.NewVScroll(form), fyne.NewSize(640, 360))
}

func deviceText(d DeviceStatus) string {
	switch d.State {
	case Preparing:
		return tr("being prepared…")
	case Unavailable:
		return tr("not available") + ": " + allSaid(d.Reasons)
	}
	name := d.Info.Name
	if d.Info.Software {
		name += " (" + tr("software renderer") + ")"
	}
	lines := slices.DeleteFunc([]string{name, d.Info.Vendor, d.Info.Version}, func(s string) bool { return s == "" })
	return strings.Join(lines, "\n")
}
