package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/ui/page"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/samples"
)

// withBook opens a window on the samples in a folder and waits until they are there.
func withBook(t *testing.T, e worker.Engine, dir string, change ...func(*Options)) *testStage {
	t.Helper()
	change = append(change, func(o *Options) {
		o.Open = func() (*state.Collection, error) { return state.Open(dir) }
	})
	s := open(t, e, change...)
	s.until("samples", func() bool { return s.Book != nil })
	s.until("devices", func() bool { return s.Status.Settled() })
	return s
}

func (s *testStage) stored() []samples.Sample {
	s.t.Helper()
	all, err := s.Book.Samples().List(samples.Filter{})
	if err != nil {
		s.t.Fatal(err)
	}
	return all
}

// shows waits until so many samples are stored.
func (s *testStage) shows(n int) {
	s.t.Helper()
	s.until(fmt.Sprint(n, " samples"), func() bool { return s.Book != nil && len(s.stored()) == n })
}

func (s *testStage) says(text string) {
	s.t.Helper()
	s.until("the words: "+text, func() bool { return s.Toast.Visible() && strings.Contains(s.Toast.Words.Text, text) })
}

// one draws a stroke and waits for the answer to it.
func (s *testStage) one() {
	s.t.Helper()
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.until("the answer", func() bool { return s.draw.Lacks() == "" })
}

// types says what the drawing is.
func (s *testStage) types(text string) {
	s.Win.Canvas().OnTypedRune()(rune(text[0]))
	test.Type(s.Win.Canvas().Focused(), text[1:])
	s.Win.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
}

func TestWindowWithoutAStoreStillAnswersAndSaysSo(t *testing.T) {
	s := open(t, &uitest.Engine{}, func(o *Options) {
		o.Open = func() (*state.Collection, error) { return nil, errors.New("the disk is full") }
	})
	s.until("notice", func() bool { return s.Notice.Visible() })
	if !strings.Contains(s.Notice.Words.Text, "the disk is full") {
		t.Errorf("notice: %q", s.Notice.Words.Text)
	}
	s.one()
	s.types("2")
	s.says("Nothing can be saved")
	test.Tap(s.Notice.Close)
	if s.Notice.Visible() {
		t.Error("the notice cannot be closed")
	}
}

func TestDamagedStoreIsSaidWithItsPath(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "samples.db"), []byte("SQLite format 3\x00 and then nothing of the kind"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := withBook(t, &uitest.Engine{}, dir)
	path := s.Book.Samples().Recovered().Path
	if path == "" || !s.Notice.Visible() || !strings.Contains(s.Notice.Words.Text, path) {
		t.Errorf("moved to %q, the notice says %q", path, s.Notice.Words.Text)
	}
	s.one()
	s.types("2")
	s.says("Saved as “2”")
}

func TestEverythingIsThereAfterARestart(t *testing.T) {
	dir := t.TempDir()
	s := withBook(t, &uitest.Engine{}, dir)
	s.one()
	s.types("5") // and the window is closed before it was told
	s.close()
	s = withBook(t, &uitest.Engine{}, dir)
	s.until("the memory", func() bool { return s.Book.Memory.Len() == 1 })
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.answered("5")
}

// Lessons and what is done on other pages are taken back from anywhere in the order in which they happened, and done again.
func TestUndoGoesBackThroughAllPages(t *testing.T) {
	s := withBook(t, &uitest.Engine{}, t.TempDir())
	s.one()
	s.types("5")
	s.says("learned")
	uitest.Stroke(s.Paper, uitest.Dash...)
	s.types("a")
	s.says("Saved as “a”")
	s.shows(2)
	s.Perform(page.Action{Text: "1 deleted.", Command: s.Book.Delete(s.stored()[1].ID)})
	s.says("1 deleted")
	s.shows(1)
	s.Open("train")

	labels := func(want string) {
		t.Helper()
		s.until("stored "+want, func() bool {
			got := ""
			for _, v := range s.stored() {
				got += v.Label
			}
			return got == want && !s.State.Pending()
		})
	}
	edit := s.Win.MainMenu().Items[1].Items
	undo, redo := edit[0].Action, edit[1].Action
	undo()
	labels("5a")
	undo()
	labels("5")
	s.OpenPage(0)
	undo() // the second stroke, and that a new drawing began
	undo()
	labels("5")
	if !s.Paper.Done || len(s.Paper.Drawing()) != 1 {
		t.Error("the first drawing is not back on the paper with what was said of it")
	}
	undo()
	labels("")
	undo()
	if len(s.Paper.Drawing()) != 0 {
		t.Error("the first stroke is still there")
	}
	undo()
	s.says("nothing to undo")
	for range 5 {
		redo()
		s.until("done", func() bool { return !s.State.Pending() })
	}
	labels("5a")
	s.Open("train")
	redo()
	labels("5")
	redo()
	s.says("nothing to redo")
}

// Thousands of classes make no thousands of objects anywhere.
func TestThousandsOfClassesMakeFewObjects(t *testing.T) {
	e := &uitest.Engine{}
	s := withBook(t, e, t.TempDir())
	var labels []string
	for i := range 3755 {
		labels = append(labels, string(rune(0x4e00+i)))
	}
	e.Set(func(s *device.Status) { s.Model, s.Labels = "chinese", labels })
	s.until("the model", func() bool { return s.Status.Model == "chinese" })
	for i, p := range s.Pages {
		s.OpenPage(i)
		s.Win.Canvas().Capture()
		if n := len(test.LaidOutObjects(p.Content)); n > 2500 {
			t.Errorf("%s has %d objects", p.Key, n)
		}
	}
}
