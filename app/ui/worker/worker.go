// Package worker asks the engine for answers and takes times, away from the window.
package worker

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"inkshade/app/state/device"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// Repeats is how often a drawing is timed on each side, lineRepeats how often a line; the median is shown.
const (
	Repeats     = 25
	lineRepeats = 5
)

// ManyLabels is from how many classes on a model's candidates are shown as a grid of characters.
const ManyLabels = 500

// Reply is one answer as the window gets it.
type Reply struct {
	Answer  recognizer.Answer
	Line    *line.Result // in place of the answer, where a line was written
	Took    time.Duration
	OfLine  bool
	By      device.Side
	Err     error
	Drawing uint64 // which submitted drawing it belongs to
}

// Times are the medians of one side for one drawing.
type Times struct {
	Side    device.Side
	Timing  recognizer.Timing
	Repeats int
	Err     error
	Drawing uint64
	Info    glcompute.Info // of the device
	Network []int          // units of each layer of the model
	OfLine  bool
}

// Events are called on the window's goroutine.
type Events struct {
	Status   func(device.Status)
	Answer   func(Reply)
	Measured func(Times) // nil where nothing is to be timed
	Offered  func(Offer)
}

// Offer says that a drawing is rather a line of several characters or, where Model is set, one character that this model knows.
type Offer struct {
	Characters int
	Text       string // of the line, where it is likely
	Model      string
	Drawing    uint64
}

// Task is what the worker is asked about.
type Task struct {
	Ink    ink.Ink
	Line   *line.Options // nil for a single character
	Rather line.Language // that a line is in which a single character may turn out to be
	Traced bool          // in a picture
}

// Worker does everything slow on one goroutine: it prepares the engine, answers the newest drawing and drops older ones, and, when the pen
// rests and nothing waits for an answer, takes times, one repeat after the other, so that no answer waits for more than one.
type Worker struct {
	engine Engine
	post   func(func())
	settle time.Duration
	events Events

	mu      sync.Mutex
	wake    chan struct{}
	drawing uint64 // counts submissions
	task    Task
	cache   *line.Cache        // of the answers to parts of a line
	cancel  context.CancelFunc // ends the reading of a line; nil before the first
	counted uint64             // the drawing whose characters were counted last
	penDown bool
	since   time.Time     // of the last submission
	fresh   bool          // ink waits for an answer
	rested  time.Time     // while the pen is down no answer begins before; see answer
	choice  device.Choice // waits to be passed on; empty when none does
	changes []func()      // of how the engine answers, waiting to be made
	status  device.Status
	ready   bool // some device answers
	stopped bool
	posted  bool // an answer is on its way to the window
	newest  Reply
	untold  bool          // newest has not been shown
	told    chan struct{} // receives after each answer

	timed uint64                              // the drawing that is being timed
	taken map[device.Side][]recognizer.Timing // its times; nil before the first
	done  map[device.Side]bool

	answering chan struct{} // closed when the loop has ended
	prepared  chan struct{} // closed when Prepare has returned
}

func New(e Engine, post func(func()), settle time.Duration, ev Events) *Worker {
	return &Worker{
		engine: e, post: post, settle: settle, events: ev, wake: make(chan struct{}, 1), told: make(chan struct{}, 1), cache: line.NewCache(),
		answering: make(chan struct{}), prepared: make(chan struct{}),
	}
}

func (w *Worker) Start() {
	go func() {
		defer close(w.prepared)
		w.engine.Prepare(w.report)
	}()
	go w.loop()
}

// leaving is how long closing the window waits for a driver that compiles shaders.
const leaving = 2 * time.Second

// Stop waits until the engine is no longer asked, and a little for its preparation; a closed engine frees what becomes ready later.
func (w *Worker) Stop() {
	w.change(func() {
		w.stopped = true
		widget.Run(w.cancel)
	})
	<-w.answering
	select {
	case <-w.prepared:
	case <-time.After(leaving):
	}
}

// Submit hands over the newest drawing; the worker only reads it. The reading of a line that is gone ends.
func (w *Worker) Submit(t Task, penDown bool) {
	w.change(func() {
		w.drawing++
		w.task, w.penDown, w.since = t, penDown, time.Now()
		w.fresh = len(t.Ink) > 0
		if !w.fresh || t.Line == nil {
			widget.Run(w.cancel)
		}
	})
}

