package panel

import (
	"context"
	"errors"
	"image/color"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/panel/keyboard"
	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Options say how the panel opens.
type Options struct {
	Engine     worker.Engine
	Appearance widget.Appearance
	Book       *state.Collection // that corrections are kept in, with its trained models
	Models     []string          // that can be chosen, by name
	Model      string            // in use
	Trained    *nn.Model         // of it, in use; nil for what ships
	Words      *nn.Model         // that is in use, as Trained
	Problem    error             // why what was trained is not in use, which the panel tells

	keyboard func(context.Context, uintptr, keyboard.Permission) (keyboard.Keyboard, error) // finds the way to type
	post     func(func())                                                                   // runs a function on the window's goroutine
}

// Window is paper on which a person writes what another program gets.
type Window struct {
	app  fyne.App
	win  fyne.Window
	opts Options

	paper      *widget.Pad
	scroll     *container.Scroll // of text
	text       *fyne.Container   // a button for each character that was read
	candidates *glyph.Grid       // what the chosen one may be
	hint       *widget.Label     // in place of candidates where there are none
	model      *widget.DropDown
	language   *widget.DropDown // of lines
	signs      *widget.DropDown // how LaTeX symbols are typed
	how        *fyne.Container  // these two
	typing     *widget.DropDown

	reader  *reader
	worker  *worker.Worker // asks it
	asked   ink.Ink        // what it was asked to read last
	typist  *Typist        // nil until the keyboard is there
	none    bool           // there is none: the text goes to the clipboard
	due     bool           // what was read is to be typed once the keyboard is there
	problem bool           // the hint tells of one
	waits   bool           // text waits until it can be typed
	squares bool           // the paper has squares for single characters, else lines
	result  *line.Result
	ink     ink.Ink           // that it was read from
	typed   map[string]string // for labels in place of these, by state.TypedKey
	chosen  *line.Part        // of the chosen character; nil for none
	lessons []*lesson
	shown   uint64     // the drawing that was read, by the worker's number
	ends    []string   // what is to be typed behind what is on the paper, once that is read
	resting page.Alarm // begins anew with every change
	leaving bool       // the panel closes once what is on the paper is read and typed
	broken  bool       // nothing can read
	ctx     context.Context
	cancel  context.CancelFunc

	trained, words *nn.Model // in use, as in the options; of the worker's goroutine
	used           string    // the model that reads, by name; of the worker's goroutine
}

// Run shows the panel and stays until it is closed.
func Run(a fyne.App, o Options) error {
	above := keyboard.Above()
	o.keyboard, o.post = keyboard.Open, fyne.Do
	w := newWindow(a, o)
	a.Lifecycle().SetOnStarted(func() { w.rise(above) })
	w.win.ShowAndRun()
	return w.close()
}

func newWindow(a fyne.App, o Options) *Window {
	language.Speak(a)
	a.Settings().SetTheme(widget.NewTheme(widget.Chosen(a.Preferences(), o.Appearance)))
	w := &Window{app: a, opts: o, win: a.NewWindow("Inkshade" + language.Tr(": ") + language.Tr("Write Anywhere")), trained: o.Trained, words: o.Words, used: o.Model, text: container.New(layout.NewCustomPaddedHBoxLayout(-widget.QuietInset))}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	w.resting.Post = o.post
	w.paper = widget.NewPaper(true)
	w.paper.View.Hint.Set("")
	w.paper.View.More.Set("")
	w.paper.OnInk, w.paper.OnScroll = w.inked, w.mark
	w.hint = widget.NewLabel("", 13, widget.ColorMuted).Wrapped(2)
	w.candidates = glyph.NewGrid(func(c recognizer.Candidate) { w.correct(c.Label) })
	w.candidates.Flat = true
	w.choices()
	w.reader = &reader{Engine: o.Engine, book: o.Book}
	w.worker = worker.New(w.reader, o.post, 0, worker.Events{Status: w.answering, Answer: w.read})
	w.worker.Start()
	w.win.Canvas().SetOnTypedRune(w.typedRune)
	w.win.SetContent(w.layOut())
	w.win.Resize(fyne.NewSize(640, 360))
	w.win.SetCloseIntercept(w.leave)
	w.advise()
	w.show()
	if o.Problem != nil {
		w.tell(o.Problem)
	}
	return w
}

func (w *Window) choices() {
	p := w.app.Preferences()
	w.model = widget.NewDropDown(widget.Map(w.opts.Models, language.ModelName), slices.Index(w.opts.Models, w.opts.Model), func(i int) { w.use(w.opts.Models[i]) })
	languages := []string{language.Tr("Anything"), language.Tr("Numbers"), language.Tr("English"), language.Tr("Digits Only")}
	w.language = widget.NewDropDown(languages, language.Written(setting.PanelLanguage.Get(p), lang.SystemLocale().String()), func(i int) {
		setting.PanelLanguage.Set(p, string(line.Languages[i]))
		w.ask()
		w.rest()
	})
	signs := map[bool]int{true: 1}[setting.PanelSigns.Get(p)]
	w.signs = widget.NewDropDown([]string{language.Tr("Type commands"), language.Tr("Type signs")}, signs, func(i int) {
		setting.PanelSigns.Set(p, i == 1)
		w.chosenAnew()
	})
	w.signs.Hide()
	w.typing = widget.NewDropDown([]string{language.Tr("Type at once"), language.Tr("Type after a pause"), language.Tr("Type at Enter")},
		slices.Index(setting.TypingTimes, setting.PanelTyping.Get(p)), func(i int) {
			setting.PanelTyping.Set(p, setting.TypingTimes[i])
			w.chosenAnew()
		})
}

// chosenAnew lets the other program have what was read as it is to be typed now.
func (w *Window) chosenAnew() {
	w.written()
	w.rest()
}

func (w *Window) layOut() fyne.CanvasObject {
	tool := func(icon fyne.Resource, name string, do func()) *widget.Button {
		return widget.NewToolButton(icon, name, "", do)
	}
	wide := func(all ...fyne.CanvasObject) *fyne.Container {
		return container.NewGridWrap(fyne.NewSize(150, 38), container.NewStack(all...))
	}
	tools := container.NewHBox(
		tool(theme.NewThemedResource(theme.ContentUndoIcon()), language.Tr("Undo"), w.undo),
		tool(theme.MoreHorizontalIcon(), language.Tr("Space"), func() { w.finish(" ") }),
		tool(theme.NavigateBackIcon(), language.Tr("Backspace"), w.backspace),
		tool(theme.ConfirmIcon(), language.Tr("Enter"), func() { w.finish("\n") }),
		layout.NewSpacer(), container.NewGridWrap(fyne.NewSize(185, widget.ToolHeight), w.typing))
	w.scroll = container.NewHScroll(w.text)
	w.how = wide(w.language, w.signs)
	choice := container.NewCenter(container.NewHBox(wide(w.model), w.how))
	head := container.NewStack(room(fyne.NewSize(0, 44)), container.NewBorder(nil, nil, nil, choice, w.scroll))
	foot := container.NewStack(room(fyne.NewSize(0, 60)), w.hint, w.candidates.Content)
	return container.NewPadded(container.NewBorder(head, container.NewVBox(foot, tools), nil, nil, w.paper))
}

// room is what an empty place takes, so that nothing jumps.
func room(size fyne.Size) fyne.CanvasObject {
	r := canvas.NewRectangle(color.Transparent)
	r.SetMinSize(size)
	return r
}

// rise keeps the window above the others and gives the keyboard back to who had it; then it asks for the way to type.
func (w *Window) rise(above func(context.Context, uintptr) error) {
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
		if err := above(w.ctx, handle); err != nil {
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
		case w.ctx.Err() != nil:
			if err == nil {
				_ = k.Close()
			}
			return
		case err == nil:
			w.typist = NewTypist(k, func(s Stuck) { w.opts.post(func() { w.stuck(s) }) })
			if w.due {
				w.write()
			}
		default:
			w.none = true
			w.tell(err)
		}
		if w.leaving {
			w.end()
		}
	})
}

