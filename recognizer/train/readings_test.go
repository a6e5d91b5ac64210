package train

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"inkshade/recognizer/nn/nntest"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
)

// tardy is a device whose later outputs come when they have been asked for a number of times,
// or are waited for.
type tardy struct {
	glcompute.Device
	asks    int // 0: only when waited for
	lost    bool
	replays int
	behind  []int // replays made since, of each output that was waited for
	most    int   // outputs under way at once
	underWay
}

type underWay map[*lateCopy]bool

type tardyRun struct {
	glcompute.Run
	dev *tardy
}

type lateCopy struct {
	dev    *tardy
	data   []float32 // where it goes
	values []float32
	replay int
	asked  int
}

func (d *tardy) Compile(p *glcompute.Program) (glcompute.Run, error) {
	run, err := d.Device.Compile(p)
	return tardyRun{run, d}, err
}

func (r tardyRun) Do(bindings ...glcompute.Binding) error {
	d := r.dev
	d.replays++
	at := slices.Clone(bindings)
	var begin []func()
	for i, b := range at {
		if b.Later == nil {
			continue
		}
		c := &lateCopy{dev: d, data: b.Data, values: make([]float32, len(b.Data)), replay: d.replays}
		at[i] = glcompute.Out(b.Tensor, c.values)
		begin = append(begin, func() { d.underWay[c] = true; b.Later.Begin(c.Fetch) })
	}
	err := r.Run.Do(at...)
	if err == nil {
		for _, f := range begin {
			f()
		}
	}
	d.most = max(d.most, len(d.underWay))
	return err
}

func (c *lateCopy) Fetch(wait bool) (bool, error) {
	c.asked++
	switch d := c.dev; {
	case d.lost:
		delete(d.underWay, c)
		return true, glcompute.ErrLost
	case wait:
		d.behind = append(d.behind, d.replays-c.replay)
	case d.asks == 0 || c.asked < d.asks:
		return false, nil
	}
	delete(c.dev.underWay, c)
	copy(c.data, c.values)
	return true, nil
}

// told is what of events does not depend on the clock.
func told(e Event) Event {
	e.Elapsed, e.Remaining, e.SamplesPerSecond = 0, 0, 0
	if e.HoldOut != nil {
		held := *e.HoldOut
		held.SamplesPerSecond = 0
		e.HoldOut = &held
	}
	return e
}

// Model and events are the same however late the losses come back, with all that is decided
// by them, and a device is waited for only when it has another step to do.
func TestLateReadingsChangeNothing(t *testing.T) {
	for name, change := range map[string]func(*Config){
		"reports":     func(c *Config) { c.ReportEvery = 2 },
		"each step":   func(*Config) {},
		"follow loss": func(c *Config) { c.FollowLoss, c.Rate, c.Epochs = true, 1, 8 },
		"hard samples": func(c *Config) {
			c.HardSamples, c.FollowLoss, c.ReportEvery, c.Loss = 3, true, 3, nn.SquaredTanh
		},
	} {
		t.Run(name, func(t *testing.T) {
			train := func(dev glcompute.Device) (*nn.Model, []Event) {
				cfg := small()
				cfg.Average = 0
				change(&cfg)
				var events []Event
				r, err := Run(t.Context(), dev, bars(160, 4, "v", "h", "d"), cfg, func(e Event) { events = append(events, told(e)) })
				if err != nil {
					t.Fatal(err)
				}
				return r.Model, events
			}
			model, events := train(nntest.CPU(t))
			for _, asks := range []int{1, 2, 5, 0} {
				dev := &tardy{Device: nntest.CPU(t), asks: asks, underWay: underWay{}}
				got, gotEvents := train(dev)
				if !reflect.DeepEqual(got, model) {
					t.Errorf("asked %d times: another model", asks)
				}
				if !reflect.DeepEqual(gotEvents, events) {
					t.Errorf("asked %d times: other events:\n%+v\nwant\n%+v", asks, gotEvents, events)
				}
				if dev.most > 2*readingsUnderWay || dev.most < 2 || len(dev.underWay) != 0 {
					t.Errorf("asked %d times: %d outputs under way at once, %d at the end", asks, dev.most, len(dev.underWay))
				}
				if slices.Contains(dev.behind, 0) || asks == 0 && len(dev.behind) == 0 {
					t.Errorf("asked %d times: waited for with %v other steps to do", asks, dev.behind)
				}
			}
		})
	}
}

// A loss that is no number ends the training at the same step, however late it comes back.
func TestLateDivergence(t *testing.T) {
	steps := map[int]bool{}
	for _, asks := range []int{1, 3, 0} {
		cfg := small()
		cfg.Rate, cfg.WarmUp, cfg.Decay, cfg.Batch, cfg.HoldOut, cfg.Average = 100, 0, 100, 2, 0, 0
		dev := &tardy{Device: nntest.CPU(t), asks: asks, underWay: underWay{}}
		_, err := Run(t.Context(), dev, bars(100, 7, "v", "h"), cfg, func(e Event) {
			if e.Loss != e.Loss {
				t.Errorf("a loss is told that is no number: %+v", e)
			}
		})
		if !errors.Is(err, errDiverged) {
			t.Errorf("asked %d times: error %v", asks, err)
		}
		steps[dev.replays] = true
	}
	if len(steps) != 1 || steps[50] {
		t.Errorf("ended after %v steps, want one number below an epoch", steps)
	}
}

// Losses that go down with their device are not counted, and its next step says what there
// is to say: where another device does that, training goes on.
func TestLostReadings(t *testing.T) {
	cfg := small()
	cfg.HoldOut, cfg.Average, cfg.ReportEvery = 0, 0, 2
	dev := &tardy{Device: nntest.CPU(t), lost: true, underWay: underWay{}}
	var steps []int
	r, err := Run(t.Context(), dev, bars(160, 4, "v", "h"), cfg, func(e Event) {
		steps = append(steps, e.Step)
		if e.Loss != e.Loss || e.Loss == 0 {
			t.Errorf("a loss is told that never came: %+v", e)
		}
	})
	if err != nil || r.Ending != Finished || !slices.Equal(steps, []int{10, 20, 30, 40}) {
		t.Errorf("%v, error %v, events of steps %v", r, err, steps)
	}
}

// On real devices late losses are those of losses at once, and no buffer is left behind.
func TestReadingsOfShaders(t *testing.T) {
	for _, kind := range []glcompute.DeviceKind{glcompute.Fragment, glcompute.Compute} {
		dev, err := glcompute.Open(kind)
		if err != nil {
			t.Fatal(err)
		}
		defer dev.Close()
		cfg := small()
		cfg.HardSamples = 2
		want, _ := losses(t, nntest.CPU(t), cfg)
		got, _ := losses(t, dev, cfg)
		wantClose(t, got, want)
		wantFreed(t, dev)
	}
}
