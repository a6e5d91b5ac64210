package nn

import (
	"slices"
	"testing"
)

// Logits of any size give probabilities that add up to one.
func TestSoftmaxOfLargeLogits(t *testing.T) {
	p := []float32{3e38, 3e38, 0, 3e38, 3e38}
	if Softmax(p); !slices.Equal(p, []float32{0.25, 0.25, 0, 0.25, 0.25}) {
		t.Errorf("%v", p)
	}
}
