package glcontext

import (
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"

	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// Thread is an operating system thread that owns an OpenGL context. All GL calls happen
// in functions handed to Do.
type Thread struct {
	mu      sync.Mutex // one Do at a time
	jobs    chan func() error
	results chan error
	closed  bool
	context context
	version Version
}

// Open makes a context of at least one of these versions, the first that can be had, on a thread of its own. The error is a
// *NoContextError that lists every attempt.
func Open(versions ...Version) (*Thread, error) {
	t := &Thread{jobs: make(chan func() error), results: make(chan error)}
	go t.loop(versions)
	if err := <-t.results; err != nil {
		return nil, err
	}
	return t, nil
}

// loop locks its thread and never unlocks it, so that the thread ends with the loop and
// no other goroutine can meet the context.
func (t *Thread) loop(versions []Version) {
	runtime.LockOSThread()
	c, v, err := openContext(versions)
	t.context, t.version = c, v
	t.results <- err
	if err != nil {
		return
	}
	for job := range t.jobs {
		t.results <- protect(job)
	}
	c.destroy()
	t.results <- nil
}

// Do runs f on the thread and gives back its error. A panic in f becomes an error. Do
// must not be called from within f. After Close it returns program.ErrClosed.
func (t *Thread) Do(f func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return program.ErrClosed
	}
	t.jobs <- f
	return <-t.results
}

// ProcAddr finds a GL function by name; it must be called within Do.
func (t *Thread) ProcAddr(name string) unsafe.Pointer { return t.context.procAddr(name) }

// Version is the version that was asked for and could be had.
func (t *Thread) Version() Version { return t.version }

// Describe says which way led to the context.
func (t *Thread) Describe() string { return t.context.describe() }

// Close releases the context and ends the thread, after a Do that is under way. A second
// call does nothing.
func (t *Thread) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	t.closed = true
	close(t.jobs)
	return <-t.results
}

func protect(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = message.Errorf("panic on the OpenGL thread: %v\n%s", r, debug.Stack())
		}
	}()
	return f()
}
