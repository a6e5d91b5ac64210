package train

import (
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2/container"

	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/recognizer/nn"
)

// watchful notes which models the engine was given.
type watchful struct {
	*uitest.Engine
	mu   sync.Mutex
	used []string // the last label of each; "" for the shipped one
}

func (w *watchful) Use(name string, m *nn.Model) error {
	w.mu.Lock()
	last := ""
	if m != nil {
		last = m.Labels[len(m.Labels)-1]
	}
	w.used = append(w.used, last)
	w.mu.Unlock()
	return w.Engine.Use(name, m)
}

func (w *watchful) uses() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.used, ",")
}

// testStage is the Train page in a window, beside one that is empty.
type testStage struct {
	*pagetest.Stage
	train *Page
}

func open(t *testing.T, e *watchful) *testStage {
	t.Helper()
	s := &testStage{Stage: pagetest.Open(t, e)}
	s.train = New(s.Frame)
	s.Show(s.train.Tab(), &page.Page{Key: "empty", Content: container.NewWithoutLayout()})
	return s
}

// openTrain opens the page on the samples in a folder, from which l learns.
func openTrain(t *testing.T, dir string, l *pagetest.Learner) (*testStage, *watchful) {
	t.Helper()
	e := &watchful{Engine: &uitest.Engine{}}
	s := open(t, e)
	s.Keep(dir)
	s.OpenBook(dir, l.Equip)
	s.Until("the state is known", func() bool { return s.train.known })
	return s, e
}

func (s *testStage) trained() {
	s.T.Helper()
	s.train.start()
	s.Until("training has ended", func() bool { return s.train.running == nil && s.train.entry(s.train.shown) != nil })
}
