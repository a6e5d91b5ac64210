package recognizer

import "testing"

// Logits of any size give probabilities that add up to one.
func TestProbabilitiesOfLargeLogits(t *testing.T) {
	for _, c := range candidatesAmong([]string{"a", "b", "c", "d"}, []float32{3e38, 3e38, 3e38, 3e38}, 1.2, nil) {
		if c.Probability != 0.25 {
			t.Errorf("%+v", c)
		}
	}
}
