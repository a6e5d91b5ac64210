package ui

import (
	"fmt"
	"time"
)

// percent writes a probability with one decimal and without pretending certainty.
func percent(p float64) string {
	switch {
	case p >= 0.9995:
		return "> 99.9 %"
	case p < 0.0005:
		return "< 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*p)
}

// duration writes a time in microseconds below a millisecond, else in milliseconds.
func duration(d time.Duration) string {
	if d < time.Millisecond {
		return microseconds(d) + " µs"
	}
	ms := float64(d) / float64(time.Millisecond)
	switch {
	case ms >= 100:
		return fmt.Sprintf("%.0f ms", ms)
	case ms >= 10:
		return fmt.Sprintf("%.1f ms", ms)
	}
	return fmt.Sprintf("%.2f ms", ms)
}

// microseconds writes a time in µs without the unit, with a decimal below ten.
func microseconds(d time.Duration) string {
	us := float64(d) / float64(time.Microsecond)
	if us < 9.95 {
		return fmt.Sprintf("%.1f", us)
	}
	return fmt.Sprintf("%.0f", us)
}
