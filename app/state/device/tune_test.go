package device

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/glcompute"
)

// tuning is a tuner whose leftovers a test sets. Its time is that of a bubble of synctest, which moves as soon as all wait.
type tuning struct {
	tuner
	mu       sync.Mutex // over what follows
	worked   time.Time  // last
	leftOver int
	device   error // why there is no GPU; nil where there is one
	fail     error
	measured int // variants
	kind     glcompute.DeviceKind
	ended    bool
}

// tuned gives a test a tuner that runs in a bubble.
func tuned(t *testing.T, test func(t *testing.T, r *tuning)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &tuning{worked: time.Now(), leftOver: 3}
		r.tuner = newTuner(func() (glcompute.Device, error) { r.mu.Lock(); defer r.mu.Unlock(); return named{}, r.device })
		r.tuner.idle = func() time.Duration { r.mu.Lock(); defer r.mu.Unlock(); return time.Since(r.worked) }
		r.tuner.left = func(glcompute.Device) int { r.mu.Lock(); defer r.mu.Unlock(); return r.leftOver }
		r.tuner.tune = func(ctx context.Context, kind glcompute.DeviceKind, before func(glcompute.Tuning)) error {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.kind = kind
			for r.leftOver > 0 {
				r.mu.Unlock()
				before(glcompute.Tuning{})
				r.mu.Lock()
				if ctx.Err() != nil {
					return ctx.Err()
				}
				r.measured++
				r.leftOver--
				r.worked = time.Now() // somebody draws between two variants
			}
			return r.fail
		}
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			r.run(ctx)
			r.ended = true
		}()
		test(t, r)
		cancel()
		synctest.Wait()
		if !r.ended {
			t.Error("it goes on after its end")
		}
	})
}

// set changes what the tuner sees.
func (r *tuning) set(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// named is a device of which the kind alone is asked.
type named struct{ glcompute.Device }

func (named) Info() glcompute.Info { return glcompute.Info{Kind: glcompute.Compute} }

// after lets time pass without work, and expects so many variants to be measured by then.
func (r *tuning) after(t *testing.T, d time.Duration, want int) {
	t.Helper()
	time.Sleep(d)
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.measured != want {
		t.Errorf("after %v %d variants are measured, want %d", d, r.measured, want)
	}
}

// Nothing is measured while there is work, one variant for each quiet stretch that is interrupted, and nothing again until new
// work leaves something over.
func TestTuningWaitsForQuiet(t *testing.T) {
	tuned(t, func(t *testing.T, r *tuning) {
		r.after(t, 29*time.Second, 0)
		r.set(func() { r.worked = time.Now() })
		r.after(t, 29*time.Second, 0)
		r.after(t, 5*time.Second, 1) // the next look
		r.after(t, 30*time.Second, 2)
		r.after(t, 30*time.Second, 3)
		if r.kind != glcompute.Compute {
			t.Errorf("tuned %s, want the device in use", r.kind)
		}
		r.after(t, time.Hour, 3)
		r.set(func() { r.leftOver = 1 }) // as when another process trains: this one has not worked since
		r.after(t, time.Hour, 3)
		r.set(func() { r.worked = time.Now() })
		r.after(t, 29*time.Second, 3)
		r.after(t, time.Hour, 4)
	})
}

// What fails is not tried again.
func TestTuningThatFailsEnds(t *testing.T) {
	tuned(t, func(t *testing.T, r *tuning) {
		r.set(func() { r.fail = errors.New("no context") })
		r.after(t, time.Hour, 3)
		r.leftOver, r.worked = 1, time.Now()
		r.after(t, time.Hour, 3)
		if !r.ended {
			t.Error("it goes on")
		}
	})
}

// Without an OpenGL device there is nothing to tune.
func TestNothingToTune(t *testing.T) {
	tuned(t, func(t *testing.T, r *tuning) {
		r.set(func() { r.device = errors.New("none") })
		r.after(t, time.Hour, 0)
	})
}

// An engine that is closed before it is ready begins no tuning, and one that tunes is closed without waiting.
func TestTuningEndsWithTheEngine(t *testing.T) {
	late := newRig(t, glcompute.Auto)
	if err := late.Close(); err != nil {
		t.Error(err)
	}
	late.prepare()
	if late.tuning != nil {
		t.Error("a closed engine tunes")
	}
	r := newRig(t, glcompute.Auto)
	r.prepare()
	if r.tuning == nil {
		t.Fatal("nothing waits for quiet")
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	select {
	case <-r.tuning:
	default:
		t.Error("it waits for quiet still")
	}
}
