package ui

import (
	"sync"
	"time"
)

// latest does work away from the window's goroutine, one piece at a time; of what is asked for
// meanwhile the newest alone is done. It is used on the window's goroutine.
type latest struct {
	win  *Window
	busy bool
	next func() (then func())
}

// do asks for work; what it returns runs on the window's goroutine.
func (l *latest) do(work func() (then func())) {
	if l.busy {
		l.next = work
		return
	}
	l.busy = true
	l.win.off(func() {
		then := work()
		l.win.opts.post(func() {
			l.busy = false
			next := l.next
			l.next = nil
			if next != nil {
				l.do(next)
			}
			run(then)
		})
	})
}

// frames is how often something long is followed: each change repaints the window.
const frames = 100 * time.Millisecond

// pace lets reports from a goroutine through to the window now and then, and none while the
// one before is on its way.
type pace struct {
	mu      sync.Mutex
	posted  bool
	shownAt time.Time
}

// due notes a report, if anything is to be noted, and tells whether to post it now.
func (p *pace) due(note func()) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	run(note)
	if p.posted || time.Since(p.shownAt) < frames {
		return false
	}
	p.posted = true
	return true
}

// shown reads what was noted, where a report reaches the window.
func (p *pace) shown(read func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.posted, p.shownAt = false, time.Now()
	run(read)
}

// alarm is a clock that each setting begins anew. It is used on the window's goroutine.
type alarm struct {
	post func(func())
	sets int
}

// after does f unless the alarm is set again, or stopped, before so much time has passed.
func (a *alarm) after(d time.Duration, f func()) {
	a.sets++
	mine := a.sets
	time.AfterFunc(d, func() {
		a.post(func() {
			if a.sets == mine {
				f()
			}
		})
	})
}

func (a *alarm) stop() { a.sets++ }

// saveQueue does what waits for the disk away from the window, one task after the other, so
// that what a person did first is stored first.
type saveQueue struct {
	post  func(func())
	mu    sync.Mutex
	last  chan struct{} // closed when the newest task is done; nil before the first
	tasks sync.WaitGroup
}

// do runs the task, and what it returns, if anything, on the window's goroutine.
func (q *saveQueue) do(task func() func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, done := q.last, make(chan struct{})
	q.last = done
	q.tasks.Go(func() {
		defer close(done)
		if before != nil {
			<-before
		}
		if then := task(); then != nil {
			q.post(then)
		}
	})
}

// stop waits until everything that was asked for is done: what a person saw accepted must
// reach the disk.
func (q *saveQueue) stop() { q.tasks.Wait() }
