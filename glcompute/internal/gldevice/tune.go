package gldevice

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"inkshade/glcompute/program"
)

// ErrNoCache says that there is no place for choices.
var ErrNoCache = errors.New("nothing is measured or kept, and a rule of thumb picks the variants: the cache is turned off (INKSHADE_CACHE=off), or there is no folder for it")

// Selection is what is known about the variants of an operation for a class of shapes.
type Selection struct {
	Operation string // "product"
	Work      string // what was measured in a few words, "128x784 · 784x800"
	Chosen    int    // number of the variant that the next start takes
	Trials    []VariantTrial
}

// Left is the number of variants that have not been measured yet.
func (s *Selection) Left() int {
	n := 0
	for _, t := range s.Trials {
		if t.Time == 0 && t.Unusable == "" {
			n++
		}
	}
	return n
}

// VariantTrial is the time of a variant, the one taken without measuring first.
type VariantTrial struct {
	Number   int
	Name     string
	Time     time.Duration // shortest replay; 0 where there was none yet
	Unusable string        // why it cannot be used here
}

// Selections reads from the cache what has been measured on this driver, sorted by
// operation and size. It is ErrNoCache where there is none.
func (d *Device[T]) Selections() ([]Selection, error) {
	c := d.gl.chooser
	if c == nil || c.files == nil {
		return nil, ErrNoCache
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

// Tuning says what Tune or Retune is about to measure.
type Tuning struct {
	Done, Total int // trials of all variants of the classes that are measured
	Selection   *Selection
	Variant     int // number
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
		return ErrNoCache
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
