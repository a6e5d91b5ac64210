package page

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// Dialog shows one with a Close button, of that size where the window has the room, but no smaller than it must be.
func (f *Frame) Dialog(title string, content fyne.CanvasObject, size fyne.Size) {
	d := dialog.NewCustomWithoutButtons(title, content, f.Win)
	d.SetButtons([]fyne.CanvasObject{widget.NewPress(language.Tr("Close"), d.Hide)})
	d.Resize(size.Min(f.Win.Canvas().Size().SubtractWidthHeight(80, 60)).Max(d.MinSize()))
	f.present(d, d.Hide)
}

// present shows a dialog, in place of the one that is open, in which Enter does something, if anything, while no
// control has the focus.
func (f *Frame) present(d dialog.Dialog, onEnter func()) {
	if f.Modal != nil {
		f.Modal.Hide()
	}
	f.Modal, f.OnEnter = d, onEnter
	d.SetOnClosed(func() {
		if f.Modal == d {
			f.OnEnter = nil
		}
	})
	d.Show()
}

// ShowText shows a text that can be copied, in a dialog as high as it needs up to a limit.
func (f *Frame) ShowText(title, text string) {
	const width, around, most = 640, 120, 420
	words := widget.Selectable(text)
	words.Resize(fyne.NewSize(width-40, 0)) // wraps it
	f.Dialog(title, container.NewVScroll(words), fyne.NewSize(width, min(words.MinSize().Height+around, most)))
}

// ShowFailure tells why something did not work.
func (f *Frame) ShowFailure(title string, err error) {
	f.ShowText(title, language.Sentence(language.Said(err)))
}

// Ask shows a form with an entry, if any, that has the focus and gives the form by Enter; then is
// called when the form is given. What the entry refuses is told under it, where its hint was, and moves nothing.
func (f *Frame) Ask(title, give string, width float32, entry *widget.LabelEntry, then func(), items ...*toolkit.FormItem) {
	words := widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2)
	for _, item := range items {
		if item.Widget == entry && entry.Validator != nil {
			words.Set(item.HintText)
			item.HintText, item.Widget = "", container.NewVBox(entry, words)
		}
	}
	form := toolkit.NewForm(items...)
	button := f.ChooseAnswer(title, container.NewGridWrap(fyne.NewSize(width, form.MinSize().Height), form), Answer{language.Tr("Cancel"), nil}, Answer{give, then})
	if entry == nil {
		return
	}
	if check, hint := entry.Validator, words.Text; check != nil {
		entry.Validator = func(text string) error {
			err := check(text)
			if words.SetColored(hint, widget.ColorMuted); err != nil && text != "" {
				words.SetColored(language.Sentence(language.Said(err)), theme.ColorNameError)
			}
			widget.Enable(button, err == nil)
			return err
		}
		_ = entry.Validate()
		words.SetColored(hint, widget.ColorMuted) // nothing was typed yet
	}
	entry.OnSubmitted = func(string) { button.Tapped(nil) }
	f.typeInto(entry)
}

// typeInto gives an entry the focus; what is typed replaces what stands there, unless a key moves to its end before.
func (f *Frame) typeInto(entry *widget.LabelEntry) {
	f.Win.Canvas().Focus(entry)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}

// Confirm asks whether to do something, and does it when that is confirmed; Enter alone does not.
func (f *Frame) Confirm(title, text, yes, no string, do func()) {
	f.ChooseAnswer(title, Question(text), Answer{yes, do}, Answer{no, nil})
}

// Question is a text of a few lines above answers.
func Question(text string) fyne.CanvasObject {
	return container.NewGridWrap(fyne.NewSize(400, 70), widget.NewLabel(text, 14, theme.ColorNameForeground).Wrapped(3))
}

// Answer is a button of a dialog; a nil do only closes that.
type Answer struct {
	Text string
	Do   func()
}

// ChooseAnswer asks a question with several answers; the last is stressed, and Enter gives it. It gives the button of that.
func (f *Frame) ChooseAnswer(title string, content fyne.CanvasObject, answers ...Answer) (stressed *widget.Press) {
	d := dialog.NewCustomWithoutButtons(title, content, f.Win)
	var buttons []fyne.CanvasObject
	for _, a := range answers {
		stressed = widget.NewPress(a.Text, func() {
			d.Hide()
			widget.Run(a.Do)
		})
		buttons = append(buttons, stressed)
	}
	stressed.Importance = toolkit.HighImportance
	d.SetButtons(buttons)
	f.present(d, func() { stressed.Tapped(nil) })
	return stressed
}

// AskWhose asks who drew what is imported.
func (f *Frame) AskWhose(then func(samples.Whose)) {
	f.ChooseAnswer(language.Tr("Who drew this?"), Question(language.Tr("Drawings of others are learned from and measured with too, but do not count as your own writing.")), Answer{language.Tr("Cancel"), nil},
		Answer{language.Tr("Others did"), func() { then(samples.Others) }}, Answer{language.Tr("I did"), func() { then(samples.Mine) }})
}

// jobDelay is how long a job may take before it is worth a dialog.
const jobDelay = 300 * time.Millisecond

// Job does something long in the background. While it lasts a dialog says what it does at
// first and how far it is, and cancels it; what is left after that share is to save. Then follows
// on the window's goroutine, or why it failed is shown under what failed, or what being cancelled means.
func (f *Frame) Job(title, first, failed, cancelled string, work func(ctx context.Context, tell func(done, all int)) error, then func()) {
	f.Jobs++
	ctx, cancel := context.WithCancel(f.Background)
	bar := toolkit.NewProgressBar()
	words := toolkit.NewLabel(first)
	d := dialog.NewCustomWithoutButtons(title, container.NewVBox(words, bar), f.Win)
	stop := widget.NewPress(language.Tr("Cancel"), nil)
	stop.OnTapped = func() {
		cancel()
		stop.Disable()
		words.SetText(language.Tr("Cancelling…"))
	}
	d.SetButtons([]fyne.CanvasObject{stop})
	d.Resize(fyne.NewSize(380, 160))
	delay := Alarm{Post: f.Post}
	delay.After(jobDelay, func() {
		f.StopJob = stop.OnTapped
		d.Show()
	})
	var follow Pace
	tell := func(done, all int) {
		if all > 0 && (follow.Due(nil) || done >= all) {
			f.Post(func() {
				follow.Shown(nil)
				bar.SetValue(float64(done) / float64(all))
				if done >= all && ctx.Err() == nil {
					words.SetText(language.Tr("Saving…"))
				}
			})
		}
	}
	f.Off(func() {
		err := work(ctx, tell)
		f.Post(func() {
			delay.Stop()
			f.StopJob = nil
			f.Jobs--
			cancel()
			d.Hide()
			switch {
			case errors.Is(err, context.Canceled):
				f.Toast.Say(cancelled)
			case err != nil:
				f.ShowFailure(failed, err)
			default:
				then()
			}
		})
	})
}

// Importing is a job of an import.
func (f *Frame) Importing(name, first string, work func(ctx context.Context, tell func(done, all int)) error, then func()) {
	f.Job(language.Tr("Importing {{.Name}}", map[string]any{"Name": name}), first, language.Tr("Nothing was imported"), language.Tr("Cancelled; nothing was imported."), work, then)
}
