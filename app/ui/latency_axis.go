package ui

import (
	"fmt"
	"math"
)

// logAxis maps values onto 0..1 by their logarithm.
type logAxis struct{ low, high float64 }

// newLogAxis spans the values given and a little more on either side. Without a value it is
// empty, from 0 to 0.
func newLogAxis(values []float64, margin float64) logAxis {
	a := logAxis{math.Inf(1), 0}
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	if a.high == 0 {
		return logAxis{}
	}
	return logAxis{a.low / margin, a.high * margin}
}

// at is where a value lies, 0 at the low end.
func (a logAxis) at(v float64) float64 {
	if v <= 0 || a.low == 0 {
		return 0
	}
	return min(max(math.Log(v/a.low)/math.Log(a.high/a.low), 0), 1)
}

// ticks are the powers of ten within the axis, with their doubles and fives where there
// would be fewer than three.
func (a logAxis) ticks() []float64 {
	steps := []float64{1}
	if math.Log10(a.high/a.low) < 2.7 {
		steps = []float64{1, 2, 5}
	}
	var all []float64
	for e := math.Floor(math.Log10(a.low)); e <= math.Log10(a.high); e++ {
		for _, m := range steps {
			if v := m * math.Pow(10, e); v >= a.low && v <= a.high {
				all = append(all, v)
			}
		}
	}
	return all
}

// tickTime writes a time of so many nanoseconds as short as it can be.
func tickTime(ns float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if ns >= u.size*0.9999 {
			return fmt.Sprintf("%.4g %s", ns/u.size, u.name)
		}
	}
	return fmt.Sprintf("%.4g ns", ns)
}

func tickNumber(v float64) string { return fmt.Sprintf("%.4g", v) }
