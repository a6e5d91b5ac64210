package line

import (
	"cmp"
	"maps"
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
	Spans  [][2]int // the first column of each label and that behind its last, where it most likely stands
}

const (
	// languageShare is how much the language counts beside the network: of 0.5, 0.7, 0.9 and 1.1 the last two measured best.
	languageShare = 1.0
	// hopeless is the ln p of a label in a column under which no text is begun with it.
	hopeless = -9.0
)

// prefix is the beginning of a text.
type prefix struct {
	before *prefix // nil for the empty one
	label  int     // its last
	depth  int
	word   string  // the letters of the last word, as many as the language looks at; empty outside a word
	said   float64 // ln p by the language
	// ln p over all ways to end in this column, with a blank and with the label.
	blank, whole float64
}

func (p *prefix) total() float64 { return logAdd(p.blank, p.whole) }

// longer names a text by its labels.
type longer struct {
	before *prefix
	label  int
}

// Decode finds the most likely texts by prefix beam search (Hannun et al. 2014, "First-pass large vocabulary continuous
// speech recognition using bi-directional recurrent DNNs", algorithm 1): of all beginnings width are kept in each column.
// The best comes first.
func Decode(c Columns, language Language, width int) []Decoded {
	m := language.model()
	root := &prefix{label: -1, blank: 0, whole: math.Inf(-1)}
	known := map[longer]*prefix{}
	beam := []*prefix{root}
	for _, column := range c.LogP {
		next := map[*prefix]*[2]float64{} // blank, whole
		at := func(p *prefix) *[2]float64 {
			if next[p] == nil {
				next[p] = &[2]float64{math.Inf(-1), math.Inf(-1)}
			}
			return next[p]
		}
		blank := column[len(c.Labels)]
		for _, p := range beam {
			stay := at(p)
			stay[0] = logAdd(stay[0], p.total()+blank)
			if p.label >= 0 {
				stay[1] = logAdd(stay[1], p.whole+column[p.label])
			}
			for label, ln := range column[:len(c.Labels)] {
				if ln < hopeless || ln < 0 && !m.allows(c.Labels[label]) { // what is certain is written in any language
					continue
				}
				k := longer{p, label}
				q := known[k]
				if q == nil {
					q = m.extend(p, label, c.Labels[label])
					known[k] = q
				}
				from := p.total()
				if label == p.label { // twice the same only with a blank between
					from = p.blank
				}
				to := at(q)
				to[1] = logAdd(to[1], from+ln)
			}
		}
		beam = beam[:0]
		for p, ln := range next {
			p.blank, p.whole = ln[0], ln[1]
			beam = append(beam, p)
		}
		slices.SortFunc(beam, func(a, b *prefix) int {
			return cmp.Or(cmp.Compare(b.total()+b.said, a.total()+a.said), cmp.Compare(a.depth, b.depth), cmp.Compare(a.label, b.label))
		})
		if len(beam) > width {
			for _, p := range beam[width:] {
				p.blank, p.whole = math.Inf(-1), math.Inf(-1)
			}
			beam = beam[:width]
		}
		kept := map[*prefix]bool{}
		for _, p := range beam {
			kept[p] = true
		}
		maps.DeleteFunc(known, func(k longer, _ *prefix) bool { return !kept[k.before] })
	}
	texts := make([]Decoded, len(beam))
	for i, p := range beam {
		path := make([]int, p.depth)
		for q := p; q.depth > 0; q = q.before {
			path[q.depth-1] = q.label
		}
		d := Decoded{Said: p.said + m.over(p), Spans: place(c, path)}
		d.LogP = p.total() + d.Said
		for _, label := range path {
			d.Labels = append(d.Labels, c.Labels[label])
		}
		texts[i] = d
	}
	slices.SortStableFunc(texts, func(a, b Decoded) int { return cmp.Compare(b.LogP, a.LogP) })
	return texts
}

// extend is a text with one label more.
func (m *model) extend(p *prefix, label int, text string) *prefix {
	q := &prefix{before: p, label: label, depth: p.depth + 1, said: p.said, blank: math.Inf(-1), whole: math.Inf(-1)}
	if m.counts == nil {
		return q
	}
	letter := letterOf(text)
	if letter < 0 {
		q.said += m.over(p)
		return q
	}
	word := p.word
	if word == "" {
		word = wordEdge
	}
	q.said += languageShare * m.after(word)[letter]
	word += string(rune('a' + letter))
	q.word = word[max(0, len(word)-gramOrder+1):]
	return q
}

// over is what the language says of a word's end behind a text.
func (m *model) over(p *prefix) float64 {
	if m.counts == nil || p.word == "" {
		return 0
	}
	return languageShare * m.after(p.word)[alphabet-1]
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
