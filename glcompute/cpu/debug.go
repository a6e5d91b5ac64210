package cpu

import (
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/program"
)

// measured runs step number i and gives its time. As long as nothing was found in this replay, it
// looks at the step as the debug level asks, which does not count.
func (r *run) measured(i int, s step, found bool) (time.Duration, bool) {
	if found || r.dev.log.Level < check.Broken {
		start := clock.Now()
		s.do()
		return clock.Since(start), found
	}
	var took time.Duration
	read := func(t *program.Tensor) []float32 { return r.values[t.ID] }
	found = r.dev.log.Inspect(r.program.Ops()[i], read, func() {
		start := clock.Now()
		s.do()
		took = clock.Since(start)
	})
	return took, found
}
