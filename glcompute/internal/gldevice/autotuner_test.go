package gldevice

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/program"
)

// toy is an operation with eight variants.
var toy = Tunable{Name: "toy", Variants: []string{"a", "b", "c", "d", "e", "f", "g", "h"}, Of: (*program.Elementwise)(nil)}

func toyWork(rows, cols int) Work {
	p := program.New()
	p.Apply(expr.Identity, p.Input(rows, cols))
	return Work{Name: toy.Name, Text: fmt.Sprint([]int{rows, cols}), Op: p.Ops()[0]}
}

// starting is one start of a program on a driver, with a clock that a test moves.
func starting(files *cache.Folder, driver string) (c *Autotuner, clock *time.Time) {
	clock = new(time.Time)
	c = &Autotuner{
		files: files, key: driver, chosen: new(sync.Map), log: func(string, ...any) {},
		now: func() time.Time { return *clock }, time: TrialTime, operations: []Tunable{toy},
	}
	c.begin()
	return c, clock
}

// once forgets that variants are asked for in several rounds.
func once(asked []int) []int {
	var all []int
	for _, v := range asked {
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// timings measures by a table and notes what it was asked.
type timings struct {
	times map[int]time.Duration
	asked []int
}

func (m *timings) measure(v int, _ time.Duration) (time.Duration, error) {
	m.asked = append(m.asked, v)
	if t, ok := m.times[v]; ok {
		return t, nil
	}
	return 0, errors.New("no such variant")
}

func expectChoice(t *testing.T, c *Autotuner, m *timings, want int, asked ...int) {
	t.Helper()
	m.asked = nil
	if got := c.Choose(toyWork(8, 8), []int{4, 2, 7}, m.measure); got != want || !slices.Equal(once(m.asked), asked) {
		t.Errorf("variant %d after measuring %v, want %d after %v", got, m.asked, want, asked)
	}
}

// The winner is kept for the next start; another driver, another program and a damaged
// file are measured anew, and written again.
func TestWinnerIsKept(t *testing.T) {
	files := cache.In(t.TempDir())
	m := &timings{times: map[int]time.Duration{4: 3e6, 2: 1e6, 7: 2e6}}
	c, _ := starting(files, "driver 1")
	expectChoice(t, c, m, 2, 4, 2, 7)
	expectChoice(t, c, m, 2)
	c, _ = starting(files, "driver 1")
	expectChoice(t, c, m, 2)
	whole, _ := files.Get("driver 1")
	c, _ = starting(files, "driver 2")
	m.times[7] = 1
	expectChoice(t, c, m, 7, 4, 2, 7)
	damages := []string{"", "not JSON", `[]`, `{"toy": null}`, strings.ReplaceAll(string(whole), `"Trials"`, `"Times"`)}
	for _, damage := range damages {
		files.Put("driver 1", []byte(damage))
		c, _ = starting(files, "driver 1")
		expectChoice(t, c, m, 7, 4, 2, 7)
		c, _ = starting(files, "driver 1")
		expectChoice(t, c, m, 7)
	}
}

// When time runs out the best so far wins, at most one candidate goes beyond it, and later
// starts measure nothing more.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		takes time.Duration // of each candidate
		want  int
		asked []int
	}{
		{TrialTime/2 + 1, 2, []int{4, 2}},
		{10 * TrialTime, 4, []int{4}},
	} {
		files := cache.In(t.TempDir())
		start, clock := starting(files, "driver")
		m := &timings{times: map[int]time.Duration{4: 3e6, 2: 2e6, 7: 1e6}}
		slow := func(v int, budget time.Duration) (time.Duration, error) {
			*clock = clock.Add(c.takes)
			return m.measure(v, budget)
		}
		if got := start.Choose(toyWork(8, 8), []int{4, 2, 7}, slow); got != c.want || !slices.Equal(m.asked, c.asked) {
			t.Errorf("variant %d after %v, want %d after %v", got, m.asked, c.want, c.asked)
		}
		// Nothing is left for this class: even what would be the fastest is not tried.
		m.asked = nil
		if got := start.Choose(toyWork(1, 1), []int{5, 6}, slow); got != 5 || m.asked != nil {
			t.Errorf("variant %d after %v, want the first unmeasured", got, m.asked)
		}
		expectChoice(t, start, m, c.want)
		start, _ = starting(files, "driver")
		expectChoice(t, start, m, c.want)
		if got := start.Choose(toyWork(1, 1), []int{5, 6}, m.measure); got != 5 || m.asked != nil {
			t.Errorf("the second start chooses %d after %v, want 5 unmeasured", got, m.asked)
		}
	}
}

