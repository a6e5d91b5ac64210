package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// worthAThread is the work, in additions or so, below which handing a part of a loop to
// another thread costs more than it saves (some microseconds).
const worthAThread = 16 << 10

// Costs of an element in additions.
const (
	costCopy       = 1
	costArithmetic = 2
	costExp        = 16
)

// A thread that is held up leaves work to the others: a loop is cut into so many pieces for
// each thread, and a long one into pieces of some 50 microseconds, the most that one thread
// then waits for another at the end.
const (
	piecesPerThread = 4
	longestPiece    = 8 * worthAThread
)

// parallel splits the indices 0 to n-1 of a loop, each costing about cost additions, over
// the cores, as far as that pays. What it needs is made once: running it allocates
// nothing, and a small loop runs in the calling goroutine.
func parallel(n, cost int, body func(from, to int)) func() {
	return parallelOn(n, cost, func(_, from, to int) { body(from, to) })
}

// parallelOn is parallel for a body that is told which of the threads it runs on.
func parallelOn(n, cost int, body func(thread, from, to int)) func() {
	threads := min(runtime.GOMAXPROCS(0), n, n*cost/worthAThread)
	if threads <= 1 {
		return func() { body(0, 0, n) }
	}
	pieces := int64(min(n, max(threads*piecesPerThread, n*cost/longestPiece)))
	var next atomic.Int64
	work := func(thread int) {
		for i := next.Add(1) - 1; i < pieces; i = next.Add(1) - 1 {
			body(thread, int(i)*n/int(pieces), int(i+1)*n/int(pieces))
		}
	}
	var pending sync.WaitGroup
	others := make([]func(), threads-1)
	for i := range others {
		others[i] = func() {
			work(i + 1)
			pending.Done()
		}
	}
	return func() {
		next.Store(0)
		pending.Add(len(others))
		for _, other := range others {
			go other()
		}
		work(0)
		pending.Wait()
	}
}
