package panel

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync/atomic"

	"inkshade/app/state"
	"inkshade/app/state/device"
	"inkshade/app/ui/glyph"
	"inkshade/app/ui/widget"
	"inkshade/app/ui/worker"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// reader is the engine as the panel asks it: of a line to be read Separate it takes the squares of the paper for the characters.
type reader struct {
	worker.Engine
	book  *state.Collection
	typed atomic.Pointer[map[string]string] // for labels in place of these, when the last line was read; see state.TypedKey
	known []line.Character                  // that were read last, in squares
}

func (q *reader) RecognizeLine(ctx context.Context, k ink.Ink, o line.Options) (*line.Result, device.Side, error) {
	typed := q.book.Typed()
	q.typed.Store(&typed)
	if !o.Separate {
		return q.Engine.RecognizeLine(ctx, k, o)
	}
	r, err := q.squares(k, o.Fixed)
	return r, "", err
}

// squares gives the characters in their squares as a line. A stroke belongs to the square of its middle.
func (q *reader) squares(k ink.Ink, fixed []line.Fixed) (*line.Result, error) {
	in := map[int][]line.Part{}
	for i, s := range k {
		if x0, _, x1, _, ok := (ink.Ink{s}).Bounds(); ok {
			n := int(math.Floor((x0 + x1) / 2 / widget.Square))
			in[n] = append(in[n], line.Part{Stroke: i, Last: len(s) - 1})
		}
	}
	r := &line.Result{}
	for _, n := range slices.Sorted(maps.Keys(in)) {
		c, err := q.character(k, in[n])
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
func (q *reader) character(k ink.Ink, parts []line.Part) (line.Character, error) {
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
	a, _, err := q.Recognize(strokes, false)
	if err != nil {
		return line.Character{}, err
	}
	c := line.Character{Candidates: slices.Clone(a.Candidates[:min(len(a.Candidates), glyph.First)]), Unknown: a.Unknown, Ink: strokes, Parts: parts}
	c.Label, c.Confidence = c.Candidates[0].Label, c.Candidates[0].Probability
	c.Box.MinX, c.Box.MinY, c.Box.MaxX, c.Box.MaxY, _ = strokes.Bounds()
	return c, nil
}
