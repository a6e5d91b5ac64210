package cpu

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Every index must be done once in every run, whoever comes late, falls asleep or runs loops of its own meanwhile, and no two
// may be the same thread at once.
func TestLoopsAreDoneOnce(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	}
	var callers sync.WaitGroup
	for caller := range 3 {
		callers.Go(func() {
			const n = 400
			var done [n]int
			var taken [len(helpers)]atomic.Bool
			slow := 0
			loop := (&builder{threads: []int{2, runtime.GOMAXPROCS(0), 300}[caller]}).parallelOn(n, worthAThread, func(thread, from, to int) {
				if !taken[thread].CompareAndSwap(false, true) {
					t.Errorf("two goroutines are thread %d", thread)
				}
				if slow == caller+1 && to == n { // the others wait for this piece
					time.Sleep(time.Millisecond)
				}
				for i := from; i < to; i++ {
					done[i]++
				}
				taken[thread].Store(false)
			})
			for run := range 300 {
				slow = run % 50
				loop()
				for i, times := range done {
					if times != run+1 {
						t.Errorf("index %d was done %d times in %d runs", i, times, run+1)
						return
					}
				}
			}
		})
	}
	callers.Wait()
}
