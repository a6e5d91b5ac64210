package gldevice

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/internal/check"
	"inkshade/glcompute/internal/program"
)

// classBudget is how long the replays of all variants of one class of shapes may take,
// linking apart; while variants are measured on request, of each variant.
const classBudget = 50 * time.Millisecond

// Candidates take turns, so that what else the machine does meets them alike: so many, and
// so many on request.
const (
	rounds       = 2
	tuningRounds = 4
)

// TrialTime is how long all trials may take while one program is compiled, linking
// included. A compiler cannot be interrupted, so that the last candidate begun within that
// time may go beyond it, by its linking and two replays. What is left over then is no
// affair of the next start, which compiles nothing new, but of Tune.
const TrialTime = 500 * time.Millisecond

// Tunable is an operation with numbered variants, one of which is chosen by measuring.
type Tunable struct {
	Name     string
	Variants []string   // their names, by number from one
	Of       program.Op // a value of its type
}

// Work is an operation that has variants.
type Work struct {
	Name string // of a Tunable
	Text string // it and its sizes in a few words
	Op   program.Op
}

// measurement is what is known about the variants of a class of work, as the file holds it: the one taken without measuring
// comes first.
type measurement struct {
	program.Selection
	Like string // the operation of the class that was measured, see program.Like
}

// key tells classes apart: an operation with what its shaders depend on, sizes counting rounded up to powers of two. Shapes with
// other candidates are another class, so that no choice depends on which of them came first.
func (m *measurement) key() string {
	sizes := regexp.MustCompile(`"(Rows|Cols|Reach)":\d+`)
	rounded := sizes.ReplaceAllStringFunc(m.Like, func(text string) string {
		name, number, _ := strings.Cut(text, ":")
		n, _ := strconv.Atoi(number) // of digits
		return fmt.Sprint(name, ":", 1<<bits.Len(uint(n-1)))
	})
	return fmt.Sprint(m.Operation, rounded, m.candidates())
}

func (m *measurement) candidates() (all []int) {
	for _, t := range m.Trials {
		all = append(all, t.Number)
	}
	return all
}

// Trial replays a variant for about as long as budget, linking apart, and gives its time.
type Trial func(variant int, budget time.Duration) (time.Duration, error)

// measure times all candidates in several rounds, each with that budget, and keeps their shortest
// times. It ends early when stop says so ahead of a candidate, and reports whether it came to
// the end. Of later rounds only whole ones count, which are fair to all.
func (m *measurement) measure(rounds int, budget time.Duration, stop func() bool, try Trial) bool {
	defer func() { m.Chosen = m.best() }()
	for round := range rounds {
		now := slices.Clone(m.Trials)
		for i := range now {
			if now[i].Unusable != "" {
				continue
			}
			if stop() {
				return false
			}
			took, err := try(now[i].Number, budget)
			switch {
			case err != nil:
				now[i].Time, now[i].Unusable = 0, err.Error()
			case round == 0 || took < now[i].Time:
				now[i].Time = took
			}
			if round == 0 {
				m.Trials[i] = now[i]
			}
		}
		m.Trials = now
	}
	return true
}

// best is the number of the fastest of the candidates that were measured, the first when none was.
func (m *measurement) best() int {
	// A time that is hardly better is noise, which should not cost the first candidate its place.
	const clearly = 0.95
	first := m.Trials[0]
	best := first
	for _, t := range m.Trials {
		if t.Time > 0 && (best.Time == 0 || t.Time < best.Time) {
			best = t
		}
	}
	if first.Time > 0 && best.Time.Seconds() >= clearly*first.Time.Seconds() {
		return first.Number
	}
	return best.Number
}

// Autotuner picks one of the numbered variants of an operation for a class of shapes by
// their times, and keeps these in a file for the next start. A choice stays the same as
// long as the process runs, so that a program compiled twice, or on two devices of the
// same driver, gives the same numbers.
type Autotuner struct {
	files      *cache.Folder
	key        string // renderer, driver version and what is measured
	operations []Tunable
	forced     map[string]int // number of the variant, by operation, that is always taken
	log        func(format string, args ...any)
	now        func() time.Time
	time       time.Duration // that trials may take for a program
	deadline   time.Time     // for the program being compiled
	chosen     *sync.Map     // of the number of the variant, by key and class
	// stopped is nil but while variants are measured on request: then it is asked ahead of each.
	stopped func() bool
}

