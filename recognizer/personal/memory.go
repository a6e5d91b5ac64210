package personal

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"

	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

// Memory remembers drawings and answers by those that are near (see Adjust). What is added
// or removed takes effect with the next answer. It may be used by several goroutines.
//
//	m := personal.NewMemory()
//	err := m.Add(samples...)
//	rec.SetMemory(m)
type Memory struct {
	mu     sync.RWMutex
	traces map[string][]*trace // by label
	byID   map[int64]*trace
	units  units              // of the distance, as varied as this hand is
	widths map[string]float64 // what d² is divided by for a class, as varied as it is in this hand
}

// trace is what is kept of one sample.
type trace struct {
	id         int64
	label      string
	correction bool
	at         point
	twin       *trace // the nearest other of the label; nil where there is none
	apart      parts  // distance from twin
}

// NewMemory makes an empty memory.
func NewMemory() *Memory {
	return &Memory{traces: map[string][]*trace{}, byID: map[int64]*trace{}, units: usual.units(), widths: map[string]float64{}}
}

// Add remembers samples; one with the ID of another takes its place. Ink without a point is
// an error that names the sample, and then none is added.
func (m *Memory) Add(samples ...Sample) error {
	points := make([]point, len(samples))
	for i, s := range samples {
		image, err := ink.Rasterize(s.Ink)
		if err != nil {
			return fmt.Errorf("sample %d (%s) cannot be remembered: %w", s.ID, s.Label, err)
		}
		points[i] = pointOf(image, s.Ink)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, s := range samples {
		m.remove(s.ID)
		t := &trace{id: s.ID, label: s.Label, correction: s.Correction, at: points[i]}
		for _, other := range m.traces[s.Label] {
			d := compare(t.at, other.at)
			t.meet(other, d)
			other.meet(t, d)
		}
		m.byID[s.ID] = t
		m.traces[s.Label] = append(m.traces[s.Label], t)
	}
	m.adapt()
	return nil
}

// Remove forgets the samples of these IDs; IDs that it does not have are ignored.
func (m *Memory) Remove(ids ...int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range ids {
		m.remove(id)
	}
	m.adapt()
}

func (m *Memory) remove(id int64) {
	gone, ok := m.byID[id]
	if !ok {
		return
	}
	delete(m.byID, id)
	rest := slices.DeleteFunc(m.traces[gone.label], func(t *trace) bool { return t == gone })
	if m.traces[gone.label] = rest; len(rest) == 0 {
		delete(m.traces, gone.label)
	}
	for _, t := range rest {
		if t.twin != gone {
			continue
		}
		t.twin = nil
		for _, other := range rest {
			if other != t {
				t.meet(other, compare(t.at, other.at))
			}
		}
	}
}

// meet makes other the twin of t when it is nearer than the one before.
func (t *trace) meet(other *trace, d parts) {
	if t.twin == nil || d.in(usual.units()) < t.apart.in(usual.units()) {
		t.twin, t.apart = other, d
	}
}

// adapt measures how much this hand varies: the mean distance of a drawing from its twin,
// and the usual one as if it had been seen familiarity times. Then the same of each class,
// with the hand's own as the usual one: some characters are always drawn alike.
func (m *Memory) adapt() {
	sum := parts{familiarity * usual.gradient, familiarity * usual.pen, familiarity * usual.size}
	n := float64(familiarity)
	for _, id := range slices.Sorted(maps.Keys(m.byID)) { // in order: sums of floats depend on it
		if t := m.byID[id]; t.twin != nil && !math.IsNaN(t.apart.pen) {
			sum.gradient += t.apart.gradient
			sum.pen += t.apart.pen
			sum.size += t.apart.size
			n++
		}
	}
	m.units = parts{sum.gradient / n, sum.pen / n, sum.size / n}.units()
	clear(m.widths)
	for label, traces := range m.traces {
		var d []float64
		for _, t := range traces {
			if t.twin != nil && !math.IsNaN(t.apart.pen) {
				d = append(d, t.apart.in(m.units))
			}
		}
		slices.Sort(d)
		sum := familiarity * twinDistance
		for _, v := range d {
			sum += v
		}
		m.widths[label] = sum / (twinDistance * float64(familiarity+len(d)))
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

var _ recognizer.Memory = (*Memory)(nil)
