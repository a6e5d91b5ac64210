// Package glcontext makes OpenGL contexts that belong to no window and gives each a
// thread of its own: EGL on Linux, WGL on Windows, CGL on macOS, each found at run time,
// so that a program without them still starts and gets an error instead. The Linux code
// is run by the tests, that for Windows by the same tests under Wine; the code for macOS
// compiles and has not been run.
package glcontext

import (
	"fmt"
	"strings"
	"unsafe"
)

// Version is the OpenGL core version asked for; a context of a later one will do.
type Version struct{ Major, Minor int }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// context is one OpenGL core context of the operating system. openContext, which every
// system brings, makes it and leaves it current on the calling thread.
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
	Version  Version
	Attempts []Attempt
}

// Attempt is one way to a context that failed.
type Attempt struct {
	Where string // "EGL default display"
	Err   error
}

func (e *NoContextError) Error() string {
	var s strings.Builder
	fmt.Fprintf(&s, "no OpenGL %s core context: ", e.Version)
	for i, a := range e.Attempts {
		if i > 0 {
			s.WriteString("; ")
		}
		fmt.Fprintf(&s, "%s: %s", a.Where, strings.TrimSuffix(a.Err.Error(), ".")) // Windows ends its sentences
	}
	s.WriteString(". Installing the graphics driver of the machine, or Mesa's software renderer, helps")
	return s.String()
}

// Unwrap gives the errors of all attempts to errors.Is and errors.As.
func (e *NoContextError) Unwrap() []error {
	all := make([]error, len(e.Attempts))
	for i, a := range e.Attempts {
		all[i] = a.Err
	}
	return all
}

func (e *NoContextError) add(where string, err error) {
	e.Attempts = append(e.Attempts, Attempt{Where: where, Err: err})
}

// IsSoftware reports whether a GL_RENDERER string names a renderer that draws on the
// processor.
func IsSoftware(renderer string) bool {
	name := strings.ToLower(renderer)
	for _, mark := range []string{"llvmpipe", "softpipe", "swiftshader", "swrast", "software", "gdi generic", "basic render"} {
		if strings.Contains(name, mark) {
			return true
		}
	}
	return false
}
