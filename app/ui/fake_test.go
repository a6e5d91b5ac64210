package ui

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/ui/language"
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
	t.Cleanup(func() { language.Use("en") })
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

// answered waits until the answer stands on the Draw page, in large type.
func (s *testStage) answered(label string) {
	s.t.Helper()
	s.labelled("answer "+label, func(l *widget.Label) bool { return l.TextSize > 40 && l.Text == label })
}

// seen waits until a label of the page in front says something.
func (s *testStage) seen(text string) {
	s.t.Helper()
	s.labelled("the label "+text, func(l *widget.Label) bool { return strings.Contains(l.Text, text) })
}

// labelled waits until the page in front has such a label.
func (s *testStage) labelled(what string, such func(*widget.Label) bool) {
	s.t.Helper()
	s.until(what, func() bool { return len(shownOf(s.InFront().Content, such)) > 0 })
}

// shownOf are the objects of a kind that are laid out, if they are such.
func shownOf[O fyne.CanvasObject](within fyne.CanvasObject, such func(O) bool) (all []O) {
	for _, o := range test.LaidOutObjects(within) {
		if found, ok := o.(O); ok && such(found) {
			all = append(all, found)
		}
	}
	return all
}

// item presses the item of that text in the menus.
func (s *testStage) item(text string) {
	s.t.Helper()
	for _, m := range s.menu().Items {
		if i := slices.IndexFunc(m.Items, func(i *fyne.MenuItem) bool { return i.Label == text }); i >= 0 && !m.Items[i].Disabled {
			m.Items[i].Action()
			return
		}
	}
	s.t.Fatalf("the menus have no %s, or it is grey", text)
}
