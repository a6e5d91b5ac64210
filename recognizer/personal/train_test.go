package personal

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/prototype"
)

// Training must help a strange writer, add its new class, and forget nothing.
func TestTrain(t *testing.T) {
	for _, preprocessing := range []string{nn.MNIST28, feature.GradientPen} {
		start := baseModel(t, preprocessing)
		start.Note(map[string]string{"test_data": "others", "test_samples": "7736", "test_error_percent": "0.504", "held_out_samples": "9", "held_out_error_percent": "1"})
		before := start.Clone()
		var stages []Stage
		steps := 0
		task := Task{Start: start, Learn: strange(5, 1), HeldOut: strange(8, 2), Settings: quick()}
		r, err := Train(t.Context(), nntest.CPU(t), task, func(p Progress) {
			if len(stages) == 0 || stages[len(stages)-1] != p.Stage {
				stages = append(stages, p.Stage)
			}
			if p.Step < steps || p.Steps != task.Steps || p.Stage == Learning && !(p.Loss > 0 && p.Accuracy >= 0 && p.Accuracy <= 1) {
				t.Errorf("progress %+v after step %d", p, steps)
			}
			steps = p.Step
		})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(start, before) {
			t.Error("the model in use was changed")
		}
		for note, text := range r.Model.Metadata {
			if strings.HasPrefix(note, "test_") || strings.HasPrefix(note, "held_out_") {
				t.Errorf("it says %s: %s, which was measured of the model before", note, text)
			}
		}
		if want := []Stage{Preparing, Learning, Measuring}; !slices.Equal(stages, want) || steps != task.Steps {
			t.Errorf("stages %q, %d steps", stages, steps)
		}
		if !slices.Equal(r.NewClasses, []string{"★"}) || r.Model.Class("★") != len(known) || r.Model.Check() != nil {
			t.Errorf("new classes %q, labels %q, %v", r.NewClasses, r.Model.Labels, r.Model.Check())
		}
		if n := r.Network; n.Samples != 32 || n.Before < 8 || n.After > n.Before/4 {
			t.Errorf("%s: network alone %+v", preprocessing, n)
		}
		if r.HeldOut.After > r.Network.After || r.Replay.ErrorAfter() > r.Replay.ErrorBefore()+forgetting {
			t.Errorf("%s: held out %+v, replay %+v", preprocessing, r.HeldOut, r.Replay)
		}
		if !r.Keep || r.Reason != Better && r.Reason != BetterAlone {
			t.Errorf("keep %t: %s", r.Keep, r.Reason)
		}
		checkConfusion(t, r, task.HeldOut)
	}
}

