package bench

import (
	"slices"
	"time"
)

// Spread is a number of times in short.
type Spread struct {
	Median, Fastest, Slowest time.Duration
	// Deviation is the median of the distances from the median (MAD).
	Deviation time.Duration
	Repeats   int
	// Disturbed says that the times differ more than those of a machine that does nothing
	// else: half of them by more than disturbedDeviation of the median, or the fastest takes
	// less than 1/disturbedRange of it.
	Disturbed bool
}

const (
	disturbedDeviation = 0.15
	disturbedRange     = 1.6
)

// spreadOf sorts times. Of an even number, a median is the lower one of the middle.
func spreadOf(times []time.Duration) Spread {
	if len(times) == 0 {
		return Spread{}
	}
	slices.Sort(times)
	s := Spread{Median: middle(times), Fastest: times[0], Slowest: times[len(times)-1], Repeats: len(times)}
	distances := make([]time.Duration, len(times))
	for i, t := range times {
		distances[i] = (t - s.Median).Abs()
	}
	slices.Sort(distances)
	s.Deviation = middle(distances)
	m := float64(s.Median)
	s.Disturbed = float64(s.Deviation) > disturbedDeviation*m || m > disturbedRange*float64(s.Fastest)
	return s
}

func middle(sorted []time.Duration) time.Duration { return sorted[(len(sorted)-1)/2] }
