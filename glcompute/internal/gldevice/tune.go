package gldevice

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/program"
)

// Selections reads from the cache what has been measured on this driver, sorted by
// operation and size. It is ErrNoCache where there is none.
func (d *Device[T]) Selections() ([]program.Selection, error) {
	c := d.gl.tuner
	if c == nil || c.files == nil {
		return nil, program.ErrNoCache
	}
	var all []program.Selection
	for _, m := range c.sorted() {
		all = append(all, m.Selection)
	}
	return all, nil
}

func (c *Autotuner) sorted() []*measurement {
	sizes := func(m *measurement) (all []int) {
		for _, digits := range regexp.MustCompile(`\d+`).FindAllString(m.Work, -1) {
			n, _ := strconv.Atoi(digits)
			all = append(all, n)
		}
		return all
	}
	return slices.SortedFunc(maps.Values(c.load()), func(a, b *measurement) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), slices.Compare(sizes(a), sizes(b)), cmp.Compare(a.Work, b.Work), cmp.Compare(a.key(), b.key()))
	})
}

// Tune measures the classes of which something was left over, or all that the cache knows, since
// their times may be of a start at which the machine was busy: each anew with all its variants.
// before is called ahead of each variant and may make it wait. What is measured counts from the
// next start of a process on. It ends early with the error of ctx, and what was known of a class
// stays until it is complete; ErrNoCache where there is no cache.
func (d *Device[T]) Tune(ctx context.Context, all bool, before func(program.Tuning)) error {
	c := d.gl.tuner
	if c == nil || c.files == nil {
		return program.ErrNoCache
	}
	var todo []*measurement
	state := program.Tuning{}
	for _, m := range c.sorted() {
		if all || m.Left() > 0 {
			todo = append(todo, m)
			state.Total += tuningRounds * len(m.Trials)
		}
	}
	done := 0 // when a class is complete, also of variants that cannot be used
	for _, m := range todo {
		p := program.New()
		p.RecordLike(c.operation(m.Operation).Of, m.Like)
		state.Done, state.Selection = done, &m.Selection
		// Not by do: this is nobody's work.
		err := d.thread.Do(func() error {
			c.stopped = func() bool {
				before(state)
				state.Done++
				return ctx.Err() != nil
			}
			defer func() { c.stopped = nil }()
			return attempt(func() { d.compile(p, false).free() })
		})
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		key := m.key()
		if now := c.load()[key]; now != nil && now.Left() > 0 { // this program has other candidates for such work
			c.change(func(all map[string]*measurement) { delete(all, key) })
		}
		done += tuningRounds * len(m.Trials)
	}
	return nil
}

// minTrials is the number of timed replays of a variant, unless the first takes longer than
// all of them should; one more goes before them.
const minTrials = 2

// Choose plans an operation as the one of its candidates, which are numbered variants, that
// the device's Autotuner picks. Within a trial nothing else is measured. Plans must not change what
// is there before the operation, but for what they got from InPlace.
func (b *Builder[T]) Choose(w Work, candidates []int, plan func(variant int) Step) Step {
	c := b.run.dev.gl.tuner
	if b.trying {
		return plan(c.Choose(w, candidates, nil))
	}
	v := c.Choose(w, candidates, func(v int, budget time.Duration) (time.Duration, error) {
		return b.trial(budget, func() Step { return plan(v) })
	})
	if c.stopped != nil { // nothing is replayed
		return func() {}
	}
	return plan(v)
}

// InPlace is the matrix that a step updates: m, and while variants are tried another of its
// shape, so that trials change nothing.
func (b *Builder[T]) InPlace(name string, m Matrix[T]) Matrix[T] {
	if !b.trying {
		return m
	}
	return b.Scratch("trials with "+name, m.Rows, m.Cols)
}

// trial plans a step, replays it for about as long as budget and gives its shortest time.
// What the plan took for itself is given back.
func (b *Builder[T]) trial(budget time.Duration, plan func() Step) (best time.Duration, err error) {
	owned, tables, shared := len(b.run.owned), len(b.run.tables), maps.Clone(b.shared)
	defer func() {
		for _, t := range b.run.owned[owned:] {
			b.run.dev.exec.Free(t)
		}
		b.run.owned, b.shared = b.run.owned[:owned], shared
		b.run.leaveTables(tables)
	}()
	var step Step
	b.trying = true
	err = attempt(func() { step = plan() })
	b.trying = false
	if err != nil {
		return 0, err
	}
	step() // the driver finishes compiling
	gl.Finish()
	for n, start := 0, clock.Now(); n < minTrials && best < budget || clock.Since(start) < budget; n++ {
		begin := clock.Now()
		step()
		gl.Finish()
		if t := max(clock.Since(begin), 1); best == 0 || t < best {
			best = t
		}
	}
	return best, b.run.dev.gl.Noted("the trial of a variant")
}
