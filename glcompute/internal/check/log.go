package check

import (
	"fmt"
	"os"
	"sync"

	"inkshade/glcompute/internal/program"
)

// Log writes what a device tells of itself up to a level, each message as a whole.
type Log struct {
	Kind  program.DeviceKind
	Level int
}

var writing sync.Mutex

// Printf writes a line that belongs to a level.
func (l Log) Printf(level int, format string, args ...any) {
	if l.Level < level {
		return
	}
	writing.Lock()
	defer writing.Unlock()
	fmt.Fprintf(os.Stderr, "inkshade %s: "+format+"\n", append([]any{l.Kind}, args...)...)
}

const bytesPerValue = 4

// Times writes where the time of a replay went, what it moved, and the bytes that the device holds.
func (l Log) Times(t program.Timing, held int64, bindings []program.Binding) {
	if l.Level < Times {
		return
	}
	var up, down int
	for _, b := range bindings {
		if b.Output {
			down += bytesPerValue * len(b.Data)
		} else {
			up += bytesPerValue * len(b.Data)
		}
	}
	l.Printf(Times, "upload %v (%d bytes), compute %v, readback %v (%d bytes), %d bytes held",
		t.Upload, up, t.Compute, t.Readback, down, held)
	for _, p := range t.Passes {
		l.Printf(Times, "  %-20s %v", p.Name, p.Time)
	}
}
