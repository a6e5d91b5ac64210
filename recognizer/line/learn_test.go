package line

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"inkshade/recognizer/ink"
)

// Sample is a line with its text.
type Sample struct {
	Text string
	Ink  ink.Ink
}

// lesson is a sample whose groups are answered, and what of its readings the weights are learned from.
type lesson struct {
	text     string
	row      row
	readings []reading
	seen     map[string]bool
}

func (t *terms) add(u *terms) {
	for i, v := range u {
		t[i] += v
	}
}

type reading struct {
	terms terms
	right bool
}

// Learn learns the weights from samples, by the gradient of the log-probability of the right text among the best
// readings, which are searched anew with what was learned. The label's case is not always the one written, so it
// does not count.
func Learn(ctx context.Context, samples []Sample, ask Ask, modelName string, rounds int) ([]byte, error) {
	w := &weights{}
	*w = *shipped
	w.Model = modelName
	for i := range w.Places {
		for j := range w.Places[i] {
			if s := &w.Places[i][j]; s.Deviation[0] == 0 {
				s.Deviation = [2]float64{1, 1}
			}
		}
	}
	w.scale()
	w.learnKinds(samples)
	lessons, err := prepare(ctx, samples, ask)
	if err != nil {
		return nil, err
	}
	for round := range rounds {
		w.learnDensities(lessons)
		right := 0
		for i := range lessons {
			for _, l := range []Language{None, English} {
				right += lessons[i].collect(w, l.model())
			}
		}
		before, after := w.climb(lessons)
		fmt.Printf("round %d: right %.1f %% of %d, loss %.3f -> %.3f\n", round, 50*float64(right)/float64(len(lessons)), len(lessons), before, after)
	}
	w.Terms = map[string]float64{}
	for i, name := range termNames {
		w.Terms[name] = round3(w.terms[i])
	}
	return json.Marshal(w)
}

func round3(v float64) float64 { return math.Round(1000*v) / 1000 }

func prepare(ctx context.Context, samples []Sample, ask Ask) ([]lesson, error) {
	var lessons []lesson
	several := 0
	for part := range slices.Chunk(samples, 64) {
		var rows []row
		var texts []string
		for _, s := range part {
			r := cutInk(s.Ink, nil)
			if len(r) != 1 {
				several++
				continue
			}
			r[0].group()
			rows, texts = append(rows, r[0]), append(texts, s.Text)
		}
		if _, err := answer(ctx, [][]row{rows}, nil, ask); err != nil {
			return nil, err
		}
		for i, r := range rows {
			lessons = append(lessons, lesson{text: texts[i], row: r, seen: map[string]bool{}})
		}
	}
	fmt.Printf("%d samples, %d seen as several lines\n", len(samples), several)
	return lessons, nil
}

func fold(text string) string { return strings.ToLower(strings.ReplaceAll(text, " ", "")) }

// collect adds the best readings, and the best right one, to those of the lesson.
func (l *lesson) collect(w *weights, m *model) (right int) {
	paths := l.row.search(w, m)
	if len(paths) > 0 && fold(paths[0].text()) == fold(l.text) {
		right = 1
	}
	if p, ok := l.row.align(l.text, w, m); ok {
		paths = append(paths, p)
	}
	for _, p := range paths {
		t := l.row.pathTerms(p, w, m)
		k := fmt.Sprintf("%.9v", t)
		if l.seen[k] {
			continue
		}
		l.seen[k] = true
		for i, x := range t {
			if x != x || math.IsInf(x, 0) {
				panic(fmt.Sprint(termNames[i], x, l.text))
			}
		}
		l.readings = append(l.readings, reading{t, fold(p.text()) == fold(l.text)})
	}
	return right
}

func (r *row) pathTerms(p path, w *weights, m *model) (t terms) {
	for _, s := range p.steps {
		t.add(&s.group.terms)
		u := r.stepTerms(s, w, m)
		t.add(&u)
	}
	t[english] += p.steps[len(p.steps)-1].end()
	return t
}

