package pagetest

import (
	"context"
	"fmt"
	"time"

	"inkshade/app/state"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// Learner stands in for personal.Train.
type Learner struct {
	Keep  bool
	Fail  error
	Pause chan struct{} // when set, waits here half way
}

// Equip lets it train a collection.
func (l *Learner) Equip(t *state.Collection) {
	t.Learner.Learn = l.train
	t.Learner.Open = func(glcompute.DeviceKind) glcompute.Device {
		dev, err := cpu.Open()
		if err != nil {
			panic(err)
		}
		return dev
	}
	t.Learner.Shipped = func(string) (*nn.Model, error) { return SmallModel("shipped"), nil }
}

func (l *Learner) train(ctx context.Context, _ glcompute.Device, task personal.Task, progress func(personal.Progress)) (*personal.Result, error) {
	for i := range 100 {
		if i == 50 && l.Pause != nil {
			select {
			case <-l.Pause:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		}
		progress(personal.Progress{
			Stage: personal.Learning, Step: i + 1, Steps: 100, Loss: 2 / float64(i+1), Accuracy: float64(i) / 100,
			StepsPerSecond: 42, Remaining: 3 * time.Second,
		})
		if i == 0 {
			time.Sleep(2 * widget.Frames) // so that later events are due
		}
	}
	if l.Fail != nil {
		return nil, l.Fail
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
		Model: SmallModel("learned"), Keep: l.Keep, Steps: 100, Seconds: 1.5, Device: "cpu",
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
