// Package page is what the window gives its pages, and what a page gives the window.
package page

import (
	"context"
	"encoding/json"
	"image"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/nn"
)

// Page is one tab: its name, its content, keys and menus, and what it does when something happens that it shows; nil does nothing.
type Page struct {
	Key     string // in the preferences
	Name    string
	Content fyne.CanvasObject
	Actions Actions
	// Commands are what can be done with it.
	Commands []*Command

	Opened   func()             // it comes to the front
	Answerer func()             // who answers has changed, or by which model
	Awaiting func(model string) // another model is being made ready, which answers then
	Answer   func(worker.Reply) // to what was drawn last
	Measured func(worker.Times) // of that
	Offered  func(worker.Offer) // a drawing of one character is rather something else
	Book     func()             // the samples are open, or cannot be opened
	Kept     func()             // what is kept has changed
	Models   func()             // the models to choose from have changed
	InForce  func()             // another model of the history of one was put in force
	Leaving  func()             // the collection is about to be left for another: what is under way in it ends
	Left     func()             // it was left
	Set      func()             // a setting has changed
	Close    func()             // the window closes

	look widget.Appearance // that it was shown in last
}

// Actions are what keys and menus do on a page; nil does nothing.
type Actions struct {
	Undo, Redo, Clear, SelectAll func()
	Typed                        func(rune)
	Key                          func(fyne.KeyName)
	Pen                          func(down bool)    // the key that is held to draw
	Toast                        func() widget.Area // where a toast may float
}

// ShownCandidates is how many candidates of an answer are shown at once.
const ShownCandidates = 5

// Add gives the window its pages. What is undone is what is kept, on a page that says nothing else.
func (f *Frame) Add(pages ...*Page) {
	for _, p := range pages {
		if p.Actions.Undo == nil {
			p.Actions.Undo, p.Actions.Redo = f.UndoLast, f.RedoLast
		}
		p.look = f.Theme.Appearance
		f.Pages = append(f.Pages, p)
		f.Commands = append(f.Commands, p.Commands...)
		f.Stack.Add(p.Content)
	}
}

// Each has all pages do what they do when something happens.
func (f *Frame) Each(does func(*Page) func()) {
	for _, p := range f.Pages {
		widget.Run(does(p))
	}
}

// Events are what the window does with what the worker finds out: it tells the pages.
func (f *Frame) Events(status func(device.Status)) worker.Events {
	return worker.Events{
		Status:   status,
		Answer:   tell(f, func(p *Page) func(worker.Reply) { return p.Answer }),
		Measured: tell(f, func(p *Page) func(worker.Times) { return p.Measured }),
		Offered:  tell(f, func(p *Page) func(worker.Offer) { return p.Offered }),
	}
}

// tell has all pages do what they do with something.
func tell[T any](f *Frame, does func(*Page) func(T)) func(T) {
	return func(about T) {
		for _, p := range f.Pages {
			if do := does(p); do != nil {
				do(about)
			}
		}
	}
}

// Remembered is the page that was in front last time, or else the first.
func (f *Frame) Remembered() int {
	key := setting.Page.Get(f.App.Preferences())
	return max(slices.IndexFunc(f.Pages, func(p *Page) bool { return p.Key == key }), 0)
}

// InFront is the page in front.
func (f *Frame) InFront() *Page { return f.Pages[f.Front] }

// Open brings the page with that key to the front.
func (f *Frame) Open(key string) {
	f.OpenPage(slices.IndexFunc(f.Pages, func(p *Page) bool { return p.Key == key }))
}

// OnSamples does something with the page Samples in front.
func (f *Frame) OnSamples(do func()) func() {
	return func() {
		if f.InFront().Key != "samples" {
			f.Open("samples")
		}
		do()
	}
}

// OpenPage brings a page to the front. What another page said and offered goes with it, and so do the keys.
func (f *Frame) OpenPage(i int) {
	if i != f.Front {
		if f.Modal != nil {
			f.Modal.Hide()
			f.Modal = nil
		}
		f.Toast.Close()
		f.Win.Canvas().Unfocus()
	}
	for j, p := range f.Pages {
		widget.Show(p.Content, j == i)
	}
	f.Front = i
	p := f.InFront()
	placed(p.Content)
	setting.Page.Set(f.App.Preferences(), p.Key)
	if f.Opened != nil {
		f.Opened(i)
	}
	if p.look != f.Theme.Appearance {
		f.Restyle()
	}
	widget.Run(p.Opened)
}

