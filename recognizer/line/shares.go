package line

import (
	"math"
	"slices"

	"inkshade/recognizer/ink"
)

// share gives each character of a text ink: what a person said is its own, and else what lies between the middles between
// its columns and those of its neighbours. Spaces get none.
func (t *transcript) share(d Decoded, said []int) [][]Part {
	parts := make([][]Part, len(d.Labels))
	var held map[int][]Part
	if said != nil {
		held = t.row.heldParts()
	}
	var free []int // characters of which nothing was said
	for i, label := range d.Labels {
		switch {
		case label == " ":
		case said != nil && said[i] > 0:
			parts[i] = held[said[i]]
		default:
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return parts
	}
	edges := t.edges(d, free)
	for _, slack := range []float64{0.25 * t.row.size, 0} {
		for _, i := range free {
			parts[i] = nil
		}
		for _, p := range t.row.pieces {
			if said != nil && p.fixed > 0 {
				continue
			}
			for n, of := range p.between(t.row.points(p), edges, slack) {
				parts[free[n]] = append(parts[free[n]], of...)
			}
		}
		if !slices.ContainsFunc(free, func(i int) bool { return len(parts[i]) == 0 }) {
			break // else the rest is cut, too
		}
	}
	for _, i := range free {
		if len(parts[i]) == 0 {
			parts[i] = t.nearest(t.middle(d.Spans[i]), said != nil)
		}
		parts[i] = joined(parts[i])
	}
	return parts
}

// middle is the place of the middle of some columns.
func (t *transcript) middle(span [2]int) float64 {
	return t.From + t.Step*float64(span[0]+span[1])/2
}

// beforeMiddle is where a character ends, as a part of the way from the middle of its columns to that of the next one's: the
// network speaks when it has seen most of a character.
const beforeMiddle = 0.4

// edges are the places between neighbours among characters: the gap between two pieces that is nearest to where the character
// should end, rather one between two strokes than where one is cut, or this itself where no gap is between their columns.
func (t *transcript) edges(d Decoded, of []int) (edges []float64) {
	for n, i := range of[1:] {
		from, to := t.middle(d.Spans[of[n]]), t.middle(d.Spans[i])
		end := from + beforeMiddle*(to-from)
		edge, best := end, math.Inf(1)
		for j, p := range t.row.pieces[1:] {
			before := t.row.pieces[j]
			x, away := (before.box.MaxX+p.box.MinX)/2, 1.0
			if before.Stroke == p.Stroke {
				away = 2
			}
			if away *= math.Abs(x - end); x > from && x < to && away < best {
				edge, best = x, away
			}
		}
		edges = append(edges, edge)
	}
	return edges
}

// between parts a piece at edges; what reaches over one by slack or less is not cut.
func (p piece) between(points ink.Stroke, edges []float64, slack float64) map[int][]Part {
	place := func(x float64) int {
		n, _ := slices.BinarySearch(edges, x)
		return n
	}
	slack = min(slack, p.box.width()/2)
	from, to := place(p.box.MinX+slack), place(p.box.MaxX-slack)
	if from >= to || len(points) < 2 {
		return map[int][]Part{place(p.box.centreX()): {p.Part}}
	}
	all := map[int][]Part{}
	begin, at := 0, -1
	for i, q := range points {
		now := min(max(place(q.X), from), to)
		if at >= 0 && now != at {
			all[at] = append(all[at], Part{p.Stroke, p.First + begin, p.First + i})
			begin = i
		}
		at = now
	}
	if begin < len(points)-1 {
		all[at] = append(all[at], Part{p.Stroke, p.First + begin, p.Last})
	}
	return all
}

// nearest is the ink of the row nearest to a place, for a character between whose neighbours there is none; without what a
// person spoke of where that is gone already.
func (t *transcript) nearest(x float64, free bool) (parts []Part) {
	best := math.Inf(1)
	for _, p := range t.row.pieces {
		for i, q := range t.row.points(p) {
			if away := math.Abs(q.X - x); away < best && !(free && p.fixed > 0) {
				first := max(min(p.First+i, p.Last-1), p.First)
				best, parts = away, []Part{{p.Stroke, first, min(first+1, p.Last)}}
			}
		}
	}
	return parts
}

// heldParts is the ink in the row of which a person said that it is one character, by number from 1 in what was said.
func (r *row) heldParts() map[int][]Part {
	held := map[int][]Part{}
	for _, p := range r.pieces {
		if p.fixed > 0 {
			held[p.fixed] = append(held[p.fixed], p.Part)
		}
	}
	for f := range held {
		held[f] = joined(held[f])
	}
	return held
}

// force writes into the columns what a person said, in place of those characters of a text whose ink it is, and tells what was
// said in each column, by number from 1.
func (t *transcript) force(d Decoded, held map[int][]Part) []int {
	parts := t.share(d, nil)
	owner := make([]bool, len(d.Labels)) // of the characters, whether a person spoke of most of their ink
	for i, of := range parts {
		spoken, all := 0, 0
		for _, p := range of {
			all += p.Last - p.First + 1
			for _, h := range held {
				for _, q := range h {
					if p.Stroke == q.Stroke {
						spoken += max(0, min(p.Last, q.Last)-max(p.First, q.First)+1)
					}
				}
			}
		}
		owner[i] = 2*spoken > all
	}
	// What was said goes in its order between the characters that stay.
	type fix struct {
		number int
		x      float64
	}
	var fixes []fix
	for _, f := range t.row.heldOrder() {
		fixes = append(fixes, fix{f, around(inkOf(t.row.ink, held[f]), boxOf).centreX()})
	}
	said := make([]int, len(t.LogP))
	column := 0
	for i := 0; i <= len(d.Labels); i++ {
		end, reach := len(t.LogP), math.Inf(1)
		for i < len(d.Labels) && owner[i] {
			i++
		}
		if i < len(d.Labels) {
			end, reach = d.Spans[i][0], t.middle(d.Spans[i])
		}
		n := 0
		for n < len(fixes) && fixes[n].x < reach {
			n++
		}
		var now []int
		for _, f := range fixes[:n] {
			if t.row.fixed[f.number-1].Space == OneSpace {
				now = append(now, 0)
			}
			now = append(now, f.number)
		}
		fixes = fixes[n:]
		if n > 0 || i > 0 && owner[i-1] {
			t.put(now, column, max(end, min(column+2*len(now)-1, len(t.LogP))), said)
		}
		if i < len(d.Labels) {
			column = d.Spans[i][1]
		}
	}
	return said
}

// put makes some columns be characters of which a person spoke, by number from 1, with spaces, 0, and nothing else.
func (t *transcript) put(fixes []int, from, to int, said []int) {
	blank := len(t.Labels)
	likely := make([][]float64, len(fixes))
	at := func(n int) int { return from + n*(to-from)/max(len(fixes), 1) }
	for n, f := range fixes {
		label := " "
		if f > 0 {
			label = t.row.fixed[f-1].Label
		}
		if label == "" {
			first := at(n)
			if n > 0 && fixes[n-1] == 0 {
				first = at(n - 1)
			}
			likely[n] = t.among(t.LogP[first:min(max(at(n+1), first+1), len(t.LogP))])
		} else {
			likely[n] = certain(slices.Index(t.Labels, label), blank+1)
		}
	}
	for i := from; i < to; i++ {
		t.LogP[i] = certain(blank, blank+1)
	}
	for n, f := range fixes {
		i := min((at(n)+at(n+1))/2, len(t.LogP)-1)
		t.LogP[i], said[i] = likely[n], f
	}
}

// said tells what was said of each character of a text, given what was said in each column.
func (t *transcript) said(d Decoded, inColumn []int) []int {
	of := make([]int, len(d.Labels))
	for i, span := range d.Spans {
		for _, f := range inColumn[span[0]:span[1]] {
			of[i] = max(of[i], f)
		}
	}
	return of
}
