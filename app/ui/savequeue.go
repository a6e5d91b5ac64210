package ui

import "sync"

// saveQueue does what waits for the disk away from the window, one task after the other, so
// that what a person did first is stored first.
type saveQueue struct {
	post  func(func())
	mu    sync.Mutex
	tasks []func() func()
	busy  bool // a goroutine works on the tasks
	idle  sync.Cond
}

func newSaveQueue(post func(func())) *saveQueue {
	q := &saveQueue{post: post}
	q.idle.L = &q.mu
	return q
}

// do runs the task, and what it returns, if anything, on the window's goroutine.
func (q *saveQueue) do(task func() func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.tasks = append(q.tasks, task)
	if !q.busy {
		q.busy = true
		go q.work()
	}
}

func (q *saveQueue) work() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.tasks) > 0 {
		task := q.tasks[0]
		q.tasks = q.tasks[1:]
		q.mu.Unlock()
		if then := task(); then != nil {
			q.post(then)
		}
		q.mu.Lock()
	}
	q.busy = false
	q.idle.Broadcast()
}

// stop waits until everything that was asked for is done: what a person saw accepted must
// reach the disk.
func (q *saveQueue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.busy {
		q.idle.Wait()
	}
}