// placed has the toolkit remember that an object and what is in it belong to the window. Of what was hidden for a minute it forgets
// that soon after it is shown again: a menu then opened in the corner of the window, and keys went nowhere.
func placed(o fyne.CanvasObject) {
	fyne.CurrentApp().Driver().CanvasForObject(o)
	for _, inside := range widget.Within(o) {
		placed(inside)
	}
}

// Restyle shows the page in front in the look that was chosen. The toolkit measures and lays out anew all that
// the window holds, seen or not; the other pages are left out, and follow when they come to the front.
func (f *Frame) Restyle() {
	all := f.Stack.Objects
	f.Stack.Objects = []fyne.CanvasObject{f.InFront().Content}
	f.App.Settings().SetTheme(f.Theme)
	f.Stack.Objects = all
	f.InFront().look = f.Theme.Appearance
}

// Actions are those of the page in front; none while something lies over it.
func (f *Frame) Actions() Actions {
	if f.Win.Canvas().Overlays().Top() != nil {
		return Actions{}
	}
	return f.InFront().Actions
}

// toastArea is where a toast may float: where the page in front says, or over all of it.
func (f *Frame) toastArea() widget.Area {
	if p := f.InFront(); p.Actions.Toast != nil {
		return p.Actions.Toast()
	}
	return widget.AreaOf(f.InFront().Content)
}

// LayOut fills the window: header, notice while there is one, the pages in the rest, the toast over all. It tells of every new size.
func (f *Frame) LayOut(header fyne.CanvasObject, sized func()) *fyne.Container {
	var last fyne.Size
	return container.New(widget.Arranged{
		Least: func() fyne.Size {
			return widget.Smallest.Max(f.Stack.MinSize().AddWidthHeight(0, header.MinSize().Height))
		},
		Put: func(size fyne.Size) {
			y := widget.HeaderHeight(size.Height)
			widget.Place(header, 0, 0, size.Width, y)
			strip := f.Notice.Height(size.Width)
			widget.Place(f.Notice, 0, y, size.Width, strip)
			if strip > 0 {
				y += strip + 10
			}
			widget.Place(f.Stack, 0, y, size.Width, size.Height-y)
			widget.Place(f.Toast.Layer, 0, 0, size.Width, size.Height)
			if last != size {
				last = size
				sized()
			}
		},
	}, header, f.Stack, f.Notice, f.Toast.Layer, f.Trace.FirstFrame())
}

// Frame is what the window gives its pages: words, questions, work in the background, and what all of them show.
type Frame struct {
	App        fyne.App
	Win        fyne.Window
	Theme      *widget.HouseTheme
	Trace      *Trace
	Status     device.Status     // who answers, by which model
	State      *state.State      // what the person did, and what waits for the disk
	Book       *state.Collection // nil until it is open, and where nothing can be saved
	Collection Collection        // that is open, or is to be
	Usual      string            // the model that answers in a collection for which none was chosen
	Former     string            // if something was trained from it there, that comes before the usual one
	Trained    bool              // the trained successor of a model was looked for
	used       string            // the model put in use last; empty for that of the start
	successor  *nn.Model         // trained from it, which is in use in its place; nil for none
	usedWords  *nn.Model         // that of what reads words
	Problem    error             // why the samples cannot be opened; nil where they can
	Keeps      bool              // there are samples to be opened
	WhenIdle   func(do func())   // does what a training must not run beside: at once, or when the person agrees
	Worker     *worker.Worker
	Paper      *widget.Pad // for single characters; other pages than Draw look at what is drawn on it
	Pages      []*Page
	Front      int             // which of them
	Stack      *fyne.Container // of their contents
	Opened     func(i int)     // a page has come to the front; nil for nothing
	Menu       func()          // makes the menu anew
	Commands   []*Command
	Notice     *notice
	Toast      *toast

	Post func(func()) // runs something on the window's goroutine, as long as that is open

	Background context.Context // of what is done off the window; it ends with the window
	cease      context.CancelFunc
	offs       sync.WaitGroup
	last       []func()    // is done when that has ended
	closed     atomic.Bool // nothing is shown any more

	Modal   dialog.Dialog // the dialog opened last
	OnEnter func()        // what Enter does in it; nil for nothing
	StopJob func()        // cancels the job whose dialog is open; nil where none is
	Jobs    int           // that run; see job
	papers  []*widget.Pad // on which new work ends what could be redone, as new actions do
	folder  string        // in which a file was chosen last
}

