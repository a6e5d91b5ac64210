// Package ui is Inkshade's window. It is handed a fyne.App and an Engine, so that its
// tests need neither a display nor a GPU; it holds no recognition of its own.
package ui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"inkshade/app/clipboard"
	"inkshade/app/notebook"
	"inkshade/app/trainer"
)

// Options say how the window opens.
type Options struct {
	Engine Engine
	// Collection is the collection of samples that is open at first.
	Collection
	// Usual is the model that answers in a collection for which none was chosen, unless one was trained from
	// Former there, if that is set.
	Usual, Former string
	// Appearance is System, Light or Dark; empty takes what was chosen last time.
	Appearance Appearance
	// Trace, when not nil, receives one line of JSON per event: see Event.
	Trace io.Writer
	// Size is the window's size in units as long as none is remembered; zero means 1280 x 800.
	Size fyne.Size
	// Files are paths that are taken as if they had been dropped onto the window, once the samples are open.
	Files []string
	// Choice says who answers at first; empty leaves it to the engine.
	Choice Choice
	// Version and Licence, the licence's whole text, are shown in the About box.
	Version, Licence string

	// post runs a function on the window's goroutine; nil means fyne.Do.
	post func(func())
	// copied gives the picture on the clipboard, nil where there is none; nil means clipboard.Picture.
	copied func() ([]byte, error)
	// learning, where it is set, changes how the Train page learns.
	learning func(*trainer.Trainer)
	// settle is how long the pen rests before times are measured; zero means 150 ms.
	settle time.Duration
}

// Window is the main window with its pages.
type Window struct {
	app     fyne.App
	win     fyne.Window
	opts    Options
	theme   *houseTheme
	trace   *trace
	header  *header
	draw    *drawPage
	train   *trainPage
	worker  *worker
	latency *latencyPage
	models  *modelsPage
	pages   []page
	front   int // which of the pages
	stack   *fyne.Container
	modal   dialog.Dialog // the dialog opened last
	onEnter func()        // what Enter does in it; nil for nothing
	stop    func()        // cancels the job whose dialog is open; nil where none is

	background context.Context // of what is done off the window; it ends with the window
	cease      context.CancelFunc
	offs       sync.WaitGroup
	closed     atomic.Bool // nothing is shown any more
	answerWait time.Duration

	saves   *saveQueue
	book    *notebook.Notebook // nil until it is open, and where nothing can be saved
	kept    *notebook.Notebook // that is open; touched by the save queue, and when that has ended
	trained bool               // the trained successor of a model was looked for
	notice  *notice
	toast   *toast
	classes classSet
	last    reply // the newest answer shown
	changes changes
	lesson  *lesson // what was said about the drawing on the paper; nil when nothing was
	samples *samplesPage
	effect  bool // the lesson's effect on its own drawing is to be shown
	jobs    int  // that run; see job

	resizing alarm // of a size that rests

	collections []string // their names, once they were read
}

// smallest is the least useful size of what is under the menu bar, which makes a window of
// 900 x 600 of it.
var smallest = fyne.NewSize(900, 571)

// New makes the window and starts to prepare the devices in the background. Call Close when the app's loop has ended.
func New(a fyne.App, opts Options) *Window {
	if opts.Engine == nil {
		panic("ui: Options.Engine is nil")
	}
	if opts.post == nil {
		opts.post = fyne.Do
	}
	if opts.copied == nil {
		opts.copied = clipboard.Picture
	}
	opts.Size = cmp.Or(opts.Size, fyne.NewSize(1280, 800))
	opts.settle = cmp.Or(opts.settle, 150*time.Millisecond)
	if opts.chosen == nil {
		opts.chosen = firstChoices(a)
	}
	speak(a)
	enlarge(a)
	w := &Window{app: a, trace: newTrace(opts.Trace), answerWait: usualWait}
	post := opts.post
	opts.post = func(f func()) { // when its loop has ended Fyne would run it where it comes from
		if !w.closed.Load() {
			post(f)
		}
	}
	w.opts = opts
	w.resizing.post = opts.post
	w.trace.write(Event{Event: "start"})
	w.theme = newTheme(chosenAppearance(a, opts.Appearance))
	a.Settings().SetTheme(w.theme)

	w.win = a.NewWindow("Inkshade")
	w.draw = newDrawPage(w.trace)
	for _, row := range w.draw.candidates.rows {
		row.onTap = w.pick
	}
	w.draw.entry.connect(w.teachTyped, w.win.Canvas().Unfocus)
	w.draw.choice.onTap = w.showChoices
	w.classes = w.chosenClasses()
	w.draw.addLine(newLineMode(w))
	w.connectMany()
	w.toast = newToast(opts.post)
	w.toast.over = w.toastArea
	w.changes.win = w
	w.train = newTrainPage(w)
	w.background, w.cease = context.WithCancel(context.Background())
	w.samples = newSamplesPage(w)
	w.latency = newLatencyPage(w)
	w.models = newModelsPage(w)
	w.pages = []page{w.drawingPage(), w.samples.page(), w.train.page(), w.models.page(), w.latency.page()}
	w.stack = container.NewStack()
	for i := range w.pages {
		p := &w.pages[i]
		if p.actions.undo == nil {
			p.actions.undo, p.actions.redo = w.changes.undo, w.changes.redo
		}
		p.look = w.theme.appearance
		w.stack.Add(p.content)
	}
	w.header = newHeader(w.pages, w.openPage, w.showDevices)
	w.worker = newWorker(opts.Engine, opts.post, opts.settle, workerEvents{
		status:   w.showStatus,
		answer:   w.showAnswer,
		measured: w.showTimes,
		several:  w.showSeveral,
	})
	w.saves = &saveQueue{post: opts.post}
	w.notice = newNotice(func() { w.win.Content().Refresh() })
	w.draw.pad.OnInk = w.inkChanged
	w.draw.pad.OnHistory = w.historyChanged

	w.restrict(w.classes)
	w.openPage(w.rememberedPage())
	w.setLine(w.app.Preferences().Bool(linePreference))
	w.connectKeys()

	w.win.SetPadded(false)
	w.win.SetContent(w.layOut())
	w.win.Resize(rememberedSize(a, opts.Size))
	w.win.SetMaster()
	w.win.SetCloseIntercept(func() { w.train.whenIdle(w.win.Close) })
	w.applySettings()
	if opts.Choice != "" {
		w.worker.choose(opts.Choice)
	}
	w.worker.start()
	w.openBook()
	return w
}

