package gldevice

import (
	"fmt"
	"sync"
	"unsafe"

	"inkshade/glcompute/glcontext"
)

// Functions is go-gl's table of function pointers for one version of OpenGL, of which a
// process has one: the first context that succeeds fills it for all.
type Functions struct {
	Version string // "3.3"
	Init    func(func(name string) unsafe.Pointer) error

	mu   sync.Mutex
	done bool
}

// Load fills the table from the context of t. A function that the driver lacks is an error
// that names the version, and another context may try again.
func (f *Functions) Load(t *glcontext.Thread) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return nil
	}
	if err := f.Init(t.ProcAddr); err != nil {
		return fmt.Errorf("the driver's OpenGL lacks functions of version %s: %w", f.Version, err)
	}
	f.done = true
	return nil
}
