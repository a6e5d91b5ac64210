package gldevice

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"inkshade/glcompute/internal/cache"
)

// What INKSHADE_DEBUG=2 prints of choices, while a program is compiled and while variants
// are measured on request.
func TestChoicesAreToldInWords(t *testing.T) {
	var got []string
	start := func(files *cache.Folder) (*Chooser, *time.Time) {
		c, clock := chooser(files, "driver")
		c.log = func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
		return c, clock
	}
	files := cache.In(t.TempDir())
	c, clock := start(files)
	table := map[int]time.Duration{1: 1234567 * time.Microsecond, 2: 12345 * time.Nanosecond, 3: 2 * time.Millisecond}
	measure := func(v int, _ time.Duration) (time.Duration, error) {
		if v == 4 {
			return 0, errors.New("no room")
		}
		return table[v], nil
	}
	slow := func(v int, budget time.Duration) (time.Duration, error) {
		*clock = clock.Add(TrialTime)
		return measure(v, budget)
	}
	c.Choose(toyClass(8, 8), []int{1, 2, 4}, measure)
	c.Choose(toyClass(16, 16), []int{2, 3}, measure)
	c.Choose(toyClass(32, 32), []int{3, 2}, slow)
	c.Choose(toyClass(64, 64), []int{3, 2}, measure) // there is no time left
	c.begin()
	c.Choose(toyClass(8, 16), []int{1, 2}, func(v int, budget time.Duration) (time.Duration, error) {
		c.chosen.Store(c.key+"\x00"+toyClass(8, 16).key([]int{1, 2}), 1)
		return measure(v, budget)
	})
	c, _ = start(files)
	c.tuning = &tuning{ctx: t.Context(), before: func(int) {}}
	c.Choose(toyClass(64, 64), []int{3, 2}, measure)
	want := []string{
		"toy [8 8]: b, the fastest (a 1235 ms; b 0.0123 ms; d cannot be used here: no room)",
		"toy [16 16]: b, by rule of thumb, no other is clearly faster (b 0.0123 ms; c 2 ms)",
		"toy [32 32]: c, by rule of thumb, no other is clearly faster (c 2 ms; b not measured)",
		"toy [64 64]: c, by rule of thumb, nothing measured",
		"toy [8 16]: a, as another device chose (a 1235 ms; b 0.0123 ms)",
		"toy [64 64], from the next start on: b, the fastest (c 2 ms; b 0.0123 ms)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got:\n%q\nwant:\n%q", got, want)
	}
}
