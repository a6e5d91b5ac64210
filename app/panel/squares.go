package panel

import (
	"maps"
	"math"
	"slices"

	"inkshade/app/ui/glyph"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// squares reads single characters, each from a square of the paper.
type squares struct {
	known []line.Character // that were read last
}

// read gives the characters in their squares as a line. A stroke belongs to the square of its middle.
func (q *squares) read(e Engine, k ink.Ink, fixed []line.Fixed) (*line.Result, error) {
	in := map[int][]line.Part{}
	for i, s := range k {
		if x0, _, x1, _, ok := (ink.Ink{s}).Bounds(); ok {
			n := int(math.Floor((x0 + x1) / 2 / widget.Square))
			in[n] = append(in[n], line.Part{Stroke: i, Last: len(s) - 1})
		}
	}
	r := &line.Result{}
	for _, n := range slices.Sorted(maps.Keys(in)) {
		c, err := q.character(e, k, in[n])
		if err != nil {
			return nil, err
		}
		r.Characters = append(r.Characters, c)
	}
	q.known = slices.Clone(r.Characters)
	for i := range r.Characters {
		c := &r.Characters[i]
		for _, f := range fixed {
			if slices.Equal(f.Parts, c.Parts) {
				c.Label, c.Fixed = f.Label, true
			}
		}
	}
	return r, nil
}

// character reads some strokes, unless they were read last time too.
func (q *squares) character(e Engine, k ink.Ink, parts []line.Part) (line.Character, error) {
	var strokes ink.Ink
	for _, p := range parts {
		strokes = append(strokes, k[p.Stroke])
	}
	for _, c := range q.known {
		if widget.SameInk(c.Ink, strokes) {
			c.Parts = parts
			return c, nil
		}
	}
	a, _, err := e.Recognize(strokes, false)
	if err != nil {
		return line.Character{}, err
	}
	c := line.Character{Candidates: slices.Clone(a.Candidates[:min(len(a.Candidates), glyph.First)]), Unknown: a.Unknown, Ink: strokes, Parts: parts}
	c.Label, c.Confidence = c.Candidates[0].Label, c.Candidates[0].Probability
	c.Box.MinX, c.Box.MinY, c.Box.MaxX, c.Box.MaxY, _ = strokes.Bounds()
	return c, nil
}
