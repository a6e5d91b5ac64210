package nn

import (
	"cmp"
	"context"
	"math"
	"time"

	"inkshade/glcompute/program"
)

// MeasureTraining times steps of d on each device alone and on all together, alternating, in
// about budget beside compiling, and says whether they should share: with rows in proportion
// to their speeds (Takizawa et al., 2009), and only where that wins. The first device is the
// owner. d stays as it is. A device other than the owner that fails is out of the choice.
func MeasureTraining(ctx context.Context, d Descent, devices []program.Device, budget time.Duration) (Sharing, error) {
	begin := time.Now()
	s := Sharing{Devices: infos(devices)}
	err := measureTraining(ctx, d, devices, budget, &s)
	if err != nil && ctx.Err() != nil {
		return s, context.Cause(ctx)
	}
	s.Measuring = time.Since(begin)
	return s, s.Survive(err, d.Batch)
}

func measureTraining(ctx context.Context, d Descent, devices []program.Device, budget time.Duration, s *Sharing) error {
	sample := d.sample()
	var ways []func() error
	for i, dev := range devices {
		own := d.likeNew()
		defer own.Forget(dev)
		steps, err := NewSteps(dev, own)
		if err != nil {
			return s.of(i, err)
		}
		defer steps.Close()
		lost := watch(i, dev)
		ways = append(ways, func() error { return s.of(i, cmp.Or(steps.Step(sample), lost())) })
	}
	// Drivers compile late: the first round does not count.
	if _, err := race(ctx, 1, 0, ways...); err != nil {
		return err
	}
	first, err := race(ctx, leastRounds, budget/4, ways...)
	if err != nil {
		return err
	}
	s.Alone = first
	rows := shares(d.Batch, speedsOf(first), 1)
	if s.Rows = rows; !s.Shared() {
		return nil
	}
	own := d.likeNew()
	defer own.Forget(devices[0])
	mixed, err := NewMixedTraining(own, devices, speedsOf(first))
	if err != nil {
		return err
	}
	defer mixed.Close()
	together := func() error {
		return cmp.Or(s.of(0, mixed.Step(sample)), mixed.Lost())
	}
	if _, err := race(ctx, 1, 0, together); err != nil {
		return err
	}
	mixed.times = MixedTimes{} // the first round does not count
	times, err := race(ctx, leastRounds, budget*3/4, append(ways, together)...)
	if err != nil {
		return err
	}
	s.Alone, s.Together = times[:len(devices)], times[len(devices)]
	s.Carrying = mixed.Times().Carrying()
	s.decide(rows, d.Batch)
	return nil
}

// Share makes the steps of d on the first device, or, where there are two, on both with the
// share split of every batch for the first; a split of 0 measures in about budget, and then
// takes both or the faster one alone. The parameters come to be on Sharing.Owner.
func Share(ctx context.Context, d Descent, devices []program.Device, split float64, budget time.Duration) (Stepper, Sharing, error) {
	var s Sharing
	var err error
	switch {
	case len(devices) == 1:
		s = Sharing{Devices: infos(devices), Rows: []int{d.Batch}}
	case split > 0:
		s = fixed(split, d.Batch, devices)
	default:
		if s, err = MeasureTraining(ctx, d, devices, budget); err != nil {
			return nil, s, err
		}
	}
	if s.Shared() {
		mixed, err := NewMixedTraining(d, devices, s.speeds())
		if err == nil {
			return mixed, s, nil
		}
		if err := s.Survive(err, d.Batch); err != nil {
			return nil, s, err
		}
	}
	steps, err := NewSteps(devices[s.Owner()], d)
	if err != nil {
		return nil, s, err
	}
	return steps, s, nil
}

// sample is a batch of d to measure with; what it reads back lets every step be waited for.
func (d Descent) sample() Batch {
	width, classes := d.Params.Width(), d.Params.Classes()
	b := Batch{
		Input: make([]float32, d.Batch*width), Target: make([]float32, d.Batch*classes),
		Settings: []float32{1e-4, 0.9, 0}, Loss: make([]float32, d.Batch),
	}
	if d.Options.Second != nil {
		b.Settings = []float32{1e-4, 0.9, 0.999, 1e-8, 0, 0.1, 0.001}
	}
	for i := range b.Input {
		b.Input[i] = float32(math.Mod(float64(i), 7)) / 7
	}
	for i := range d.Batch {
		b.Target[i*classes+i%classes] = 1
	}
	if warp := d.Options.Warp; warp > 0 {
		b.Affine, b.Grid = make([]float32, d.Batch*6), make([]float32, d.Batch*2*warp*warp)
		for i := range d.Batch {
			b.Affine[i*6], b.Affine[i*6+4] = 1, 1
		}
	}
	return b
}

// fixed is a sharing that was asked for: the first of two devices has the share split of
// every batch, and each at least a row; a batch of one is left to the first.
func fixed(split float64, batch int, devices []program.Device) Sharing {
	s := Sharing{Devices: infos(devices)}
	if batch < 2 {
		s.allOn(0, batch)
		return s
	}
	first := min(max(int(math.Round(split*float64(batch))), 1), batch-1)
	s.Rows = []int{first, batch - first}
	return s
}
