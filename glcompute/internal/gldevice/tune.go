package gldevice

import (
	"cmp"
	"context"
	"slices"
	"time"

	"inkshade/glcompute/program"
)

// What is known about the variants, under the names that callers know.
type (
	Selection    = program.Selection
	VariantTrial = program.VariantTrial
	Tuning       = program.Tuning
)

// Selections reads from the cache what has been measured on this driver, sorted by
// operation and size. It is ErrNoCache where there is none.
func (d *Device[T]) Selections() ([]Selection, error) {
	c := d.gl.chooser
	if c == nil || c.files == nil {
		return nil, program.ErrNoCache
	}
	var all []Selection
	for _, m := range sorted(c.load()) {
		all = append(all, c.selection(m))
	}
	return all, nil
}

func sorted(all map[string]*measurement) []*measurement {
	var list []*measurement
	for _, m := range all {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b *measurement) int {
		return cmp.Or(cmp.Compare(a.Op, b.Op), slices.Compare(a.Sizes, b.Sizes), slices.Compare(a.Options, b.Options),
			slices.Compare(a.Candidates, b.Candidates))
	})
	return list
}

func (c *Chooser) selection(m *measurement) Selection {
	o := c.operation(m.Op)
	s := Selection{Operation: m.Op, Work: o.Describe(m.Class), Chosen: m.best()}
	for _, v := range m.Candidates {
		s.Trials = append(s.Trials, VariantTrial{
			Number: v, Name: o.Variants[v-1], Unusable: m.Unusable[v],
			Time: time.Duration(m.Seconds[v] * float64(time.Second)),
		})
	}
	return s
}

// Tune measures the classes of which something was left over, each anew with all its
// variants. before is called ahead of each variant and may make it wait. What is measured
// counts from the next start of a process on. It ends early, keeping the classes that are
// complete, with the error of ctx; ErrNoCache where there is no cache.
func (d *Device[T]) Tune(ctx context.Context, before func(Tuning)) error {
	return d.tune(ctx, func(m *measurement) bool { return m.left() > 0 }, before)
}

// Retune is Tune for all classes that the cache knows: their times may be of a start at
// which the machine was busy. What was known of a class stays until it is complete.
func (d *Device[T]) Retune(ctx context.Context, before func(Tuning)) error {
	return d.tune(ctx, func(*measurement) bool { return true }, before)
}

// tune measures the classes for which which says so.
func (d *Device[T]) tune(ctx context.Context, which func(*measurement) bool, before func(Tuning)) error {
	c := d.gl.chooser
	if c == nil || c.files == nil {
		return program.ErrNoCache
	}
	var todo []*measurement
	state := Tuning{}
	for _, m := range sorted(c.load()) {
		if which(m) {
			todo = append(todo, m)
			state.Total += tuningRounds * len(m.Candidates)
		}
	}
	done := 0 // when a class is complete, also of variants that cannot be used
	for _, m := range todo {
		p := program.New()
		c.operation(m.Op).Record(p, m.Class)
		s := c.selection(m)
		state.Done, state.Selection = done, &s
		// Not by do: this is nobody's work.
		err := d.thread.Do(func() error {
			c.tuning = &tuning{ctx: ctx, before: func(v int) {
				state.Variant = v
				before(state)
				state.Done++
			}}
			defer func() { c.tuning = nil }()
			r, err := d.compile(p)
			if err == nil {
				r.free()
			}
			return err
		})
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return err
		}
		if now := c.load()[m.key(m.Candidates)]; now != nil && now.left() > 0 {
			c.drop(m) // this program has other candidates for such work
		}
		done += tuningRounds * len(m.Candidates)
	}
	return nil
}
