package line

import (
	"cmp"
	"math"
	"slices"
)

// Columns are what a network that reads whole words says of a line: for each column ln p of every label and, last, of the
// blank between characters.
type Columns struct {
	Labels []string
	LogP   [][]float64 // [column][len(Labels)+1]
	// From is where the first column begins, and Step how wide a column is, in the units of the ink.
	From, Step float64
}

// Decoded is a text that columns can stand for.
type Decoded struct {
	Labels []string
	LogP   float64  // over all ways to place the labels in the columns, with what the language says
	Said   float64  // of it, what the language says
	Seen   float64  // of it, what the columns say
	Spans  [][2]int // the first column of each label and that behind its last, where it most likely stands
}

// hopeless is the ln p of a label in a column under which no text is begun with it.
const hopeless = -9.0

// prefix is the beginning of a text.
type prefix struct {
	before    *prefix // nil for the empty one
	label     int     // its last
	depth     int
	longer    map[int]*prefix // by their last label
	word      *ending         // in work
	own       written         // the same among the person's words
	said      float64         // ln p by the language
	now, next ways            // in the column before, and in this one
	reached   int             // the column, from 1
}

// ways are ln p over all ways to end in a column, with a blank and with the label.
type ways struct{ blank, whole float64 }

var never = ways{math.Inf(-1), math.Inf(-1)}

func (p *prefix) total() float64 { return logAdd(p.now.blank, p.now.whole) }

// Decode finds the most likely texts by prefix beam search (Hannun et al. 2014, "First-pass large vocabulary continuous
// speech recognition using bi-directional recurrent DNNs", algorithm 1): of all beginnings width are kept in each column. The words of
// a person, nil for none, are likelier than others.
// The best comes first.
func Decode(c Columns, language Language, own *Words, width int) []Decoded {
	texts := c.texts(language.model(), own, width)
	for i := range texts {
		c.place(&texts[i])
	}
	return texts
}

// texts is Decode without the Spans.
func (c Columns) texts(m *model, own *Words, width int) []Decoded {
	beam := []*prefix{{label: -1, now: ways{0, math.Inf(-1)}, next: never}}
	for i, column := range c.LogP {
		reached := slices.Clone(beam)
		for _, p := range beam {
			p.reached = i + 1
		}
		blank := column[len(c.Labels)]
		for _, p := range beam {
			p.next.blank = logAdd(p.next.blank, p.total()+blank)
			if p.label >= 0 {
				p.next.whole = logAdd(p.next.whole, p.now.whole+column[p.label])
			}
			for label, ln := range column[:len(c.Labels)] {
				if ln < hopeless || ln < 0 && !m.allows(c.Labels[label]) { // what is certain is written in any language
					continue
				}
				q := p.longer[label]
				if q == nil {
					text := c.Labels[label]
					word, said := own.step(p.own, text, m.likely(p.word, text), m.surer)
					q = &prefix{before: p, label: label, depth: p.depth + 1, word: m.add(p.word, text), own: word, said: p.said + said, now: never, next: never}
					if p.longer == nil {
						p.longer = map[int]*prefix{}
					}
					p.longer[label] = q
				}
				if q.reached <= i {
					q.reached, reached = i+1, append(reached, q)
				}
				from := p.total()
				if label == p.label { // twice the same only with a blank between
					from = p.now.blank
				}
				q.next.whole = logAdd(q.next.whole, from+ln)
			}
		}
		for _, p := range reached {
			p.now, p.next = p.next, never
		}
		slices.SortStableFunc(reached, func(a, b *prefix) int {
			return cmp.Or(cmp.Compare(b.total()+b.said, a.total()+a.said), cmp.Compare(a.depth, b.depth), cmp.Compare(a.label, b.label))
		})
		beam = reached[:min(width, len(reached))]
		for _, p := range reached[len(beam):] {
			p.now, p.longer = never, nil
		}
	}
	texts := make([]Decoded, len(beam))
	for i, p := range beam {
		_, end := own.step(p.own, "", p.word.end(), m.surer)
		d := Decoded{Labels: make([]string, p.depth), Said: p.said + end, Seen: p.total()}
		d.LogP = d.Seen + d.Said
		for q := p; q.depth > 0; q = q.before {
			d.Labels[q.depth-1] = c.Labels[q.label]
		}
		texts[i] = d
	}
	slices.SortStableFunc(texts, func(a, b Decoded) int { return cmp.Compare(b.LogP, a.LogP) })
	return texts
}

