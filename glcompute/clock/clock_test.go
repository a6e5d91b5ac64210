package clock

import (
	"testing"
	"time"
)

// A replay of a small network takes less than 100 µs: the clock must see a tenth of that.
func TestStepsAreShort(t *testing.T) {
	const steps, longest = 1000, 10 * time.Microsecond
	short := 0
	last := Now()
	for range steps {
		now := Now()
		for now.Equal(last) {
			now = Now()
		}
		if now.Before(last) {
			t.Fatalf("the clock went back from %v to %v", last, now)
		}
		if now.Sub(last) < longest {
			short++
		}
		last = now
	}
	// Another program may take the processor away between two readings.
	if short < steps/2 {
		t.Errorf("%d of %d steps were shorter than %v; want half of them or more", short, steps, longest)
	}
}

// A reading lies between two of the system's clock around it, and so does what passes between two: however long another
// program takes the processor away.
func TestAgreesWithTheSystem(t *testing.T) {
	const pause, resolution = 50 * time.Millisecond, 30 * time.Millisecond // of the system's clock on Windows, twice
	around := func() (before, reading, after time.Time) {
		before = time.Now()
		reading = Now()
		return before, reading, time.Now()
	}
	before, begin, after := around()
	time.Sleep(pause)
	later, end, last := around()
	for _, r := range [][3]time.Time{{before, begin, after}, {later, end, last}} {
		if r[1].Before(r[0].Add(-resolution)) || r[1].After(r[2].Add(resolution)) {
			t.Errorf("%v is not between %v and %v of the system's clock", r[1], r[0], r[2])
		}
	}
	if took := end.Sub(begin); took < later.Sub(after)-resolution || took > last.Sub(before)+resolution {
		t.Errorf("a pause took %v by this clock and %v to %v by the system's", took, later.Sub(after), last.Sub(before))
	}
}

func TestMedian(t *testing.T) {
	times := []time.Duration{9, 1, 5}
	if m := Median(times); m != 5 || times[0] != 9 {
		t.Errorf("of three %d, which are %v", m, times)
	}
	if m := Median([]time.Duration{4, 1}); m != 1 {
		t.Errorf("of two %d", m)
	}
}
