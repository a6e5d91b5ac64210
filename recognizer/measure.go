package recognizer

import (
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Measure recognises the ink repeats times with every stage timed apart, after one run
// that does not count, and gives the median of each stage.
func (r *Recognizer) Measure(k ink.Ink, repeats int) (Timing, error) {
	if repeats < 1 {
		return Timing{}, message.Errorf("%d repeats give no median; use at least 1", repeats)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed:
		return Timing{}, errClosed
	case r.ReadsLines():
		return Timing{}, errReadsLines
	}
	var taken []Timing
	for i := range repeats + 1 {
		t, err := MeasureOnce(k, r.features, r.inference, clock.Now)
		if err != nil {
			return Timing{}, err
		}
		if i > 0 {
			taken = append(taken, t)
		}
	}
	return MedianTiming(taken), nil
}

// MeasureOnce recognises the ink with every stage timed apart, by a clock.
func MeasureOnce(k ink.Ink, features feature.Extractor, inference *nn.Inference, now func() time.Time) (Timing, error) {
	begin := now()
	img, err := ink.Rasterize(k)
	if err != nil {
		return Timing{}, err
	}
	row := features.Vector(img, k)
	preprocess := now().Sub(begin)
	t, err := inference.Measure(row)
	if err != nil {
		return Timing{}, err
	}
	return Timing{preprocess, t.Upload, t.Compute, t.Readback, t.Passes, t.Compile}, nil
}

// MedianTiming takes the median of each stage and pass of timings of one drawing on one device.
// Passes are left out where not all timings have as many.
func MedianTiming(all []Timing) Timing {
	if len(all) == 0 {
		return Timing{}
	}
	middle := func(part func(Timing) time.Duration) time.Duration {
		taken := make([]time.Duration, len(all))
		for i, t := range all {
			taken[i] = part(t)
		}
		return median(taken)
	}
	m := Timing{
		Preprocess: middle(func(t Timing) time.Duration { return t.Preprocess }),
		Upload:     middle(func(t Timing) time.Duration { return t.Upload }),
		Compute:    middle(func(t Timing) time.Duration { return t.Compute }),
		Readback:   middle(func(t Timing) time.Duration { return t.Readback }),
		Compile:    all[0].Compile,
	}
	for i, p := range all[0].Passes {
		if slices.ContainsFunc(all, func(t Timing) bool { return len(t.Passes) != len(all[0].Passes) }) {
			break
		}
		m.Passes = append(m.Passes, glcompute.Pass{Name: p.Name, Time: middle(func(t Timing) time.Duration { return t.Passes[i].Time })})
	}
	return m
}

// median sorts d; of an even number it gives the lower of the two in the middle.
func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[(len(d)-1)/2]
}