// However firmly the shipped model is held to, a new class must be learned by the network alone: nothing is remembered of others.
func TestNewClassesOfOthers(t *testing.T) {
	task := Task{Start: baseModel(t, nn.MNIST28), Settings: quick()}
	task.Anchor = 10
	for _, side := range []struct {
		samples *[]Sample
		all     []Sample
	}{{&task.Learn, strange(5, 1)}, {&task.HeldOut, strange(8, 2)}} {
		for _, s := range side.all {
			if s.Other = true; s.Label == "★" {
				*side.samples = append(*side.samples, s)
			}
		}
	}
	r, err := Train(t.Context(), nntest.CPU(t), task, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := r.Network; n.Before != n.Samples || n.After > n.Samples/8 || !r.Keep || r.Replay.After > r.Replay.Before+chance {
		t.Errorf("network alone %+v, replay %+v: keep %t, %s", n, r.Replay, r.Keep, r.Reason)
	}
}

// What others drew is learned from like the person's own, and measured with, but nothing is remembered of it.
func TestOthersAreNotRemembered(t *testing.T) {
	task := Task{Start: baseModel(t, nn.MNIST28), Learn: strange(5, 1), HeldOut: strange(8, 2), Settings: quick()}
	own, err := Train(t.Context(), nntest.CPU(t), task, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range task.Learn {
		task.Learn[i].Other = true
	}
	others, err := Train(t.Context(), nntest.CPU(t), task, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(own.Model, others.Model) || own.Network != others.Network {
		t.Errorf("of others the network learned otherwise: %+v, %+v", own.Network, others.Network)
	}
	if others.HeldOut != others.Network || own.HeldOut.Before >= own.Network.Before {
		t.Errorf("with a memory %+v, of others %+v, alone %+v", own.HeldOut, others.HeldOut, own.Network)
	}
}

func checkConfusion(t *testing.T, r *Result, held []Sample) {
	t.Helper()
	label := map[int64]string{}
	for _, s := range held {
		label[s.ID] = s.Label
	}
	for _, side := range []struct {
		c     Confusion
		wrong int
	}{{r.Before, r.HeldOut.Before}, {r.After, r.HeldOut.After}} {
		samples, wrong := 0, 0
		for _, cell := range side.c.Cells {
			samples += len(cell.Samples)
			if cell.Want != cell.Got {
				wrong += len(cell.Samples)
			}
			for _, id := range cell.Samples {
				if label[id] != cell.Want {
					t.Errorf("sample %d is %s, but in the row of %s", id, label[id], cell.Want)
				}
			}
		}
		if samples != len(held) || wrong != side.wrong {
			t.Errorf("%d samples, %d wrong, want %d and %d", samples, wrong, len(held), side.wrong)
		}
	}
	better, worse := 0, 0
	for _, c := range r.Changes {
		if c.Better() {
			better++
		}
		if c.Worse() {
			worse++
		}
	}
	if better-worse != r.HeldOut.Before-r.HeldOut.After {
		t.Errorf("%d changes for the better and %d for the worse, but %+v", better, worse, r.HeldOut)
	}
}

// The same task must give the same model, another seed another.
func TestTrainRepeats(t *testing.T) {
	task := Task{Start: baseModel(t, nn.MNIST28), Learn: strange(2, 1), Settings: quick()}
	task.Steps = 10
	train := func() nn.Network {
		r, err := Train(t.Context(), nntest.CPU(t), task, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Keep || r.Reason != Unmeasured {
			t.Errorf("keep %t: %s", r.Keep, r.Reason)
		}
		return r.Model.Network
	}
	first := train()
	if !reflect.DeepEqual(first, train()) {
		t.Error("the same task gave two models")
	}
	if task.Seed++; reflect.DeepEqual(first, train()) {
		t.Error("the seed has no effect")
	}
}

// A model must be kept exactly when it is better: equal is not, and nothing known suffers for it.
func TestReasons(t *testing.T) {
	same := Comparison{Samples: 10, Before: 3, After: 3}
	fewer, more := Comparison{Samples: 10, Before: 3, After: 2}, Comparison{Samples: 10, Before: 3, After: 4}
	for _, c := range []struct {
		held, alone, replay Comparison
		keep                bool
		want                Reason
	}{
		{same, same, same, false, AsGood},
		{same, fewer, Comparison{Samples: 1000, Before: 10, After: 11}, false, Forgets},
		{same, same, Comparison{Samples: 1000, Before: 10, After: 11}, false, Forgets},
		{same, same, fewer, false, AsGood},
		{fewer, more, same, true, Better},
		{more, fewer, same, false, Worse},
		{same, fewer, same, true, BetterAlone},
		{same, more, same, false, WorseAlone},
		{Comparison{}, Comparison{}, same, true, Unmeasured},
		{fewer, fewer, Comparison{Samples: 1000, Before: 10, After: 15}, true, Better},
		{fewer, fewer, Comparison{Samples: 1000, Before: 10, After: 16}, false, Forgets},
		{fewer, fewer, Comparison{Samples: 10, Before: 3, After: 6}, false, Forgets},
		{fewer, fewer, Comparison{Samples: 10, Before: 3, After: 5}, true, Better},
	} {
		r := Result{HeldOut: c.held, Network: c.alone, Replay: c.replay}
		if r.decide(); r.Keep != c.keep || r.Reason != c.want {
			t.Errorf("held out %+v, alone %+v, replay %+v: keep %t, %s, want %t, %s", c.held, c.alone, c.replay, r.Keep, r.Reason, c.keep, c.want)
		}
	}
}

// New labels are worth a model that is as good.
func TestNewLabelsAreKept(t *testing.T) {
	r := Result{NewClasses: []string{"heart"}}
	r.HeldOut.Samples = 5
	if r.decide(); !r.Keep || r.Reason != AsGood {
		t.Errorf("keep %t, %s", r.Keep, r.Reason)
	}
}

// Frozen layers must stay as they are, and all others be pulled by the anchor.
func TestFrozenLayers(t *testing.T) {
	start := baseModel(t, nn.MNIST28)
	task := Task{Start: start, Learn: strange(2, 1), Settings: quick()}
	task.Steps = 5
	for frozen, want := range map[int]int{0: 0, 1: 1, 2: 2, 9: 2, -1: 0} {
		task.Frozen = frozen
		r, err := Train(t.Context(), nntest.CPU(t), task, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := 0
		for same < 2 && reflect.DeepEqual(r.Model.Network.Layers[same], start.Network.Layers[same]) {
			same++
		}
		if same != want {
			t.Errorf("frozen %d: %d layers stayed, want %d", frozen, same, want)
		}
	}
	if got := frozenLayers(nn.NewNetwork([]int{100, 50, 20, 10}, "relu", 1), 1230); got != 1 {
		t.Errorf("%d of three layers are frozen", got)
	}
}

// A second training must be pulled toward the shipped model, also in classes that came later.
func TestAnchor(t *testing.T) {
	shipped := baseModel(t, nn.MNIST28)
	extended, err := shipped.WithClasses([]string{"★"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	later := extended.Clone()
	for i := range later.Network.Layers {
		for j := range later.Network.Layers[i].Values[0] {
			later.Network.Layers[i].Values[0][j]++
		}
	}
	got := later.WithValuesOf(shipped)
	for i, l := range got.Layers {
		for j, v := range l.Values[0] {
			want := extended.Network.Layers[i].Values[0][j]
			if i == 2 && j%len(extended.Labels) == len(known) {
				want++ // the shipped model has no such class
			}
			if v != want {
				t.Fatalf("layer %d, weight %d: %g, want %g", i+1, j, v, want)
			}
		}
	}
	other := &nn.Model{Network: nn.NewNetwork([]int{784, 9, 5}, "relu", 1), Labels: shipped.Labels, Preprocessing: nn.MNIST28}
	if got := later.WithValuesOf(other); !reflect.DeepEqual(got, later.Network) {
		t.Error("a model of other layers became the anchor")
	}
}

// Whoever waits sees the share grow up to all, with layers that stay as they are and without, and can cancel at any time.
func TestPreparationIsFollowed(t *testing.T) {
	task := Task{Start: baseModel(t, nn.MNIST28), Learn: strange(20, 1), Settings: quick()}
	for task.Frozen = range 2 {
		var shares []float64
		follow := func(p Progress) {
			if p.Stage == Preparing {
				shares = append(shares, p.Prepared)
			}
		}
		if _, err := Train(t.Context(), nntest.CPU(t), task, follow); err != nil {
			t.Fatal(err)
		}
		if n := len(shares); n < 5 || !slices.IsSorted(shares) || shares[0] != 0 || shares[n-1] != 1 {
			t.Errorf("%d frozen: prepared %g", task.Frozen, shares)
		}
		for at := range shares {
			ctx, cancel := context.WithCancel(t.Context())
			shares = nil
			_, err := Train(ctx, nntest.CPU(t), task, func(p Progress) {
				if follow(p); len(shares) == at+1 {
					cancel()
				}
			})
			if !errors.Is(err, context.Canceled) || len(shares) > at+2 {
				t.Errorf("%d frozen, cancelled at %g: %v", task.Frozen, shares, err)
			}
			cancel()
		}
	}
}

func TestTrainCancelled(t *testing.T) {
	start := baseModel(t, nn.MNIST28)
	before := start.Clone()
	dev := nntest.CPU(t)
	for _, at := range []Stage{Preparing, Learning, Measuring} {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := Train(ctx, dev, Task{Start: start, Learn: strange(2, 1), HeldOut: strange(1, 2), Settings: quick()}, func(p Progress) {
			if p.Stage == at {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) || r != nil {
			t.Errorf("cancelled while %s: %v, %v", at, r, err)
		}
		cancel()
	}
	if !reflect.DeepEqual(start, before) {
		t.Error("the model in use was changed")
	}
	if dev.Memory() != 0 {
		t.Errorf("%d bytes left on the device", dev.Memory())
	}
}

func TestTrainRefuses(t *testing.T) {
	good := Task{Start: baseModel(t, nn.MNIST28), Learn: strange(1, 1), Settings: quick()}
	for want, spoil := range map[string]func(*Task){
		"no model":         func(t *Task) { t.Start = nil },
		"nothing to learn": func(t *Task) { t.Learn = nil },
		"0 steps":          func(t *Task) { t.Steps = 0 },
		"replayed share":   func(t *Task) { t.Replay = 1 },
		"momentum of 1":    func(t *Task) { t.Momentum = 1 },
		"NaN":              func(t *Task) { t.Rate = math.NaN() },
		"cannot be used":   func(t *Task) { t.Learn = []Sample{{ID: 3, Label: "O"}} },
		"label":            func(t *Task) { t.Learn[0].Label = "" },
		"smaller rate":     func(t *Task) { t.Rate, t.Anchor = 100, 100 },
	} {
		task := good
		task.Learn = slices.Clone(good.Learn)
		spoil(&task)
		if _, err := Train(t.Context(), nntest.CPU(t), task, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// All executors must come to the same parameters, but for rounding.
func TestExecutorsTrainAlike(t *testing.T) {
	const limit = 1e-4 // of weights about one in size, after 20 steps
	task := Task{Start: baseModel(t, nn.MNIST28), Learn: strange(2, 1), HeldOut: strange(2, 2), Settings: quick()}
	task.Steps = 20
	var want *Result
	for _, kind := range glcompute.Kinds() {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		got, err := Train(t.Context(), dev, task, nil)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		if want == nil {
			want = got
		}
		worst := 0.0
		for i, l := range got.Model.Network.Layers {
			for j, v := range l.Values[0] {
				worst = max(worst, math.Abs(float64(v-want.Model.Network.Layers[i].Values[0][j])))
			}
		}
		t.Logf("%s: largest difference %.2g of %.2g allowed", kind, worst, limit)
		if !(worst <= limit) || got.HeldOut != want.HeldOut || got.Replay != want.Replay {
			t.Errorf("%s: weights differ by %g; held out %+v, want %+v", kind, worst, got.HeldOut, want.HeldOut)
		}
	}
}

// With many samples every part of preparing and measuring takes long, and must end with its
// context.
func TestPartsEndInTheirMidst(t *testing.T) {
	base := baseModel(t, nn.MNIST28)
	in, err := feature.ByName(base.Preprocessing)
	if err != nil {
		t.Fatal(err)
	}
	set, err := prototype.Of(base)
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]func(context.Context) error{
		"inputs": func(ctx context.Context) error { _, _, err := inputs(ctx, in, strange(4, 1)); return err },
		"replay": func(ctx context.Context) error {
			_, _, err := replayed(ctx, in, set, 1, dataset.Distortion{}, 1)
			return err
		},
		"writers": func(ctx context.Context) error {
			_, err := newWritersEvaluation(ctx, nntest.CPU(t), base, datatest.Shapes("other", 4, 1, known...), 0, 1)
			return err
		},
	} {
		for looks := range 16 {
			if err := part(datatest.EndsAfter(looks)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled after %d looks: %v", name, looks, err)
			}
		}
	}
}
