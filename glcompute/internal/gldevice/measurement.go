package gldevice

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"time"
)

// Class names work that is alike: an operation with what its shaders depend on, and its
// sizes, which count rounded up to powers of two.
type Class struct {
	Op      string `json:"op"`             // name of a Choosable
	Options []int  `json:"options"`        // whatever its Record understands
	Sizes   []int  `json:"sizes"`          // of the work that was measured
	Then    string `json:"then,omitempty"` // what follows it, for its Record too
}

// key tells classes apart. Shapes with other candidates are another class, so that no
// choice depends on which of them came first.
func (c Class) key(candidates []int) string {
	sizes := make([]int, len(c.Sizes))
	for i, n := range c.Sizes {
		sizes[i] = 1 << bits.Len(uint(n-1))
	}
	return fmt.Sprint(c.Op, c.Options, sizes, candidates, c.Then)
}

// measurement is what is known about the variants of a class, as the file holds it.
type measurement struct {
	Class
	Candidates []int           `json:"candidates"` // the one taken without measuring first
	Seconds    map[int]float64 `json:"seconds"`    // of those measured, by number
	Unusable   map[int]string  `json:"unusable"`   // why, of those that failed
}

func newMeasurement(class Class, candidates []int) *measurement {
	return &measurement{Class: class, Candidates: candidates, Seconds: map[int]float64{}, Unusable: map[int]string{}}
}

// rounds measures all candidates several times over, each with that budget, and keeps their
// shortest times. It ends early when stop says so ahead of a candidate, and reports whether
// it came to the end. Of later rounds only whole ones count, which are fair to all.
func (m *measurement) rounds(n int, budget time.Duration, stop func(variant int) bool, measure func(int, time.Duration) (time.Duration, error)) bool {
	for round := range n {
		times := map[int]float64{}
		for _, v := range m.Candidates {
			if m.Unusable[v] != "" {
				continue
			}
			if stop(v) {
				return false
			}
			t, err := measure(v, budget)
			if err != nil {
				m.Unusable[v] = err.Error()
				continue
			}
			times[v] = t.Seconds()
			if round == 0 {
				m.Seconds[v] = times[v]
			}
		}
		for v, t := range times {
			m.Seconds[v] = min(m.Seconds[v], t)
		}
	}
	return true
}

// left is the number of candidates that have not been measured.
func (m *measurement) left() int { return len(m.Candidates) - len(m.Seconds) - len(m.Unusable) }

// best is the fastest of the candidates that were measured, the first when none was.
func (m *measurement) best() int {
	// A time that is hardly better is noise, which should not cost the first candidate its place.
	const clearly = 0.95
	first := m.Candidates[0]
	best := first
	for _, v := range m.Candidates {
		t, ok := m.Seconds[v]
		if was, timed := m.Seconds[best]; ok && (!timed || t < was) {
			best = v
		}
	}
	if t, timed := m.Seconds[first]; timed && m.Seconds[best] >= clearly*t {
		return first
	}
	return best
}

// makesSense tells whether this program could have written m.
func (m *measurement) makesSense(c *Chooser, key string) bool {
	o := c.operation(m.Op)
	if o == nil || len(m.Candidates) < 2 || slices.ContainsFunc(m.Sizes, func(n int) bool { return n < 1 }) || m.key(m.Candidates) != key {
		return false
	}
	for _, v := range m.Candidates {
		if v < 1 || v > len(o.Variants) {
			return false
		}
	}
	for v, t := range m.Seconds {
		if t <= 0 || !slices.Contains(m.Candidates, v) {
			return false
		}
	}
	return true
}

// load reads the file; one that is damaged or belongs to something else is as if absent.
func (c *Chooser) load() map[string]*measurement {
	all := map[string]*measurement{}
	if data, ok := c.files.Get(c.key); ok && json.Unmarshal(data, &all) != nil {
		return map[string]*measurement{}
	}
	for key, m := range all {
		if m == nil || !m.makesSense(c, key) {
			delete(all, key)
		}
	}
	return all
}

// save adds a class to what the file holds by now, which another process may have changed.
func (c *Chooser) save(m *measurement) {
	c.change(func(all map[string]*measurement) { all[m.key(m.Candidates)] = m })
}

// drop takes a class out of the file.
func (c *Chooser) drop(m *measurement) {
	c.change(func(all map[string]*measurement) { delete(all, m.key(m.Candidates)) })
}

func (c *Chooser) change(f func(map[string]*measurement)) {
	all := c.load()
	f(all)
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // numbers and strings only
	}
	c.files.Put(c.key, data)
}
