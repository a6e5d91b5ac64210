package gldevice

import (
	"slices"
	"testing"
	"time"
)

// Pieces grow and shrink to a few milliseconds, cover everything once, and stay within
// their limits.
func TestPacer(t *testing.T) {
	for _, c := range []struct {
		name    string
		perItem time.Duration
		fixed   bool
		items   int
		want    []int // pieces of the first run
	}{
		{"fast", 10 * time.Microsecond, false, 1000, []int{64, 64, 400, 400, 72}},
		{"very fast", time.Nanosecond, false, 5000, []int{64, 64, 1024, 1024, 1024, 1024, 776}},
		{"slow", 250 * time.Microsecond, false, 200, []int{64, 64, 16, 16, 16, 16, 8}},
		{"very slow", time.Second, false, 160, []int{64, 64, 8, 8, 8, 8}},
		{"fixed", time.Nanosecond, true, 150, []int{64, 64, 22}},
		{"short", time.Second, false, 64, []int{64}},
	} {
		var clock time.Time
		p := newPacer(64, 8, 1024, c.fixed)
		p.finish, p.flush, p.now = func() {}, func() {}, func() time.Time { return clock }
		next := 0
		var got []int
		p.Run(c.items, func(first, count int) {
			if first != next {
				t.Errorf("%s: a piece begins at %d, the last ended at %d", c.name, first, next)
			}
			next = first + count
			got = append(got, count)
			clock = clock.Add(time.Duration(count) * c.perItem)
		})
		if next != c.items || !slices.Equal(got, c.want) {
			t.Errorf("%s: pieces %v to %d, want %v to %d", c.name, got, next, c.want, c.items)
		}
	}
}
