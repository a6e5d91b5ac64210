package gldevice

import (
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"inkshade/glcompute/internal/cache"
)

// chooser is one start of a program on a driver, with a clock that a test moves.
func chooser(files *cache.Folder, driver string) (c *Chooser, clock *time.Time) {
	clock = new(time.Time)
	c = &Chooser{
		files: files, key: driver, chosen: new(sync.Map), log: func(string, ...any) {},
		now: func() time.Time { return *clock },
	}
	c.begin()
	return c, clock
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

func expectChoice(t *testing.T, c *Chooser, m *timings, want int, asked ...int) {
	t.Helper()
	m.asked = nil
	if got := c.Choose("product 8 8 8", []int{4, 2, 7}, m.measure); got != want || !slices.Equal(m.asked, asked) {
		t.Errorf("variant %d after measuring %v, want %d after %v", got, m.asked, want, asked)
	}
}

// The winner is kept for the next start; another driver, another program and a damaged
// file are measured anew.
func TestWinnerIsKept(t *testing.T) {
	files := cache.In(t.TempDir())
	m := &timings{times: map[int]time.Duration{4: 3e6, 2: 1e6, 7: 2e6}}
	c, _ := chooser(files, "driver 1")
	expectChoice(t, c, m, 2, 4, 2, 7)
	expectChoice(t, c, m, 2)
	c, _ = chooser(files, "driver 1")
	expectChoice(t, c, m, 2)
	c, _ = chooser(files, "driver 2")
	m.times[7] = 1
	expectChoice(t, c, m, 7, 4, 2, 7)
	for _, damage := range []string{"", "not JSON", `{"product 8 8 8": 3}`, `{"product 8 8 8": {"2": -1}}`, `[]`} {
		files.Put("driver 1", []byte(damage))
		c, _ = chooser(files, "driver 1")
		expectChoice(t, c, m, 7, 4, 2, 7)
		c, _ = chooser(files, "driver 1")
		expectChoice(t, c, m, 7)
	}
}

// When time runs out the best so far wins, until another start has measured the rest.
func TestBudget(t *testing.T) {
	files := cache.In(t.TempDir())
	c, clock := chooser(files, "driver")
	m := &timings{times: map[int]time.Duration{4: 3e6, 2: 2e6, 7: 1e6}}
	slow := func(v int, budget time.Duration) (time.Duration, error) {
		*clock = clock.Add(programBudget/2 + 1)
		return m.measure(v, budget)
	}
	if got := c.Choose("product 8 8 8", []int{4, 2, 7}, slow); got != 2 {
		t.Errorf("variant %d, want the better of two", got)
	}
	expectChoice(t, c, m, 2) // stays while the device is open
	c, _ = chooser(files, "driver")
	expectChoice(t, c, m, 7, 7)
}

// A variant that fails is out, and without files nothing is measured.
func TestChoiceWithoutMeasuring(t *testing.T) {
	m := &timings{times: map[int]time.Duration{2: 5}}
	c, _ := chooser(cache.In(t.TempDir()), "driver")
	expectChoice(t, c, m, 2, 4, 2, 7)
	c, _ = chooser(nil, "driver")
	expectChoice(t, c, m, 4)
}

// Two processes that choose at the same time keep what the other has measured.
func TestTwoProcesses(t *testing.T) {
	files := cache.In(t.TempDir())
	m := &timings{times: map[int]time.Duration{1: 2, 2: 1}}
	a, _ := chooser(files, "driver")
	b, _ := chooser(files, "driver")
	a.Choose("a", []int{1, 2}, m.measure)
	b.Choose("b", []int{1, 2}, m.measure)
	a.Choose("c", []int{1, 2}, m.measure)
	c, _ := chooser(files, "driver")
	m.asked = nil
	for _, class := range []string{"a", "b", "c"} {
		if c.Choose(class, []int{1, 2}, m.measure) != 2 || m.asked != nil {
			t.Errorf("class %s was measured again", class)
		}
	}
}

func TestClass(t *testing.T) {
	if got, want := Class("product", 1, 784, 800, 8), "product 1 1024 1024 8"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
