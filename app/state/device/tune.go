package device

import (
	"context"
	"time"

	"inkshade/glcompute"
)

// tuner measures, while nobody works, the variants of operations that the OpenGL device had
// no time for when their shapes first came up (see glcompute.Tune). It does so on a device
// of its own, stops between two variants as soon as there is work, and goes on later. What
// it finds counts from the next start on.
type tuner struct {
	pause time.Duration // between two looks
	quiet time.Duration // without work, after which it begins
	idle  func() time.Duration
	gpu   func() (glcompute.Device, error)
	left  func(glcompute.Device) int
	tune  func(ctx context.Context, kind glcompute.DeviceKind, before func(glcompute.Tuning)) error
}

func newTuner(gpu func() (glcompute.Device, error)) tuner {
	tune := func(ctx context.Context, kind glcompute.DeviceKind, before func(glcompute.Tuning)) error {
		return glcompute.Tune(ctx, kind, false, before)
	}
	return tuner{pause: 5 * time.Second, quiet: 30 * time.Second, idle: glcompute.Idle, gpu: gpu, left: glcompute.LeftOver, tune: tune}
}

// startTuning begins to look, unless the engine is closed.
func (e *Engine) startTuning() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.life.Err() == nil {
		e.tuning = make(chan struct{})
		go func() {
			defer close(e.tuning)
			e.tuner.run(e.life)
		}()
	}
}

// run looks once after each stretch of work whether something is left over. It ends when ctx does, or when tuning fails.
func (t *tuner) run(ctx context.Context) {
	for t.waitForQuiet(ctx) {
		dev, err := t.gpu()
		if err == nil && t.left(dev) > 0 &&
			t.tune(ctx, dev.Info().Kind, func(glcompute.Tuning) { t.waitForQuiet(ctx) }) != nil {
			return
		}
		for t.idle() >= t.quiet {
			if !t.sleep(ctx) {
				return
			}
		}
	}
}

// waitForQuiet reports false when ctx ended first.
func (t *tuner) waitForQuiet(ctx context.Context) bool {
	for t.idle() < t.quiet {
		if !t.sleep(ctx) {
			return false
		}
	}
	return ctx.Err() == nil
}

func (t *tuner) sleep(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(t.pause):
		return true
	}
}
