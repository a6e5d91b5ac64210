// Package budgettest holds what reads files to what one file may take.
package budgettest

import (
	"runtime/metrics"
	"testing"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/budget"
)

// What reading one file may allocate, with all that is dropped meanwhile, and how long it may last on a busy machine.
const (
	mostBytes = 4 * budget.Bytes
	longest   = 20 * time.Second
)

// Within fails where the work allocates or lasts more.
func Within(t testing.TB, work func()) {
	t.Helper()
	begin, before := clock.Now(), allocated()
	work()
	if bytes, took := allocated()-before, clock.Since(begin); bytes > mostBytes || took > longest {
		t.Errorf("it took %d MB and %v", bytes>>20, took)
	}
}

func allocated() uint64 {
	all := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(all)
	return all[0].Value.Uint64()
}
