package dataset_test

import (
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/dataset/datatest"
)

// TestTheDataSets wants the numbers of samples and writers that the sets' own notes state.
func TestTheDataSets(t *testing.T) {
	for _, c := range []struct {
		path             []string
		samples, writers int
		context          int
	}{
		{[]string{"pendigits", "pendigits-train.gz"}, 7494, 30, 0},
		{[]string{"chars74k"}, 2480, 40, 0},
		{[]string{"unipen", "digits.jsonl.gz"}, 11797, 194, 4116},
		{[]string{"unipen", "symbols.jsonl.gz"}, 11405, 191, 5276},
	} {
		samples, _, err := dataset.Read(t.Context(), datatest.Require(t, c.path...))
		if err != nil {
			t.Errorf("%v: %v", c.path, err)
			continue
		}
		writers := map[string]bool{}
		context := 0
		for _, s := range samples {
			writers[s.Writer] = true
			if s.Context {
				context++
			}
		}
		if len(samples) != c.samples || len(writers) != c.writers || context != c.context {
			t.Errorf("%v: %d samples by %d writers, %d from running text; want %d, %d, %d",
				c.path, len(samples), len(writers), context, c.samples, c.writers, c.context)
		}
	}
	samples, _, err := dataset.Read(t.Context(), datatest.Require(t, "mnist", "t10k-images-idx3-ubyte.gz"), datatest.Require(t, "mnist", "t10k-labels-idx1-ubyte.gz"))
	if err != nil || len(samples) != 10000 || samples[0].Label != "7" {
		t.Errorf("MNIST: %d samples, error %v", len(samples), err)
	}
}
