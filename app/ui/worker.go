package ui

import (
	"context"
	"errors"
	"sync"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/program"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// repeats is how often a drawing is timed on each side, lineRepeats how often a line; the median is shown.
const (
	repeats     = 25
	lineRepeats = 5
)

// reply is one answer as the window gets it.
type reply struct {
	answer  recognizer.Answer
	line    *line.Result // in place of the answer, where a line was written
	took    time.Duration
	ofLine  bool
	by      Side
	err     error
	drawing uint64 // which submitted drawing it belongs to
}

// times are the medians of one side for one drawing.
type times struct {
	side    Side
	timing  recognizer.Timing
	repeats int
	err     error
	drawing uint64
	info    program.Info // of the device
	network []int        // units of each layer of the model
	ofLine  bool
}

// workerEvents are called on the window's goroutine.
type workerEvents struct {
	status   func(Status)
	answer   func(reply)
	measured func(times)
	several  func(n int, drawing uint64) // a drawing of one character is rather a line of n
}

// task is what the worker is asked about.
type task struct {
	ink    ink.Ink
	line   *line.Options // nil for a single character
	traced bool          // in a picture
}

// worker does everything slow on one goroutine: it prepares the engine, answers the newest
// drawing (older ones that were not begun are dropped) and, when the pen rests and nothing
// waits for an answer, takes times one repeat after the other, so that measuring delays no
// answer by more than one repeat.
type worker struct {
	engine Engine
	post   func(func())
	settle time.Duration
	events workerEvents

	mu      sync.Mutex
	wake    chan struct{}
	drawing uint64 // counts submissions
	task    task
	cache   *line.Cache        // of the answers to parts of a line
	cancel  context.CancelFunc // ends the reading of a line; nil while none is read
	counted uint64             // the drawing whose characters were counted last
	penDown bool
	since   time.Time // of the last submission
	fresh   bool      // ink waits for an answer
	rested  time.Time // while the pen is down no answer begins before; see answer
	choice  Choice    // waits to be passed on; empty when none does
	changes []func()  // of how the engine answers, waiting to be made
	status  Status
	ready   bool // some device answers
	stopped bool
	posted  bool // deliver is on its way to the window
	newest  reply
	untold  bool          // newest has not been shown
	told    chan struct{} // receives after each answer

	measured  measurement
	answering chan struct{} // closed when the loop has ended
	prepared  chan struct{} // closed when Prepare has returned
}

// measurement is what has been timed of one drawing.
type measurement struct {
	drawing uint64
	taken   map[Side][]recognizer.Timing
	done    map[Side]bool
}

func newWorker(e Engine, post func(func()), settle time.Duration, ev workerEvents) *worker {
	return &worker{
		engine: e, post: post, settle: settle, events: ev, wake: make(chan struct{}, 1), told: make(chan struct{}, 1), cache: line.NewCache(),
		answering: make(chan struct{}), prepared: make(chan struct{}),
	}
}

func (w *worker) start() {
	go func() {
		defer close(w.prepared)
		w.engine.Prepare(w.report)
	}()
	go w.loop()
}

// leaving is how long closing the window waits for a driver that compiles shaders.
const leaving = 2 * time.Second

// stop waits until the engine is no longer asked for answers, and a little for its
// preparation; an engine that is closed meanwhile frees what becomes ready later.
func (w *worker) stop() {
	w.mu.Lock()
	w.stopped = true
	run(w.cancel)
	w.mu.Unlock()
	w.signal()
	<-w.answering
	select {
	case <-w.prepared:
	case <-time.After(leaving):
	}
}

// submit hands over the newest drawing; the worker only reads it. The reading of a line that is gone ends.
func (w *worker) submit(t task, penDown bool) {
	w.mu.Lock()
	w.drawing++
	w.task, w.penDown, w.since = t, penDown, time.Now()
	w.fresh = len(t.ink) > 0
	if !w.fresh || t.line == nil {
		run(w.cancel)
	}
	w.mu.Unlock()
	w.signal()
}

// choose passes on who shall answer.
func (w *worker) choose(c Choice) {
	w.mu.Lock()
	w.choice = c
	w.mu.Unlock()
	w.signal()
}

// change runs f, which changes how the engine answers, and then answers the drawing again.
func (w *worker) change(f func()) {
	w.mu.Lock()
	w.changes = append(w.changes, f)
	w.mu.Unlock()
	w.signal()
}

// sequence numbers the newest drawing.
func (w *worker) sequence() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.drawing
}

func (w *worker) signal() { notify(w.wake) }

// notify puts a value into a channel of one place, unless one is there.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// report takes a new status; the drawing is answered again when another device answers.
func (w *worker) report(s Status) {
	w.mu.Lock()
	if s.Answering != w.status.Answering && len(w.task.ink) > 0 {
		w.fresh = true
	}
	w.status, w.ready = s, s.Answering != ""
	w.measured = measurement{}
	stopped := w.stopped
	w.mu.Unlock()
	if stopped {
		return
	}
	w.post(func() { w.events.status(s) })
	w.signal()
}

func (w *worker) loop() {
	defer close(w.answering)
	for {
		job, wait := w.next()
		switch {
		case job != nil:
			job()
		case wait < 0:
			return
		case wait == 0:
			<-w.wake
		default:
			select {
			case <-w.wake:
			case <-time.After(wait):
			}
		}
	}
}

