package ui

import "sync"

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
