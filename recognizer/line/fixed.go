package line

import (
	"cmp"
	"slices"

	"inkshade/recognizer/ink"
)

// hold is a part of a stroke that belongs to a character of which a person said something, by number from 1.
type hold struct {
	Part
	fixed int
}

// joinRows makes one line of those that a person said to have ink of one character.
func joinRows(lines [][]piece, held [][]hold) [][]piece {
	home := map[int]int{} // the line of a character
	for i := 0; i < len(lines); i++ {
		for _, p := range lines[i] {
			for _, h := range held[p.Stroke] {
				to, ok := home[h.fixed]
				if !ok {
					home[h.fixed] = i
				} else if to != i {
					lines[to] = append(lines[to], lines[i]...)
					return joinRows(slices.Delete(lines, i, i+1), held)
				}
			}
		}
	}
	return lines
}

// endOfFixed is the end of the pieces from first on that belong to the same fixed character.
func (r *row) endOfFixed(first int) int {
	end := first + 1
	for end < len(r.pieces) && r.pieces[end].fixed == r.pieces[first].fixed {
		end++
	}
	return end
}

// said is what a person said of the character that a piece belongs to, if anything.
func (r *row) said(p piece) (f Fixed) {
	if p.fixed > 0 {
		f = r.fixed[p.fixed-1]
	}
	return f
}

// heldOrder are the characters of which a person said something, by number from 1 in what was said, from left to right.
func (r *row) heldOrder() (order []int) {
	for i, p := range r.pieces {
		if p.fixed > 0 && (i == 0 || p.fixed != r.pieces[i-1].fixed) {
			order = append(order, p.fixed)
		}
	}
	return order
}

// Overlaps tells whether two parts have more in common than the point where one ends and the other begins.
func (p Part) Overlaps(q Part) bool {
	return p == q || p.Stroke == q.Stroke && p.First < q.Last && q.First < p.Last
}

// aside is the least share of a stroke's width that is cut off from it.
const aside = 0.2

// Divide parts some of the ink at x. Strokes that hardly reach over x are not cut: they go where most of them is.
func Divide(k ink.Ink, parts []Part, x float64) (left, right []Part) {
	put := func(p Part, onLeft bool) {
		if onLeft {
			left = append(left, p)
		} else {
			right = append(right, p)
		}
	}
	for _, p := range parts {
		points := k[p.Stroke][p.First : p.Last+1]
		box := boxOf(points)
		if min(x-box.MinX, box.MaxX-x) <= aside*box.width() {
			put(p, box.centreX() < x)
			continue
		}
		from := 0
		for i := 1; i < len(points); i++ {
			if before := points[i-1].X < x; before != (points[i].X < x) {
				put(Part{p.Stroke, p.First + from, p.First + i}, before)
				from = i
			}
		}
		put(Part{p.Stroke, p.First + from, p.Last}, points[len(points)-1].X < x)
	}
	return left, right
}

// Gap is where ink is likeliest to be two characters: in the middle of the widest gap, or the least overlap, of its
// pieces, and of one piece alone in its middle.
func Gap(k ink.Ink) float64 {
	var pieces []piece
	for _, r := range cutInk(k, nil) {
		pieces = append(pieces, r.pieces...)
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.box.centreX(), b.box.centreX()) })
	x, widest := boxesOf(pieces).centreX(), 0.0
	for i := 1; i < len(pieces); i++ {
		left, right := boxesOf(pieces[:i]), boxesOf(pieces[i:])
		if gap := right.MinX - left.MaxX; i == 1 || gap > widest {
			x, widest = (left.MaxX+right.MinX)/2, gap
		}
	}
	return x
}
