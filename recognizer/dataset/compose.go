package dataset

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"inkshade/recognizer/ink"
)

// Letters are the single characters of one writer, of which lines are composed.
type Letters struct {
	Writer string
	Size   float64 // median height of letters and digits
	of     map[string][]ink.Ink
	labels []string // that it has, sorted
}

// LettersOf gathers the samples of one character by writers who wrote at least so many different ones, in the order of
// their names.
func LettersOf(samples []Sample, least int) (all []Letters) {
	writers := map[string]map[string][]ink.Ink{}
	for _, s := range samples {
		if len([]rune(s.Label)) != 1 || s.Writer == "" || s.Ink == nil {
			continue
		}
		if writers[s.Writer] == nil {
			writers[s.Writer] = map[string][]ink.Ink{}
		}
		writers[s.Writer][s.Label] = append(writers[s.Writer][s.Label], s.Ink)
	}
	for _, name := range slices.Sorted(maps.Keys(writers)) {
		l := Letters{Writer: name, of: writers[name], labels: slices.Sorted(maps.Keys(writers[name]))}
		var heights []float64
		for label, inks := range l.of {
			for _, k := range inks {
				if _, y0, _, y1, ok := k.Bounds(); ok && !strings.Contains(low+high+middling, label) {
					heights = append(heights, y1-y0)
				}
			}
		}
		slices.Sort(heights)
		if len(l.of) < least || len(heights) == 0 {
			continue
		}
		if l.Size = heights[len(heights)/2]; l.Size > 0 {
			all = append(all, l)
		}
	}
	return all
}

// Has tells whether the writer wrote all characters of a text.
func (l Letters) Has(text string) bool {
	for _, c := range text {
		if l.of[string(c)] == nil {
			return false
		}
	}
	return true
}

// Random draws a text of so many characters that the writer has.
func (l Letters) Random(n int, rng *rand.Rand) (text string) {
	for range n {
		text += l.labels[rng.IntN(len(l.labels))]
	}
	return text
}

// Where characters stand that do not stand on the line.
const (
	below    = "gpqyj" // with a part of them
	low      = ",._"
	high     = "'\"^`"
	middling = "-=+~*<>:;"
)

// Compose writes a text, of characters that the writer has, one beside the other on a line.
func (l Letters) Compose(text string, rng *rand.Rand) (line ink.Ink) {
	x, gap := 0.0, l.Size*(0.05+0.45*rng.Float64())
	for _, c := range text {
		label := string(c)
		all := l.of[label]
		k := all[rng.IntN(len(all))]
		x0, y0, x1, y1, _ := k.Bounds()
		height := y1 - y0
		bottom := 0.0 // of the character, below the line
		switch {
		case label == "j":
			bottom = 0.3 * height
		case strings.Contains(below, label):
			bottom = 0.42 * height
		case label == "." || label == "_":
			bottom = 0.05 * l.Size
		case strings.Contains(low, label):
			bottom = height - 0.1*l.Size
		case strings.Contains(high, label):
			bottom = height - 1.1*l.Size
		case strings.Contains(middling, label):
			bottom = height/2 - 0.4*l.Size
		}
		bottom += 0.06 * l.Size * even(rng)
		line = append(line, k.Map(func(p ink.Point) ink.Point {
			p.X, p.Y = p.X-x0+x, p.Y-y1+bottom
			return p
		})...)
		x += x1 - x0 + max(gap+0.1*l.Size*even(rng), 0.02*l.Size)
	}
	return line
}
