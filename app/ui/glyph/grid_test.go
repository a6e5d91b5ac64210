package glyph

import (
	"fmt"
	"testing"

	"inkshade/recognizer/line"
)

// The list of a character of a line begins with what was read, also where its ink alone looks like something else, or like nothing.
func TestTheListBeginsWithWhatWasRead(t *testing.T) {
	c := line.Character{Label: "d", Confidence: 0.7, Candidates: []line.Candidate{{Label: "a", Probability: 0.6}, {Label: "d", Probability: 0.3}, {Label: "o", Probability: 0.1}}}
	for want, c := range map[string]line.Character{"d 0.3, a 0.6, o 0.1, ": c, "d 0.7, ": {Label: "d", Confidence: 0.7}} {
		got := ""
		for _, x := range Listed(c) {
			got += fmt.Sprint(x.Label, " ", x.Probability, ", ")
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
