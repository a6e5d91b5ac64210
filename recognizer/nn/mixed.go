package nn

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"inkshade/glcompute/program"
)

// Mixed runs a network on several devices at once, each with a share of the rows in
// proportion to its measured speed (Takizawa et al., 2009). It is used only where it wins:
// otherwise the fastest device does all rows. Where a device fails, the first one goes on
// alone. It is not safe for use by several goroutines at once.
type Mixed struct {
	parts   []*Inference
	classes int
	sharing Sharing
	settled bool      // who does large batches
	speeds  []float64 // by which rows are dealt out; nil where they are not
	lost    []func() error

	logits, probabilities []float32
}

// leastShared are the rows from which sharing between two devices can begin.
const leastShared = 2 * LargeBatch

// measuredRows are those that Measure takes at most.
const measuredRows = 8 * LargeBatch

// NewMixed shares between inferences of the same network. Until Measure or Split is called,
// the first does everything.
func NewMixed(parts ...*Inference) *Mixed {
	m := &Mixed{parts: parts, classes: parts[0].classes}
	for i, inf := range parts {
		m.sharing.Devices = append(m.sharing.Devices, inf.dev.Info())
		m.lost = append(m.lost, watch(i, inf.dev))
	}
	m.sharing.allOn(0, LargeBatch)
	return m
}

// Split shares all large batches from now on, of which the first of two devices has the
// share split, without measuring.
func (m *Mixed) Split(split float64) {
	m.settled, m.speeds = true, []float64{split, 1 - split}
	m.sharing.Rows = shares(1000, m.speeds, 1)
}

// Measure times rows, or the first 2,048 of them, on each device alone and on all together,
// alternating, in about budget beside compiling, and decides by that who does large batches.
// It does so once, and not for fewer than 512 rows, which are left to the first device. When
// ctx ends, its cause comes back.
func (m *Mixed) Measure(ctx context.Context, rows [][]float32, budget time.Duration) error {
	if m.settled || len(rows) < leastShared {
		return nil
	}
	m.settled = true
	begin := time.Now()
	err := m.measure(ctx, rows[:min(len(rows), measuredRows)], budget)
	m.sharing.Measuring = time.Since(begin)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return m.survive(err)
}

func (m *Mixed) measure(ctx context.Context, rows [][]float32, budget time.Duration) error {
	s := &m.sharing
	var warm, ways []func() error
	for i := range m.parts {
		warm = append(warm, func() error { return m.alone(i, rows[:LargeBatch], discard) })
		ways = append(ways, func() error { return m.alone(i, rows, discard) })
	}
	if _, err := race(ctx, 1, 0, warm...); err != nil {
		return err
	}
	times, err := race(ctx, leastRounds, budget/4, ways...)
	if err != nil {
		return err
	}
	s.Alone, s.Together = times, 0
	speeds := speedsOf(times)
	dealt := shares(len(rows), speeds, LargeBatch)
	if s.Rows = dealt; !s.Shared() {
		m.speeds = nil
		return nil
	}
	together := func() error { return m.share(rows, speeds) }
	if times, err = race(ctx, leastRounds, budget*3/4, append(ways, together)...); err != nil {
		return err
	}
	s.Alone, s.Together = times[:len(m.parts)], times[len(m.parts)]
	s.decide(dealt, len(rows))
	if m.speeds = nil; s.Shared() {
		m.speeds = speeds
	}
	return nil
}

func discard(int, []float32, []float32) {}

// Sharing says who does large batches and why.
func (m *Mixed) Sharing() Sharing { return m.sharing }

// Info describes what does n rows at once.
func (m *Mixed) Info(n int) program.Info {
	if m.speeds != nil && n >= leastShared {
		return m.sharing.Info()
	}
	return m.parts[m.device(n)].dev.Info()
}

// Each computes all rows and calls yield with each in order; see Inference.Each. An error of
// another device than the first is no error: the first then does what is left.
func (m *Mixed) Each(rows [][]float32, yield func(i int, logits, probabilities []float32)) error {
	if m.speeds != nil && len(rows) >= leastShared {
		err := m.share(rows, m.speeds)
		if err == nil {
			for i := range rows {
				at := i * m.classes
				yield(i, m.logits[at:at+m.classes], m.probabilities[at:at+m.classes])
			}
			return nil
		}
		if err := m.survive(err); err != nil {
			return err
		}
	}
	done := 0
	err := m.alone(m.device(len(rows)), rows, func(i int, logits, probabilities []float32) {
		done = i + 1
		yield(i, logits, probabilities)
	})
	if err == nil {
		return nil
	}
	if err := m.survive(err); err != nil {
		return err
	}
	return m.alone(0, rows[done:], func(i int, logits, probabilities []float32) { yield(done+i, logits, probabilities) })
}

// device is the one that does n rows alone.
func (m *Mixed) device(n int) int {
	if m.speeds != nil || n < LargeBatch {
		return 0
	}
	return m.sharing.Device()
}

func (m *Mixed) alone(i int, rows [][]float32, yield func(i int, logits, probabilities []float32)) error {
	err := m.parts[i].Each(rows, yield)
	if err == nil {
		err = m.lost[i]()
	}
	return m.sharing.of(i, err)
}

// survive goes on with the first device after the failure of another.
func (m *Mixed) survive(err error) error {
	if err == nil {
		return nil
	}
	if err := m.sharing.Survive(err, LargeBatch); err != nil {
		return err
	}
	m.speeds = nil
	return nil
}

// share has every device compute its rows at the same time.
func (m *Mixed) share(rows [][]float32, speeds []float64) error {
	m.logits = slices.Grow(m.logits[:0], len(rows)*m.classes)[:len(rows)*m.classes]
	m.probabilities = slices.Grow(m.probabilities[:0], len(rows)*m.classes)[:len(rows)*m.classes]
	counts := shares(len(rows), speeds, LargeBatch)
	errs := make([]error, len(m.parts))
	var all sync.WaitGroup
	first := 0
	for n := range m.parts {
		from, part := first, rows[first:first+counts[n]]
		first += counts[n]
		if len(part) == 0 {
			continue
		}
		all.Go(func() {
			errs[n] = m.alone(n, part, func(i int, logits, probabilities []float32) {
				copy(m.logits[(from+i)*m.classes:], logits)
				copy(m.probabilities[(from+i)*m.classes:], probabilities)
			})
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Close frees what all devices hold.
func (m *Mixed) Close() error {
	var errs []error
	for _, inf := range m.parts {
		errs = append(errs, inf.Close())
	}
	return errors.Join(errs...)
}
