package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"inkshade/app/ui"
	"inkshade/glcompute"
)

// tuning is a rig whose clock of idleness and whose leftovers a test sets.
type tuning struct {
	*rig
	idle     atomic.Int64 // seconds
	left     atomic.Int64
	tuned    chan glcompute.DeviceKind
	measured atomic.Int64 // variants
	fail     error
}

func newTuning(t *testing.T) *tuning {
	r := &tuning{rig: newRig(t, glcompute.Auto), tuned: make(chan glcompute.DeviceKind, 10)}
	r.left.Store(3)
	r.tuner.pause = time.Millisecond
	r.tuner.idle = func() time.Duration { return time.Duration(r.idle.Load()) * time.Second }
	r.tuner.left = func(glcompute.Device) int { return int(r.left.Load()) }
	r.tuner.tune = func(ctx context.Context, kind glcompute.DeviceKind, before func(glcompute.Tuning)) error {
		r.tuned <- kind
		for r.left.Load() > 0 {
			before(glcompute.Tuning{})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			r.measured.Add(1)
			r.left.Add(-1)
			r.idle.Store(0) // somebody draws between two variants
		}
		return r.fail
	}
	return r
}

// settle gives the goroutine time for some looks.
func settle() { time.Sleep(30 * time.Millisecond) }

func expectMeasured(t *testing.T, r *tuning, want int64) {
	t.Helper()
	for range 1000 {
		if r.measured.Load() == want {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	settle()
	if got := r.measured.Load(); got != want {
		t.Errorf("%d variants measured, want %d", got, want)
	}
}

// Nothing is measured while there is work, one variant for each quiet stretch that is
// interrupted, and nothing again until new work leaves something over.
func TestTuningWaitsForQuiet(t *testing.T) {
	r := newTuning(t)
	r.prepare()
	expectMeasured(t, r, 0)
	for n := range int64(3) {
		r.idle.Store(31)
		expectMeasured(t, r, n+1)
	}
	if kind := <-r.tuned; kind != glcompute.Compute {
		t.Errorf("tuned %s, want the device in use", kind)
	}
	r.idle.Store(60)
	settle()
	r.left.Store(1) // as when another process trains: this one has not worked since
	expectMeasured(t, r, 3)
	r.idle.Store(0)
	settle()
	r.idle.Store(31)
	expectMeasured(t, r, 4)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}

// Close ends tuning that waits, and what fails is not tried again.
func TestTuningEnds(t *testing.T) {
	for _, fail := range []error{nil, errors.New("no context")} {
		r := newTuning(t)
		r.fail = fail
		r.prepare()
		r.idle.Store(31)
		expectMeasured(t, r, 1)
		if fail != nil {
			r.idle.Store(31)
			expectMeasured(t, r, 2)
			r.idle.Store(31)
			expectMeasured(t, r, 3)
			r.left.Store(1)
			r.idle.Store(0)
			settle()
			r.idle.Store(31)
			expectMeasured(t, r, 3)
		}
		closed := make(chan error)
		go func() { closed <- r.Close() }()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("Close waits for ever")
		}
	}
}

// An engine that is closed before it is ready, or without an OpenGL device, tunes nothing.
func TestNothingToTune(t *testing.T) {
	r := newTuning(t)
	r.idle.Store(31)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	r.prepare()
	expectMeasured(t, r, 0)

	r = newTuning(t)
	r.idle.Store(31)
	r.missing[glcompute.Compute] = errors.New("none")
	r.missing[glcompute.Fragment] = errors.New("none")
	if s := r.prepare(); s.GPU.State != ui.Unavailable {
		t.Fatalf("status %+v", s)
	}
	expectMeasured(t, r, 0)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
}
