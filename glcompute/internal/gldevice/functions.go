package gldevice

/*
#include <stdint.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif

static __thread int missed;

// missing stands for every function that a driver lacks, whatever its parameters: callers of all
// systems that Go has a 64-bit compiler for clear the stack themselves.
static uintptr_t missing(void) { missed = 1; return 0; }
static void *addressOfMissing(void) { return (void *)missing; }
static int takeMissed(void) { int m = missed; missed = 0; return m; }
*/
import "C"

import (
	"sync"
	"unsafe"

	"github.com/go-gl/gl/v4.3-core/gl"
)

// functions are the addresses of OpenGL's functions by name, nil for one that the driver lacks. go-gl
// keeps one table for the process: what one context has found stands for all.
var functions = struct {
	sync.Mutex
	found map[string]unsafe.Pointer
}{found: map[string]unsafe.Pointer{}}

// loadFunctions has go-gl look its functions up in the current context. A function of OpenGL 4.3 that the driver lacks
// does nothing when it is called, and the next GL.Check tells. The table is written again only for a
// context that has what those before it lacked, since they may be calling by it.
func loadFunctions(procAddr func(name string) unsafe.Pointer) error {
	functions.Lock()
	defer functions.Unlock()
	news := len(functions.found) == 0
	for name, p := range functions.found {
		if p == nil {
			functions.found[name] = procAddr(name)
			news = news || functions.found[name] != nil
		}
	}
	if !news {
		return nil
	}
	return gl.InitWithProcAddrFunc(func(name string) unsafe.Pointer {
		p, known := functions.found[name]
		if !known {
			p = procAddr(name)
			functions.found[name] = p
		}
		if p == nil {
			return C.addressOfMissing()
		}
		return p
	})
}

// missed reports whether this thread has called a function that the driver lacks since it was last asked.
func missed() bool { return C.takeMissed() != 0 }

// trim gives back to the system what a closed context has freed. glibc keeps it for the thread that
// had the context, and the next context comes with a new thread.
func trim() { C.trim() }