// align finds the best path that spells the text.
func (r *row) align(text string, w *weights, m *model) (path, bool) {
	want := []rune(fold(text))
	for i := range r.groups {
		r.groups[i].follow(w, m, r.size)
	}
	at := make([]map[int]*step, len(r.pieces)+1)
	at[0] = map[int]*step{0: nil}
	for end := 1; end <= len(r.pieces); end++ {
		at[end] = map[int]*step{}
		for _, i := range r.ending[end] {
			g := &r.groups[i]
			for done, before := range at[g.first] {
				for choice, c := range g.choices {
					if done >= len(want) || strings.ToLower(c.label) != string(want[done]) {
						continue
					}
					s := r.step(g, choice, before)
					t := r.stepTerms(s, w, m)
					t.add(&g.terms)
					s.score = t.dot(&w.terms)
					if before != nil {
						s.score += before.score
					}
					if other := at[end][done+1]; other == nil || other.score < s.score {
						s.word = m.add(s.inWord(), s.text())
						at[end][done+1] = s
					}
				}
			}
		}
	}
	s := at[len(r.pieces)][len(want)]
	if s == nil {
		return path{}, false
	}
	return path{s.all(), s.score}, true
}

// learnKinds counts which kind follows which. At the beginning numbers and words are alike, whatever the samples hold more
// of, and signs rare.
func (w *weights) learnKinds(samples []Sample) {
	var counts [kindCount + 1][kindCount]float64
	for _, s := range samples {
		for i := 1; i < len(s.Text); i++ {
			counts[kindOf(s.Text[i-1:i])][kindOf(s.Text[i:i+1])]++
		}
	}
	counts[start] = [kindCount]float64{digit: 310, capital: 310, small: 310, sign: 70}
	for a, row := range counts {
		sum := 0.0
		for _, n := range row {
			sum += n + 5
		}
		for b, n := range row {
			w.Kinds[a][b] = round3(math.Log((n + 5) / sum))
		}
	}
}

// moments sum up values that a density is made of.
type moments struct {
	n         float64
	sum, both [2]float64
}

func (m *moments) add(v [2]float64) {
	m.n++
	for i, x := range v {
		m.sum[i] += x
		m.both[i] += x * x
	}
}

func (m *moments) spread(prior spread, weight, least float64) spread {
	s := prior
	for i := range s.Mean {
		mean := (m.sum[i] + weight*prior.Mean[i]) / (m.n + weight)
		square := (m.both[i] + weight*(prior.Deviation[i]*prior.Deviation[i]+prior.Mean[i]*prior.Mean[i])) / (m.n + weight)
		s.Mean[i], s.Deviation[i] = round3(mean), round3(math.Sqrt(max(square-mean*mean, least*least)))
	}
	return s
}

// learnDensities takes sizes and places from the right paths.
func (w *weights) learnDensities(lessons []lesson) {
	extents, byShape, all := map[string]*moments{}, [shapeCount]moments{}, moments{}
	pairs, allPairs := [shapeCount][shapeCount]moments{}, moments{}
	for i := range lessons {
		l := &lessons[i]
		p, ok := l.row.align(l.text, w, &model{})
		if !ok || len(p.steps) < 2 {
			continue
		}
		for j, s := range p.steps {
			e, shape := extentOf(s.group.box, l.row.size), shapeOf(s.text())
			if extents[s.text()] == nil {
				extents[s.text()] = &moments{}
			}
			extents[s.text()].add(e)
			byShape[shape].add(e)
			all.add(e)
			if j > 0 {
				v := placeOf(p.steps[j-1].group.box, s.group.box, l.row.size)
				pairs[shapeOf(p.steps[j-1].text())][shape].add(v)
				allPairs.add(v)
			}
		}
	}
	w.Extents = map[string]*spread{}
	whole := all.spread(spread{Deviation: [2]float64{1, 1}}, 1, 0.1)
	for c := byte('!'); c <= '~'; c++ {
		label := string(c)
		m := extents[label]
		if m == nil {
			m = &moments{}
		}
		s := m.spread(byShape[shapeOf(label)].spread(whole, 5, 0.1), 10, 0.1)
		w.Extents[label] = &s
	}
	wide := allPairs.spread(spread{Deviation: [2]float64{1, 1}}, 1, 0.05)
	for a := range pairs {
		for b := range pairs[a] {
			w.Places[a][b] = pairs[a][b].spread(wide, 5, 0.05)
		}
	}
	w.scale()
}

