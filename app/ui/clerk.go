package ui

import "sync"

// clerk does what waits for the disk on one goroutine, one task after the other, so that
// what a person did first is stored first.
type clerk struct {
	post func(func())

	mu      sync.Mutex
	tasks   []func() func()
	wake    chan struct{}
	stopped bool
	done    chan struct{}
}

func newClerk(post func(func())) *clerk {
	c := &clerk{post: post, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go c.loop()
	return c
}

// do runs the task away from the window, and what it returns, if anything, on the window's
// goroutine.
func (c *clerk) do(task func() func()) {
	c.mu.Lock()
	c.tasks = append(c.tasks, task)
	c.mu.Unlock()
	c.signal()
}

// stop waits until everything that was asked for is done: what a person saw accepted must
// reach the disk.
func (c *clerk) stop() {
	c.mu.Lock()
	c.stopped = true
	c.mu.Unlock()
	c.signal()
	<-c.done
}

func (c *clerk) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

func (c *clerk) loop() {
	defer close(c.done)
	for {
		c.mu.Lock()
		var task func() func()
		if len(c.tasks) > 0 {
			task, c.tasks = c.tasks[0], c.tasks[1:]
		}
		stopped := c.stopped
		c.mu.Unlock()
		switch {
		case task != nil:
			if then := task(); then != nil {
				c.post(then)
			}
		case stopped:
			return
		default:
			<-c.wake
		}
	}
}
