package ui

import (
	"strings"
	"testing"
	"time"

	"inkshade/recognizer/bench"
)

// Steps a second are told for every device, and whether the mixed ones would be used.
func TestTrainingWords(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		mixed time.Duration
		want  string
	}{
		{0, "Training steps a second, 128 drawings each: CPU\u00a050, compute shaders\u00a05.0."},
		{16 * ms, "CPU and GPU together\u00a062. Together they would be used: 1.25 times as fast as the fastest alone (CPU)."},
		{40 * ms, "CPU and GPU together\u00a025. Together they would not be used: 0.50 times as fast as the fastest alone (CPU); it takes a gain of 5 %."},
		{19500 * time.Microsecond, "Together they would not be used: 1.03 times as fast as the fastest alone (CPU); it takes a gain of 5 %."},
	} {
		reading := func(device string, d time.Duration) bench.Reading {
			return bench.Reading{Experiment: bench.TrainingStep, Size: 128, Device: device, Spread: bench.Spread{Median: d, Repeats: 3}}
		}
		r := &bench.Report{Readings: []bench.Reading{reading("cpu", 20*ms), reading("compute", 200*ms), reading(bench.MixedName, c.mixed)}}
		if got := trainingWords(r); !strings.HasSuffix(got, c.want) {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Not to be clearly faster is not to be slower.
func TestTheCPUIsFasterOnlyWhereItIs(t *testing.T) {
	slower := bench.Crossover{Experiment: bench.Product, Device: "compute", Sizes: []int{1, 2}, Losses: []int{1, 2}}
	equal := bench.Crossover{Experiment: bench.Product, Device: "fragment", Sizes: []int{1, 2}, Losses: []int{1}}
	for want, all := range map[string][]bench.Crossover{
		"The CPU is faster at every size (than compute shaders).":  {slower},
		"The GPU is clearly faster at no size (fragment shaders).": {equal},
		"The CPU is faster at every size.":                         {slower, slower},
		"The GPU is clearly faster at no size.":                    {slower, equal},
	} {
		if got := chartWords(&bench.Report{Crossovers: all}, bench.Product); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
