package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"inkshade/glcompute/clock"
)

// worthAThread is the work, in additions or so, below which handing a part of a loop to
// another thread costs more than it saves (some microseconds).
const worthAThread = 16 << 10

// Costs of an element in additions.
const (
	costCopy       = 1
	costArithmetic = 2
	costExp        = 16
)

// A thread that is held up leaves work to the others: a loop is cut into so many pieces for
// each thread, and a long one into pieces of some 50 microseconds, the most that one thread
// then waits for another at the end.
const (
	piecesPerThread = 4
	longestPiece    = 8 * worthAThread
)

// To wake a thread that sleeps takes longer than many a loop. So those that help look out for more work for
// some time before they sleep, and who waits for them for as long as a piece takes.
const (
	helperWaits = 50 * time.Microsecond
	callerWaits = 100 * time.Microsecond
)

// parallel splits the indices 0 to n-1 of a loop, each costing about cost additions, over
// the builder's threads, as far as that pays. What it needs is made once: running it allocates
// nothing, and a small loop runs in the calling goroutine.
func (b *builder) parallel(n, cost int, body func(from, to int)) func() {
	return b.parallelOn(n, cost, func(_, from, to int) { body(from, to) })
}

// parallelOn is parallel for a body that is told which of the threads it runs on.
func (b *builder) parallelOn(n, cost int, body func(thread, from, to int)) func() {
	threads := min(b.threads, len(helpers), n, n*cost/worthAThread)
	if threads <= 1 {
		return func() { body(0, 0, n) }
	}
	l := &loop{n: n, pieces: min(n, max(threads*piecesPerThread, n*cost/longestPiece)), threads: threads, body: body}
	l.helper = func() { help(l) }
	l.finished.Lock()
	return l.run
}

// loop is shared by the goroutine that runs it and helpers, who take pieces as long as there are any. One that
// comes late finds none and is not waited for.
type loop struct {
	n, pieces, threads int
	body               func(thread, from, to int)
	helper             func()
	at                 atomic.Uint64 // the number of the run, of helpers that joined it, and of the next piece
	done               atomic.Int64  // pieces
	asleep             atomic.Bool   // who runs it, until finished
	finished           sync.Mutex    // locked but for the moment in which a helper wakes who sleeps
	turns              turns
}

// Units of loop.at, in which there is room for 255 helpers.
const (
	oneHelper = 1 << 32
	oneRun    = 1 << 40
)

func (l *loop) run() {
	l.done.Store(0)
	l.at.Store((l.at.Load()/oneRun + 1) * oneRun)
	for range l.threads - 1 {
		if !handed(l) {
			go l.helper()
		}
	}
	l.work(0, l.at.Load()/oneRun, &l.turns)
	all := func() bool { return l.done.Load() == int64(l.pieces) }
	for !waited(callerWaits, all) {
		l.asleep.Store(true)
		if all() && l.asleep.CompareAndSwap(true, false) {
			return
		}
		l.finished.Lock() // unlocked perhaps by one who was late in the run before
	}
}

// join takes part in the run as one of its threads, while pieces are left.
func (l *loop) join(t *turns) {
	for {
		at := l.at.Load()
		thread := int(at%oneRun/oneHelper) + 1
		if thread >= l.threads || int(at%oneHelper) >= l.pieces {
			return
		}
		if l.at.CompareAndSwap(at, at+oneHelper) {
			l.work(thread, at/oneRun, t)
			return
		}
	}
}

// work makes pieces of that run until none is left, in the turns of its goroutine.
func (l *loop) work(thread int, run uint64, t *turns) {
	for {
		at := l.at.Load()
		i := int(at % oneHelper)
		if at/oneRun != run || i >= l.pieces {
			return
		}
		if !l.at.CompareAndSwap(at, at+1) {
			continue
		}
		l.body(thread, i*l.n/l.pieces, (i+1)*l.n/l.pieces)
		if l.done.Add(1) == int64(l.pieces) && l.asleep.CompareAndSwap(true, false) {
			l.finished.Unlock()
		}
		t.take()
	}
}

// helpers are goroutines that help with loops: each has a place with the loop it is to help with, one of
// the two below, or nil where nobody is.
var (
	helpers    [64]atomic.Pointer[loop]
	idle, busy loop
)

// handed gives a loop to a helper that is idle.
func handed(l *loop) bool {
	for i := range helpers {
		if helpers[i].Load() == &idle && helpers[i].CompareAndSwap(&idle, l) {
			return true
		}
	}
	return false
}

// help helps with a loop, and with those that come after it in time.
func help(l *loop) {
	var t turns
	l.join(&t)
	for i := range helpers {
		place := &helpers[i]
		if !place.CompareAndSwap(nil, &busy) {
			continue
		}
		for {
			place.Store(&idle)
			waited(helperWaits, func() bool { return place.Load() != &idle })
			if place.CompareAndSwap(&idle, nil) {
				return
			}
			place.Swap(&busy).join(&t)
		}
	}
}

// turns are those of a goroutine that hardly ever leaves C and never sleeps. Go's scheduler sees no turn of its own end, after
// ten milliseconds tries to end it every few microseconds, and has then taken a tenth of the time.
type turns struct{ last time.Time }

// take lets other goroutines run now and then.
func (t *turns) take() {
	if now := clock.Now(); now.Sub(t.last) > 5*time.Millisecond {
		t.last = now
		runtime.Gosched()
	}
}

// waited reports whether something happened in so much time, without giving the processor to others.
func waited(most time.Duration, happened func() bool) bool {
	for range most/relaxTime + 1 {
		if happened() {
			return true
		}
		relax()
	}
	return happened()
}

// relaxTime is how long relax takes: to look at the clock each time would take longer.
var relaxTime = func() time.Duration {
	const times = 16
	least := time.Millisecond
	for range 5 {
		begin := clock.Now()
		for range times {
			relax()
		}
		least = min(least, clock.Since(begin)/times)
	}
	return max(least, 1)
}()
