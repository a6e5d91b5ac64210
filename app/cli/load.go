package cli

import (
	"github.com/spf13/cobra"

	"inkshade/recognizer/dataset"
)

// loadSamples reads labelled samples and says on standard error how many are left out because
// they hold no ink, which blank counts.
func loadSamples(cmd *cobra.Command, paths []string) (samples []dataset.Sample, blank int, err error) {
	samples, without, err := dataset.LoadContext(cmd.Context(), nil, paths...)
	switch n := len(without); {
	case err != nil:
		return nil, 0, err
	case n == 1:
		cmd.PrintErrf("inkshade: one sample of %d is left out: %v\n", len(samples)+1, without[0])
	case n > 1:
		cmd.PrintErrf("inkshade: %d samples of %d are left out because they hold no ink; the first: %v\n", n, len(samples)+n, without[0])
	}
	return samples, len(without), nil
}

// withoutContext leaves out samples cut out of running text.
func withoutContext(samples []dataset.Sample) []dataset.Sample {
	var kept []dataset.Sample
	for _, s := range samples {
		if !s.Context {
			kept = append(kept, s)
		}
	}
	return kept
}
