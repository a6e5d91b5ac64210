package line

import (
	"math"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

// words are bars so far apart, with a wider gap behind every third.
func words(bars int, within, between float64) (k ink.Ink) {
	x := 0.0
	for i := range bars {
		k = append(k, bar(x))
		x += 1 + within
		if i%3 == 2 {
			x += between - within
		}
	}
	return k
}

// Who leaves narrow gaps between words, or wide ones within, is read so after a few lines; of nothing known 1 is learned.
func TestSpacingIsLearned(t *testing.T) {
	if got := LearnSpacing(nil); got != 1 {
		t.Errorf("of nothing %g is learned", got)
	}
	for _, c := range []struct{ within, between float64 }{{2, 6}, {2, 30}, {9, 24}} {
		var all []Spacing
		for range 3 {
			all = append(all, SpacingsOf(words(9, c.within, c.between), "abc abc abc")...)
		}
		spacing := LearnSpacing(all)
		r, err := Read(t.Context(), words(9, c.within, c.between), Options{Person: Person{Spacing: spacing}}, fake)
		if err != nil || strings.Count(r.Text, " ") != 2 {
			t.Errorf("%+v: spacing %g reads %q, %v", c, spacing, r.Text, err)
		}
	}
	if got := SpacingsOf(words(3, 2, 9), "abc"); len(got) != 2 || got[0].Words || math.Abs(got[0].Width-got[1].Width) > 1e-9 {
		t.Errorf("of one word: %+v", got)
	}
	below := bar(0)
	for i := range below {
		below[i].Y += 40
	}
	if got := SpacingsOf(append(words(3, 2, 9), below), "abc a"); got != nil {
		t.Errorf("of two lines: %+v", got)
	}
}
