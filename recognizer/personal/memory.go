// Package personal learns one person's handwriting. A Memory answers at once, from the
// person's own drawings, beside a network that it leaves as it is. Train folds the drawings
// into the network, without forgetting what the network knew, and shows what that changed.
package personal

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// Sample is a drawing and what it stands for. The label may be one that no model knows.
type Sample struct {
	ID         int64 // the caller's; results name samples by it, and of two the larger came later
	Label      string
	Ink        ink.Ink
	Other      bool // drawn by somebody else: it is learned from and measured with, but is no part of the person's style
	Correction bool // the label corrects an answer, so it stands against what was drawn like it before
}

// Memory remembers drawings and answers by those that are near (see Adjust). What is added
// or removed takes effect with the next answer. It may be used by several goroutines.
//
//	m := personal.NewMemory()
//	err := m.Add(ctx, samples...)
//	rec.SetMemory(m)
type Memory struct {
	mu     sync.RWMutex
	traces map[string][]*trace // by label
	byID   map[int64]*trace
	units  parts              // of the distance, as varied as this writer is
	widths map[string]float64 // what d² is divided by for a class, as this writer varies it

	lines  map[int64]knownLine // by id
	person *line.Person        // that they tell of; nil until it is asked for
}

// knownLine is what is kept of a line.
type knownLine struct {
	gaps []line.Spacing
	text string
}

// trace is what is kept of one sample.
type trace struct {
	id         int64
	label      string
	correction bool
	at         point
	neighbour  *trace  // the nearest other of the label; nil where there is none
	apart      parts   // distance from neighbour
	near       float64 // the same, weighed as usual; +Inf where there is none
}

// NewMemory makes an empty memory.
func NewMemory() *Memory {
	return &Memory{traces: map[string][]*trace{}, byID: map[int64]*trace{}, units: usualUnits, widths: map[string]float64{}, lines: map[int64]knownLine{}}
}

// atOnce is the number of samples that are added before answers may come in between.
const atOnce = 64

// Add remembers samples; one with the ID of another takes its place. Ink without a point is
// an error that names the sample, and then none is added. Answers may come in between, and it ends with ctx, whose
// cause it then gives; some are remembered by then.
func (m *Memory) Add(ctx context.Context, samples ...Sample) error {
	points, err := pointsOfSamples(ctx, samples)
	if err != nil {
		return err
	}
	for first := 0; first < len(samples); first += atOnce {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		last := min(first+atOnce, len(samples))
		m.insert(samples[first:last], points[first:last])
	}
	return nil
}

func pointsOfSamples(ctx context.Context, samples []Sample) ([]point, error) {
	images, inks := make([]ink.Image, len(samples)), make([]ink.Ink, len(samples))
	if err := dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) (err error) {
		s := &samples[i]
		inks[i] = s.Ink
		if images[i], err = ink.Rasterize(s.Ink); err != nil {
			err = message.Errorf("sample %d (%s) cannot be remembered: %w", s.ID, s.Label, err)
		}
		return err
	}); err != nil {
		return nil, err
	}
	return pointsOf(ctx, images, inks)
}

func (m *Memory) insert(samples []Sample, points []point) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, s := range samples {
		m.remove(s.ID)
		t := &trace{id: s.ID, label: s.Label, correction: s.Correction, at: points[i], near: math.Inf(1)}
		for _, other := range m.traces[s.Label] {
			if d, ok := compareWithin(t.at, other.at, max(t.near, other.near)); ok {
				t.meet(other, d)
				other.meet(t, d)
			}
		}
		m.byID[s.ID] = t
		m.traces[s.Label] = append(m.traces[s.Label], t)
	}
	m.adapt()
}

// Remove forgets the samples of these IDs; IDs that it does not have are ignored.
func (m *Memory) Remove(ids ...int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.remove(ids...)
	for _, id := range ids {
		if _, ok := m.lines[id]; ok {
			delete(m.lines, id)
			m.person = nil
		}
	}
	m.adapt()
}

func (m *Memory) remove(ids ...int64) {
	gone := map[*trace]bool{}
	labels := map[string]bool{}
	for _, id := range ids {
		if t, ok := m.byID[id]; ok {
			gone[t], labels[t.label] = true, true
			delete(m.byID, id)
		}
	}
	for label := range labels {
		rest := slices.DeleteFunc(m.traces[label], func(t *trace) bool { return gone[t] })
		if m.traces[label] = rest; len(rest) == 0 {
			delete(m.traces, label)
		}
		for _, t := range rest {
			if gone[t.neighbour] {
				t.findNeighbour(rest)
			}
		}
	}
}

