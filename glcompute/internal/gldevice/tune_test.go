package gldevice

import (
	"context"
	"errors"
	"testing"
	"time"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/program"
)

// choosy is an executor whose copies have two variants, which take as long as delay says.
type choosy struct {
	plain
	delay [3]time.Duration // by number of the variant
}

func (e *choosy) Operations() Operations[*memory] {
	all := Operations[*memory]{}
	Add(all, func(b *Builder[*memory], o *program.Elementwise) Step {
		return b.Choose(toyWork(o.Outs[0].Rows, o.Outs[0].Cols), []int{1, 2}, func(v int) Step {
			return func() { time.Sleep(e.delay[v]) }
		})
	})
	return all
}

// Times of a busy start are measured again on request, class by class: one that is not
// complete when it is stopped keeps the old ones.
func TestMeasuredAnew(t *testing.T) {
	// The first variant is held up at first. The folder is also a name that no earlier choice
	// of the process has.
	folder := t.TempDir()
	e := &choosy{delay: [3]time.Duration{1: 4 * time.Millisecond, 2: time.Millisecond}}
	d := openWith(t, Options{Cache: cache.In(folder)}, e, func(g *GL) {
		e.gl = g
		g.SetAutotuner(folder, toy)
	})
	p := program.New()
	p.Apply(expr.Identity, p.Input(1, 1))
	p.Apply(expr.Identity, p.Input(2, 2))
	run, err := d.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	expect := func(when string, want ...int) {
		t.Helper()
		all, err := d.Selections()
		if err != nil || len(all) != len(want) {
			t.Fatalf("%s: %d classes, want %d (%v)", when, len(all), len(want), err)
		}
		for i, s := range all {
			if s.Chosen != want[i] || s.Left() != 0 {
				t.Errorf("%s: class %d takes %d, want %d: %+v", when, i, s.Chosen, want[i], s.Trials)
			}
		}
	}
	expect("at a busy start", 2, 2)
	e.delay = [3]time.Duration{1: time.Millisecond, 2: 4 * time.Millisecond}
	if err := d.Tune(t.Context(), false, func(program.Tuning) { t.Error("something was left over") }); err != nil {
		t.Fatal(err)
	}
	expect("after what was left over", 2, 2)
	const each = tuningRounds * 2
	for _, stopped := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		trials := 0
		err := d.Tune(ctx, true, func(now program.Tuning) {
			if now.Total != 2*each || now.Done != trials {
				t.Errorf("%d of %d trials, want %d of %d", now.Done, now.Total, trials, 2*each)
			}
			if trials++; stopped && trials == 2*each {
				cancel()
			}
		})
		cancel()
		if stopped != errors.Is(err, context.Canceled) || !stopped && err != nil || trials != 2*each {
			t.Errorf("stopped %t: %d trials, error %v", stopped, trials, err)
		}
		if stopped {
			expect("stopped in the second class", 1, 2)
		}
	}
	expect("measured anew", 1, 1)
}
