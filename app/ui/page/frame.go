package page

import (
	"context"
	"encoding/json"
	"image"
	"io"
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
)

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

// NewFrame makes the frame of a window. What is posted once the window's loop has ended is not run: Fyne would run it where it
// comes from.
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
	f.State.Subscribe(f.hear)
	f.Paper, f.Stack = widget.NewPad(), container.NewStack()
	f.WhenIdle = func(do func()) { do() }
	f.Toast = newToast(f.Post)
	f.Toast.Over = f.toastArea
	f.Commands = []*Command{
		{ID: "undo", Name: language.Tr("Undo"), Keys: "Ctrl+Z", Do: f.Undo},
		{ID: "redo", Name: language.Tr("Redo"), Keys: "Ctrl+Shift+Z, Ctrl+Y", Do: f.Redo},
		{ID: "clear", Name: language.Tr("Clear"), Keys: "Del", Do: f.Clear},
		{ID: "all", Name: language.Tr("Select All"), Keys: "Ctrl+A", Do: f.SelectAll},
	}
	f.Notice = newNotice(func() { f.Win.Content().Refresh() })
	return f
}

// ForEntry gives a shortcut to the entry that has the focus, if one has. The shortcuts of
// menus reach the menu even then.
func (f *Frame) ForEntry(s fyne.Shortcut) bool {
	switch e := f.Win.Canvas().Focused().(type) {
	case *toolkit.Entry:
		e.TypedShortcut(s)
	case *widget.LabelEntry:
		e.TypedShortcut(s)
	default:
		return false
	}
	return true
}

// DropDown opens a menu under a button.
func (f *Frame) DropDown(b *widget.Button, items []*fyne.MenuItem) {
	at := f.App.Driver().AbsolutePositionForObject(b)
	toolkit.NewPopUpMenu(fyne.NewMenu("", items...), f.Win.Canvas()).ShowAtPosition(at.AddXY(0, b.Size().Height))
}

// CopyText puts a text on the clipboard, and says so.
func (f *Frame) CopyText(text string) {
	f.App.Clipboard().SetContent(text)
	f.Toast.Say(language.Tr("Copied: {{.Text}}", map[string]any{"Text": text}))
}

// SetPen brings the pen of a paper, and its lines, in step with what is set.
func (f *Frame) SetPen(pad *widget.Pad) {
	p := f.App.Preferences()
	pad.Width, pad.Lined = setting.PenWidth.Get(p), setting.Ruled.Get(p)
	pad.Restamp()
}

// Event is one line of a trace: what happened in the window and when. A trace holds no
// ink, so that it can be attached to a report.
type Event struct {
	Time    float64 `json:"ms"`    // milliseconds since 1970, with fractions
	Event   string  `json:"event"` // start, first-frame, ready, samples, pen-up, answer, saved
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

// Write adds an event. Tracing is an aid: a full disk must not disturb the window, so the
// first failure ends the trace.
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