// findNeighbour looks for the nearest neighbour of t anew.
func (t *trace) findNeighbour(among []*trace) {
	t.neighbour, t.near = nil, math.Inf(1)
	for _, other := range among {
		if other == t {
			continue
		}
		if d, ok := compareWithin(t.at, other.at, t.near); ok {
			t.meet(other, d)
		}
	}
}

// meet makes other the neighbour of t when it is nearer than the one before.
func (t *trace) meet(other *trace, d parts) {
	if near := d.in(usualUnits); t.neighbour == nil || near < t.near {
		t.neighbour, t.apart, t.near = other, d, near
	}
}

// adapt measures how much this writer varies: the mean distance of a drawing from its nearest neighbour,
// and the usual one as if it had been seen familiarity times. Then the same of each class,
// with the writer's own as the usual one: some characters are always drawn alike.
func (m *Memory) adapt() {
	mean, n := usual, float64(familiarity)
	for i := range mean {
		mean[i] *= familiarity
	}
	for _, id := range slices.Sorted(maps.Keys(m.byID)) { // in order: sums of floats depend on it
		if t := m.byID[id]; t.neighbour != nil && !math.IsNaN(t.apart[ofPen]) {
			for i, v := range t.apart {
				mean[i] += v
			}
			n++
		}
	}
	for i := range mean {
		mean[i] /= n
	}
	m.units = mean.units()
	clear(m.widths)
	for label, traces := range m.traces {
		var d []float64
		for _, t := range traces {
			if t.neighbour != nil && !math.IsNaN(t.apart[ofPen]) {
				d = append(d, t.apart.in(m.units))
			}
		}
		slices.Sort(d)
		sum := familiarity * neighbourDistance
		for _, v := range d {
			sum += v
		}
		m.widths[label] = sum / (neighbourDistance * float64(familiarity+len(d)))
	}
}

// Len is the number of samples remembered.
func (m *Memory) Len() int {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return len(m.byID)
}

// Labels lists the labels of the samples, sorted.
func (m *Memory) Labels() []string {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return slices.Sorted(maps.Keys(m.traces))
}

// AddLine remembers the gaps and words of a line of the person, whose text is known, in the place of one with that id.
func (m *Memory) AddLine(id int64, k ink.Ink, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lines[id], m.person = knownLine{line.SpacingsOf(k, text), text}, nil
}

// Person is what the lines tell of who wrote them.
func (m *Memory) Person() line.Person {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.person == nil {
		var gaps []line.Spacing
		var texts []string
		for _, l := range m.lines {
			gaps, texts = append(gaps, l.gaps...), append(texts, l.text)
		}
		m.person = &line.Person{Spacing: line.LearnSpacing(gaps), Words: line.WordsOf(texts)}
	}
	return *m.person
}

// Near is a remembered drawing near to another one.
type Near struct {
	ID       int64
	Distance float64 // 1 where it is as far away as a drawing of this writer usually is from the nearest other one of its label
}

// Nearest gives for each of the labels the remembered drawing that is nearest to one, of which image is
// the picture and k the strokes, nil for none. Labels that are not remembered are left out.
func (m *Memory) Nearest(image ink.Image, k ink.Ink, labels ...string) map[string]Near {
	points, err := pointsOf(context.Background(), []ink.Image{image}, []ink.Ink{k})
	if err != nil { // the processor has no memory left
		return nil
	}
	at := points[0]
	m.mu.RLock()
	defer m.mu.RUnlock()
	all := map[string]Near{}
	for _, label := range labels {
		best := Near{Distance: math.Inf(1)}
		for _, t := range m.traces[label] {
			if d := math.Sqrt(compare(at, t.at).in(m.units) / neighbourDistance); d < best.Distance {
				best = Near{t.id, d}
			}
		}
		if !math.IsInf(best.Distance, 1) {
			all[label] = best
		}
	}
	return all
}

// Sureness is the probability that the next drawing of a symbol that the network does not have will be answered so, when one of it is
// remembered; 0 where none is, or more are. strangeness is recognizer.Answer.Strangeness of that one. What counts is how near the nearest drawing of another label
// is. The weights are those of a logistic regression on drawings by the same person and by others (docs/learning.md).
func (m *Memory) Sureness(label string, strangeness float64) float64 {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if len(m.traces[label]) != 1 {
		return 0
	}
	nearest := 1.0
	for other, traces := range m.traces {
		for _, t := range traces {
			if other != label {
				nearest = min(nearest, compare(m.traces[label][0].at, t.at).symbol())
			}
		}
	}
	return 1 / (1 + math.Exp(1.6-1.2*min(strangeness, mostStrange)-2.5*nearest))
}

var _ recognizer.Memory = (*Memory)(nil)
