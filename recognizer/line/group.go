package line

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"slices"
	"sync"

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
			if first > 0 && r.pieces[first-1].fixed == p.fixed {
				continue
			}
			end := first + 1
			for end < len(r.pieces) && r.pieces[end].fixed == p.fixed {
				end++
			}
			f := r.said(p)
			r.add(group{first: first, end: end, box: boxesOf(r.pieces[first:end]), label: f.Label, space: f.Space})
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

// partsOf are those of the ink that some pieces are of, in the order they were written.
func partsOf(pieces []piece) []Part {
	parts := make([]Part, len(pieces))
	for i, p := range pieces {
		parts[i] = p.Part
	}
	return joined(parts)
}

// joined sorts parts, and makes one of those that follow each other.
func joined(parts []Part) (all []Part) {
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Or(cmp.Compare(a.Stroke, b.Stroke), cmp.Compare(a.First, b.First)) })
	for _, p := range parts {
		if n := len(all); n > 0 && all[n-1].Stroke == p.Stroke && all[n-1].Last == p.First {
			all[n-1].Last = p.Last
			continue
		}
		all = append(all, p)
	}
	return all
}

func inkOf(k ink.Ink, parts []Part) (out ink.Ink) {
	for _, p := range parts {
		out = append(out, k[p.Stroke][p.First:p.Last+1])
	}
	return out
}

// shapeTerms measure how like a character the pieces lie together.
func (r *row) shapeTerms(first, end int, box Box) (t terms) {
	t[perCharacter] = 1
	t[perPiece] = float64(end - first - 1)
	t[wide] = max(0, box.width()/r.size-1)
	t[veryWide] = max(0, box.width()/r.size-1.5)
	right := r.pieces[first].box.MaxX
	for _, p := range r.pieces[first:end] {
		t[gapWithin] = max(t[gapWithin], (p.box.MinX-right)/r.size)
		right = max(right, p.box.MaxX)
		before, after := false, false // whether the parts of its stroke on both sides are of the group
		for _, q := range r.pieces[first:end] {
			before = before || q.Stroke == p.Stroke && q.Last == p.First
			after = after || q.Stroke == p.Stroke && q.First == p.Last
		}
		if p.First > 0 && before {
			t[joinedCuts]++
		} else if p.First > 0 {
			t[cutEdges]++
			t[cutHeights] += p.from
		}
		if !p.last && !after {
			t[cutEdges]++
			t[cutHeights] += p.to
		}
	}
	return t
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
		g.choose(g.label, 0, w, size)
		return
	}
	for _, c := range g.answer.Candidates {
		if !language.allows(c.Label) || len(g.choices) == mostCandidates || len(g.choices) > 0 && c.Probability < leastShare {
			continue
		}
		g.choose(c.Label, c.looks(), w, size)
	}
	if g.answer.Unknown {
		g.terms[unlike] = 1
	}
	g.terms[outOfDistribution] = min(g.answer.OutOfDistribution, mostOutOfDistribution)
	if len(g.answer.Candidates) > 0 {
		g.terms[doubt] = -math.Log(g.answer.Candidates[0].Probability)
	}
}

// choose adds a candidate that the search follows.
func (g *group) choose(label string, looks float64, w *weights, size float64) {
	g.choices = append(g.choices, choice{label, looks, w.extent(label, g.box, size), shapeOf(label), kindOf(label)})
}

// looks is ln p, bounded.
func (c Candidate) looks() float64 { return max(math.Log(c.Probability), -leastLog) }

// A single character does not decide a line: these bound how doubtful and how far out of distribution it is.
const (
	leastLog              = 12
	mostOutOfDistribution = 3
)

// Cache keeps the answers for shapes that the last two readings needed, by their content. Whoever changes what answers, such as the
// model, the classes allowed or what a memory remembers, takes a new one. It may be used by several goroutines.
type Cache struct {
	mu          sync.Mutex
	before, now map[uint64]Answer // of the reading before last, and the last
}

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{} }

var seed = maphash.MakeSeed()

// keyOf sums up all that a shape is.
func keyOf(s Shape) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, stroke := range s.Ink {
		maphash.WriteComparable(&h, len(stroke))
		for _, p := range stroke {
			maphash.WriteComparable(&h, p)
		}
	}
	maphash.WriteComparable(&h, s.Image.Width)
	for _, v := range s.Image.Pix {
		maphash.WriteComparable(&h, v)
	}
	return h.Sum64()
}

// answer asks, as one batch, about all groups that the cache does not know, and counts them by the rows they belong to.
func answer(ctx context.Context, all [][]row, cache *Cache, ask Ask) (asked []int, err error) {
	if cache == nil {
		cache = NewCache()
	}
	asked = make([]int, len(all))
	var shapes []Shape
	var keys []uint64
	var waiting []*group
	cache.mu.Lock()
	cache.before, cache.now = cache.now, map[uint64]Answer{}
	for i, rows := range all {
		for j := range rows {
			for k := range rows[j].groups {
				g := &rows[j].groups[k]
				shape := rows[j].shape(*g)
				id := keyOf(shape)
				a, ok := cache.now[id]
				if !ok {
					a, ok = cache.before[id]
				}
				if ok {
					g.answer, cache.now[id] = a, a
					continue
				}
				shapes, keys, waiting = append(shapes, shape), append(keys, id), append(waiting, g)
				asked[i]++
			}
		}
	}
	cache.mu.Unlock()
	if len(shapes) == 0 {
		return asked, nil
	}
	answers, err := ask(ctx, shapes)
	if err != nil {
		return nil, err
	}
	cache.mu.Lock()
	defer cache.mu.Unlock()
	for i, a := range answers {
		waiting[i].answer, cache.now[keys[i]] = a, a
	}
	return asked, nil
}

func (r *row) shape(g group) Shape {
	if r.ink == nil {
		return Shape{Image: r.picture(g)}
	}
	return Shape{Ink: inkOf(r.ink, partsOf(r.pieces[g.first:g.end]))}
}