// Candidates take turns, the shortest of their times counts, and a round that is not whole
// does not.
func TestRounds(t *testing.T) {
	m := trials(map[int]time.Duration{1: 0, 2: 0, 3: 0})
	disturbed := map[int][]time.Duration{1: {9e6, 4e6, 1e6}, 2: {5e6, 5e6, 5e6}}
	var asked []int
	whole := m.measure(3, 0, func() bool { return len(asked) == 6 }, func(v int, _ time.Duration) (time.Duration, error) {
		asked = append(asked, v)
		if v == 3 {
			return 0, errors.New("no such variant")
		}
		t := disturbed[v][0]
		disturbed[v] = disturbed[v][1:]
		return t, nil
	})
	if want := []int{1, 2, 3, 1, 2, 1}; whole || !slices.Equal(asked, want) {
		t.Errorf("whole %t, asked %v, want %v", whole, asked, want)
	}
	want := []program.VariantTrial{{Number: 1, Time: 4e6}, {Number: 2, Time: 5e6}, {Number: 3, Unusable: "no such variant"}}
	if diff := cmp.Diff(want, m.Trials); diff != "" || m.best() != 1 {
		t.Error(diff, m.best())
	}
}

// trials are of variants in the order of their numbers.
func trials(times map[int]time.Duration) *measurement {
	m := &measurement{}
	for _, v := range slices.Sorted(maps.Keys(times)) {
		m.Trials = append(m.Trials, program.VariantTrial{Number: v, Time: times[v]})
	}
	return m
}

// The first candidate gives its place to one that is clearly faster, and then to the
// fastest.
func TestBest(t *testing.T) {
	for _, c := range []struct {
		times map[int]time.Duration
		want  int
	}{
		{map[int]time.Duration{1: 100, 2: 96, 7: 97}, 1},
		{map[int]time.Duration{1: 100, 2: 90, 7: 87}, 7},
		{map[int]time.Duration{1: 0, 2: 90, 7: 89}, 7},
		{map[int]time.Duration{1: 0, 2: 0}, 1},
	} {
		if got := trials(c.times).best(); got != c.want {
			t.Errorf("%v: variant %d, want %d", c.times, got, c.want)
		}
	}
}

// A variant that fails is out, and without files nothing is measured.
func TestChoiceWithoutMeasuring(t *testing.T) {
	m := &timings{times: map[int]time.Duration{2: 5}}
	files := cache.In(t.TempDir())
	c, _ := starting(files, "driver")
	expectChoice(t, c, m, 2, 4, 2, 7)
	c, _ = starting(files, "driver")
	expectChoice(t, c, m, 2)
	c, _ = starting(nil, "driver")
	expectChoice(t, c, m, 4)
}

// Shapes with other candidates choose for themselves, whichever comes first.
func TestOtherCandidates(t *testing.T) {
	for _, first := range []int{0, 1} {
		m := &timings{times: map[int]time.Duration{1: 2e6, 2: 1e6, 3: 9e6}}
		c, _ := starting(cache.In(t.TempDir()), "driver")
		shapes := [][]int{{3, 1}, {3, 1, 2}}
		want := []int{1, 2}
		for _, i := range []int{first, 1 - first} {
			if got := c.Choose(toyWork(7, 7), shapes[i], m.measure); got != want[i] {
				t.Errorf("variant %d of %v, want %d", got, shapes[i], want[i])
			}
		}
	}
}

