// Package glcontext makes OpenGL contexts that belong to no window and gives each a
// thread of its own: EGL on Linux, WGL on Windows, CGL on macOS, each found at run time,
// so that a program without them still starts and gets an error instead. The Linux code
// is run by the tests, that for Windows by the same tests under Wine; the code for macOS
// compiles and has not been run.
package glcontext

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
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
	failed := &NoContextError{Version: versions[0]}
	if t.context, t.version = openContext(versions, failed.add); t.context == nil {
		t.results <- failed
		return
	}
	t.results <- nil
	for job := range t.jobs {
		t.results <- protect(job)
	}
	t.context.destroy()
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

// Version is the version asked for, of the core of OpenGL or of OpenGL ES; a context of a later one will do.
type Version struct {
	Major, Minor int
	ES           bool
}

func (v Version) String() string {
	number := fmt.Sprintf("%d.%d", v.Major, v.Minor)
	if v.ES {
		return "ES " + number
	}
	return number
}

// context is one OpenGL context of the operating system. openContext, which every
// system brings, makes one of the first of some versions that can be had and leaves it current
// on the calling thread; else it tells failed of every way that it has tried, and gives nil.
type context interface {
	// describe says which way led to the context: "EGL device 0".
	describe() string
	// procAddr finds a GL function; nil when there is none of that name.
	procAddr(name string) unsafe.Pointer
	// destroy releases the context on the thread that opened it.
	destroy()
}

// NoContextError says that no OpenGL context could be made, and lists what was tried.
type NoContextError struct {
	Version  Version // that was wanted most
	Attempts []error // each with its way to a context: "EGL default display: no display failed"
}

func (e *NoContextError) Error() string { return e.Message().String() }

// Message says it as a value.
func (e *NoContextError) Message() *message.Message {
	return message.Text("no OpenGL %s core context: %v. Installing the graphics driver of the machine, or Mesa's software renderer, helps", e.Version, message.List(e.Attempts))
}

// Unwrap gives the errors of all attempts to errors.Is and errors.As.
func (e *NoContextError) Unwrap() []error { return e.Attempts }

func (e *NoContextError) add(where string, err error) {
	e.Attempts = append(e.Attempts, message.Errorf("%s: %w", where, err))
}

// IsSoftware reports whether a GL_RENDERER string names a renderer that draws on the
// processor.
func IsSoftware(renderer string) bool {
	name := strings.ToLower(renderer)
	marks := []string{"llvmpipe", "softpipe", "swiftshader", "swrast", "software", "gdi generic", "basic render"}
	return slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(name, mark) })
}
