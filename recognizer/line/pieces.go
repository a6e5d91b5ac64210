package line

import (
	"cmp"
	"math"
	"slices"

	"inkshade/recognizer/ink"
)

// piece is the least that a character is made of: a stroke or a part of one, or a part of a picture.
type piece struct {
	Part     // of the ink; in a picture Stroke is a number of what is connected, and First one of its parts
	box      Box
	pixels   []pixel // of a picture
	fixed    int     // the character that it belongs to, by number from 1 in what a person said; 0 where nothing was
	last     bool    // of its stroke
	from, to float64 // where it was cut from the parts before and after it: from 0, the foot of the stroke, to 1, its top
}

// row is a line of writing: its pieces from left to right, and the groups of them.
type row struct {
	ink    ink.Ink // of all rows; nil of a picture
	pieces []piece
	size   float64 // of the writing: the mean height of its ink
	groups []group
	space  float64 // the gap between words, from which on, in sizes
	ending [][]int // of each place between pieces, the groups that end there
	fixed  []Fixed

	spacing float64 // of Options
}

// cutInk makes rows of pieces, from the top down; none where there is no point.
func cutInk(k ink.Ink, fixed []Fixed) []row {
	k = k.Clean()
	held := make([][]hold, len(k))
	for i, f := range fixed {
		for _, p := range f.Parts {
			if p.Stroke < len(k) && p.Last < len(k[p.Stroke]) {
				held[p.Stroke] = append(held[p.Stroke], hold{p, i + 1})
			}
		}
	}
	var strokes []piece
	for i, s := range k {
		strokes = append(strokes, piece{Part: Part{i, 0, len(s) - 1}, box: boxOf(s), last: true})
	}
	if strokes == nil {
		return nil
	}
	rows := cutParts(joinRows(intoRows(strokes), held), func(p piece, size float64) []piece { return p.cut(k[p.Stroke], size, held[p.Stroke]) })
	for i := range rows {
		rows[i].ink, rows[i].fixed = k, fixed
	}
	return rows
}

// cutParts makes rows of lines of strokes, or of parts of a picture.
func cutParts(lines [][]piece, cut func(p piece, size float64) []piece) []row {
	var rows []row
	for _, members := range lines {
		r := row{size: sizeOf(members)}
		for _, p := range members {
			r.pieces = append(r.pieces, cut(p, r.size)...)
		}
		r.sort()
		rows = append(rows, r)
	}
	return rows
}

// sizeOf is the mean height of pieces, each counting by its extent.
func sizeOf(pieces []piece) float64 {
	sum, weight, whole := 0.0, 0.0, nothing
	for _, p := range pieces {
		extent := p.box.width() + p.box.height()
		sum, weight, whole = sum+extent*p.box.height(), weight+extent, whole.union(p.box)
	}
	if weight == 0 {
		return 1
	}
	// A dash has hardly any height, and is still as wide as a character.
	return max(sum/weight, 0.2*weight/float64(len(pieces)), 0.02*whole.width())
}

// sort orders pieces from left to right. A dot or accent is often set down late, to the right of what it belongs to.
// What a person said to be one character stays together.
func (r *row) sort() {
	whole := map[int]Box{}
	for _, p := range r.pieces {
		if b, ok := whole[p.fixed]; ok {
			p.box = b.union(p.box)
		}
		whole[p.fixed] = p.box
	}
	key := func(p piece) float64 {
		box := p.box
		if p.fixed > 0 {
			box = whole[p.fixed]
		}
		if max(box.width(), box.height()) < 0.25*r.size {
			return box.centreX() - 0.1*r.size
		}
		return box.centreX()
	}
	slices.SortFunc(r.pieces, func(a, b piece) int {
		return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a.fixed, b.fixed), cmp.Compare(a.box.MinY, b.box.MinY), cmp.Compare(a.box.MinX, b.box.MinX), cmp.Compare(a.First, b.First))
	})
}

// farApart is how many mean heights of strokes lie at least between two lines of which one has neither tall letters nor long ones.
const farApart = 0.35

