package line

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"inkshade/recognizer/ink"
)

// A text that is given to cut ink goes the best of all ways that say it.
func TestTellAgainstBruteForce(t *testing.T) {
	found := 0
	for _, text := range []string{"ox", "1 H", "xx-", "oHxq", "o"} {
		labels := labelsOf(text)
		for seed := range uint64(12) {
			rows := cutInk(scribble(seed, 3), nil)
			for i := range rows {
				rows[i].group()
			}
			if _, err := answer(t.Context(), [][]row{rows}, nil, fake); err != nil {
				t.Fatal(err)
			}
			r := &rows[0]
			best := math.Inf(-1)
			last := r.tell(labels)
			r.everyPath(0, nil, func(s *step, _ float64) {
				score, before := 0.0, ""
				for _, s := range s.all() {
					if s.space = strings.HasPrefix(text[len(before):], " "); s.space {
						before += " "
					}
					if before += s.text(); !strings.HasPrefix(text, before) {
						return
					}
					terms := r.stepTerms(s, shipped, None.model())
					terms.add(&s.group.terms)
					score += terms.dot(&shipped.terms)
				}
				if before == text {
					best = max(best, score)
				}
			}, None.model())
			switch {
			case last == nil && !math.IsInf(best, -1):
				t.Errorf("%q, seed %d: no way was found", text, seed)
			case last != nil && math.Abs(last.score-best) > 1e-9:
				t.Errorf("%q, seed %d: the way found has %g, the best of all %g", text, seed, last.score, best)
			case last != nil:
				found++
				if got := (path{steps: last.all()}).text(); got != text {
					t.Errorf("%q, seed %d: the way says %q", text, seed, got)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("of 60 lines %d have room for the text", found)
	}
}

// What is said of a line holds when it is read again, and a text without room is refused.
func TestATextIsGivenToCutInk(t *testing.T) {
	k := ink.Ink{bar(0), bar(10), bar(20), bar(30)}
	for _, text := range []string{"o1Hx", "o 1Hx", "yy yy", "o1 H x"} {
		r, err := Read(t.Context(), k, Options{Text: text}, fake)
		if err != nil || r.Text != text || len(r.Characters) != 4 {
			t.Fatalf("%q: %+v, %v", text, r, err)
		}
		again, err := Read(t.Context(), k, Options{Fixed: r.Said()}, fake)
		if err != nil || again.Text != text || !slices.ContainsFunc(again.Characters, func(c Character) bool { return c.Fixed }) {
			t.Errorf("%q is read again as %+v, %v", text, again, err)
		}
	}
	for _, text := range []string{"o1Hxo1Hxo1Hxo1Hx", " "} {
		if _, err := Read(t.Context(), k, Options{Text: text}, fake); !errors.Is(err, ErrUnlike) {
			t.Errorf("%q: %v", text, err)
		}
	}
	below := slices.Clone(bar(5))
	for i := range below {
		below[i].Y += 40
	}
	if _, err := Read(t.Context(), append(k, below), Options{Text: "o1Hxo"}, fake); err == nil || errors.Is(err, ErrUnlike) {
		t.Errorf("several lines: %v", err)
	}
}
