package gldevice

import (
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/clock"
)

// stopwatch takes the time of each pass: by GL_TIME_ELAPSED queries where a GPU keeps a
// clock, so that passes are not held up; by the processor's clock with glFinish around
// each pass on software renderers, whose work is the processor's and whose queries may
// leave out compute shaders.
type stopwatch struct {
	queries []uint32 // nil when the processor's clock is used
	clocked []time.Duration
	current int
	started time.Time
}

func newStopwatch(g *GL, passes int) *stopwatch {
	w := &stopwatch{}
	var bits int32
	if !g.Level.ES {
		gl.GetQueryiv(gl.TIME_ELAPSED, gl.QUERY_COUNTER_BITS, &bits)
	}
	if g.Info.Software || bits == 0 || passes == 0 {
		w.clocked = make([]time.Duration, passes)
		return w
	}
	w.queries = make([]uint32, passes)
	gl.GenQueries(int32(passes), &w.queries[0])
	return w
}

func (w *stopwatch) begin(pass int) {
	w.current = pass
	if w.queries != nil {
		gl.BeginQuery(gl.TIME_ELAPSED, w.queries[pass])
		return
	}
	w.started = clock.Now()
}

func (w *stopwatch) end() {
	if w.queries != nil {
		gl.EndQuery(gl.TIME_ELAPSED)
		return
	}
	gl.Finish()
	w.clocked[w.current] = clock.Since(w.started)
}

// times waits for the last pass and gives one duration per pass.
func (w *stopwatch) times() []time.Duration {
	if w.queries == nil {
		return w.clocked
	}
	times := make([]time.Duration, len(w.queries))
	for i, q := range w.queries {
		var ns uint64
		gl.GetQueryObjectui64v(q, gl.QUERY_RESULT, &ns)
		times[i] = time.Duration(ns)
	}
	gl.DeleteQueries(int32(len(w.queries)), &w.queries[0])
	return times
}
