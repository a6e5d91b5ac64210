package train

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"inkshade/app/state"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
	"inkshade/recognizer/personal"

	"fyne.io/fyne/v2/container"

	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/recognizer/nn"
)

// learner stands in for personal.Train.
type learner struct {
	keep  bool
	fail  error
	pause chan struct{} // when set, waits here half way
}

// equip lets it train a collection.
func (l *learner) equip(t *state.Collection) {
	t.Learner.Learn = l.train
	t.Learner.Open = func(glcompute.DeviceKind) glcompute.Device {
		dev, err := cpu.Open()
		if err != nil {
			panic(err)
		}
		return dev
	}
	t.Learner.Shipped = func(string) (*nn.Model, error) { return pagetest.SmallModel("shipped"), nil }
}

func (l *learner) train(ctx context.Context, _ glcompute.Device, task personal.Task, progress func(personal.Progress)) (*personal.Result, error) {
	for i := range 100 {
		if i == 50 && l.pause != nil {
			select {
			case <-l.pause:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		progress(personal.Progress{
			Stage: personal.Learning, Step: i + 1, Steps: 100, Loss: 2 / float64(i+1), Accuracy: float64(i) / 100,
			StepsPerSecond: 42, Remaining: 3 * time.Second,
		})
		if i == 0 && l.pause != nil {
			time.Sleep(2 * widget.Frames) // so that later events are due, which are shown while it waits
		}
	}
	if l.fail != nil {
		return nil, l.fail
	}
	held := task.HeldOut
	if len(held) < 6 {
		return nil, fmt.Errorf("%d samples are held out, want 6", len(held))
	}
	ids := func(s []personal.Sample) (all []int64) {
		for _, v := range s {
			all = append(all, v.ID)
		}
		return all
	}
	return &personal.Result{
		Model: pagetest.SmallModel("learned"), Keep: l.keep, Steps: 100, Seconds: 1.5, Device: "cpu",
		HeldOut: personal.Comparison{Samples: 6, Before: 4, After: 1}, Replay: personal.Comparison{Samples: 5000, Before: 60, After: 61},
		Before: personal.Confusion{Labels: []string{"1", "2", "3"}, Cells: []personal.Cell{
			{Want: "1", Got: "2", Samples: ids(held[:4])}, {Want: "2", Got: "2", Samples: ids(held[4:])},
		}},
		After: personal.Confusion{Labels: []string{"1", "2", "3"}, Cells: []personal.Cell{
			{Want: "1", Got: "1", Samples: ids(held[:4])}, {Want: "2", Got: "2", Samples: ids(held[4:5])}, {Want: "2", Got: "1", Samples: ids(held[5:])},
		}},
		Changes: []personal.Change{
			{ID: held[0].ID, Label: "1", Before: "2", After: "1"},
			{ID: held[5].ID, Label: "2", Before: "2", After: "1"},
		},
	}, nil
}

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
func openTrain(t *testing.T, dir string, l *learner) (*testStage, *watchful) {
	t.Helper()
	e := &watchful{Engine: &uitest.Engine{}}
	s := open(t, e)
	s.Keep(dir)
	s.OpenBook(dir, l.equip)
	s.Until("the state is known", func() bool { return s.train.known })
	return s, e
}

func (s *testStage) trained() {
	s.T.Helper()
	s.train.start()
	s.Until("training has ended", func() bool { return s.train.running == nil && s.train.entry(s.train.shown) != nil })
}
