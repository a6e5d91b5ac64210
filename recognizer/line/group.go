package line

import (
	"cmp"
	"math"
	"slices"

	"inkshade/recognizer/ink"
)

const (
	mostPieces     = 7    // of a character
	widest         = 2.2  // character, in sizes of the writing
	mostCandidates = 10   // that the search follows
	leastShare     = 1e-4 // of the probability, for a candidate to be followed
)

// group is a run of neighbouring pieces that may be a character.
type group struct {
	first, end int // pieces[first:end]
	box        Box
	answer     Answer
	choices    []choice // the candidates that the search follows
	terms      terms    // of the score, without those of the label and the neighbour
	label      string   // that a person gave it
	space      Space    // that a person said to be before it
}

// group makes all groups of the row; what a person said to be one character is in no other.
func (r *row) group() {
	r.space = r.spaceWidth()
	r.ending = make([][]int, len(r.pieces)+1)
	for first, p := range r.pieces {
		if p.fixed > 0 {
			if end := r.endOfFixed(first); first == 0 || r.pieces[first-1].fixed != p.fixed {
				f := r.said(p)
				r.add(group{first: first, end: end, box: boxesOf(r.pieces[first:end]), label: f.Label, space: f.Space})
			}
			continue
		}
		box := nothing
		for end := first + 1; end <= min(len(r.pieces), first+mostPieces) && r.pieces[end-1].fixed == 0; end++ {
			box = box.union(r.pieces[end-1].box)
			if end > first+1 && box.width() > widest*r.size {
				break
			}
			r.add(group{first: first, end: end, box: box})
		}
	}
}

func (r *row) add(g group) {
	g.terms = r.shapeTerms(g.first, g.end, g.box)
	r.ending[g.end] = append(r.ending[g.end], len(r.groups))
	r.groups = append(r.groups, g)
}

// strokes are those of a group in the order they were written, parts of a stroke that follow each other joined again.
func (r *row) strokes(g group) (k ink.Ink, from []Part) {
	parts := slices.Clone(r.pieces[g.first:g.end])
	slices.SortFunc(parts, func(a, b piece) int {
		return cmp.Or(cmp.Compare(a.stroke, b.stroke), cmp.Compare(a.part, b.part))
	})
	for i, p := range parts {
		if i > 0 && p.stroke == parts[i-1].stroke && p.part == parts[i-1].part+1 {
			last := &k[len(k)-1]
			*last = append(slices.Clip(*last), p.points[1:]...)
			from[len(from)-1].Last = p.first + len(p.points) - 1
			continue
		}
		k = append(k, p.points)
		from = append(from, Part{p.stroke, p.first, p.first + len(p.points) - 1})
	}
	return k, from
}

// shapeTerms measure how like a character the pieces lie together.
func (r *row) shapeTerms(first, end int, box Box) (t terms) {
	t[perCharacter] = 1
	t[perPiece] = float64(end - first - 1)
	t[wide] = max(0, box.width()/r.size-1)
	t[veryWide] = max(0, box.width()/r.size-1.5)
	right := r.pieces[first].box.MaxX
	for i := first; i < end; i++ {
		p := r.pieces[i]
		t[gapWithin] = max(t[gapWithin], (p.box.MinX-right)/r.size)
		right = max(right, p.box.MaxX)
		if p.part > 0 && !r.has(first, end, p.stroke, p.part-1) {
			t[cutEdges]++
			t[cutHeights] += p.from
		}
		if !p.last && !r.has(first, end, p.stroke, p.part+1) {
			t[cutEdges]++
			t[cutHeights] += p.to
		}
		if p.part > 0 && r.has(first, end, p.stroke, p.part-1) {
			t[joinedCuts]++
		}
	}
	return t
}

func (r *row) has(first, end, stroke, part int) bool {
	return slices.ContainsFunc(r.pieces[first:end], func(p piece) bool { return p.stroke == stroke && p.part == part })
}

// choice is a candidate that the search follows, with what it takes from it.
type choice struct {
	label       string
	looks       float64 // ln p
	extent      float64 // ln density of the group's size
	shape, kind int
}

// follow chooses the candidates that the search follows, and says what the answer adds to the terms.
func (g *group) follow(w *weights, language *model, size float64) {
	g.choices = g.choices[:0]
	if g.label != "" {
		g.choices = append(g.choices, choice{g.label, 0, w.extent(g.label, g.box, size), shapeOf(g.label), kindOf(g.label)})
		return
	}
	for _, c := range g.answer.Candidates {
		if !language.allows(c.Label) || len(g.choices) == mostCandidates || len(g.choices) > 0 && c.Probability < leastShare {
			continue
		}
		g.choices = append(g.choices, choice{
			c.Label, max(math.Log(c.Probability), -leastLog), w.extent(c.Label, g.box, size), shapeOf(c.Label), kindOf(c.Label),
		})
	}
	if g.answer.Unknown {
		g.terms[unlike] = 1
	}
	g.terms[outOfDistribution] = min(g.answer.OutOfDistribution, mostOutOfDistribution)
	if len(g.answer.Candidates) > 0 {
		g.terms[doubt] = -math.Log(g.answer.Candidates[0].Probability)
	}
}

// A single character does not decide a line: these bound how doubtful and how far out of distribution it is.
const (
	leastLog              = 12
	mostOutOfDistribution = 3
)