// intoRows parts strokes into lines of writing, by height: the middle halves of the strokes of a line overlap from
// one to the next, and those of two lines hardly do. What is low or short, such as a dot or a comma, goes to the line it is nearest to.
func intoRows(strokes []piece) [][]piece {
	size := sizeOf(strokes)
	large, small := [][]piece{}, []piece{}
	slices.SortStableFunc(strokes, func(a, b piece) int { return cmp.Compare(a.box.MinY+a.box.MaxY, b.box.MinY+b.box.MaxY) })
	end := math.Inf(-1)
	for _, s := range strokes {
		h := s.box.height()
		switch top, bottom := s.box.MinY+h/4, s.box.MaxY-h/4; {
		case h < 0.4*size:
			small = append(small, s)
		case top > end+0.1*size:
			large, end = append(large, []piece{s}), bottom
		default:
			large[len(large)-1] = append(large[len(large)-1], s)
			end = max(end, bottom)
		}
	}
	if len(large) == 0 {
		return [][]piece{small}
	}
	for i := 1; i < len(large); {
		above, below := boxesOf(large[i-1]), boxesOf(large[i])
		shorter, taller := min(above.height(), below.height()), max(above.height(), below.height())
		if between := apart(above, below); between > farApart*size || shorter > 0.6*taller && between > -0.25*shorter {
			i++
			continue
		}
		large[i-1] = append(large[i-1], large[i]...)
		large = slices.Delete(large, i, i+1)
	}
	boxes := make([]Box, len(large))
	for i, row := range large {
		boxes[i] = boxesOf(row)
	}
	for _, s := range small {
		nearest := 0
		for i, b := range boxes {
			if apart(b, s.box) < apart(boxes[nearest], s.box) {
				nearest = i
			}
		}
		large[nearest] = append(large[nearest], s)
	}
	return large
}

// apart is the vertical distance of two boxes, or how far they overlap, below 0.
func apart(a, b Box) float64 { return max(a.MinY-b.MaxY, b.MinY-a.MaxY) }

// cut parts a stroke where it runs on from one character to the next: at columns that it passes once, going right
// and rather level, between parts that are as wide as a narrow character. What is held is cut at its ends alone.
func (p piece) cut(points ink.Stroke, size float64, held []hold) (parts []piece) {
	var places []int
	if p.box.width() >= 0.7*size {
		places = joints(points, p.box, size)
	}
	for _, h := range held {
		places = slices.DeleteFunc(places, func(i int) bool { return h.First < i && i < h.Last })
	}
	for _, h := range held {
		places = append(places, h.First, h.Last)
	}
	slices.Sort(places)
	places = slices.DeleteFunc(slices.Compact(places), func(i int) bool { return i == 0 || i == p.Last })
	above := func(i int) float64 { return (p.box.MaxY - points[i].Y) / max(p.box.height(), 1e-9*p.box.width()) }
	from := 0
	for _, to := range append(places, p.Last) {
		part := piece{Part: Part{p.Stroke, from, to}, box: boxOf(points[from : to+1]), last: to == p.Last, from: above(from), to: above(to)}
		for _, h := range held {
			if h.First <= from && to <= h.Last {
				part.fixed = h.fixed
			}
		}
		parts = append(parts, part)
		from = to
	}
	return parts
}

// joints are the points of a stroke where it may be cut.
func joints(s ink.Stroke, box Box, size float64) []int {
	const columns = 12 // to the size of the writing
	step := size / columns
	n := int(box.width()/step) + 1
	passes := make([]int, n)
	column := func(x float64) int { return min(n-1, int((x-box.MinX)/step)) }
	rising := make([]float64, n) // the height that the pen covers in the column
	at := make([]int, n)
	for i := 1; i < len(s); i++ {
		a, b := column(s[i-1].X), column(s[i].X)
		for c := min(a, b); c <= max(a, b); c++ {
			if a != b || i == 1 {
				passes[c]++
			}
			rising[c] += math.Abs(s[i].Y-s[i-1].Y) / float64(max(a, b)-min(a, b)+1)
			at[c] = i
		}
	}
	var places []int
	lastX := box.MinX
	for c := 0; c < n; {
		end := c
		for end < n && passes[end] <= 2 && rising[end] < 2*step {
			end++
		}
		if end-c >= 1 {
			i := at[(c+end)/2]
			if x := s[i].X; i > 0 && i < len(s)-1 && x-lastX > 0.25*size && box.MaxX-x > 0.25*size && (len(places) == 0 || i > places[len(places)-1]) {
				places, lastX = append(places, i), x
			}
		}
		c = end + 1
	}
	return places
}

// spaceWidth is the least gap between words, in sizes of the writing: people who write wide apart leave wide gaps within
// words too, half of which are below the median.
func (r *row) spaceWidth() float64 {
	var gaps []float64
	right := r.pieces[0].box.MaxX
	for _, p := range r.pieces[1:] {
		if gap := (p.box.MinX - right) / r.size; gap > 0 {
			gaps = append(gaps, gap)
		}
		right = max(right, p.box.MaxX)
	}
	slices.Sort(gaps)
	width := 2 * wordGap // with nothing to compare with
	if len(gaps) > 1 {
		width = wordGap + wideApart*gaps[(len(gaps)-1)/2]
	}
	return width * cmp.Or(r.spacing, 1)
}

const (
	wordGap   = 0.7
	wideApart = 1.5
)
