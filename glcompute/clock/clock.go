// Package clock takes short times: by time.Now most of what is measured reads 0 on Windows,
// where it moves with the system's interrupt, every 0.5 to 15.6 ms.
package clock

import (
	"slices"
	"time"
)

// Since is the time that has passed since a reading of Now.
func Since(t time.Time) time.Duration { return Now().Sub(t) }

// Median is the middle of times; of an even number, the lower of the two in the middle.
func Median(times []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(times))[(len(times)-1)/2]
}
