package line

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"inkshade/recognizer/ink"
)

// Spacing is a gap in a person's line: how wide it is, 1 being what parts the words of strangers, and whether words part there.
type Spacing struct {
	Width float64
	Words bool
}

// SpacingsOf are the gaps in a line whose text is known: the widest ones part its words. None where it is seen as several lines.
func SpacingsOf(k ink.Ink, text string) (all []Spacing) {
	rows := cutInk(k, nil)
	if len(rows) != 1 {
		return nil
	}
	for _, g := range rows[0].gaps() {
		all = append(all, Spacing{Width: evenGap + surerGap*g.odds})
	}
	slices.SortFunc(all, func(a, b Spacing) int { return cmp.Compare(b.Width, a.Width) })
	for i := range all[:min(strings.Count(text, " "), len(all))] {
		all[i].Words = true
	}
	return all
}

// usualSpacing is how far people's spacing is from that of strangers, as the deviation of its logarithm.
const usualSpacing = 0.3

// LearnSpacing gives the spacing of the person who left these gaps, for Options: the likeliest, given how people differ.
func LearnSpacing(all []Spacing) float64 {
	best, most := 1.0, math.Inf(-1)
	for i := 20; i <= 100; i++ {
		spacing := float64(i) / 50
		away := math.Log(spacing) / usualSpacing
		likely := -away * away / 2
		for _, s := range all {
			odds := (s.Width/spacing - evenGap) / surerGap
			if s.Words {
				odds = -odds
			}
			likely -= logAdd(0, odds)
		}
		if likely > most {
			best, most = spacing, likely
		}
	}
	return best
}