func (c Columns) classes(labels []string) []int {
	classes := make([]int, len(labels))
	for i, label := range labels {
		classes[i] = slices.Index(c.Labels, label)
	}
	return classes
}

// place finds the Spans of a text.
func (c Columns) place(d *Decoded) { d.Spans = place(c, c.classes(d.Labels)) }

func (c Columns) probabilities() [][]float64 {
	all := make([][]float64, len(c.LogP))
	for i, column := range c.LogP {
		all[i] = make([]float64, len(column))
		for j, ln := range column {
			all[i][j] = math.Exp(ln)
		}
	}
	return all
}

// logP is ln p of labels over all ways to place them in columns of these probabilities: the forward variables of Graves et al. (2006), whose sum
// is 1 in each column here. Those that are next to nothing at either end are left out.
func logP(columns [][]float64, labels []int) (sum float64) {
	const nothing = 1e-30
	last := 2 * len(labels)                                       // of the states: blank, label, blank, label, …, blank
	now, next := make([]float64, last+3), make([]float64, last+3) // state s at s+2
	now[2] = 1
	from, to := 0, 0 // states that are something
	for _, column := range columns {
		reach, all := min(to+2, last), 0.0
		for s := from; s <= reach; s++ {
			p, class := now[s+2]+now[s+1], len(column)-1
			if s%2 == 1 {
				if class = labels[s/2]; s > 1 && class != labels[s/2-1] {
					p += now[s]
				}
			}
			next[s+2] = p * column[class]
			all += next[s+2]
		}
		if all == 0 {
			return math.Inf(-1)
		}
		for to = reach; next[to+2] < nothing*all; to-- {
		}
		for ; next[from+2] < nothing*all; from++ {
		}
		for s := from; s <= to; s++ {
			next[s+2] /= all
		}
		next[from], next[from+1] = 0, 0
		clear(next[to+3 : min(to+5, len(next))])
		sum += math.Log(all)
		now, next = next, now
	}
	if to < last-1 {
		return math.Inf(-1)
	}
	end := now[to+2]
	if to == last && from < last {
		end += now[last+1]
	}
	return sum + math.Log(end)
}

// place finds where labels most likely stand, one path among those that Decode sums over: the best one (Viterbi).
func place(c Columns, labels []int) [][2]int {
	// States are blank, label, blank, label, …, blank.
	states := 2*len(labels) + 1
	class := func(s int) int {
		if s%2 == 0 {
			return len(c.Labels)
		}
		return labels[s/2]
	}
	best := make([]float64, states)
	from := make([][]int8, len(c.LogP)) // how many states back the best way came from
	for t, column := range c.LogP {
		next := make([]float64, states)
		from[t] = make([]int8, states)
		for s := range states {
			next[s] = math.Inf(-1)
			for back := range min(3, s+1) {
				if back == 2 && (s%2 == 0 || class(s) == class(s-2)) {
					continue
				}
				if ln := best[s-back]; t > 0 && ln > next[s] {
					next[s], from[t][s] = ln, int8(back)
				}
			}
			if t == 0 && s < 2 {
				next[s] = 0
			}
			next[s] += column[class(s)]
		}
		best = next
	}
	s := states - 1
	if s > 0 && best[s-1] > best[s] {
		s--
	}
	spans := make([][2]int, len(labels))
	for t := len(c.LogP) - 1; t >= 0; t-- {
		if s%2 == 1 {
			if spans[s/2][1] == 0 {
				spans[s/2][1] = t + 1
			}
			spans[s/2][0] = t
		}
		s -= int(from[t][s])
	}
	return spans
}

// logAdd is ln(exp(a) + exp(b)).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(a, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
