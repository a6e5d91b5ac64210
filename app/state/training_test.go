package state

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

const base = "digits-mlp"

// model is a small network whose metadata tells it from others.
func model(mark string) *nn.Model {
	return &nn.Model{
		Network: nn.NewNetwork([]int{784, 4, 3}, "relu", 1), Labels: []string{"0", "1", "2"},
		Preprocessing: nn.MNIST28, Metadata: map[string]string{"mark": mark},
	}
}

// fakeLearn stands in for personal.Train.
type fakeLearn struct {
	task   personal.Task
	device glcompute.DeviceKind
	keep   bool
	err    error
	during func(ctx context.Context) error
	choice *glcompute.Choice // of the result
	made   func(*nn.Model)   // is told of the model; nil for nobody
	calls  atomic.Int32
}

func (f *fakeLearn) train(ctx context.Context, dev glcompute.Device, task personal.Task, _ func(personal.Progress)) (*personal.Result, error) {
	f.calls.Add(1)
	f.task, f.device = task, dev.Info().Kind
	if f.during != nil {
		if err := f.during(ctx); err != nil {
			return nil, err
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	trained := model("trained from " + task.Start.Metadata["mark"])
	if f.made != nil {
		f.made(trained)
	}
	return &personal.Result{
		Choice: f.choice, Model: trained, Keep: f.keep, Reason: "because", NewClasses: []string{"∂"},
		HeldOut: personal.Comparison{Samples: 40, Before: 9, After: 4}, Steps: 1000, Device: "cpu",
		After: personal.Confusion{Labels: []string{"0", "1", "2"}, Cells: []personal.Cell{{Want: "0", Got: "1", Samples: []int64{3, 4}}}},
	}, nil
}

type fixture struct {
	*Collection
	t    *testing.T
	dir  string
	fake *fakeLearn
}

func learning(t *testing.T, count int) *fixture {
	t.Helper()
	f := &fixture{t: t, dir: t.TempDir(), fake: &fakeLearn{keep: true}}
	f.start()
	for i := range count {
		f.draw(string(rune('0'+i%3)), float64(10+i))
	}
	return f
}

// start opens the folder as a fresh start of the program does.
func (f *fixture) start() {
	f.t.Helper()
	book, err := Open(f.dir)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { book.Close() })
	f.Collection = book
	f.Learner.Learn, f.Learner.Open = f.fake.train, openCPU
	f.Learner.Shipped = func(string) (*nn.Model, error) { return model("shipped"), nil }
}

func openCPU(glcompute.DeviceKind) glcompute.Device {
	dev, err := cpu.Open()
	if err != nil {
		panic(err)
	}
	return dev
}

func (f *fixture) draw(label string, x float64) samples.Sample {
	f.t.Helper()
	s := samples.Sample{Label: label, Ink: ink.Ink{{{X: 0, Y: 0}, {X: x, Y: 40}, {X: 3 * x, Y: 90}}}}
	if err := f.Keep(&s).Do(); err != nil {
		f.t.Fatal(err)
	}
	return s
}

func (f *fixture) train() Training {
	f.t.Helper()
	e, err := f.Train(f.t.Context(), base, DefaultOptions(), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return e
}

// answers fails unless the model of that id is in force; 0 is the shipped one.
func (f *fixture) answers(id int64) {
	f.t.Helper()
	if now, err := f.activeID(base); err != nil || now != id {
		f.t.Fatalf("model %d is in force (%v), want %d", now, err, id)
	}
}

func TestABetterModelIsActiveAndARestartHasEverything(t *testing.T) {
	f := learning(t, 30)
	o := DefaultOptions()
	o.Rate, o.Device = 0.0625, glcompute.CPU
	e, err := f.Train(t.Context(), base, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.answers(e.ID)
	if len(f.fake.task.Learn) != 24 || len(f.fake.task.HeldOut) != 6 {
		t.Errorf("learned from %d, held out %d; want 24 and 6", len(f.fake.task.Learn), len(f.fake.task.HeldOut))
	}
	if n := f.Memory.Len(); n != 24 {
		t.Errorf("%d samples are remembered; those held out must not be", n)
	}
	f.Close()
	f.start()
	f.answers(e.ID)
	history, err := f.History(base)
	if err != nil || len(history) != 2 || history[1].ID != 0 || history[1].Active {
		t.Fatalf("history %+v, %v", history, err)
	}
	again := history[0]
	if !again.Active || again.Options != o || again.Report.HeldOut.After != 4 || again.Report.Learned != 24 || again.Report.Last != 30 {
		t.Errorf("after a restart: %+v", again)
	}
	cells := again.Report.After.Cells
	if i := slices.IndexFunc(cells, func(c personal.Cell) bool { return c.Want == "0" && c.Got == "1" }); i < 0 || !slices.Equal(cells[i].Samples, []int64{3, 4}) {
		t.Errorf("the cells of the confusion matrix are %v", cells)
	}
	stored, err := f.store.Model(e.ID)
	if err != nil {
		t.Fatal(err)
	}
	m, err := onnx.Read(t.Context(), bytes.NewReader(stored.ONNX))
	if err != nil || m.Metadata["mark"] != "trained from shipped" {
		t.Errorf("the stored model: %v, %v", m, err)
	}
}

func TestTheNextTrainingStartsFromTheModelActive(t *testing.T) {
	f := learning(t, 9)
	first := f.train()
	second := f.train()
	if second.Parent != first.ID || f.fake.task.Start.Metadata["mark"] != "trained from shipped" || f.fake.task.Shipped.Metadata["mark"] != "shipped" {
		t.Errorf("second: parent %d, start %v", second.Parent, f.fake.task.Start.Metadata)
	}
	f.answers(second.ID)
}

func TestAWorseModelIsStoredButNotActiveUntilItIsUsed(t *testing.T) {
	f := learning(t, 9)
	f.fake.keep = false
	e := f.train()
	f.answers(0)
	if e.Active {
		t.Error("the entry says that it is in force")
	}
	err := f.Activate(base, e.ID, 0).Do()
	if m, _, read := f.ActiveModel(base, nil); err != nil || read != nil || m.Metadata["mark"] != "trained from shipped" {
		t.Fatalf("use: %v, %v, %v", m, err, read)
	}
	f.answers(e.ID)
	if _, err := f.store.DeleteModel(e.ID); err == nil {
		t.Error("the model in force was deleted")
	}
	err = f.Activate(base, 0, 0).Do()
	if m, _, read := f.ActiveModel(base, nil); err != nil || read != nil || m != nil {
		t.Fatalf("back to the shipped model: %v, %v, %v", m, err, read)
	}
	f.answers(0)
	if _, err := f.store.DeleteModel(e.ID); err != nil {
		t.Fatal(err)
	}
	if history, err := f.History(base); err != nil || len(history) != 1 || !history[0].Active {
		t.Errorf("history %v, %v", history, err)
	}
}

func TestWhateverEndsATrainingLeavesTheModelBefore(t *testing.T) {
	lost := errors.New("the GPU was lost")
	for name, c := range map[string]struct {
		during func(ctx context.Context, cancel func()) error
		want   error
	}{
		"lost device":               {func(context.Context, func()) error { return lost }, lost},
		"cancelled":                 {func(ctx context.Context, cancel func()) error { cancel(); return context.Cause(ctx) }, context.Canceled},
		"cancelled at the very end": {func(_ context.Context, cancel func()) error { cancel(); return nil }, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			f := learning(t, 9)
			before := f.train()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			f.fake.during = func(ctx context.Context) error { return c.during(ctx, cancel) }
			if _, err := f.Train(ctx, base, DefaultOptions(), nil); !errors.Is(err, c.want) {
				t.Fatalf("error %v, want %v", err, c.want)
			}
			f.answers(before.ID)
			if history, _ := f.History(base); len(history) != 2 {
				t.Errorf("%d models in the history, want 2", len(history))
			}
			f.fake.during = nil
			if next := f.train(); next.Parent != before.ID {
				t.Errorf("the next training starts from %d, want %d", next.Parent, before.ID)
			}
		})
	}
}

func TestAModelPutActiveMeanwhileStays(t *testing.T) {
	f := learning(t, 9)
	first := f.train()
	f.fake.during = func(context.Context) error { return f.store.SetActive(base, 0) }
	second := f.train()
	f.answers(0)
	if !second.Report.Overtaken || second.Active || second.Parent != first.ID {
		t.Errorf("second: %+v", second)
	}
}

func TestOneTrainingAtATime(t *testing.T) {
	f := learning(t, 9)
	f.fake.during = func(ctx context.Context) error {
		if _, err := f.Train(ctx, base, DefaultOptions(), nil); !errors.Is(err, ErrBusy) {
			t.Errorf("a second training: %v", err)
		}
		return nil
	}
	f.train()
	if n := f.fake.calls.Load(); n != 1 {
		t.Errorf("%d trainings ran", n)
	}
}

func TestStateSaysWhatIsMissingAndWhatIsNew(t *testing.T) {
	f := learning(t, 3)
	state := func() Readiness {
		t.Helper()
		s, _, err := f.Readiness(base, []string{"0", "1"})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := state()
	if s.Samples != 3 || s.New != 3 || s.Missing() != 2 || s.Classes != 3 || len(s.Thin) != 3 || !slices.Equal(s.Unknown, []string{"2"}) {
		t.Errorf("before: %+v", s)
	}
	if _, err := f.Train(t.Context(), base, DefaultOptions(), nil); err == nil || !strings.Contains(err.Error(), "3 samples") {
		t.Errorf("training of three samples: %v", err)
	}
	for i := range 27 {
		f.draw(string(rune('0'+i%3)), float64(40+i))
	}
	e := f.train()
	f.draw("1", 99)
	for _, label := range []string{"1", "a line"} {
		if err := f.Keep(&samples.Sample{Label: label, Context: true, Ink: ink.Ink{{{X: 0, Y: 0}, {X: 7, Y: 9}}}}).Do(); err != nil {
			t.Fatal(err)
		}
	}
	if s := state(); s.Cut != 1 || s.New != 1 || s.HeldOut != 6 || s.Undecided != 1 || s.Active != e.ID || s.Missing() != 0 || len(s.Thin) != 0 {
		t.Errorf("after: %+v", s)
	}
	if err := f.Activate(base, 0, 0).Do(); err != nil {
		t.Fatal(err)
	}
	if s := state(); s.New != 25 || s.Active != 0 {
		t.Errorf("the shipped model has seen nothing: %+v", s)
	}
}

func TestDrawingsLeaveOutWhatIsGone(t *testing.T) {
	f := learning(t, 3)
	got, err := f.Drawings(1, 77, 3)
	if err != nil || len(got) != 2 || got[0].ID != 1 || got[1].ID != 3 {
		t.Errorf("%v, %v", got, err)
	}
}

// Lines teach the model that reads words, one in five held out; no character's model, and no memory, sees them.
func TestLinesTeachTheModelOfWords(t *testing.T) {
	f := learning(t, 9)
	for i := range 10 {
		s := samples.Sample{Label: "word " + string(rune('a'+i)), Context: true, Ink: ink.Ink{{{X: 0, Y: 0}, {X: float64(50 + i), Y: 9}}}, Answered: samples.Answer{Label: "ward"}}
		if i == 9 {
			s.Writer = "another"
		}
		if err := f.Keep(&s).Do(); err != nil {
			t.Fatal(err)
		}
	}
	if got := f.Memory.Person().Spacing; got != 1 {
		t.Errorf("of single strokes the spacing %g is learned", got)
	}
	var bars ink.Ink
	for _, x := range []float64{0, 3, 9, 12} {
		bars = append(bars, ink.Stroke{{X: x, Y: 0}, {X: x + 1, Y: 10}})
	}
	was := *f.Memory.Person().Words
	spaced := samples.Sample{Label: "ab cd", Context: true, Ink: bars}
	if err := f.Keep(&spaced).Do(); err != nil || f.Memory.Person().Spacing >= 1 {
		t.Errorf("of narrow gaps the spacing %g is learned, %v", f.Memory.Person().Spacing, err)
	}
	if reflect.DeepEqual(*f.Memory.Person().Words, was) {
		t.Error("no words are learned")
	}
	if err := f.Delete(spaced.ID).Do(); err != nil || f.Memory.Person().Spacing != 1 || !reflect.DeepEqual(*f.Memory.Person().Words, was) {
		t.Errorf("the spacing %g stays, or its words, %v", f.Memory.Person().Spacing, err)
	}
	if r, _, err := f.Readiness(models.Words, []string{"a"}); err != nil || r.Samples != 9 || r.New != 9 || r.Undecided != 9 || r.Missing() != 0 || r.Thin != nil || r.Unknown != nil {
		t.Errorf("%+v, %v", r, err)
	}
	f.train()
	if n := len(f.fake.task.Learn) + len(f.fake.task.HeldOut); n != 9 {
		t.Errorf("a model of characters learns from %d samples", n)
	}
	e, err := f.Train(t.Context(), models.Words, DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if learn, held := f.fake.task.Learn, f.fake.task.HeldOut; len(held) < 1 || len(learn)+len(held) != 9 || !strings.HasPrefix(learn[0].Label, "word ") {
		t.Errorf("learned %d, held out %d", len(learn), len(held))
	}
	if labels := f.Memory.Labels(); slices.Contains(labels, "word a") {
		t.Errorf("remembered: %v", labels)
	}
	if r, history, err := f.Readiness(models.Words, nil); err != nil || r.Active != e.ID || r.New > 1 || len(history) != 2 {
		t.Errorf("%+v, %v, %v", r, history, err)
	}
	if _, id, err := f.ActiveModel(base, nil); err != nil || id == e.ID {
		t.Errorf("%d answers for characters, %v", id, err)
	}
}
