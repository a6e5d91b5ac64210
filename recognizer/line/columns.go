package line

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
)

// Transcribe asks a network that reads whole lines for the columns of many, in their order.
type Transcribe func(ctx context.Context, lines []ink.Ink) ([]Columns, error)

// beamWidth is how many beginnings of a text are followed.
const beamWidth = 24

// leanings are by how much of its height a line leans further each time that it is read: what it is read as in all of them is surer.
var leanings = []float64{0, 0.15, -0.15}

// leaning is ink that leans further by a part of its height.
func leaning(k ink.Ink, by float64) ink.Ink {
	_, top, _, bottom, _ := k.Bounds()
	return k.Map(func(p ink.Point) ink.Point {
		p.X += by * ((top+bottom)/2 - p.Y)
		return p
	})
}

// ReadColumns is ReadMany by a network that reads whole lines: it knows joined characters, too.
func ReadColumns(ctx context.Context, inks []ink.Ink, o Options, transcribe Transcribe) ([]*Result, error) {
	all, err := rowsOf(inks, o)
	if err != nil {
		return nil, err
	}
	labels := labelsOf(o.Text) // that a person gave
	for _, f := range o.Fixed {
		labels = append(labels, f.Label)
	}
	var lines []ink.Ink
	for _, rows := range all {
		for _, r := range rows {
			for _, by := range leanings {
				lines = append(lines, leaning(r.whole(), by))
			}
		}
	}
	columns, err := transcribe(ctx, lines)
	if err != nil {
		return nil, err
	}
	transcripts, counts := make([][]transcript, len(all)), make([]int, len(all))
	for i, rows := range all {
		for number, r := range rows {
			t := transcriptOf(columns[:len(leanings)], r, labels)
			t.number, t.language, t.own = number, o.Language, o.Person.Words
			transcripts[i], columns = append(transcripts[i], t), columns[len(leanings):]
			counts[i] += len(t.LogP)
		}
	}
	results, err := gather(ctx, inks, o, transcripts, func(t *transcript, _ int) ([]Character, []Alternative, error) { return t.read(ctx) }, tellColumns)
	for i, r := range results {
		r.Hypotheses, r.Asked = counts[i], counts[i]
	}
	return results, err
}

func (r *row) points(p piece) ink.Stroke { return r.ink[p.Stroke][p.First : p.Last+1] }

// whole is the ink of a row in the order in which it was written.
func (r *row) whole() (line ink.Ink) {
	in := make([]bool, len(r.ink))
	for _, p := range r.pieces {
		in[p.Stroke] = true
	}
	for i, s := range r.ink {
		if in[i] {
			line = append(line, s)
		}
	}
	return line
}

// gap is a place where a space may stand.
type gap struct {
	middle float64
	odds   float64 // ln, that one does
}

// How likely a gap is a space: as likely as not at a part of the width that search takes for one, and more by the factor e for
// each such part more.
const (
	evenGap, surerGap = 0.85, 0.08
)

func (r *row) gaps() (all []gap) {
	space := r.spaceWidth() * r.size
	right := r.pieces[0].box.MaxX
	for i, p := range r.pieces[1:] {
		if wide := (p.box.MinX - right) / space; wide > 0 && (p.fixed == 0 || p.fixed != r.pieces[i].fixed) {
			odds := (wide - evenGap) / surerGap
			switch r.said(p).Space {
			case NoSpace:
				odds = impossible
			case OneSpace:
				odds = -impossible
			}
			all = append(all, gap{(right + p.box.MinX) / 2, odds})
		}
		right = max(right, p.box.MaxX)
	}
	return all
}

// impossible is ln p of what is ruled out: so low that any other way is better, and still a number.
const impossible = -1e4