// advise says what to do, unless text waits to be typed.
func (w *Window) advise() {
	switch {
	case w.waits:
	case w.result != nil:
		w.say(language.Tr("Click a character above to correct it"))
	default:
		write := language.Tr("Write on the lines; it is typed where the cursor is.")
		switch {
		case w.squares && w.signs.Visible():
			write = language.Tr("Write a symbol in each square; it is typed where the cursor is.")
		case w.squares:
			write = language.Tr("Write a character in each square; it is typed where the cursor is.")
		}
		w.say(language.Sentences(write, language.Tr("Scratch out what is wrong; beside the writing a long stroke to the left deletes, one to the right begins a word.")))
	}
}

func (w *Window) say(text string) {
	w.problem = false
	w.hint.SetColored(text, widget.ColorMuted)
}

func (w *Window) tell(err error) { w.warn(language.Sentence(language.Said(err))) }

func (w *Window) warn(text string) {
	w.problem = true
	w.hint.SetColored(text, theme.ColorNameError)
	w.show()
}

// stuck tells of text that waits until it can be typed, or keeps on the clipboard what cannot be.
func (w *Window) stuck(s Stuck) {
	w.waits = s.Waits
	reason := map[string]any{"Text": strings.TrimSpace(s.Text), "Reason": language.Sentence(language.Said(s.Err))}
	switch {
	case s.Stays && w.chosen != nil:
		w.warn(language.Tr("Learned, but not replaced: something else may have been typed since"))
	case s.Err == nil:
		w.advise()
		w.show()
	case s.Waits:
		w.warn(language.Tr("“{{.Text}}” waits to be typed. {{.Reason}}", reason))
	default:
		w.app.Clipboard().SetContent(s.Text)
		w.warn(language.Tr("“{{.Text}}” was copied: paste it where you want it. {{.Reason}}", reason))
	}
	if s.Err == nil {
		w.leaveIdle()
	}
}

// leave closes the panel when what was written is read and typed, but for a text that waits for Enter; at the second time, as it is.
func (w *Window) leave() {
	if w.leaving {
		w.win.Close()
		return
	}
	w.leaving = true
	w.end()
}

// end types what is on the paper of a panel that is to be left.
func (w *Window) end() {
	if w.types() != atEnter {
		w.finish("")
	}
	w.leaveIdle()
}

// leaveIdle closes a panel that is to be left where nothing is being read, nor waits for a program or for the keyboard, or nothing can read.
func (w *Window) leaveIdle() {
	typed := w.result == nil || w.typist != nil || w.none || w.types() == atEnter
	if w.leaving && (w.broken || len(w.ends) == 0 && !w.waits && typed) {
		w.leaving = false // once
		w.win.Close()
	}
}

func (w *Window) close() error {
	w.cancel()
	stored := make(chan struct{})
	w.worker.Submit(worker.Task{}, false)
	w.worker.Engine(func(worker.Engine) error { close(stored); return nil }, nil) // after what is being learned
	<-stored
	w.worker.Stop()
	var err error
	if w.typist != nil {
		err = w.typist.Close()
	}
	return errors.Join(err, w.opts.Engine.Close())
}
