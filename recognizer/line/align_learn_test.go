//go:build learn

package line_test

import (
	"slices"
	"testing"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// TestMeasureTexts prints how often the right text of a word or number, given by a person, finds its ink, and is read again so: by
// columns, and cut where it is written in separate characters.
func TestMeasureTexts(t *testing.T) {
	samples := heldOutWords(t, false)
	for _, whole := range []bool{true, false} {
		r := open(t)
		if whole {
			r = openWords(t)
		}
		of := samples
		if !whole {
			of = slices.DeleteFunc(slices.Clone(of), func(s dataset.Sample) bool { return joinedWord(s) })
		}
		of = of[:min(600, len(of))]
		given, kept := 0, 0
		for _, s := range of {
			said, err := r.ReadLines(t.Context(), []ink.Ink{s.Ink}, line.Options{Text: s.Label})
			if err != nil {
				t.Logf("%q: %v", s.Label, err)
				continue
			}
			given++
			again, err := r.ReadLines(t.Context(), []ink.Ink{s.Ink}, line.Options{Fixed: said[0].Said(), Language: line.English})
			if err != nil {
				t.Fatal(err)
			}
			if again[0].Text == s.Label {
				kept++
			} else {
				t.Logf("%q is read again as %q", s.Label, again[0].Text)
			}
		}
		t.Logf("by columns %v: %d of %d texts found their ink, %d were read so again", whole, given, len(of), kept)
	}
}
