package gldevice

import (
	"maps"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/clock"
)

// minTrials is the number of timed replays of a variant, unless the first takes longer than
// all of them should; one more goes before them.
const minTrials = 2

// Choose plans an operation as the one of its candidates, which are numbered variants, that
// the device's Chooser picks. Within a trial nothing else is measured. Plans must not change what
// is there before the operation, but for what they got from InPlace.
func (b *Builder[T]) Choose(class Class, candidates []int, plan func(variant int) (Step, error)) (Step, error) {
	c := b.run.dev.gl.chooser
	if b.trying {
		return plan(c.Choose(class, candidates, nil))
	}
	v := c.Choose(class, candidates, func(v int, budget time.Duration) (time.Duration, error) {
		return b.trial(budget, func() (Step, error) { return plan(v) })
	})
	if c.stopped != nil { // nothing is replayed
		return func() {}, nil
	}
	return plan(v)
}

// InPlace is the matrix that a step updates: m, and while variants are tried another of its
// shape, so that trials change nothing.
func (b *Builder[T]) InPlace(name string, m Matrix[T]) (Matrix[T], error) {
	if !b.trying {
		return m, nil
	}
	return b.Scratch("trials with "+name, m.Rows, m.Cols)
}

// trial plans a step, replays it for about as long as budget and gives its shortest time.
// What the plan took for itself is given back.
func (b *Builder[T]) trial(budget time.Duration, plan func() (Step, error)) (time.Duration, error) {
	owned, tables, shared := len(b.run.owned), len(b.run.tables), maps.Clone(b.shared)
	defer func() {
		for _, t := range b.run.owned[owned:] {
			b.run.dev.exec.Free(t)
		}
		b.run.owned, b.shared = b.run.owned[:owned], shared
		b.run.leaveTables(tables)
	}()
	b.trying = true
	step, err := plan()
	b.trying = false
	if err != nil {
		return 0, err
	}
	step() // the driver finishes compiling
	gl.Finish()
	var best time.Duration
	for n, start := 0, clock.Now(); n < minTrials && best < budget || clock.Since(start) < budget; n++ {
		begin := clock.Now()
		step()
		gl.Finish()
		if t := max(clock.Since(begin), 1); best == 0 || t < best {
			best = t
		}
	}
	return best, b.run.dev.gl.Check("the trial of a variant")
}
