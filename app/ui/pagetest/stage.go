// Package pagetest opens pages of the window for their tests, in a frame without the other pages. Only tests import it.
package pagetest

import (
	"image/color"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/models"
	"inkshade/recognizer/line"
	"inkshade/recognizer/samples"
)

// Stage is a frame whose posted functions run on the test's goroutine. What is drawn on Paper is answered and timed by the engine.
type Stage struct {
	*page.Frame
	T     *testing.T
	Last  worker.Reply // the newest answer
	queue chan func()
	end   sync.Once
}

// Open opens a window in English with no page yet; see Show.
func Open(t *testing.T, e worker.Engine) *Stage {
	t.Helper()
	t.Setenv("LANG", "en_GB.UTF-8")
	a := test.NewTempApp(t)
	setting.LineOf.Set(a.Preferences(), string(line.None))
	language.Speak(a)
	s := &Stage{T: t, queue: make(chan func(), 1024)}
	s.Frame = page.NewFrame(a, widget.Light, nil, func(do func()) { s.queue <- do })
	s.Menu = func() {}
	events := s.Events(func(now device.Status) {
		s.Status = now
		s.UseTrained()
		s.Each(func(p *page.Page) func() { return p.Answerer })
	})
	shown := events.Answer
	events.Answer = func(r worker.Reply) {
		s.Last = r
		shown(r)
	}
	s.Worker = worker.New(e, s.Post, time.Millisecond, events)
	s.Collection.Chosen = map[string]string{}
	s.Paper.OnInk = func(c widget.InkChange) { s.Worker.Submit(worker.Task{Ink: c.Ink}, c.PenDown) }
	t.Cleanup(s.Close)
	return s
}

// Show gives the window its pages, and starts the engine.
func (s *Stage) Show(pages ...*page.Page) {
	s.Add(pages...)
	s.Win.SetPadded(false)
	s.Win.SetContent(s.LayOut(canvas.NewRectangle(color.Transparent), func() {}))
	s.Win.Resize(fyne.NewSize(1280, 800))
	s.ConnectKeys()
	s.OpenPage(0)
	s.Each(func(p *page.Page) func() { return p.Set })
	s.Worker.Start()
}

// Keep has the models of a folder, and those that ship.
func (s *Stage) Keep(dir string) {
	s.T.Helper()
	l, err := state.OpenModels(dir)
	must(s.T, err)
	s.Collection = page.Collection{Store: l, Models: models.Names(), Chosen: map[string]string{}}
}

// OpenBook opens the samples in a folder, which are changed before a page sees them.
func (s *Stage) OpenBook(dir string, change ...func(*state.Collection)) {
	s.T.Helper()
	book, err := state.Open(dir)
	must(s.T, err)
	for _, c := range change {
		c(book)
	}
	s.Keeps, s.Book = true, book
	s.AtEnd(func() {
		if err := book.Close(); err != nil {
			s.T.Error(err)
		}
	})
	s.MemoryChanged()
	s.Each(func(p *page.Page) func() { return p.Book })
	s.UseTrained()
	s.UseWordsInForce(false)
}

// Close ends what runs, as closing the window does.
func (s *Stage) Close() {
	s.end.Do(func() {
		uitest.Picture(s.T, s.T.Name(), s.Win)
		s.Frame.Close()
		s.Worker.Stop()
		s.Win.Close()
	})
}

// Until runs posted functions until ok, and fails when that takes longer than 5 seconds.
func (s *Stage) Until(what string, ok func() bool) {
	s.T.Helper()
	uitest.Until(s.T, s.queue, what, ok)
}

// Answered waits for an answer to what is drawn on Paper.
func (s *Stage) Answered(label string) {
	s.T.Helper()
	s.Until("answer "+label, func() bool {
		c := s.Last.Answer.Candidates
		return s.Last.Drawing == s.Worker.Sequence() && len(c) > 0 && c[0].Label == label
	})
}

// Says waits until the toast says something.
func (s *Stage) Says(text string) {
	s.T.Helper()
	s.Until("the words: "+text, func() bool { return s.Toast.Visible() && strings.Contains(s.Toast.Words.Text, text) })
}

// Submit fills in the form that is open, whose entry has the focus, and gives it.
func (s *Stage) Submit(text string) {
	s.T.Helper()
	s.Until("the question", func() bool { _, ok := s.Win.Canvas().Focused().(*widget.Entry); return ok })
	entry := s.Win.Canvas().Focused().(*widget.Entry)
	entry.SetText(text)
	entry.OnSubmitted(text)
}

// Button taps the button of that text in the dialog that is open.
func (s *Stage) Button(text string) {
	s.T.Helper()
	s.Until("the button "+text, func() bool { return Button(s.Win, text) != nil })
	test.Tap(Button(s.Win, text))
}

// Button finds the button of that text in the dialog that is open, of the toolkit or of ours; nil where there is none.
func Button(win fyne.Window, text string) (found fyne.Tappable) {
	top := win.Canvas().Overlays().Top()
	if top == nil {
		return nil
	}
	for _, o := range test.LaidOutObjects(top) {
		ours, pressed := o.(*widget.Press)
		theirs, _ := o.(*toolkit.Button)
		if pressed {
			theirs = &ours.Button
		}
		if theirs != nil && theirs.Text == text {
			found = o.(fyne.Tappable)
		}
	}
	return found
}

// Stored are all samples.
func (s *Stage) Stored() []samples.Sample {
	s.T.Helper()
	all, err := s.Book.Samples().List(samples.Filter{})
	must(s.T, err)
	return all
}
