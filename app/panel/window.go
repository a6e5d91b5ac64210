package panel

import (
	"context"
	"errors"
	"image/color"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/panel/keyboard"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// Options say how the panel opens.
type Options struct {
	Engine     Engine
	Appearance widget.Appearance
	// Teach keeps what a person said a drawing is; nil keeps nothing.
	Teach func(k ink.Ink, label string) error

	// keyboard finds the way to type; nil means keyboard.Open.
	keyboard func(context.Context, uintptr, keyboard.Permission) (keyboard.Keyboard, error)
	// post runs a function on the window's goroutine; nil means fyne.Do.
	post func(func())
}

// pauses are how long the pen rests before what it wrote is typed, for each of setting.TypingTimes.
var pauses = []time.Duration{0, widget.PenRests, 1 << 62}

// Window is paper on which a person writes what another program gets.
type Window struct {
	app  fyne.App
	win  fyne.Window
	opts Options

	paper      *widget.Pad
	text       *fyne.Container // a button for each character that was read
	candidates *fyne.Container // and one for each that the chosen one may be
	hint       *widget.Label   // in place of candidates where there are none
	language   *widget.Segments
	typing     *widget.DropDown

	reader *reader
	asked  int
	typist *Typist // nil until the keyboard is there
	none   bool    // there is none: the text goes to the clipboard
	due    bool    // what was read is to be typed once the keyboard is there
	result *line.Result
	chosen *line.Part // of the chosen character; nil for none
	resets int        // of the pause
	ctx    context.Context
	cancel context.CancelFunc
}

// Run shows the panel and stays until it is closed.
func Run(a fyne.App, o Options) error {
	owner := keyboard.CurrentOwner()
	w := newWindow(a, o)
	a.Lifecycle().SetOnStarted(func() { w.rise(owner) })
	w.win.ShowAndRun()
	return w.close()
}

func newWindow(a fyne.App, o Options) *Window {
	if o.keyboard == nil {
		o.keyboard = keyboard.Open
	}
	if o.post == nil {
		o.post = fyne.Do
	}
	language.Speak(a)
	a.Settings().SetTheme(widget.NewTheme(o.Appearance))
	w := &Window{app: a, opts: o, win: a.NewWindow("Inkshade: " + language.Tr("Write Anywhere")), text: container.NewHBox(), candidates: container.NewHBox()}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.paper = widget.NewPaper(true)
	w.paper.View.Hint.Set("")
	w.paper.View.More.Set("")
	w.paper.OnInk = w.inked
	w.hint = widget.NewLabel("", 13, widget.ColorMuted).Wrapped(2)
	w.hint.Set(language.Tr("Write on the lines; it is typed where the cursor is"))
	names := []string{language.Tr("Anything"), language.Tr("Numbers"), language.Tr("English"), language.Tr("Digits Only")}
	w.language = widget.NewSegments(names, func(i int) {
		setting.PanelLanguage.Set(a.Preferences(), string(line.Languages[i]))
		w.ask()
	})
	w.language.Choose(max(slices.Index(line.Languages, line.Language(setting.PanelLanguage.Get(a.Preferences()))), 0))
	w.typing = widget.NewDropDown([]string{language.Tr("Type at once"), language.Tr("Type after a pause"), language.Tr("Type at Enter")},
		slices.Index(setting.TypingTimes, setting.PanelTyping.Get(a.Preferences())), func(i int) { setting.PanelTyping.Set(a.Preferences(), setting.TypingTimes[i]) })
	w.reader = newReader(o.Engine, func(r reading) { o.post(func() { w.read(r) }) })
	go o.Engine.Prepare(func(s device.Status) {
		if s.Answering != "" {
			o.post(w.ask)
		}
	})
	w.win.SetContent(w.layOut())
	w.win.Resize(fyne.NewSize(640, 330))
	w.show()
	return w
}

func (w *Window) layOut() fyne.CanvasObject {
	tool := func(icon fyne.Resource, name string, do func()) *widget.Button {
		return widget.NewToolButton(icon, name, "", do)
	}
	tools := container.NewHBox(
		tool(theme.NewThemedResource(theme.ContentUndoIcon()), language.Tr("Undo"), w.paper.Undo),
		tool(theme.MoreHorizontalIcon(), language.Tr("Space"), func() { w.finish(" ") }),
		tool(theme.NavigateBackIcon(), language.Tr("Backspace"), w.backspace),
		tool(theme.ConfirmIcon(), language.Tr("Enter"), func() { w.finish("\n") }),
		layout.NewSpacer(), container.NewGridWrap(fyne.NewSize(185, widget.ToolHeight), w.typing))
	choice := container.NewCenter(container.NewGridWrap(fyne.NewSize(230, 30), w.language))
	head := container.NewStack(room(44), container.NewBorder(nil, nil, nil, choice, container.NewHScroll(w.text)))
	foot := container.NewStack(room(38), w.hint, container.NewHScroll(w.candidates))
	return container.NewPadded(container.NewBorder(head, container.NewVBox(foot, tools), nil, nil, w.paper))
}

// room is a height that what may be empty keeps, so that nothing jumps.
func room(height float32) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(fyne.NewSize(0, height))
	return r
}