// Two processes that choose at the same time keep what the other has measured.
func TestTwoProcesses(t *testing.T) {
	files := cache.In(t.TempDir())
	m := &timings{times: map[int]time.Duration{1: 2, 2: 1}}
	a, _ := starting(files, "driver")
	b, _ := starting(files, "driver")
	a.Choose(toyWork(1, 1), []int{1, 2}, m.measure)
	b.Choose(toyWork(2, 2), []int{1, 2}, m.measure)
	a.Choose(toyWork(4, 4), []int{1, 2}, m.measure)
	c, _ := starting(files, "driver")
	m.asked = nil
	for _, size := range []int{1, 2, 4} {
		if c.Choose(toyWork(size, size), []int{1, 2}, m.measure) != 2 || m.asked != nil {
			t.Errorf("size %d was measured again", size)
		}
	}
}

// Tuning measures a whole class anew or keeps nothing of it, and counts from the next
// start on.
func TestTuning(t *testing.T) {
	files := cache.In(t.TempDir())
	m := &timings{times: map[int]time.Duration{4: 3e6, 2: 2e6, 7: 1e6}}
	running, clock := starting(files, "driver")
	running.Choose(toyWork(8, 8), []int{4, 2, 7}, func(v int, budget time.Duration) (time.Duration, error) {
		*clock = clock.Add(TrialTime)
		return m.measure(v, budget)
	})
	tuner, _ := starting(files, "driver")
	for _, interrupted := range []bool{true, false} {
		m.asked = nil
		tuner.stopped = func() bool { return interrupted && len(m.asked) == 5 } // in the second round
		tuner.Choose(toyWork(8, 8), []int{4, 2, 7}, m.measure)
		want, left := tuningRounds*3, 0
		if interrupted {
			want, left = 5, 2
		}
		if len(m.asked) != want {
			t.Errorf("interrupted %t: measured %v, want %d trials", interrupted, m.asked, want)
		}
		if got := tuner.sorted()[0].Left(); got != left {
			t.Errorf("interrupted %t: %d left, want %d", interrupted, got, left)
		}
		expectChoice(t, running, m, 4)
	}
	next, _ := starting(files, "driver")
	expectChoice(t, next, m, 7)
	selection := &next.sorted()[0].Selection
	want := &program.Selection{Operation: "toy", Work: "[8 8]", Chosen: 7, Trials: []program.VariantTrial{
		{Number: 4, Name: "d", Time: 3e6}, {Number: 2, Name: "b", Time: 2e6}, {Number: 7, Name: "g", Time: 1e6},
	}}
	if diff := cmp.Diff(want, selection); diff != "" {
		t.Error(diff)
	}
	if got, want := selection.String(), "toy [8 8]: g (d 3 ms; b 2 ms; g 1 ms)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Sizes of a class are rounded up to powers of two; what else there is to an operation, and the candidates, tell classes apart.
func TestClass(t *testing.T) {
	key := func(rows, inner, cols int, distance bool, candidates ...int) string {
		p := program.New()
		p.ProductOf(program.Plain(p.Input(rows, inner)), program.Transposed(p.Input(cols, inner)), distance)
		m := measurement{program.Selection{Operation: "product"}, program.Like(p.Ops()[0])}
		for _, v := range candidates {
			m.Trials = append(m.Trials, program.VariantTrial{Number: v})
		}
		return m.key()
	}
	one := key(1, 784, 800, false, 3, 2)
	if same := key(1, 1024, 513, false, 3, 2); same != one {
		t.Errorf("%q and %q are one class", one, same)
	}
	for _, other := range []string{key(2, 784, 800, false, 3, 2), key(1, 784, 1025, false, 3, 2), key(1, 784, 800, true, 3, 2), key(1, 784, 800, false, 2, 3)} {
		if other == one {
			t.Errorf("%q is of another class", other)
		}
	}
}
