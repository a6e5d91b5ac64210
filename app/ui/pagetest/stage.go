// Package pagetest opens pages of the window for their tests, in a frame without the other pages. Only tests import it.
package pagetest

import (
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
)

// Stage is a frame on the test driver whose posted functions run on the test's goroutine. What is drawn on Paper is answered and
// timed by the engine.
type Stage struct {
	*page.Frame
	T     *testing.T
	queue chan func()
	end   sync.Once
}

// Open opens a window in English with no page yet; see Show.
func Open(t *testing.T, e worker.Engine) *Stage {
	t.Helper()
	t.Setenv("LANG", "en_GB.UTF-8")
	a := test.NewTempApp(t)
	language.Speak(a)
	s := &Stage{T: t, queue: make(chan func(), 1024)}
	s.Frame = page.NewFrame(a, widget.Light, nil, func(do func()) { s.queue <- do })
	s.Changed = func() { s.Each(func(p *page.Page) func() { return p.Kept }) }
	s.Worker = worker.New(e, s.Post, time.Millisecond, worker.Events{
		Status: func(now device.Status) {
			s.Status = now
			s.Each(func(p *page.Page) func() { return p.Answerer })
		},
		Answer: func(worker.Reply) {}, Measured: s.Measured, Several: func(int, uint64) {},
	})
	s.Paper.OnInk = func(c widget.InkChange) { s.Worker.Submit(worker.Task{Ink: c.Ink}, c.PenDown) }
	t.Cleanup(s.Close)
	return s
}

// Show gives the window its pages, and starts the engine.
func (s *Stage) Show(pages ...*page.Page) {
	s.Add(pages...)
	s.Win.SetPadded(false)
	s.Win.SetContent(s.LayOut(canvas.NewRectangle(nil), func() {}))
	s.Win.Resize(fyne.NewSize(1280, 800))
	s.OpenPage(0)
	s.Each(func(p *page.Page) func() { return p.Set })
	s.Worker.Start()
}

// OpenBook opens the samples in a folder.
func (s *Stage) OpenBook(dir string) {
	s.T.Helper()
	book, err := state.Open(dir)
	if err != nil {
		s.T.Fatal(err)
	}
	s.Keeps, s.Book = true, book
	s.AtEnd(func() {
		if err := book.Close(); err != nil {
			s.T.Error(err)
		}
	})
	s.Each(func(p *page.Page) func() { return p.Book })
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