// rise keeps the window above the others and gives the keyboard back to owner; then it asks for the way to type.
func (w *Window) rise(owner *keyboard.Owner) {
	var handle uintptr
	if native, ok := w.win.(driver.NativeWindow); ok {
		native.RunNative(func(c any) {
			switch c := c.(type) {
			case driver.X11WindowContext:
				handle = c.WindowHandle
			case driver.WindowsWindowContext:
				handle = c.HWND
			case driver.MacWindowContext:
				handle = c.NSWindow
			}
		})
	}
	go func() {
		if err := owner.Above(w.ctx, handle); err != nil {
			w.opts.post(func() { w.tell(err) })
		}
		w.connect(handle)
	}()
}

// connect finds the keyboard; a desktop may ask the person whether it may be used.
func (w *Window) connect(handle uintptr) {
	preferences := w.app.Preferences()
	k, err := w.opts.keyboard(w.ctx, handle, keyboard.Permission{
		Token: setting.PanelPermission.Get(preferences), Keep: func(token string) { setting.PanelPermission.Set(preferences, token) },
	})
	w.opts.post(func() {
		switch {
		case err == nil && w.ctx.Err() != nil:
			_ = k.Close()
		case err == nil:
			w.typist = NewTypist(k, func(err error) { w.opts.post(func() { w.tell(err) }) })
			if w.due {
				w.typed()
			}
		default:
			w.none = true
			w.tell(err)
		}
	})
}

func (w *Window) tell(err error) {
	w.hint.SetColored(language.Sentence(language.Said(err)), theme.ColorNameError)
}

// inked is called by the paper on every change; a finished stroke may be a gesture.
func (w *Window) inked(c widget.InkChange) {
	w.resets++
	if c.Lifted && w.gesture(c.Ink) {
		return
	}
	if !c.PenDown {
		w.ask()
		w.rest()
	}
}

// rest types what was written when the pen rests, and makes room for more.
func (w *Window) rest() {
	mine := w.resets
	pause := pauses[max(w.typing.SelectedIndex(), 0)]
	time.AfterFunc(widget.PenRests, func() {
		w.opts.post(func() {
			if w.resets == mine {
				w.paper.MakeRoom()
				if pause == widget.PenRests {
					w.typed()
				}
			}
		})
	})
}

// gesture does what the last stroke asks for, if anything, and takes it off the paper.
func (w *Window) gesture(k ink.Ink) bool {
	last := len(k) - 1
	if last < 0 {
		return false
	}
	what, struck := line.GestureOf(k[last], k[:last], widget.Ruling[2]-widget.Ruling[1])
	if what == line.NoGesture {
		return false
	}
	w.paper.Undo()
	switch what {
	case line.ScratchOut:
		w.without(struck)
	case line.StrokeLeft:
		w.backspace()
	case line.StrokeRight:
		w.finish(" ")
	}
	return true
}

// without takes strokes off the paper.
func (w *Window) without(strokes []int) {
	var rest ink.Ink
	for i, s := range w.paper.Drawing() {
		if !slices.Contains(strokes, i) {
			rest = append(rest, s)
		}
	}
	w.paper.SetInk(rest)
}

// ask has the paper read; half a stroke is not, since what it looks like would be typed.
func (w *Window) ask() {
	if w.paper.Live != nil {
		return
	}
	k := w.paper.Drawing()
	w.asked = w.reader.ask(k, line.Options{Language: line.Languages[w.language.Selected], Fixed: w.paper.History.Fixed})
	if len(k) == 0 {
		w.result, w.chosen = nil, nil
		w.show()
	}
}

