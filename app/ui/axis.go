package ui

import (
	"fmt"
	"math"
)

// axis maps values onto 0..1, by their logarithm or, where it is linear, as they are.
type axis struct {
	low, high float64
	linear    bool
}

// newLogAxis spans the values given and a little more on either side. Without a value it is
// empty, from 0 to 0.
func newLogAxis(values []float64, margin float64) axis {
	a := axis{low: math.Inf(1)}
	for _, v := range values {
		if v > 0 && !math.IsInf(v, 0) {
			a.low, a.high = min(a.low, v), max(a.high, v)
		}
	}
	if a.high == 0 {
		return axis{}
	}
	return axis{low: a.low / margin, high: a.high * margin}
}

// newLinearAxis goes from 0 to 1, 2 or 5 times a power of ten, and holds the values.
func newLinearAxis(values []float64) axis {
	most := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			most = max(most, v)
		}
	}
	if most == 0 {
		return axis{high: 1, linear: true}
	}
	power := math.Pow(10, math.Floor(math.Log10(most)))
	for _, m := range []float64{1, 2, 5} {
		if most <= m*power*1.0001 {
			return axis{high: m * power, linear: true}
		}
	}
	return axis{high: 10 * power, linear: true}
}

// at is where a value lies, 0 at the low end.
func (a axis) at(v float64) float64 {
	switch {
	case a.linear:
		v = (v - a.low) / (a.high - a.low)
	case v <= 0 || a.low == 0:
		return 0
	default:
		v = math.Log(v/a.low) / math.Log(a.high/a.low)
	}
	return min(max(v, 0), 1)
}

// ticks are the quarters of a linear axis, else the powers of ten within it, with their doubles
// and fives where there would be fewer than three.
func (a axis) ticks() []float64 {
	if a.linear {
		step := (a.high - a.low) / 4
		return []float64{a.low, a.low + step, a.low + 2*step, a.low + 3*step, a.high}
	}
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
