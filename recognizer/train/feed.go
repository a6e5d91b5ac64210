package train

import (
	"context"
	"sync"
)

// batch is the input of one step.
type batch struct {
	input   []float32 // [rows][inputs]
	target  []float32 // [rows][classes], or the number of the class [rows][1] for a Learner
	classes []int     // [rows] the output that should be the largest
	samples []int     // [rows] which sample it is
	judged  int       // so many first rows count in loss and accuracy
	columns int       // that the rows of lines have, whose input is as long as that needs; else 0

	affine, grid []float32 // how the device distorts the input; nil when it does not
}

// feed prepares the batches of all steps in goroutines, ahead of the device. What is in batch n
// does not depend on how many goroutines there are.
type feed struct {
	rows            int // of a batch
	width, count    int // values of a row, and of its target
	warp            int // control points with which the device distorts; 0 when it does not
	steps, perEpoch int
	first           int           // step, after those of a training that goes on
	filler          func() filler // makes that of a goroutine
	fixed           int           // samples, where each is the same row in every epoch
	bare            bool          // no rows are wanted, only which samples they are

	// fixedRows writes those from number first on.
	fixedRows func(ctx context.Context, dst []float32, first int) error

	workers []feedWorker
	done    sync.WaitGroup
}

// filler fills the batches of one goroutine, step by step; false means that ctx ended first.
type filler interface {
	fill(ctx context.Context, b *batch, step int) bool
}

// feedWorker prepares every len(workers)-th batch; it has two, one in work while the
// other waits or is used.
type feedWorker struct {
	free, ready chan *batch
}

// affineValues are those of one affine map.
const affineValues = 6

// start begins preparing; the goroutines end with ctx or after the last batch.
func (f *feed) start(ctx context.Context, workers int) {
	workers = max(1, min(workers, f.steps))
	f.workers = make([]feedWorker, workers)
	for w := range f.workers {
		fw := feedWorker{free: make(chan *batch, 2), ready: make(chan *batch, 2)}
		for range cap(fw.free) {
			fw.free <- &batch{
				input:   make([]float32, f.rows*f.width),
				target:  make([]float32, f.rows*f.count),
				classes: make([]int, f.rows),
				samples: make([]int, f.rows),
				judged:  f.rows,
				affine:  make([]float32, f.rows*affineValues),
				grid:    make([]float32, f.rows*2*f.warp*f.warp),
			}
		}
		f.workers[w] = fw
		f.done.Go(func() { f.work(ctx, w, fw) })
	}
}

func (f *feed) work(ctx context.Context, first int, fw feedWorker) {
	filler := f.filler()
	for step := first; step < f.steps; step += len(f.workers) {
		if step < f.first {
			continue
		}
		select {
		case b := <-fw.free:
			if !filler.fill(ctx, b, step) {
				return
			}
			fw.ready <- b
		case <-ctx.Done():
			return
		}
	}
}

// next waits for the batch of a step; false means that ctx ended first.
func (f *feed) next(ctx context.Context, step int) (*batch, bool) {
	select {
	case b := <-f.workers[step%len(f.workers)].ready:
		return b, true
	case <-ctx.Done():
		return nil, false
	}
}

// release hands back the batch of a step.
func (f *feed) release(step int, b *batch) { f.workers[step%len(f.workers)].free <- b }
