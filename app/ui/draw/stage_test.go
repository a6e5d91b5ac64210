package draw

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/worker"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

// testStage is the Draw page in a window, beside one that is empty.
type testStage struct {
	*pagetest.Stage
	draw *Page
}

func open(t *testing.T, e worker.Engine) *testStage {
	t.Helper()
	s := &testStage{Stage: pagetest.Open(t, e)}
	s.draw = New(s.Frame)
	s.Show(s.draw.Tab(), &page.Page{Key: "empty", Content: container.NewWithoutLayout()})
	s.draw.Start()
	return s
}

// withBook opens the page on the samples in a folder and waits until the devices are there.
func withBook(t *testing.T, e worker.Engine, dir string) *testStage {
	t.Helper()
	s := open(t, e)
	s.OpenBook(dir)
	s.Until("devices", func() bool { return s.Status.Settled() })
	return s
}

// unsure answers of what has several strokes that it is unknown.
func unsure(k ink.Ink, a *recognizer.Answer) error {
	a.Unknown = len(k) > 1
	return nil
}

func (s *testStage) answered(label string) {
	s.T.Helper()
	s.Until("answer "+label, func() bool { return s.draw.answer.glyph.Text == label && s.draw.last.Drawing == s.Worker.Sequence() })
}

// one draws a stroke and waits for the answer to it, 1.
func (s *testStage) one() {
	s.T.Helper()
	uitest.Stroke(s.draw.pad, uitest.Seven...)
	s.Until("answer", func() bool { return s.draw.answer.glyph.Text != "" && s.draw.last.Drawing == s.Worker.Sequence() })
}

// types says what the drawing is by one character and Enter.
func (s *testStage) types(r rune) {
	s.Win.Canvas().OnTypedRune()(r)
	s.draw.entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}
