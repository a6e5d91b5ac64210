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
	for try := 1; ; try++ {
		start, begin := time.Now(), Now()
		time.Sleep(pause)
		took, wall, apart := Since(begin), time.Since(start), time.Until(Now()).Abs()
		switch d := (took - wall).Abs(); {
		case d <= tolerance && apart <= tolerance:
			return
		case try == 5: // another program may take the processor away between two readings
			t.Fatalf("a pause of %v took %v by this clock and %v by the system's, from which it is %v away", pause, took, wall, apart)
		}
	}
}
