package gldevice

import (
	"fmt"
	"math"
	"os"
	"sync"

	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/program"
)

// The levels of INKSHADE_DEBUG; each includes the ones before it. Everything goes to
// standard error.
const (
	debugDevice = 1                // the device that was opened
	debugTimes  = 2                // times and bytes of every replay
	debugSource = 3                // the source of every shader that is compiled
	debugNaN    = 4                // the first operation of a replay whose result holds a NaN
	debugCheck  = check.Operations // the first operation of a replay that disagrees with its plain reference
)

var debugLock sync.Mutex

func (g *GL) logf(level int, format string, args ...any) {
	if g.Debug < level {
		return
	}
	debugLock.Lock()
	defer debugLock.Unlock()
	fmt.Fprintf(os.Stderr, "inkshade %s: "+format+"\n", append([]any{g.Kind}, args...)...)
}

func (g *GL) logSource(op, text string) { g.logf(debugSource, "shader of %s\n%s", op, numbered(text)) }

func (g *GL) logTimes(t program.Timing, held int64, bindings []program.Binding) {
	var up, down int
	for _, b := range bindings {
		if b.Output {
			down += bytesPerValue * len(b.Data)
		} else {
			up += bytesPerValue * len(b.Data)
		}
	}
	g.logf(debugTimes, "upload %v (%d bytes), compute %v, readback %v (%d bytes), %d bytes held",
		t.Upload, up, t.Compute, t.Readback, down, held)
	for _, p := range t.Passes {
		g.logf(debugTimes, "  %-20s %v", p.Name, p.Time)
	}
}

// read copies a tensor off the device.
func (r *Run[T]) read(t *program.Tensor) []float32 {
	data := make([]float32, t.Len())
	r.dev.exec.Read(r.tensors[t.ID], data)
	return data
}

// inspected runs a step with what the debug level asks for before and after it, as long
// as nothing was found in this replay.
func (r *Run[T]) inspected(op program.Op, step Step, found bool) bool {
	g := r.dev.gl
	if found || g.Debug < debugNaN {
		step()
		return found
	}
	if g.Debug < debugCheck {
		step()
		return r.firstNaN(op)
	}
	o := check.Before(op, r.read)
	step()
	nan := r.firstNaN(op)
	if err := o.After(r.read); err != nil {
		g.logf(debugCheck, "%v", err)
		return true
	}
	return nan
}

// firstNaN reports the first value of op's results that is no number.
func (r *Run[T]) firstNaN(op program.Op) bool {
	for _, t := range op.Writes() {
		for i, v := range r.read(t) {
			if math.IsNaN(float64(v)) {
				r.dev.gl.logf(debugNaN, "%s wrote a NaN to %s at row %d, column %d", op.Name(), t, i/t.Cols, i%t.Cols)
				return true
			}
		}
	}
	return false
}
