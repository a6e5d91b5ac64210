package gldevice

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"time"

	"inkshade/glcompute/internal/cache"
)

// How long choosing may take: replays of all variants of one class of shapes, and
// everything, linking included, while one program is compiled. What is left over is
// measured at another start.
const (
	classBudget   = 50 * time.Millisecond
	programBudget = 500 * time.Millisecond
)

// Chooser picks one of the numbered variants of an operation for a class of shapes by
// their times, and keeps these in a file for the next start. A choice stays the same as
// long as the process runs, so that a program compiled twice, or on two devices of the
// same driver, gives the same numbers.
type Chooser struct {
	files    *cache.Folder
	key      string // renderer, driver version and program version
	log      func(format string, args ...any)
	now      func() time.Time
	deadline time.Time // of what is measured for the program being compiled
	chosen   *sync.Map // of the number of the variant, by key and class
	known    classes
}

// classes holds the time in seconds of each variant, by its number, of each class.
type classes map[string]map[int]float64

// choices are those of the process.
var choices sync.Map

// NewChooser makes a chooser for an executor; code is a digest of what is measured, its
// shaders and variants. Without a folder nothing is measured, and the first candidate wins.
func (g *GL) NewChooser(code string) *Chooser {
	c := &Chooser{
		files: g.cache, key: "choices\x00" + g.driver() + "\x00" + string(g.Kind) + "\x00" + code,
		log: func(format string, args ...any) { g.logf(debugTimes, format, args...) },
		now: time.Now, chosen: &choices,
	}
	g.choosers = append(g.choosers, c)
	return c
}

// begin starts the time that may be spent on the choices of one program.
func (c *Chooser) begin() { c.deadline = c.now().Add(programBudget) }

// Class names shapes that are alike: an operation with its sizes rounded up to powers of two.
func Class(op string, sizes ...int) string {
	var s strings.Builder
	s.WriteString(op)
	for _, n := range sizes {
		fmt.Fprintf(&s, " %d", 1<<bits.Len(uint(n-1)))
	}
	return s.String()
}

// Choose gives the number of the fastest candidate. measure replays one and gives its
// time; budget is how long it may take for that, linking apart.
func (c *Chooser) Choose(class string, candidates []int, measure func(variant int, budget time.Duration) (time.Duration, error)) int {
	place := c.key + "\x00" + class
	if v, ok := c.chosen.Load(place); ok && slices.Contains(candidates, v.(int)) {
		return v.(int)
	}
	if c.files == nil || len(candidates) < 2 {
		return candidates[0]
	}
	if c.known == nil {
		c.known = c.load()
	}
	times := c.known[class]
	if times == nil {
		times = map[int]float64{}
	}
	measured := false
	for _, v := range candidates {
		if _, ok := times[v]; ok {
			continue
		}
		if c.now().After(c.deadline) {
			break
		}
		t, err := measure(v, classBudget/time.Duration(len(candidates)))
		if err != nil {
			c.log("%s: variant %d cannot be used: %v", class, v, err)
			continue
		}
		times[v], measured = t.Seconds(), true
	}
	// A time that is hardly better is noise, which should not cost the first candidate its place.
	const clearly = 0.95
	best := candidates[0]
	for _, v := range candidates {
		t, ok := times[v]
		if was, timed := times[best]; ok && (!timed || t < clearly*was) {
			best = v
		}
	}
	c.known[class] = times
	// Another device may have been quicker to choose.
	if v, _ := c.chosen.LoadOrStore(place, best); slices.Contains(candidates, v.(int)) {
		best = v.(int)
	}
	c.log("%s: variant %d of %v, by seconds %v", class, best, candidates, times)
	if measured {
		c.save(class)
	}
	return best
}

// load reads the file; one that is damaged or belongs to something else is as if absent.
func (c *Chooser) load() classes {
	all := classes{}
	if data, ok := c.files.Get(c.key); ok && json.Unmarshal(data, &all) != nil {
		all = classes{}
	}
	for class, times := range all {
		for v, t := range times {
			if t <= 0 {
				delete(all[class], v)
			}
		}
	}
	return all
}

// save adds a class to what the file holds by now, which another process may have changed.
func (c *Chooser) save(class string) {
	all := c.load()
	all[class] = c.known[class]
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // numbers and strings only
	}
	c.files.Put(c.key, data)
}
