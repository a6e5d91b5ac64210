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

func TestAgreesWithTheSystem(t *testing.T) {
	const pause, tolerance = 50 * time.Millisecond, 30 * time.Millisecond
	start, begin := time.Now(), Now()
	time.Sleep(pause)
	took, wall := Since(begin), time.Since(start)
	if d := (took - wall).Abs(); d > tolerance {
		t.Errorf("a pause of %v took %v by this clock and %v by the system's", pause, took, wall)
	}
	if d := Now().Sub(time.Now()).Abs(); d > tolerance {
		t.Errorf("the clock is %v from the system's", d)
	}
}
