package train

import (
	"context"
	"errors"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// batch is the input of one step. Of a Learner the target is the number of the class [rows][1].
type batch struct {
	nn.Batch
	classes []int     // [rows] the output that should be the largest
	judged  int       // so many first rows count in loss and accuracy
	inks    []ink.Ink // what lines are drawn into
}

// feed prepares the batches of all steps in goroutines, ahead of the device. What is in batch n does not depend on how many goroutines
// there are.
type feed struct {
	rows            int // of a batch
	width, count    int // values of a row, and of its target
	warp            int // control points with which the device distorts; 0 when it does not
	steps, perEpoch int
	first           int // step, after those of a training that goes on
	workers         int // batches that are filled at once
	// plan chooses what is in the batch of a step, step after step; what it gives then fills a batch, beside others. It fails when ctx
	// ended.
	plan func(ctx context.Context, step int) (fill func(*batch), err error)

	fixed     int                                                       // samples, where each is the same row in every epoch
	bare      bool                                                      // no rows are wanted, only which samples they are
	fixedRows func(ctx context.Context, dst []float32, first int) error // writes those from number first on
}

// affineValues are those of one affine map.
const affineValues = 6

func (f *feed) newBatch() *batch {
	b := &batch{classes: make([]int, f.rows), judged: f.rows, Batch: nn.Batch{
		Input: make([]float32, f.rows*f.width), Target: make([]float32, f.rows*f.count), Samples: make([]int, f.rows),
	}}
	if f.warp > 0 {
		b.Affine, b.Grid = make([]float32, f.rows*affineValues), make([]float32, f.rows*2*f.warp*f.warp)
	}
	return b
}

// batches gives those of all steps. Each holds until the next one; an error is the cause of the end of ctx.
func (f *feed) batches(ctx context.Context) iter.Seq2[*batch, error] {
	return func(yield func(*batch, error) bool) {
		feeding, stop := context.WithCancel(ctx)
		var work sync.WaitGroup
		defer work.Wait()
		defer stop()
		free := make(chan *batch, max(f.workers, 1)+2) // one of them in use, one waiting
		for range cap(free) {
			free <- f.newBatch()
		}
		coming := make(chan chan *batch, cap(free))
		work.Go(func() {
			for step := f.first; step < f.steps; step++ {
				fill, err := f.plan(feeding, step)
				if err != nil {
					return
				}
				select {
				case b := <-free:
					filled := make(chan *batch, 1)
					coming <- filled
					work.Go(func() { fill(b); filled <- b })
				case <-feeding.Done():
					return
				}
			}
		})
		for range f.steps - f.first {
			select {
			case filled := <-coming:
				b := <-filled
				if !yield(b, nil) {
					return
				}
				free <- b
			case <-ctx.Done():
				yield(nil, context.Cause(ctx))
				return
			}
		}
	}
}

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
	copy(r.samples, b.Samples)
	r.epoch, r.step, r.report, r.last = epoch, s.Steps+1, report, last
	return r, nil
}

// take counts the readings that have come, having waited for so many of all that were asked for. What is lost with its device is the
// failure of the next step, unless another device does that.
func (s *session) take(waited int) error {
	for all := s.readings; all.taken < all.asked; all.taken++ {
		r := &all.slots[all.taken%readingsUnderWay]
		var failed error
		for _, back := range []*glcompute.AsyncRead{r.loss, r.probabilities} {
			arrived, err := true, error(nil)
			if all.taken < waited {
				err = back.Wait()
			} else if arrived, err = back.Ready(); !arrived {
				return nil
			}
			failed = errors.Join(failed, err)
		}
		switch lost := errors.Is(failed, glcompute.ErrLost) || errors.Is(failed, glcompute.ErrClosed); {
		case failed == nil:
			s.count(r)
		case !lost:
			return failed
		}
	}
	return nil
}

// count adds a reading to what is known of the training, and tells of it.
func (s *session) count(r *reading) {
	s.Recent.add(r.loss.Data, r.probabilities.Data, r.classes, s.right)
	s.Since.add(r.loss.Data, r.probabilities.Data, r.classes, s.right)
	if s.hard != nil {
		s.hard.note(r.samples, s.right)
	}
	if !r.report {
		return
	}
	mean := s.Recent.meanLoss()
	if r.diverged = math.IsNaN(mean) || math.IsInf(mean, 0); !r.diverged && (!r.last || s.everyReading) {
		s.progress(s.event(r.epoch, r.step, &s.Recent))
	}
}

// What comes back from the device steers the training on (feedback in the pixel-shader
// patent, CN1627251, Microsoft, 2004): the learning rate follows the loss, and samples
// that are answered wrongly are shown more often.

// A rate that follows the loss is halved when the mean loss of an epoch has not come down
// by a hundredth for two epochs.
const (
	plateauEpochs = 2
	plateauFall   = 0.99
	plateauFactor = 0.5
)

// plateau is what the rate is multiplied by while it follows the loss.
type plateau struct {
	Factor, Least float64
	Best          float64
	Waited        int
}

// follow takes the mean loss of an epoch.
func (p *plateau) follow(loss float64) {
	if loss < plateauFall*p.Best {
		p.Best, p.Waited = loss, 0
		return
	}
	if p.Waited++; p.Waited < plateauEpochs {
		return
	}
	p.Waited = 0
	p.Factor = max(p.Least, p.Factor*plateauFactor)
}

// hardness draws the samples of each epoch so that those answered wrongly come more often.
// Weights change while an epoch runs and count from the next one on, so that the result
// does not depend on how far ahead batches are prepared.
type hardness struct {
	boost   float64   // how much more often a sample comes that is always answered wrongly
	weights []float64 // of the samples, 1 for one that is always answered rightly
	pcg     *rand.PCG
	last    []int      // order that was drawn
	orders  chan []int // it, until the epoch begins
}

func newHardness(boost float64, samples int, seed int64) *hardness {
	h := &hardness{
		boost: boost, weights: slices.Repeat([]float64{1}, samples), pcg: rand.NewPCG(uint64(seed), 0x4841), orders: make(chan []int, 1),
	}
	h.publish()
	return h
}

// note takes the answers to the samples of a batch. A weight goes half way to what the
// answer says, so that two right answers make up for a wrong one, nearly.
func (h *hardness) note(samples []int, right []bool) {
	for i, s := range samples {
		target := 1.0
		if !right[i] {
			target += h.boost
		}
		h.weights[s] = (h.weights[s] + target) / 2
	}
}

// publish draws the order of the next epoch by the weights as they are: as many places as there
// are samples, each sample as many of them as its share of the weights, one more or less.
func (h *hardness) publish() {
	total := 0.0
	for _, w := range h.weights {
		total += w
	}
	rng := rand.New(h.pcg)
	n := len(h.weights)
	order := make([]int, 0, n)
	reached, next := 0.0, rng.Float64()
	for i, w := range h.weights {
		for reached += w / total * float64(n); next < reached && len(order) < n; next++ {
			order = append(order, i)
		}
	}
	for len(order) < n { // the weights' shares add up to a little less than n by rounding
		order = append(order, n-1)
	}
	rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	h.last = order
	h.orders <- order
}
