package page

import (
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/samples"
)

// Dialog shows one with a Close button, of that size where the window has the room, but no smaller than it must be; what the
// window has no room for is scrolled to.
func (f *Frame) Dialog(title string, content fyne.CanvasObject, size fyne.Size) {
	inside := container.NewScroll(content)
	d := dialog.NewCustomWithoutButtons(widget.Readable(title), inside, f.Win)
	d.SetButtons([]fyne.CanvasObject{widget.NewPress(language.Tr("Close"), d.Hide)})
	inside.SetMinSize(content.MinSize())
	least := d.MinSize()
	inside.SetMinSize(fyne.Size{}) // the toolkit keeps the dialog within the window
	d.Resize(size.Min(f.Win.Canvas().Size().SubtractWidthHeight(40, 60)).Max(least))
	f.present(d, d.Hide)
}

// present shows a dialog, in place of the one that is open, in which Enter does something while no control has the focus.
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
func (f *Frame) Ask(title, give string, width float32, entry *widget.Entry, then func(), items ...*toolkit.FormItem) {
	words := widget.NewLabel("", 12, widget.ColorMuted).Wrapped(2)
	for _, item := range items {
		if item.Widget == entry && entry.Validator != nil {
			words.Set(item.HintText)
			item.HintText, item.Widget = "", container.NewVBox(entry, words)
		}
	}
	form := toolkit.NewForm(items...)
	button := f.ChooseAnswer(title, container.NewGridWrap(fyne.NewSize(width, form.MinSize().Height+theme.InnerPadding()), form), Answer{language.Tr("Cancel"), nil}, Answer{give, then})
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

// AskText asks for one text under a name, with a hint beneath, which check refuses or not; nil refuses none.
func (f *Frame) AskText(title, give, name, example, text, hint string, check func(string) error, then func(text string)) {
	entry := widget.NewLabelEntry(example, nil, nil)
	entry.SetText(text)
	entry.Validator, entry.Most = check, 4000 // of many labels
	item := toolkit.NewFormItem(name, entry)
	item.HintText = hint
	f.Ask(title, give, 400, entry, func() { then(entry.Text) }, item)
}

// typeInto gives an entry the focus; what is typed replaces what stands there, unless a key moves to its end before.
func (f *Frame) typeInto(entry *widget.Entry) {
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
	d := dialog.NewCustomWithoutButtons(widget.Readable(title), content, f.Win)
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

// Refuse says why nothing can be saved, if nothing can.
func (f *Frame) Refuse() bool {
	if f.Book == nil {
		f.Toast.Say(language.Tr("Nothing can be saved: your samples are not open."))
	}
	return f.Book == nil
}

// jobDelay is how long a job may take before it is worth a dialog.
const jobDelay = 300 * time.Millisecond

// Job does something long in the background. A dialog says first what it does, how far it is, and that it saves, and cancels it. Then follows
// on the window's goroutine, or why it failed is shown under what failed, or what being cancelled means.
func (f *Frame) Job(title, first, failed, cancelled string, work func(ctx context.Context, tell func(done, all int)) error, then func()) {
	f.Jobs++
	ctx, cancel := context.WithCancel(f.Background)
	bar := toolkit.NewProgressBar()
	words := toolkit.NewLabel(widget.Readable(first))
	d := dialog.NewCustomWithoutButtons(widget.Readable(title), container.NewVBox(words, bar), f.Win)
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

// toastTime is how long a sentence stands there that needs no answer.
const toastTime = 8 * time.Second

// toast says what has just happened and lets it be undone, over the page and without taking anything away from it.
type toast struct {
	widget.Composed
	clock Alarm
	Words *widget.Label
	Undo  *widget.Press
	act   func()
	Over  func() widget.Area // where it may float
	Layer *fyne.Container
}

const (
	ToastHeight = 40  // of one line
	toastWidth  = 620 // of several at most
)

func newToast(post func(func())) *toast {
	t := &toast{clock: Alarm{Post: post}, Words: widget.NewLabel("", 14, theme.ColorNameForeground).Wrapped(8)}
	t.Undo = widget.NewPress(language.Tr("Undo"), t.TakeBack)
	t.Undo.Importance = toolkit.LowImportance
	ground := widget.NewFill(theme.ColorNameOverlayBackground, ToastHeight/2).Edged(widget.ColorAccentSoft, 1)
	words := widget.Under(0, layout.NewSpacer(), t.Words, layout.NewSpacer())
	t.Compose(t, container.NewStack(ground, container.New(layout.NewCustomPaddedLayout(0, 0, 18, 8), widget.Beside(10, words, t.Undo))))
	// The layer keeps the toast over its place when the window changes its size.
	t.Layer = container.New(widget.Arranged{Least: widget.AtLeast(0, 0), Put: func(fyne.Size) { t.Place() }}, t)
	t.Hide()
	return t
}

// Say shows a sentence for a while.
func (t *toast) Say(text string) { t.offer(text, nil) }

// offer shows a sentence with a way back; a nil undo has none.
func (t *toast) offer(text string, undo func()) {
	t.act = undo
	t.Words.Set(text)
	widget.Show(t.Undo, undo != nil)
	t.Place()
	t.Show()
	t.Layer.Refresh() // Fyne does not know yet where a toast belongs that was never painted
	t.clock.After(toastTime, t.Close)
}

// Reword says more about what has just happened; the clock runs on.
func (t *toast) Reword(text string) {
	t.Words.Set(text)
	t.Place()
	t.Refresh()
}

func (t *toast) Close() { t.act = nil; t.Hide() }

// CanUndo tells whether there is something on offer.
func (t *toast) CanUndo() bool { return t.Visible() && t.act != nil }

func (t *toast) TakeBack() {
	if act := t.act; act != nil {
		t.Close()
		act()
	}
}

// Place centres the toast at the lower edge of what it floats over, as high as its words need.
func (t *toast) Place() {
	a := t.Over()
	if a.Size.Width <= 0 {
		return
	}
	a.Pos = a.Pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.Layer))
	beside := float32(36)
	if t.act != nil {
		beside += t.Undo.MinSize().Width
	}
	width := widget.Floor(min(t.Words.Width(t.Words.Text)+beside+1, toastWidth, a.Size.Width-16))
	height := ToastHeight - t.Words.LineHeight() + t.Words.Height(width-beside)
	widget.Place(t, widget.Floor(a.Pos.X+(a.Size.Width-width)/2), widget.Floor(a.Pos.Y+a.Size.Height-height-10), width, height)
}

// notice is a strip for what a person must know and may take time to read. It stays until it is closed.
type notice struct {
	widget.Composed
	Words   *toolkit.Label // can be selected, for paths
	Close   *widget.Press
	changed func() // called when the strip appears or goes
}

const noticeBeside = 80 // what is not words in its width

func newNotice(changed func()) *notice {
	n := &notice{Words: widget.Selectable(""), changed: changed}
	n.Close = widget.NewPressWithIcon("", theme.CancelIcon(), n.Dismiss)
	n.Close.Importance = toolkit.LowImportance
	bar, words := widget.Sized(6, 0, widget.NewFill(theme.ColorNameWarning, 0)), container.NewVBox(layout.NewSpacer(), n.Words, layout.NewSpacer())
	n.Compose(n, container.NewStack(widget.NewFill(widget.ColorCard, 0), container.NewBorder(nil, nil, bar,
		container.New(layout.NewCustomPaddedLayout(0, 0, 6, 14), container.NewCenter(n.Close)), container.New(layout.NewCustomPaddedLayout(0, 0, 10, 0), words))))
	n.Hide()
	return n
}

// Say adds a sentence to what stands there unread.
func (n *notice) Say(text string) {
	text = widget.Readable(text)
	if before := n.Words.Text; before != "" && before != text {
		text = before + "\n" + text
	}
	n.Words.SetText(text)
	n.Show()
	n.changed()
}

func (n *notice) Dismiss() {
	n.Words.SetText("")
	n.Hide()
	n.changed()
}

// Height is what the strip needs at the width given; 0 while it is hidden.
func (n *notice) Height(width float32) float32 {
	if !n.Visible() {
		return 0
	}
	n.Words.Resize(fyne.NewSize(width-noticeBeside, n.Words.Size().Height))
	return max(n.Words.MinSize().Height, n.Close.MinSize().Height) + 2
}
