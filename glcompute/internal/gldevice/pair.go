package gldevice

import (
	"maps"

	"inkshade/glcompute/program"
)

// Apart is the number of the variant of two operations that does each by itself, in the
// variant of its own class.
const Apart = 1

// ChoosePair plans two operations, of which the second alone reads what the first gives, as
// the candidate that the device's Chooser picks. plan gives the step of a variant that does
// both at once; the result is nil where they are better apart. It must change nothing but
// for what it got from InPlace.
func (b *Builder[T]) ChoosePair(class Class, candidates []int, first, second program.Op, plan func(variant int) (Step, error)) (Step, error) {
	c := b.run.dev.gl.chooser
	apart := func() (Step, error) {
		one, err := b.operation(first)
		if err != nil {
			return nil, err
		}
		other, err := b.operation(second)
		return Sequence(one, other), err
	}
	if _, ok := c.settled(class, candidates); !ok && c.tuning == nil {
		// Each by itself is judged in its own best variant, which is found first.
		if err := b.discard(apart); err != nil {
			return nil, err
		}
	}
	v := b.Pick(class, candidates, func(v int) (Step, error) {
		if v == Apart {
			return apart()
		}
		return plan(v)
	})
	switch {
	case v != Apart:
		return plan(v)
	case c.tuning != nil: // nothing else is to be measured, and nothing replayed
		return func() {}, nil
	}
	return nil, nil
}

// discard plans what is not going to be replayed.
func (b *Builder[T]) discard(plan func() (Step, error)) error {
	defer b.giveBack()()
	_, err := plan()
	return err
}

// giveBack notes what the run owns by now and gives the function that frees what came to it
// since then.
func (b *Builder[T]) giveBack() func() {
	owned, tables, shared := len(b.run.owned), len(b.run.tables), maps.Clone(b.shared)
	return func() {
		for _, t := range b.run.owned[owned:] {
			b.run.dev.exec.Free(t)
		}
		b.run.owned, b.shared = b.run.owned[:owned], shared
		b.run.leaveTables(tables)
	}
}
