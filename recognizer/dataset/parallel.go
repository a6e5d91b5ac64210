package dataset

import (
	"context"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// InParallel calls do for 0 to n-1 on all cores. When one fails, or ctx ends, it leaves out the rest and returns that error,
// or the cause of the end; the context that do is given ends then too.
func InParallel(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	work, running := errgroup.WithContext(ctx)
	var taken atomic.Int64
	for range min(n, runtime.GOMAXPROCS(0)) {
		work.Go(func() error {
			for i := int(taken.Add(1)) - 1; i < n && ctx.Err() == nil && running.Err() == nil; i = int(taken.Add(1)) - 1 {
				if err := do(running, i); err != nil {
					return err
				}
			}
			return context.Cause(ctx)
		})
	}
	return work.Wait()
}