// read shows what was read of the newest writing.
func (w *Window) read(r reading) {
	if r.number != w.asked {
		return
	}
	if r.err != nil {
		w.result = nil
		w.tell(r.err)
	} else {
		w.result = r.result
		w.hint.SetColored(language.Tr("Click a character above to correct it"), widget.ColorMuted)
	}
	w.show()
	if pauses[max(w.typing.SelectedIndex(), 0)] == 0 || w.chosen != nil {
		w.typed()
	}
}

// typed lets the other program have what was read.
func (w *Window) typed() {
	w.due = w.typist == nil
	if w.typist != nil && w.result != nil {
		w.typist.Show(textOf(w.result))
	}
}

// textOf leaves out nothing: what is unknown is typed as what it is most like.
func textOf(r *line.Result) string { return strings.ReplaceAll(r.Text, "\n", " ") }

// finish types what was read and something behind it; the paper is empty for what comes next.
func (w *Window) finish(with string) {
	w.resets++
	text := with
	if w.result != nil {
		text = textOf(w.result) + with
	}
	switch {
	case w.typist != nil:
		w.typed()
		w.typist.Finish(with)
	case w.none:
		w.app.Clipboard().SetContent(strings.TrimSuffix(text, "\n"))
		w.hint.SetColored(language.Tr("Copied: paste it where you want it"), widget.ColorMuted)
	default: // the keyboard is still being looked for
		w.due = true
		return
	}
	w.paper.Clear()
	w.paper.ScrollTo(0)
}

// backspace takes off what was written last or, where the paper is empty, what stands before the other program's cursor.
func (w *Window) backspace() {
	switch {
	case w.result != nil && len(w.result.Characters) > 0:
		parts := w.result.Characters[len(w.result.Characters)-1].Parts
		var strokes []int
		for _, p := range parts {
			strokes = append(strokes, p.Stroke)
		}
		w.without(strokes)
	case w.typist != nil && len(w.paper.Drawing()) == 0:
		w.typist.Back()
	}
}

// index is the chosen character's place in what was read; -1 where none is chosen.
func (w *Window) index() int {
	if w.result == nil || w.chosen == nil {
		return -1
	}
	return slices.IndexFunc(w.result.Characters, func(c line.Character) bool { return slices.ContainsFunc(c.Parts, w.chosen.Overlaps) })
}

// show brings the characters and their candidates in step with what was read and chosen.
func (w *Window) show() {
	w.text.RemoveAll()
	w.candidates.RemoveAll()
	chosen := w.index()
	widget.Show(w.hint, chosen < 0)
	w.paper.View.Mark.Hide()
	if w.result != nil {
		for i, c := range w.result.Characters {
			if c.Space {
				w.text.Add(layout.NewSpacer())
			}
			w.text.Add(w.character(c, i == chosen))
		}
	}
	if chosen >= 0 {
		c := w.result.Characters[chosen]
		w.paper.MarkBox(c.Box)
		for _, other := range c.Candidates[:min(len(c.Candidates), 10)] {
			b := widget.NewQuietButton(18, func() { w.correct(other.Label) })
			b.Rename(nil, other.Label)
			w.candidates.Add(b)
		}
	}
	w.text.Refresh()
	w.candidates.Refresh()
}

func (w *Window) character(c line.Character, chosen bool) *widget.Button {
	b := widget.NewQuietButton(22, func() {
		if chosen {
			w.chosen = nil
		} else {
			w.chosen = &c.Parts[0]
		}
		w.show()
	})
	b.Rename(nil, c.Label)
	b.Selected = chosen
	return b
}

// correct says what the chosen character is: it is typed in place of what stood there, and learned.
func (w *Window) correct(label string) {
	i := w.index()
	if i < 0 {
		return
	}
	c := w.result.Characters[i]
	fixed := slices.DeleteFunc(slices.Clone(w.paper.History.Fixed), func(f line.Fixed) bool {
		return slices.ContainsFunc(f.Parts, func(p line.Part) bool { return slices.ContainsFunc(c.Parts, p.Overlaps) })
	})
	w.paper.Fix(append(fixed, line.Fixed{Parts: c.Parts, Label: label}))
	if w.opts.Teach == nil {
		return
	}
	w.reader.change(func() {
		if err := w.opts.Teach(c.Ink, label); err != nil {
			w.opts.post(func() { w.tell(err) })
		}
	})
}

func (w *Window) close() error {
	w.cancel()
	w.reader.close()
	var err error
	if w.typist != nil {
		err = w.typist.Close()
	}
	return errors.Join(err, w.opts.Engine.Close())
}
