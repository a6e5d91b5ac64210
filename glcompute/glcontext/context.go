// Package glcontext makes OpenGL contexts that belong to no window and gives each a
// thread of its own: EGL on Linux, WGL on Windows, CGL on macOS, each found at run time,
// so that a program without them still starts and gets an error instead. The Linux code
// is run by the tests, that for Windows by the same tests under Wine; the code for macOS
// compiles and has not been run.
package glcontext

import (
	"fmt"
	"slices"
	"strings"
	"unsafe"

	"inkshade/glcompute/message"
)

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
// on the calling thread.
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
