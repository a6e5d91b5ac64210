package recognizer

import (
	"fmt"
	"slices"
	"time"

	"inkshade/recognizer/ink"
)

// Measure recognises the ink repeats times with every stage timed apart, after one run
// that does not count, and gives the median of each stage.
func (r *Recognizer) Measure(k ink.Ink, repeats int) (Timing, error) {
	if repeats < 1 {
		return Timing{}, fmt.Errorf("%d repeats give no median; use at least 1", repeats)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return Timing{}, errClosed
	}
	var taken [4][]time.Duration // by stage
	for i := range repeats + 1 {
		t, err := r.measureOnce(k)
		if err != nil {
			return Timing{}, err
		}
		if i == 0 {
			continue
		}
		for stage, d := range []time.Duration{t.Preprocess, t.Upload, t.Compute, t.Readback} {
			taken[stage] = append(taken[stage], d)
		}
	}
	return Timing{median(taken[0]), median(taken[1]), median(taken[2]), median(taken[3])}, nil
}

func (r *Recognizer) measureOnce(k ink.Ink) (Timing, error) {
	begin := time.Now()
	img, err := ink.Rasterize(k)
	if err != nil {
		return Timing{}, err
	}
	row := r.features.Vector(img.Pix, k)
	preprocess := time.Since(begin)
	t, err := r.inference.Measure(row)
	if err != nil {
		return Timing{}, err
	}
	return Timing{preprocess, t.Upload, t.Compute, t.Readback}, nil
}

// median sorts d; of an even number it gives the lower of the two in the middle.
func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[(len(d)-1)/2]
}