// next picks what to do now: a job, or how long to wait for one (0: until woken; negative:
// the end).
func (w *worker) next() (job func(), wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.stopped:
		return nil, -1
	case len(w.changes) > 0:
		f := w.changes[0]
		w.changes = w.changes[1:]
		w.fresh = len(w.task.ink) > 0
		w.cache = line.NewCache()
		return f, 0
	case w.choice != "" && w.ready && (w.choice != ChooseFaster || w.status.Settled()):
		c := w.choice
		w.choice = ""
		return func() { w.engine.Choose(c) }, 0
	case w.fresh && w.ready:
		if rest := time.Until(w.rested); w.penDown && rest > 0 {
			return nil, rest
		}
		w.fresh = false
		t, drawing := w.task, w.drawing
		return func() { w.answer(t, drawing) }, 0
	case w.penDown || len(w.task.ink) == 0 || !w.status.Settled():
		return nil, 0
	}
	side, untimed := w.untimed()
	uncounted := w.task.line == nil && w.counted != w.drawing && len(w.status.Labels) < manyLabels
	if !untimed && !uncounted {
		return nil, 0
	}
	if rest := w.settle - time.Since(w.since); rest > 0 {
		return nil, rest
	}
	t, drawing := w.task, w.drawing
	if uncounted {
		w.counted = drawing
		return func() { w.count(t.ink, drawing) }, 0
	}
	return func() { w.measure(t, drawing, side) }, 0
}

// untimed is the side whose turn it is: the sides alternate, so that a disturbance of the
// machine falls on both.
func (w *worker) untimed() (Side, bool) {
	if w.measured.drawing != w.drawing || w.measured.taken == nil {
		w.measured = measurement{w.drawing, map[Side][]recognizer.Timing{}, map[Side]bool{}}
	}
	best, found := CPU, false
	for _, side := range []Side{CPU, GPU} {
		if w.status.Device(side).State != Ready || w.measured.done[side] {
			continue
		}
		if !found || len(w.measured.taken[side]) < len(w.measured.taken[best]) {
			best, found = side, true
		}
	}
	return best, found
}

// answer answers a drawing, and then leaves the processor to the window for as long, though no
// longer than frames: where no GPU is, the pen that is being moved would be shown late.
func (w *worker) answer(t task, drawing uint64) {
	r := reply{drawing: drawing, ofLine: t.line != nil}
	begin := clock.Now()
	if t.line == nil {
		r.answer, r.by, r.err = w.engine.Recognize(t.ink, t.traced)
	} else {
		o := *t.line
		o.Cache = w.cache
		r.line, r.by, r.err = w.readLine(t.ink, o)
	}
	r.took = clock.Since(begin)
	if errors.Is(r.err, context.Canceled) {
		return
	}
	w.mu.Lock()
	w.newest, w.untold, w.rested = r, true, time.Now().Add(min(r.took, frames))
	post := !w.posted
	w.posted = true
	w.mu.Unlock()
	notify(w.told)
	if post {
		w.post(w.deliver)
	}
}

// await shows the answer to the newest drawing if it comes within the limit, so that it is
// in the very frame that shows the lifted pen and not in the next. It is called on the
// window's goroutine; a later answer is shown when it is there.
func (w *worker) await(limit time.Duration) {
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		w.mu.Lock()
		there, waiting := w.newest.drawing == w.drawing, w.fresh && !w.ready
		w.mu.Unlock()
		switch {
		case there:
			w.show()
			return
		case waiting:
			return
		}
		select {
		case <-w.told:
		case <-late.C:
			return
		}
	}
}

// deliver is posted to the window after an answer, once however many follow meanwhile.
func (w *worker) deliver() {
	w.mu.Lock()
	w.posted = false
	w.mu.Unlock()
	w.show()
}

// show tells the newest answer once, unless the drawing was emptied or left meanwhile.
func (w *worker) show() {
	w.mu.Lock()
	r := w.newest
	show := w.untold && len(w.task.ink) > 0 && r.ofLine == (w.task.line != nil)
	w.untold = false
	w.mu.Unlock()
	if show {
		w.events.answer(r)
	}
}

// readLine reads a line as long as it is wanted; see submit.
func (w *worker) readLine(k ink.Ink, o line.Options) (*line.Result, Side, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	w.cancelBy(cancel)
	defer w.cancelBy(nil)
	return w.engine.RecognizeLine(ctx, k, o)
}

func (w *worker) cancelBy(cancel context.CancelFunc) {
	w.mu.Lock()
	w.cancel = cancel
	w.mu.Unlock()
}

// count tells when a drawing is rather several characters than one. The next drawing does not wait for it.
func (w *worker) count(k ink.Ink, drawing uint64) {
	r, _, err := w.readLine(k, line.Options{})
	if err == nil && len(r.Characters) > 1 {
		w.post(func() { w.events.several(len(r.Characters), drawing) })
	}
}

func (w *worker) measure(k task, drawing uint64, side Side) {
	var t recognizer.Timing
	var err error
	wanted := repeats
	if k.line == nil {
		t, err = w.engine.Measure(k.ink, side)
	} else {
		wanted = lineRepeats
		t, err = w.engine.MeasureLine(context.Background(), k.ink, *k.line, side)
	}
	w.mu.Lock()
	if w.measured.drawing != drawing || w.measured.taken == nil {
		w.mu.Unlock()
		return
	}
	taken := append(w.measured.taken[side], t)
	w.measured.taken[side] = taken
	complete := err != nil || len(taken) >= wanted
	w.measured.done[side] = complete
	info, network := w.status.Device(side).Info, w.status.Network
	w.mu.Unlock()
	if complete {
		m := times{side: side, timing: recognizer.MedianTiming(taken), repeats: len(taken), err: err, drawing: drawing, info: info, network: network, ofLine: k.line != nil}
		w.post(func() { w.events.measured(m) })
	}
}
