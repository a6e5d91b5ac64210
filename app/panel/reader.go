package panel

import (
	"context"
	"sync"

	"inkshade/app/state/device"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
	"inkshade/recognizer/nn"
)

// Engine reads; see device.Engine.
type Engine interface {
	Prepare(report func(device.Status))
	Use(name string, m *nn.Model) error
	Remember(m recognizer.Memory)
	Recognize(k ink.Ink, traced bool) (recognizer.Answer, device.Side, error)
	RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, device.Side, error)
	Close() error
}

// reading is what was read, of the newest writing when it was asked for.
type reading struct {
	result *line.Result
	err    error
	typed  map[string]string // for labels in place of these; see state.TypedKey
	number int               // of the request
}

// reader reads the newest writing on a goroutine of its own; what is no longer the newest is not read to its end.
type reader struct {
	engine Engine
	typed  func() map[string]string
	tell   func(reading)
	single squares // of the loop alone

	mu     sync.Mutex
	number int // of the newest request
	ink    ink.Ink
	how    line.Options
	parted bool               // into squares of single characters
	before []func()           // what is to be done before the next reading
	cancel context.CancelFunc // ends the reading under way; nil for none
	wake   chan struct{}
	ended  chan struct{}
	closed bool
}

func newReader(e Engine, typed func() map[string]string, tell func(reading)) *reader {
	r := &reader{engine: e, typed: typed, tell: tell, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go r.loop()
	return r
}

// ask has some writing read in place of the one before.
func (r *reader) ask(k ink.Ink, how line.Options, parted bool) (number int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.number++
	r.ink, r.how, r.parted = k, how, parted
	r.interrupt()
	return r.number
}

// change does something that changes how the engine answers, where nothing is read meanwhile.
func (r *reader) change(f func()) {
	r.mu.Lock()
	r.before = append(r.before, f)
	r.interrupt()
	r.mu.Unlock()
}

// interrupt ends the reading under way and wakes the loop. The caller holds the lock.
func (r *reader) interrupt() {
	if r.cancel != nil {
		r.cancel()
	}
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *reader) loop() {
	defer close(r.ended)
	for range r.wake {
		r.mu.Lock()
		if r.closed {
			r.mu.Unlock()
			return
		}
		ctx, cancel := context.WithCancel(context.Background())
		k, how, parted, number := r.ink, r.how, r.parted, r.number
		r.cancel = cancel
		before := r.before
		r.before = nil
		r.mu.Unlock()
		for _, f := range before {
			f()
			r.single.known = nil
		}
		if len(k) > 0 {
			result, err := r.read(ctx, k, how, parted)
			if ctx.Err() == nil {
				r.tell(reading{result, err, r.typed(), number})
			}
		}
		cancel()
	}
}

func (r *reader) read(ctx context.Context, k ink.Ink, how line.Options, parted bool) (result *line.Result, err error) {
	if parted {
		return r.single.read(r.engine, k, how.Fixed)
	}
	result, _, err = r.engine.RecognizeLine(ctx, k, how)
	return result, err
}

// close waits until the engine is no longer asked.
func (r *reader) close() {
	r.mu.Lock()
	r.closed = true
	r.interrupt()
	r.mu.Unlock()
	<-r.ended
}