// NewFrame makes the frame of a window. What is posted once its loop has ended is not run: Fyne would run it where it comes from.
func NewFrame(a fyne.App, look widget.Appearance, to io.Writer, post func(func())) *Frame {
	f := &Frame{App: a, Theme: widget.NewTheme(look), Trace: &Trace{}}
	if to != nil {
		f.Trace.enc = json.NewEncoder(to)
	}
	f.Post = func(do func()) {
		if !f.closed.Load() {
			post(do)
		}
	}
	a.Settings().SetTheme(f.Theme)
	f.Win = a.NewWindow("Inkshade")
	f.Background, f.cease = context.WithCancel(context.Background())
	f.State = state.New(f.Post)
	f.State.Hear = f.hear
	f.WhenIdle = func(do func()) { do() }
	f.Notice = newNotice(func() { f.Win.Content().Refresh() })
	f.Empty()
	return f
}

// Empty makes the window one without pages.
func (f *Frame) Empty() {
	f.Pages, f.papers, f.Front = nil, nil, 0
	f.Paper, f.Stack = widget.NewPad(), container.NewStack()
	f.Toast = newToast(f.Post)
	f.Toast.Over = f.toastArea
	f.Commands = []*Command{
		{ID: "undo", Name: language.Tr("Undo"), Keys: "Ctrl+Z", Do: f.Undo},
		{ID: "redo", Name: language.Tr("Redo"), Keys: "Ctrl+Shift+Z, Ctrl+Y", Do: f.Redo},
		{ID: "clear", Name: language.Tr("Clear"), Keys: "Del", Do: f.Clear},
		{ID: "all", Name: language.Tr("Select All"), Keys: "Ctrl+A", Do: f.SelectAll},
	}
}

// ForEntry gives a shortcut to the entry that has the focus, if one has: those of menus reach the menu even then.
func (f *Frame) ForEntry(s fyne.Shortcut) bool {
	e, ok := f.Win.Canvas().Focused().(*widget.Entry)
	if ok {
		e.TypedShortcut(s)
	}
	return ok
}

// DropDown opens a menu under a button.
func (f *Frame) DropDown(b *widget.Button, items []*fyne.MenuItem) {
	at := f.App.Driver().AbsolutePositionForObject(b)
	toolkit.NewPopUpMenu(fyne.NewMenu("", items...), f.Win.Canvas()).ShowAtPosition(at.AddXY(0, b.Size().Height))
}

// CopyText puts a text on the clipboard, and says so.
func (f *Frame) CopyText(text string) {
	f.App.Clipboard().SetContent(text)
	f.Toast.Say(language.Tr("Copied: {{.Text}}", map[string]any{"Text": strings.ReplaceAll(text, "\n", " / ")}))
}

// SetPen brings the pen of a paper, and its lines, in step with what is set.
func (f *Frame) SetPen(pad *widget.Pad) {
	p := f.App.Preferences()
	pad.Width, pad.Lined = setting.PenWidth.Get(p), setting.Ruled.Get(p)
	pad.Restamp()
}

// Event is one line of a trace: what happened in the window and when. It holds no ink, so that it can be attached to a report.
type Event struct {
	Time    float64 `json:"ms"`    // milliseconds since 1970, with fractions
	Event   string  `json:"event"` // start, first-frame, ready, samples, pen-up, answer, saved, training, trained, in-force
	Drawing uint64  `json:"drawing,omitempty"`
	Label   string  `json:"label,omitempty"`
	Device  string  `json:"device,omitempty"`
	Reason  string  `json:"reason,omitempty"`
}

// Trace writes events; a nil writer makes it silent.
type Trace struct {
	mu  sync.Mutex
	enc *json.Encoder
}

// FirstFrame is a point that tells when it is painted first, whatever page is in front.
func (t *Trace) FirstFrame() fyne.CanvasObject {
	told := false
	point := canvas.NewRaster(func(w, h int) image.Image {
		if !told {
			told = true
			t.Write(Event{Event: "first-frame"})
		}
		return image.NewRGBA(image.Rect(0, 0, w, h))
	})
	point.Resize(fyne.NewSquareSize(1))
	return container.NewWithoutLayout(point)
}

// Write adds an event. The first failure ends the trace: a full disk must not disturb the window.
func (t *Trace) Write(e Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.enc == nil {
		return
	}
	e.Time = float64(time.Now().UnixMicro()) / 1000
	if t.enc.Encode(e) != nil {
		t.enc = nil
	}
}
