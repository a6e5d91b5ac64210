package line

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

const (
	beam      = 80 // readings of the beginning of a line that are followed from each place
	alike     = 3  // of these, ones that go on alike
	mostPaths = 40 // through a line
)

// step is the last character of a reading of the beginning of a line.
type step struct {
	group  *group
	choice int
	space  bool    // before it
	word   *ending // in work, of readings that are followed
	score  float64
	before *step
}

func (s *step) text() string { return s.group.choices[s.choice].label }

// path is a reading of a line.
type path struct {
	steps []*step
	score float64
}

func (p path) text() string {
	var b strings.Builder
	for _, s := range p.steps {
		if s.space {
			b.WriteByte(' ')
		}
		b.WriteString(s.text())
	}
	return b.String()
}

// search finds the best paths through the groups of a row, the best first: dynamic programming from place to place, of
// which readings that end with the same character and look the same to the language are alike but for what is behind.
func (r *row) search(w *weights, language *model) []path {
	for i := range r.groups {
		r.groups[i].follow(w, language, r.size)
	}
	at := make([][]*step, len(r.pieces)+1)
	at[0] = []*step{nil}
	for end := 1; end <= len(r.pieces); end++ {
		var steps []*step
		for _, i := range r.ending[end] {
			g := &r.groups[i]
			own := g.terms.dot(&w.terms)
			for _, before := range at[g.first] {
				for choice := range g.choices {
					s := r.step(g, choice, before)
					t := r.stepTerms(s, w, language)
					s.score = own + t.dot(&w.terms)
					if before != nil {
						s.score += before.score
					}
					steps = append(steps, s)
				}
			}
		}
		at[end] = prune(steps)
		for _, s := range at[end] {
			s.word = language.add(s.inWord(), s.text())
		}
	}
	final := at[len(r.pieces)]
	for _, s := range final {
		s.score += w.terms[english] * s.end()
	}
	slices.SortStableFunc(final, byScore)
	var paths []path
	for _, s := range final[:min(mostPaths, len(final))] {
		paths = append(paths, path{steps: s.all(), score: s.score})
	}
	return paths
}

// step is a character behind others, or nil.
func (r *row) step(g *group, choice int, before *step) *step {
	s := &step{group: g, choice: choice, before: before}
	if before != nil {
		s.space = g.space == OneSpace || g.space == AnySpace && g.box.MinX-before.group.box.MaxX > r.space*r.size
	}
	return s
}

func (s *step) inWord() *ending {
	if s.before == nil || s.space {
		return nil
	}
	return s.before.word
}

// end is ln p that a word ends behind s; the only character of a line is none.
func (s *step) end() float64 {
	if s.before == nil {
		return 0
	}
	return s.word.end()
}

func (s *step) all() []*step {
	var steps []*step
	for ; s != nil; s = s.before {
		steps = append(steps, s)
	}
	slices.Reverse(steps)
	return steps
}

func byScore(a, b *step) int { return cmp.Compare(b.score, a.score) }

// prune keeps the best steps, few of those that go on alike.
func prune(steps []*step) []*step {
	type state struct {
		group  *group
		choice int
		behind *ending
	}
	slices.SortStableFunc(steps, byScore)
	seen := map[state]int{}
	var kept []*step // not in steps, which would hold those that are left out for as long as the search goes on
	for _, s := range steps {
		k := state{s.group, s.choice, nil}
		if s.before != nil {
			k.behind = s.before.word
		}
		if seen[k]++; seen[k] <= alike && len(kept) < beam {
			kept = append(kept, s)
		}
	}
	return kept
}

// stepTerms are the terms of a character that depend on its label and on what is before it. A character that is the
// whole line is judged by its looks alone: there is nothing to compare it with.
func (r *row) stepTerms(s *step, w *weights, language *model) (t terms) {
	g, c := s.group, &s.group.choices[s.choice]
	t[looks] = c.looks
	if g.end-g.first == len(r.pieces) {
		t[kinds] = -math.Log(kindCount)
		return t
	}
	t[extent] = c.extent
	kind := start
	if s.before != nil {
		before := s.before.group
		gap := (g.box.MinX - before.box.MaxX) / r.size
		t[places] = w.Places[before.choices[s.before.choice].shape][c.shape].log(placeOf(before.box, g.box, r.size))
		if s.space {
			t[english] = s.before.end()
		} else {
			kind = before.choices[s.before.choice].kind
			t[gapBetween], t[overlap] = max(gap, 0), max(-gap, 0)
		}
	}
	t[kinds] = w.Kinds[kind][c.kind]
	switch {
	case language.counts == nil:
		return t
	case s.inWord() != nil && letterOf(c.label) < 0:
		t[english] = s.before.end()
	default:
		t[english] += language.likely(s.inWord(), c.label)
	}
	t[spelled] = 1
	return t
}

func posteriors(paths []path) []float64 {
	return sharesOf(paths, func(p path) float64 { return p.score })
}

// sharesOf are the probabilities of some readings among each other, by ln p of each but for what is the same for all.
func sharesOf[T any](all []T, logP func(T) float64) []float64 {
	shares, sum := make([]float64, len(all)), 0.0
	for i, x := range all {
		shares[i] = math.Exp(logP(x) - logP(all[0]))
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

// characters are those of the best path. The confidence in one is the share of the paths that have it, made of the
// same ink.
func (r *row) characters(paths []path, shares []float64, number int) []Character {
	var out []Character
	for _, s := range paths[0].steps {
		c := Character{
			Label: s.text(), Candidates: s.group.answer.Candidates, Unknown: s.group.answer.Unknown,
			Fixed: s.group.label != "", Box: s.group.box, Line: number, Space: s.space,
		}
		if r.ink != nil {
			c.Parts = partsOf(r.pieces[s.group.first:s.group.end])
			c.Ink = inkOf(r.ink, c.Parts)
		}
		for i, p := range paths {
			if slices.ContainsFunc(p.steps, func(o *step) bool { return o.group == s.group && o.choice == s.choice }) {
				c.Confidence += shares[i]
			}
		}
		out = append(out, c)
	}
	return out
}

// texts are the readings of a line, each with the share of all paths that spell it.
func texts(paths []path, shares []float64) []Alternative {
	var out []Alternative
	for i, p := range paths {
		text := p.text()
		at := slices.IndexFunc(out, func(a Alternative) bool { return a.Text == text })
		if at < 0 {
			at, out = len(out), append(out, Alternative{Text: text})
		}
		out[at].Confidence += shares[i]
	}
	// The best path comes first, whose characters are shown, even where another text has more paths.
	sortByConfidence(out[1:])
	return out
}

func sortByConfidence(all []Alternative) {
	slices.SortStableFunc(all, func(a, b Alternative) int { return cmp.Compare(b.Confidence, a.Confidence) })
}
