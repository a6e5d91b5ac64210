package ui

import (
	"slices"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
)

// stage is a window on the test driver whose posted functions run on the test's goroutine.
type testStage struct {
	*Window
	t     *testing.T
	queue chan func()
	end   sync.Once
}

func open(t *testing.T, e worker.Engine, change ...func(*Options)) *testStage {
	t.Helper()
	return openOn(t, test.NewTempApp(t), e, change...)
}

func openOn(t *testing.T, a fyne.App, e worker.Engine, change ...func(*Options)) *testStage {
	t.Helper()
	t.Setenv("LANG", "en_GB.UTF-8")
	s := &testStage{t: t, queue: make(chan func(), 1024)}
	opts := Options{Engine: e, Appearance: widget.Light, settle: time.Millisecond, post: func(f func()) { s.queue <- f }}
	for _, c := range change {
		c(&opts)
	}
	s.Window = New(a, opts)
	t.Cleanup(s.close)
	return s
}

func (s *testStage) close() {
	s.end.Do(func() {
		uitest.Picture(s.t, s.t.Name(), s.Win)
		if err := s.Close(); err != nil {
			s.t.Errorf("Close: %v", err)
		}
		s.Win.Close()
	})
}

// until runs posted functions until ok, and fails when that takes longer than 5 seconds.
func (s *testStage) until(what string, ok func() bool) {
	s.t.Helper()
	uitest.Until(s.t, s.queue, what, ok)
}

func (s *testStage) answered(label string) {
	s.t.Helper()
	s.until("answer "+label, func() bool { return s.draw.answer.glyph.Text == label })
}

// seen waits until a label of the page in front says something.
func (s *testStage) seen(text string) {
	s.t.Helper()
	s.until("the label "+text, func() bool {
		return slices.ContainsFunc(test.LaidOutObjects(s.InFront().Content), func(o fyne.CanvasObject) bool {
			l, ok := o.(*widget.Label)
			return ok && l.Text == text
		})
	})
}
