package feature

import "testing"

func TestSquaredDistance(t *testing.T) {
	a, b := []float32{1, 2, 3, 4, 5, 6, 7}, []float32{0, 4, 3, 1, 5, 5, 9}
	for n, want := range []float32{0, 1, 5, 5, 14, 14, 15, 19} {
		if got := SquaredDistance(a[:n], b[:n]); got != want {
			t.Errorf("the first %d elements: %g, want %g", n, got, want)
		}
	}
}
