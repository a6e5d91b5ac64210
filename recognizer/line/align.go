package line

import (
	"cmp"
	"slices"
	"strings"

	"inkshade/glcompute/message"
	"inkshade/recognizer/ink"
)

// ErrUnlike is the error of a text that does not fit the ink.
var ErrUnlike = message.Errorf("the text does not fit what is written; write what is missing, or type what stands there")

// labelsOf are the characters of a text, with one space between words.
func labelsOf(text string) []string {
	return strings.Split(strings.Join(strings.Fields(text), " "), "")
}

// told takes the characters for the text that a person gave, where each of them has ink of its own, from left to right.
func (r *Result) told(k ink.Ink, labels []string) error {
	r.Text, r.Confidence = strings.Join(labels, ""), 1
	r.Alternatives = []Alternative{{r.Text, 1}}
	var order []int
	for _, row := range cutInk(k, r.Said()) {
		of := row.heldOrder()
		if len(of) == 0 {
			return ErrUnlike
		}
		order = append(order, of...)
	}
	written := slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return label == " " })
	if len(written) == 0 || len(order) != len(written) || len(r.Characters) != len(written) || !slices.IsSorted(order) {
		return ErrUnlike
	}
	return nil
}

// Said is what a person says who says that a result is right.
func (r *Result) Said() (all []Fixed) {
	for i, c := range r.Characters {
		f := Fixed{Parts: c.Parts, Label: c.Label}
		if i > 0 && c.Line == r.Characters[i-1].Line {
			f.Space = NoSpace
			if c.Space {
				f.Space = OneSpace
			}
		}
		all = append(all, f)
	}
	return all
}

// tellColumns gives the columns of rows a text; between two rows a space stands.
func tellColumns(rows []transcript, labels []string) (characters []Character, err error) {
	all := Columns{Labels: rows[0].Labels}
	space := slices.Index(all.Labels, " ")
	var begin []int
	for _, t := range rows {
		if len(begin) > 0 {
			all.LogP = append(all.LogP, certain(space, len(all.Labels)+1))
		}
		begin = append(begin, len(all.LogP))
		for _, column := range t.LogP {
			possible := slices.Clone(column) // what is not allowed to be read may still be said
			for i, ln := range column {
				possible[i] = max(ln, impossible)
			}
			all.LogP = append(all.LogP, possible)
		}
	}
	classes, least := all.classes(labels), len(labels)
	for i := 1; i < len(classes); i++ {
		if classes[i] == classes[i-1] {
			least++ // a blank between two alike
		}
	}
	if len(all.LogP) < least {
		return nil, ErrUnlike
	}
	spans := place(all, classes)
	for n, t := range rows {
		var d Decoded
		for i, span := range spans {
			if from := span[0] - begin[n]; from >= 0 && from < len(t.LogP) {
				d.Labels = append(d.Labels, labels[i])
				d.Spans = append(d.Spans, [2]int{from, min(span[1]-begin[n], len(t.LogP))})
			}
		}
		t.seen = t.LogP
		characters = append(characters, t.characters([]Decoded{d}, []Alternative{{Confidence: 1}}, nil)...)
	}
	return characters, nil
}

// tell finds the best way through the groups of a row that says a text, nil where there is none.
func (r *row) tell(labels []string) *step {
	var text []string
	var spaces []bool
	for i, label := range labels {
		if label != " " {
			text, spaces = append(text, label), append(spaces, i > 0 && labels[i-1] == " ")
		}
	}
	best := make([][]*step, len(r.pieces)+1) // by pieces and characters before; nil where no way leads
	for end := range best {
		best[end] = make([]*step, len(text)+1)
		for _, i := range r.ending[end] {
			g := &r.groups[i]
			g.choices = g.choices[:0]
			for n, label := range text {
				g.choose(label, g.looksOf(label), shipped, r.size)
				before := best[g.first][n]
				if (before == nil) != (n == 0 && g.first == 0) {
					continue
				}
				s := r.step(g, n, before)
				s.space = spaces[n]
				t := r.stepTerms(s, shipped, None.model())
				s.score = g.terms.dot(&shipped.terms) + t.dot(&shipped.terms)
				if before != nil {
					s.score += before.score
				}
				if old := best[end][n+1]; old == nil || s.score > old.score {
					best[end][n+1] = s
				}
			}
		}
	}
	return best[len(r.pieces)][len(text)]
}

// looksOf is ln p of a label, bounded.
func (g *group) looksOf(label string) float64 {
	for _, c := range g.answer.Candidates {
		if c.Label == label {
			return c.looks()
		}
	}
	return -leastLog
}

func tellRows(rows []row, labels []string) ([]Character, error) {
	if len(rows) > 1 {
		return nil, message.Errorf("a text of several lines is not matched to what is written here; correct its characters one by one")
	}
	last := rows[0].tell(labels)
	if last == nil {
		return nil, ErrUnlike
	}
	return rows[0].characters([]path{{steps: last.all()}}, []float64{1}, 0), nil
}

// Difference is a run of a text that was read as another, either of which may be empty.
type Difference[T comparable] struct{ Want, Got []T }

// Errors is how many members must be put in, taken out or changed.
func (d Difference[T]) Errors() int { return max(len(d.Want), len(d.Got)) }

// Differences aligns what was read with what was written, by the edit distance (Levenshtein 1966), and lists the runs that
// differ; the distance is the sum of their errors.
func Differences[T comparable](want, got []T) []Difference[T] {
	// costs[i][j] is the distance of want[i:] and got[j:].
	costs := make([][]int, len(want)+1)
	for i := len(want); i >= 0; i-- {
		costs[i] = make([]int, len(got)+1)
		for j := len(got); j >= 0; j-- {
			switch {
			case i == len(want):
				costs[i][j] = len(got) - j
			case j == len(got):
				costs[i][j] = len(want) - i
			case want[i] == got[j]:
				costs[i][j] = costs[i+1][j+1]
			default:
				costs[i][j] = 1 + min(costs[i+1][j+1], costs[i+1][j], costs[i][j+1])
			}
		}
	}
	var runs []Difference[T]
	for i, j := 0, 0; i < len(want) || j < len(got); {
		if i < len(want) && j < len(got) && want[i] == got[j] {
			i, j = i+1, j+1
			continue
		}
		fromI, fromJ := i, j
		for (i < len(want) || j < len(got)) && !(i < len(want) && j < len(got) && want[i] == got[j]) {
			switch {
			case i < len(want) && j < len(got) && costs[i][j] == 1+costs[i+1][j+1]:
				i, j = i+1, j+1
			case i < len(want) && costs[i][j] == 1+costs[i+1][j]:
				i++
			default:
				j++
			}
		}
		runs = append(runs, Difference[T]{want[fromI:i], got[fromJ:j]})
	}
	return runs
}

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
