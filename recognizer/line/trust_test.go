package line

import "testing"

// What is trusted less stays in its order, and is no more than all.
func TestWeigh(t *testing.T) {
	for _, language := range Languages {
		for seed := range uint64(20) {
			r, err := Read(t.Context(), scribble(seed, 5), Options{Language: language, Alternatives: 40}, fake)
			if err != nil && language == Digits {
				continue // only some of this have a reading in digits
			}
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, a := range r.Alternatives {
				if sum += a.Confidence; i > 0 && a.Confidence > r.Alternatives[i-1].Confidence || !(a.Confidence > 0) {
					t.Errorf("%s, seed %d: %+v", language, seed, r.Alternatives)
				}
			}
			if sum > 1+1e-9 {
				t.Errorf("%s, seed %d: the confidences add up to %v", language, seed, sum)
			}
			for _, c := range r.Characters {
				if !(c.Confidence > 0 && c.Confidence < 1+1e-9) {
					t.Errorf("%s, seed %d: %+v", language, seed, c)
				}
			}
		}
	}
	clear, cut := signs{1, 2, -0.1, 0}, signs{1, 2, -0.1, 1.5}
	doubtful := signs{1, 2, -3, 0}
	for _, x := range []signs{cut, doubtful} {
		if p, q := x.logistic(trust), clear.logistic(trust); !(p < q-0.1) {
			t.Errorf("%v is trusted by %.2f, %v by %.2f", x, p, clear, q)
		}
	}
}