// with adds labels: one for the space between words, which stands in the middle of a gap or nowhere, and those that a
// person gave and the network does not know.
func (c Columns) with(gaps []gap, given []string) Columns {
	known, space := len(c.Labels), len(c.Labels)
	labels := append(slices.Clip(c.Labels), " ")
	for _, label := range given {
		if label != "" && !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	more := slices.Repeat([]float64{impossible}, len(labels)-known)
	with := Columns{Labels: labels, From: c.From, Step: c.Step}
	for _, column := range c.LogP {
		with.LogP = append(with.LogP, slices.Concat(column[:known], more, column[known:]))
	}
	for _, g := range gaps {
		i := int((g.middle - c.From) / c.Step)
		if i < 0 || i >= len(with.LogP) {
			continue
		}
		not := -logAdd(0, g.odds) // ln p that there is none
		for label, ln := range with.LogP[i] {
			with.LogP[i][label] = max(ln+not, impossible)
		}
		with.LogP[i][space] = max(g.odds+not, impossible)
	}
	return with
}

// certain is a column of so many classes that is one of them.
func certain(class, classes int) []float64 {
	column := slices.Repeat([]float64{impossible}, classes)
	column[class] = 0
	return column
}

// transcript is a row with what the network says of it.
type transcript struct {
	Columns
	leaning  []Columns   // of the same line leaning further
	seen     [][]float64 // LogP before a person said anything
	row      row
	number   int // of the row
	language Language
	own      *Words
}

// transcriptOf takes what was read of a row in each of its leanings.
func transcriptOf(columns []Columns, r row, labels []string) transcript {
	for i, c := range columns {
		columns[i] = c.with(r.gaps(), labels)
	}
	return transcript{Columns: columns[0], leaning: columns[1:], row: r}
}

// read gives the best text with its characters, and other texts below it.
func (t *transcript) read(ctx context.Context) ([]Character, []Alternative, error) {
	original := Columns{Labels: t.Labels, LogP: slices.Clone(t.LogP)}
	texts, err := t.decode(ctx)
	if err != nil {
		return nil, nil, err
	}
	t.seen = slices.Clone(t.LogP)
	var said []int // of the characters of the best text, what a person said of them, by number from 1
	if held := t.row.heldParts(); len(held) > 0 {
		said = t.force(texts[0], held)
		if texts, err = t.decode(ctx); err != nil {
			return nil, nil, err
		}
		said = t.said(texts[0], said)
	}
	all := t.alternatives(texts)
	right := t.signs(texts[0], all[0].Confidence).logistic(trustOfColumns)
	if said == nil {
		right *= t.language.written(original, texts[0])
	}
	characters := t.characters(texts, all, said)
	weigh(right, all, characters)
	return characters, all, nil
}

// otherWriting is ln, how many times likelier than its text the likeliest classes of the columns are where these are as likely as not of
// something else: 9.8 at most for 500 numbers of UNIPEN, and 13 or more for 299 of 300 words that were read as numbers.
const otherWriting = 11

// written is how likely the columns, in which the language finds a text, are of characters of the language at all.
func (l Language) written(c Columns, d Decoded) float64 {
	if !l.model().digits {
		return 1
	}
	likelier := -logP(c.probabilities(), c.classes(d.Labels))
	for _, column := range c.LogP {
		likelier += slices.Max(column)
	}
	return 1 / (1 + math.Exp(min(likelier, 2*otherWriting)-otherWriting))
}

// decode finds texts of one character and more.
func (t *transcript) decode(ctx context.Context) ([]Decoded, error) {
	texts, err := t.texts(ctx)
	if texts = withoutIdleSpaces(texts); err != nil || len(texts) > 0 {
		return texts, err
	}
	// The network sees no character that is allowed: it must be the likeliest of all.
	known := t.among(t.LogP)
	if slices.Max(known) <= impossible {
		return nil, errNoCharacter
	}
	for i := range t.LogP {
		t.LogP[i] = certain(len(t.Labels), len(t.Labels)+1)
	}
	t.LogP[len(t.LogP)/2] = known
	return Decode(t.Columns, t.language, t.own, beamWidth), nil
}

// texts are the likeliest in all leanings together, by the mean of ln p.
func (t *transcript) texts(ctx context.Context) (all []Decoded, err error) {
	m, ways := t.language.model(), append([]Columns{t.Columns}, t.leaning...)
	probabilities, found := make([][][]float64, len(ways)), make([][]Decoded, len(ways))
	if err := dataset.InParallel(ctx, len(ways), func(_ context.Context, i int) error {
		probabilities[i] = ways[i].probabilities()
		if i == 0 || t.seen == nil { // else a person has spoken, of the ink as it is
			found[i] = ways[i].texts(m, t.own, beamWidth)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, d := range slices.Concat(found...) {
		if name := strings.Join(d.Labels, "\x00"); !known[name] {
			known[name], all = true, append(all, d)
		}
	}
	for i := range all {
		d, classes := &all[i], t.classes(all[i].Labels)
		d.LogP = d.Said
		for j, p := range probabilities {
			ln := logP(p, classes)
			if j == 0 {
				d.Seen = ln
			}
			d.LogP += max(ln, impossible) / float64(len(ways))
		}
	}
	// What a person said stands in the columns as they are, and rules out all else.
	possible := slices.DeleteFunc(slices.Clone(all), func(d Decoded) bool { return d.Seen <= impossible })
	if len(possible) == 0 {
		possible = all
	}
	slices.SortStableFunc(possible, func(a, b Decoded) int { return cmp.Compare(b.LogP, a.LogP) })
	possible = possible[:min(beamWidth, len(possible))]
	for i := range possible {
		t.place(&possible[i])
	}
	return possible, nil
}

// withoutIdleSpaces takes from texts the spaces that part no characters; those that are the same without are one, and those without
// characters none.
func withoutIdleSpaces(texts []Decoded) (all []Decoded) {
	number := map[string]int{}
	for _, d := range texts {
		text := Decoded{LogP: d.LogP, Said: d.Said, Seen: d.Seen}
		for i, label := range d.Labels {
			if label == " " && (len(text.Labels) == 0 || i+1 == len(d.Labels) || d.Labels[i+1] == " ") {
				continue
			}
			text.Labels, text.Spans = append(text.Labels, label), append(text.Spans, d.Spans[i])
		}
		name := strings.Join(text.Labels, "\x00")
		if same, ok := number[name]; ok {
			all[same].LogP, all[same].Seen = logAdd(all[same].LogP, text.LogP), logAdd(all[same].Seen, text.Seen)
		} else if len(text.Labels) > 0 {
			number[name] = len(all)
			all = append(all, text)
		}
	}
	slices.SortStableFunc(all, func(a, b Decoded) int { return cmp.Compare(b.LogP, a.LogP) })
	return all
}

// among is ln p of every label in some columns if there is a character in them.
func (t *transcript) among(columns [][]float64) []float64 {
	m := t.language.model()
	sum := slices.Repeat([]float64{impossible}, len(t.Labels)+1)
	whole := math.Inf(-1)
	for i, label := range t.Labels {
		if label == " " || !m.allows(label) {
			continue
		}
		for _, column := range columns {
			sum[i] = logAdd(sum[i], column[i])
		}
		whole = logAdd(whole, sum[i])
	}
	for i, v := range sum {
		if v > impossible {
			sum[i] = max(v-whole, impossible)
		}
	}
	return sum
}

// alternatives are the texts with their shares of the probability of all.
func (t *transcript) alternatives(texts []Decoded) []Alternative {
	all := make([]Alternative, len(texts))
	for i, share := range sharesOf(texts, func(d Decoded) float64 { return d.LogP }) {
		all[i] = Alternative{strings.Join(texts[i].Labels, ""), share}
	}
	return all
}

// trustOfColumns are the weights of signs of a text that was read by its columns, learned by TestCalibrateColumns.
var trustOfColumns = signs{-0.37, 0.93, -0.01, 0}

// signs are 1, the log-odds that the share of all texts gives, and ln p of the text in the columns.
func (t *transcript) signs(d Decoded, share float64) signs {
	share = min(max(share, 1e-6), 1-1e-6)
	return signs{1, math.Log(share / (1 - share)), max(d.Seen, -20)}
}

// characters are those of the first text with their ink; without those for whom none is left.
func (t *transcript) characters(texts []Decoded, shares []Alternative, said []int) (all []Character) {
	best := texts[0]
	parts := t.share(best, said)
	space := false
	for i, label := range best.Labels {
		if label == " " {
			space = true
			continue
		}
		if len(parts[i]) == 0 {
			continue
		}
		c := Character{Label: label, Candidates: t.candidates(best, i), Parts: parts[i], Line: t.number, Space: space}
		space = false
		for j, d := range texts {
			for k, span := range d.Spans {
				if d.Labels[k] == label && span[0] <= best.Spans[i][1] && best.Spans[i][0] <= span[1] {
					c.Confidence += shares[j].Confidence
					break
				}
			}
		}
		if said != nil && said[i] > 0 && t.row.fixed[said[i]-1].Label != "" {
			c.Fixed, c.Confidence = true, 1
		}
		c.Ink = inkOf(t.row.ink, c.Parts)
		c.Box = around(c.Ink, boxOf)
		all = append(all, c)
	}
	return all
}

// mostOffered is how many candidates a character has.
const mostOffered = 20

// candidates are what else may stand between the neighbours of a character.
func (t *transcript) candidates(d Decoded, i int) (all []Candidate) {
	from, to := 0, len(t.LogP)
	if i > 0 {
		from = d.Spans[i-1][1]
	}
	if i+1 < len(d.Spans) {
		to = d.Spans[i+1][0]
	}
	for label, ln := range t.among(t.seen[min(from, d.Spans[i][0]):max(to, d.Spans[i][1])]) {
		if ln > impossible {
			all = append(all, Candidate{t.Labels[label], math.Exp(ln)})
		}
	}
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
	return all[:min(mostOffered, len(all))]
}