// Choose passes on who shall answer.
func (w *Worker) Choose(c device.Choice) { w.change(func() { w.choice = c }) }

// Engine changes how the engine answers, and then answers the drawing again. An error reaches the window's goroutine.
func (w *Worker) Engine(change func(Engine) error, failed func(error)) {
	w.change(func() {
		w.changes = append(w.changes, func() {
			if err := change(w.engine); err != nil {
				w.post(func() { failed(err) })
			}
		})
	})
}

// change does something to what the loop goes by, and wakes that.
func (w *Worker) change(do func()) {
	w.mu.Lock()
	do()
	w.mu.Unlock()
	notify(w.wake)
}

// Sequence numbers the newest drawing.
func (w *Worker) Sequence() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.drawing
}

// notify puts a value into a channel of one place, unless one is there.
func notify(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// report takes a new status; the drawing is answered again when another device answers.
func (w *Worker) report(s device.Status) {
	stopped := false
	w.change(func() {
		if s.Answering != w.status.Answering && len(w.task.Ink) > 0 {
			w.fresh = true
		}
		w.status, w.ready, w.taken, stopped = s, s.Answering != "", nil, w.stopped
	})
	if !stopped {
		w.post(func() { w.events.Status(s) })
	}
}

func (w *Worker) loop() {
	defer close(w.answering)
	for {
		job, wait := w.next()
		if job != nil {
			job()
			continue
		}
		if wait < 0 {
			return
		}
		var late <-chan time.Time
		if wait > 0 {
			late = time.After(wait)
		}
		select {
		case <-w.wake:
		case <-late:
		}
	}
}

// next picks what to do now: a job, or how long to wait for one (0: until woken; negative: the end).
func (w *Worker) next() (job func(), wait time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.stopped:
		return nil, -1
	case len(w.changes) > 0:
		f := w.changes[0]
		w.changes = w.changes[1:]
		w.fresh = len(w.task.Ink) > 0
		w.cache = line.NewCache()
		return f, 0
	case w.choice != "" && w.ready && (w.choice != device.ChooseFaster || w.status.Settled()):
		c := w.choice
		w.choice = ""
		return func() { w.engine.Choose(c) }, 0
	case w.fresh && w.ready:
		if rest := time.Until(w.rested); w.penDown && rest > 0 {
			return nil, rest
		}
		w.fresh = false
		t, drawing := w.task, w.drawing
		return w.reading(func(ctx context.Context) { w.answer(ctx, t, drawing) }), 0
	case w.events.Measured == nil || w.penDown || len(w.task.Ink) == 0 || !w.status.Settled():
		return nil, 0
	}
	side, untimed := w.untimed()
	uncounted := w.task.Line == nil && w.counted != w.drawing && len(w.status.Labels) < ManyLabels
	if !untimed && !uncounted {
		return nil, 0
	}
	if rest := w.settle - time.Since(w.since); rest > 0 {
		return nil, rest
	}
	t, drawing := w.task, w.drawing
	if uncounted {
		w.counted = drawing
		return w.reading(func(ctx context.Context) { w.count(ctx, t, drawing) }), 0
	}
	return w.reading(func(ctx context.Context) { w.measure(ctx, t, drawing, side) }), 0
}

// untimed is the side whose turn it is: they alternate, so that a disturbance of the machine falls on both.
func (w *Worker) untimed() (best device.Side, found bool) {
	if w.timed != w.drawing || w.taken == nil {
		w.timed, w.taken, w.done = w.drawing, map[device.Side][]recognizer.Timing{}, map[device.Side]bool{}
	}
	for _, side := range []device.Side{device.CPU, device.GPU} {
		if w.status.Device(side).State == device.Ready && !w.done[side] && (!found || len(w.taken[side]) < len(w.taken[best])) {
			best, found = side, true
		}
	}
	return best, found
}