// choices are those of the process.
var choices sync.Map

// SetAutotuner makes the tuner for the operations of an executor; code is a digest of what
// is measured, its shaders. Without a folder nothing is measured, and the first candidate wins.
func (g *GL) SetAutotuner(code string, operations ...Tunable) {
	for _, o := range operations {
		code += "\x00" + o.Name + "\x00" + strings.Join(o.Variants, "\x00")
	}
	g.tuner = &Autotuner{
		files: g.options.Cache, key: "choices\x00" + g.driver() + "\x00" + string(g.Kind) + "\x00" + code,
		operations: operations, forced: g.options.Variants, time: cmp.Or(g.options.TrialTime, TrialTime),
		log: func(format string, args ...any) { g.logf(check.Times, format, args...) },
		now: clock.Now, chosen: &choices,
	}
}

// begin starts the time that may be spent on the choices of one program.
func (c *Autotuner) begin() {
	if c != nil {
		c.deadline = c.now().Add(c.time)
	}
}

// Choose gives the number of the fastest candidate, the first being the one that is taken
// without measuring. Only a class that no start has met before is measured, and none where try
// is nil. On request all candidates are measured, whatever is known of them, and nothing is kept
// unless that comes to the end: times count beside others of the same work only.
func (c *Autotuner) Choose(w Work, candidates []int, try Trial) int {
	if v, ok := c.forced[w.Name]; ok {
		return v
	}
	if c.files == nil || len(candidates) < 2 {
		return candidates[0]
	}
	m := c.unmeasured(w, candidates)
	key := m.key()
	place := c.key + "\x00" + key
	if v, ok := c.chosen.Load(place); ok && c.stopped == nil {
		return v.(int)
	}
	known := c.load()[key]
	switch {
	case try == nil && known == nil:
		return candidates[0]
	case try == nil:
		return known.best()
	case c.stopped != nil:
		if !m.measure(tuningRounds, classBudget/tuningRounds, c.stopped, try) {
			return candidates[0]
		}
		c.save(m)
		c.log("%s; from the next start on", &m.Selection)
		return m.Chosen
	case known == nil:
		over := func() bool { return !c.now().Before(c.deadline) }
		m.measure(rounds, classBudget/time.Duration(rounds*len(candidates)), over, try)
		c.save(m)
		known = m
	}
	// Another device may have been quicker to choose.
	v, _ := c.chosen.LoadOrStore(place, known.best())
	known.Chosen = v.(int)
	c.log("%s", &known.Selection)
	return known.Chosen
}

func (c *Autotuner) unmeasured(w Work, candidates []int) *measurement {
	m := &measurement{program.Selection{Operation: w.Name, Work: w.Text}, program.Like(w.Op)}
	for _, v := range candidates {
		m.Trials = append(m.Trials, program.VariantTrial{Number: v, Name: c.operation(w.Name).Variants[v-1]})
	}
	return m
}

func (c *Autotuner) operation(name string) *Tunable {
	return &c.operations[slices.IndexFunc(c.operations, func(o Tunable) bool { return o.Name == name })]
}

// load reads the file; what is damaged or not ours is as if absent.
func (c *Autotuner) load() map[string]*measurement {
	all := map[string]*measurement{}
	if data, ok := c.files.Get(c.key); ok && json.Unmarshal(data, &all) != nil {
		return map[string]*measurement{}
	}
	maps.DeleteFunc(all, func(key string, m *measurement) bool { return m == nil || len(m.Trials) == 0 || m.key() != key })
	return all
}

// save adds a class to what the file holds by now, which another process may have changed.
func (c *Autotuner) save(m *measurement) {
	c.change(func(all map[string]*measurement) { all[m.key()] = m })
}

func (c *Autotuner) change(f func(map[string]*measurement)) {
	all := c.load()
	f(all)
	data, err := json.Marshal(all)
	if err != nil {
		panic(err) // numbers and strings only
	}
	c.files.Put(c.key, data)
}