// climb improves the weights by Adam on all readings collected.
func (w *weights) climb(lessons []lesson) (before, after float64) {
	const steps, rate, decay = 400, 0.03, 0.0005
	var m, v terms
	for n := 1; n <= steps; n++ {
		loss, count := 0.0, 0.0
		var gradient terms
		for i := range lessons {
			all, right := math.Inf(-1), math.Inf(-1)
			scores := make([]float64, len(lessons[i].readings))
			for j := range scores {
				r := &lessons[i].readings[j]
				scores[j] = r.terms.dot(&w.terms)
				all = logAdd(all, scores[j])
				if r.right {
					right = logAdd(right, scores[j])
				}
			}
			if math.IsInf(right, -1) {
				continue
			}
			count++
			loss += all - right
			for j, s := range scores {
				r := &lessons[i].readings[j]
				share := math.Exp(s - all)
				if r.right {
					share -= math.Exp(s - right)
				}
				for t, x := range r.terms {
					gradient[t] += share * x
				}
			}
		}
		for t, g := range gradient {
			g = g/count + decay*w.terms[t]
			m[t] = 0.9*m[t] + 0.1*g
			v[t] = 0.999*v[t] + 0.001*g*g
			c1, c2 := 1-math.Pow(0.9, float64(n)), 1-math.Pow(0.999, float64(n))
			w.terms[t] -= rate * m[t] / c1 / (math.Sqrt(v[t]/c2) + 1e-8)
		}
		if n == 1 {
			before = loss / count
		}
		after = loss / count
	}
	return before, after
}

// Calibrate learns the weights of signs from samples, by logistic regression.
func Calibrate(ctx context.Context, samples []Sample, ask Ask) ([]float64, error) {
	lessons, err := prepare(ctx, samples, ask)
	if err != nil {
		return nil, err
	}
	var all []signs
	var right []float64
	for i := range lessons {
		l := &lessons[i]
		for _, language := range []Language{None, English} {
			paths := l.row.search(shipped, language.model())
			if len(paths) == 0 || len(paths[0].steps) == 1 {
				continue
			}
			all = append(all, l.row.signs(paths[0], texts(paths, posteriors(paths))[0].Confidence))
			right = append(right, map[bool]float64{true: 1}[strings.EqualFold(paths[0].text(), l.text)])
		}
	}
	w := fit(all, right)
	return w[:], nil
}

// fit learns the weights of signs by logistic regression.
func fit(all []signs, right []float64) (w signs) {
	for range 20000 {
		var gradient signs
		for i, x := range all {
			wrong := right[i] - x.logistic(w)
			for j, v := range x {
				gradient[j] += wrong * v / float64(len(all))
			}
		}
		for j, g := range gradient {
			w[j] += 0.1 * g
		}
	}
	return w
}

// CalibrateColumns learns those of columns.
func CalibrateColumns(ctx context.Context, samples []Sample, transcribe Transcribe) ([]float64, error) {
	var all []signs
	var right []float64
	for _, s := range samples {
		for _, language := range []Language{None, English} {
			rows := cutInk(s.Ink, nil)
			if len(rows) != 1 {
				continue
			}
			var lines []ink.Ink
			for _, by := range leanings {
				lines = append(lines, leaning(rows[0].whole(), by))
			}
			columns, err := transcribe(ctx, lines)
			if err != nil {
				return nil, err
			}
			t := transcriptOf(columns, rows[0], nil)
			t.language = language
			texts, err := t.decode(ctx)
			if err != nil {
				return nil, err
			}
			shares := t.alternatives(texts)
			all = append(all, t.signs(texts[0], shares[0].Confidence))
			right = append(right, map[bool]float64{true: 1}[strings.EqualFold(shares[0].Text, s.Text)])
		}
	}
	w := fit(all, right)
	return w[:], nil
}
