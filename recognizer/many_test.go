package recognizer

import (
	"errors"
	"math"
	"strings"
	"testing"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
)

func TestManyDrawingsAreAnsweredAsOneByOne(t *testing.T) {
	drawings := []ink.Ink{straight(0, 0, 1, 9), straight(0, 0, 9, 1), append(straight(0, 0, 9, 9), straight(9, 0, 0, 9)...)}
	for _, name := range feature.Names() {
		r := newRecognizer(t, testModel(name))
		many, err := r.RecognizeMany(drawings, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range drawings {
			one, err := r.Recognize(k)
			if err != nil {
				t.Fatal(err)
			}
			for c, want := range one.Candidates {
				got := many[i].Candidates[c]
				if got.Label != want.Label || math.Abs(got.Probability-want.Probability) > 1e-5 {
					t.Errorf("%s, drawing %d: candidate %d is %v, by itself %v", name, i+1, c+1, got, want)
				}
			}
		}
	}
}

func TestManyDrawingsNameTheEmptyOne(t *testing.T) {
	_, err := newRecognizer(t, testModel("mnist28")).RecognizeMany([]ink.Ink{straight(0, 0, 1, 1), nil}, nil)
	if !errors.Is(err, ink.ErrEmpty) || !strings.Contains(err.Error(), "drawing 2") {
		t.Errorf("got %v, want that drawing 2 is empty", err)
	}
}