// answer answers a drawing, and then leaves the processor to the window for as long, though no
// longer than frames: where no GPU is, the pen that is being moved would be shown late.
func (w *Worker) answer(ctx context.Context, t Task, drawing uint64) {
	r := Reply{Drawing: drawing, OfLine: t.Line != nil}
	begin := clock.Now()
	if t.Line == nil {
		r.Answer, r.By, r.Err = w.engine.Recognize(t.Ink, t.Traced)
	} else {
		o := *t.Line
		o.Cache = w.cache
		r.Line, r.By, r.Err = w.engine.RecognizeLine(ctx, t.Ink, o)
	}
	r.Took = clock.Since(begin)
	if errors.Is(r.Err, context.Canceled) {
		return
	}
	w.mu.Lock()
	w.newest, w.untold, w.rested = r, true, time.Now().Add(min(r.Took, widget.Frames))
	post := !w.posted
	w.posted = true
	w.mu.Unlock()
	notify(w.told)
	if post {
		w.post(func() { // once however many follow meanwhile
			w.mu.Lock()
			w.posted = false
			w.mu.Unlock()
			w.show()
		})
	}
}

// Await shows the answer to the newest drawing if it comes within the limit, so that it is
// in the very frame that shows the lifted pen and not in the next. It is called on the
// window's goroutine; a later answer is shown when it is there.
func (w *Worker) Await(limit time.Duration) {
	late := time.NewTimer(limit)
	defer late.Stop()
	for {
		w.mu.Lock()
		there, waiting := w.newest.Drawing == w.drawing, w.fresh && !w.ready
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

// show tells the newest answer once, unless the drawing was emptied or left meanwhile.
func (w *Worker) show() {
	w.mu.Lock()
	r := w.newest
	show := w.untold && len(w.task.Ink) > 0 && r.OfLine == (w.task.Line != nil)
	w.untold = false
	w.mu.Unlock()
	if show {
		w.events.Answer(r)
	}
}

// reading is a job that submit and stop can end from now on; the caller holds the lock.
func (w *Worker) reading(do func(context.Context)) (job func()) {
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	return func() {
		do(ctx)
		cancel()
	}
}

const (
	sure   = 0.9 // the probability of an answer that nobody asks others about
	likely = 0.5 // the confidence of a line whose text is told
)

// count tells when a drawing whose answer is in doubt is rather several characters, or one for another model. The next does not wait for it.
func (w *Worker) count(ctx context.Context, t Task, drawing uint64) {
	w.mu.Lock()
	a := w.newest.Answer
	doubted := w.newest.Drawing == drawing && len(a.Candidates) > 0 && (a.Unknown || a.Candidates[0].Probability < sure)
	w.mu.Unlock()
	if !doubted {
		return
	}
	r, _, err := w.engine.RecognizeLine(ctx, t.Ink, line.Options{Separate: true})
	if err != nil {
		return
	}
	o := Offer{Characters: len(r.Characters), Model: w.engine.Suggest(t.Ink, t.Traced, r), Drawing: drawing}
	if o.Model == "" && o.Characters > 1 {
		if whole, _, err := w.engine.RecognizeLine(ctx, t.Ink, line.Options{Language: t.Rather}); err == nil && whole.Confidence >= likely {
			o.Text = strings.ReplaceAll(whole.Text, "\n", " ")
		}
	}
	if o.Model != "" || o.Characters > 1 {
		w.post(func() { w.events.Offered(o) })
	}
}

func (w *Worker) measure(ctx context.Context, k Task, drawing uint64, side device.Side) {
	var t recognizer.Timing
	var err error
	wanted := Repeats
	if k.Line == nil {
		t, err = w.engine.Measure(k.Ink, side)
	} else {
		wanted = lineRepeats
		t, err = w.engine.MeasureLine(ctx, k.Ink, *k.Line, side)
	}
	if errors.Is(err, context.Canceled) {
		return
	}
	var m Times
	w.mu.Lock()
	if w.timed == drawing && w.taken != nil {
		taken := append(w.taken[side], t)
		w.taken[side] = taken
		w.done[side] = err != nil || len(taken) >= wanted
		m = Times{
			Side: side, Timing: recognizer.MedianTiming(taken), Repeats: len(taken), Err: err, Drawing: drawing, OfLine: k.Line != nil,
			Info: w.status.Device(side).Info, Network: w.status.Network,
		}
	}
	complete := m.Repeats > 0 && w.done[side]
	w.mu.Unlock()
	if complete {
		w.post(func() { w.events.Measured(m) })
	}
}
