package train

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"

	"inkshade/glcompute"
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

// readingsUnderWay are the readings that may be under way at once: a device has one to bring
// while it works on the step of the next.
const readingsUnderWay = 2

// readings bring losses and answers of steps to the host without the device standing still.
// They are taken in the order of the steps, after the step by which they have come. Nothing is
// decided by when that was: the rate and the weights of samples follow at the end of an epoch
// from all its readings, and a loss that is no number ends the training when the second reading
// after it is asked for, or the epoch ends.
type readings struct {
	slots        [readingsUnderWay]reading
	asked, taken int // numbers of readings
}

// reading is what one step gives back.
type reading struct {
	loss, probabilities *glcompute.AsyncRead
	classes, samples    []int // of the rows that count, as batch has them
	epoch, step         int   // from 1
	report, last        bool  // an event tells of it; it ends the epoch
	diverged            bool  // the loss up to it is no finite number
}

func newReadings(rows, classes int) *readings {
	r := &readings{}
	for i := range r.slots {
		r.slots[i] = reading{
			loss:          &glcompute.AsyncRead{Data: make([]float32, rows)},
			probabilities: &glcompute.AsyncRead{Data: make([]float32, rows*classes)},
			samples:       make([]int, rows),
		}
	}
	return r
}

// ask gives a reading for the step in work, once the reading before the last has come.
func (s *session) ask(b *batch, epoch int, report, last bool) (*reading, error) {
	all := s.readings
	if err := s.take(all.asked - readingsUnderWay + 1); err != nil {
		return nil, err
	}
	r := &all.slots[all.asked%readingsUnderWay]
	if r.diverged {
		return nil, errDiverged
	}
	all.asked++
	r.classes = append(r.classes[:0], b.classes[:b.judged]...)
	copy(r.samples, b.samples)
	r.epoch, r.step, r.report, r.last = epoch, s.result.Steps+1, report, last
	return r, nil
}

// take counts the readings that have come, having waited for so many of all that were asked for.
func (s *session) take(waited int) error {
	all := s.readings
	for all.taken < all.asked {
		r := &all.slots[all.taken%readingsUnderWay]
		arrived, lost, err := r.fetch(all.taken < waited)
		if err != nil || !arrived {
			return err
		}
		all.taken++
		if !lost {
			s.count(r)
		}
	}
	return nil
}

// takeEpoch takes all readings of an epoch.
func (s *session) takeEpoch() error {
	if err := s.take(s.readings.asked); err != nil {
		return err
	}
	if slices.ContainsFunc(s.readings.slots[:], func(r reading) bool { return r.diverged }) {
		return errDiverged
	}
	return nil
}

// fetch reports whether the values have come, or are lost with their device: that is the
// failure of its next step, unless another device does that.
func (r *reading) fetch(wait bool) (arrived, lost bool, err error) {
	for _, back := range []*glcompute.AsyncRead{r.loss, r.probabilities} {
		if wait {
			err = back.Wait()
		} else if arrived, err = back.Ready(); !arrived {
			return false, false, nil
		}
		if errors.Is(err, glcompute.ErrLost) || errors.Is(err, glcompute.ErrClosed) {
			lost, err = true, nil
		}
		if err != nil {
			return false, false, err
		}
	}
	return true, lost, nil
}

// count adds a reading to what is known of the training, and tells of it.
func (s *session) count(r *reading) {
	s.recent.add(r.loss.Data, r.probabilities.Data, r.classes, s.right)
	s.epoch.add(r.loss.Data, r.probabilities.Data, r.classes, s.right)
	if s.hard != nil {
		s.hard.note(r.samples, s.right)
	}
	if !r.report {
		return
	}
	mean := s.recent.meanLoss()
	s.result.Loss = mean
	if r.diverged = math.IsNaN(mean) || math.IsInf(mean, 0); !r.diverged && (!r.last || s.everyReading) {
		s.tell(s.event(r.epoch, r.step, &s.recent))
	}
}