// Run opens the window and stays until it is closed. It returns an error when something
// that the person must know went wrong with the devices' end.
func Run(a fyne.App, opts Options) error {
	w := New(a, opts)
	ending, over := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(ending, os.Interrupt, syscall.SIGTERM)
	w.win.SetOnClosed(func() { ending <- nil })
	go w.endAnyway(ending, over)
	w.win.ShowAndRun()
	close(over)
	return w.Close()
}

// endPatience is how long Fyne's loop may take to end.
const endPatience = 5 * time.Second

// endAnyway ends the process where Fyne's loop does not: Fyne 2.7 closes the queue of what is to be done on the main
// goroutine when the queue's end looks empty, though something may be on its way there, and then waits for that for
// ever (runGL, Lifecycle.WaitForEvents).
func (w *Window) endAnyway(ending <-chan os.Signal, over <-chan struct{}) {
	select {
	case <-over:
		return
	case <-ending:
		w.closed.Store(true)
	}
	select {
	case <-over:
	case <-time.After(endPatience):
		status := 0
		if err := w.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "inkshade:", err)
			status = 1
		}
		os.Exit(status)
	}
}

// Close finishes what is to be saved, stops the background work and closes the engine. Call
// it after the app's loop has ended; Fyne does not run its own stop hooks reliably.
func (w *Window) Close() error {
	w.closed.Store(true)
	w.train.stop()
	w.cease()
	w.saves.stop()
	w.offs.Wait()
	w.models.inside.engine.close()
	w.worker.stop()
	var problems []error
	if err := w.opts.Engine.Close(); err != nil {
		problems = append(problems, fmt.Errorf("closing the devices: %w", err))
	}
	if w.kept != nil {
		problems = append(problems, w.kept.Close())
	}
	return errors.Join(problems...)
}

// usualWait is how long the window holds its breath for the answer when the pen lifts: less
// than a frame.
const usualWait = 10 * time.Millisecond

// inkChanged is called by the pad on every point and on every pen-up, undo, redo, clear.
func (w *Window) inkChanged(c inkChange) {
	w.worker.submit(task{ink: c.Ink, traced: w.draw.pad.traced()}, c.PenDown)
	w.lessonChanged()
	w.draw.several.Hide()
	w.draw.setMore(false)
	if c.Lifted {
		w.trace.write(Event{Event: "pen-up", Drawing: w.worker.sequence()})
		w.worker.await(w.answerWait)
	}
	if len(c.Ink) == 0 {
		w.draw.showNothing()
	}
}

func (w *Window) showStatus(s Status) {
	chosen, model := w.header.status.Choice != s.Choice, w.header.status.Model != s.Model
	w.header.setStatus(s)
	if chosen {
		w.win.SetMainMenu(w.menu())
	}
	w.draw.times.setStatus(s)
	w.useTrained()
	w.train.modelChanged(s.Model, s.Labels)
	if model {
		w.modelChanged()
		if s.Fed != "" {
			w.toast.say(said(w.modelName(s.Model) + ": " + s.Fed))
		}
	}
	if s.Settled() {
		w.trace.write(Event{Event: "ready", Device: string(s.Answering), Reason: strings.Join(s.Reasons, "; ")})
	}
}

// showTimes tells the pages that show them what was measured of the last drawing.
func (w *Window) showTimes(t times) {
	if t.ofLine == w.draw.inLine {
		w.draw.times.setTimes(t)
	}
	if t.ofLine {
		return
	}
	w.latency.setTimes(t)
	w.models.setTimes(t)
}

func (w *Window) showAnswer(r reply) {
	if r.ofLine {
		w.draw.line.read(r)
		return
	}
	if r.err != nil {
		w.draw.showError(r.err)
		return
	}
	w.last = r
	w.draw.showAnswer(r)
	w.draw.pad.view.tip.set(w.correctionTip(r))
	w.showEffect(r)
}
