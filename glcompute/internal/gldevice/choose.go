package gldevice

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"inkshade/glcompute/internal/cache"
	"inkshade/glcompute/program"
)

// classBudget is how long the replays of all variants of one class of shapes may take,
// linking apart.
const classBudget = 50 * time.Millisecond

// Candidates take turns, so that what else the machine does meets them alike: so many, and
// so many in Tune, where each may take a classBudget of its own.
const (
	rounds       = 2
	tuningRounds = 4
)

// TrialTime is how long all trials may take while one program is compiled, linking
// included. A compiler cannot be interrupted, so that the last candidate begun within that
// time may go beyond it, by its linking and two replays. What is left over then is no
// affair of the next start, which compiles nothing new, but of Tune.
const TrialTime = 500 * time.Millisecond

// Choosable is an operation with numbered variants, one of which is chosen by measuring.
type Choosable struct {
	Name     string
	Variants []string // their names, by number from one
	// Describe says in a few words which work stands for a class, and Record adds the
	// operation with these options and sizes to a program.
	Describe func(c Class) string
	Record   func(p *program.Program, c Class)
}

// Chooser picks one of the numbered variants of an operation for a class of shapes by
// their times, and keeps these in a file for the next start. A choice stays the same as
// long as the process runs, so that a program compiled twice, or on two devices of the
// same driver, gives the same numbers.
type Chooser struct {
	files      *cache.Folder
	key        string // renderer, driver version and program version
	operations []Choosable
	forced     map[string]int // number of the variant, by operation, that is always taken
	log        func(format string, args ...any)
	now        func() time.Time
	time       time.Duration // that trials may take for a program
	deadline   time.Time     // for the program being compiled
	chosen     *sync.Map     // of the number of the variant, by key and class
	tuning     *tuning       // nil but while Tune runs
}

// choices are those of the process.
var choices sync.Map

// SetChooser makes the chooser for the operations of an executor; code is a digest of what
// is measured, its shaders, limit how long trials may take for a program, 0 standing for
// TrialTime, and forced may give operations the number of a variant that is always taken.
// Without a folder nothing is measured, and the first candidate wins.
func (g *GL) SetChooser(code string, limit time.Duration, forced map[string]int, operations ...Choosable) {
	if limit == 0 {
		limit = TrialTime
	}
	for _, o := range operations {
		code += "\x00" + o.Name + "\x00" + strings.Join(o.Variants, "\x00")
	}
	g.chooser = &Chooser{
		files: g.cache, key: "choices\x00" + g.driver() + "\x00" + string(g.Kind) + "\x00" + code,
		operations: operations, forced: forced, time: limit,
		log: func(format string, args ...any) { g.logf(debugTimes, format, args...) },
		now: time.Now, chosen: &choices,
	}
}

// begin starts the time that may be spent on the choices of one program.
func (c *Chooser) begin() {
	if c != nil {
		c.deadline = c.now().Add(c.time)
	}
}

// Choose gives the number of the fastest candidate, the first being the one that is taken
// without measuring. measure replays one and gives its time; budget is how long it may take
// for that, linking apart. Only a class that no start has met before is measured.
func (c *Chooser) Choose(class Class, candidates []int, measure func(variant int, budget time.Duration) (time.Duration, error)) int {
	if v, ok := c.fixed(class, candidates); ok {
		return v
	}
	if c.tuning != nil {
		return c.tune(class, candidates, measure)
	}
	key := class.key(candidates)
	place := c.key + "\x00" + key
	if v, ok := c.chosen.Load(place); ok {
		return v.(int)
	}
	m, ok := c.load()[key]
	if !ok {
		m = newMeasurement(class, candidates)
		over := func(int) bool { return !c.now().Before(c.deadline) }
		m.rounds(rounds, classBudget/time.Duration(rounds*len(candidates)), over, measure)
		c.save(m)
	}
	// Another device may have been quicker to choose.
	v, _ := c.chosen.LoadOrStore(place, m.best())
	c.log("%s: %s", c.describe(class), c.inWords(m, v.(int)))
	return v.(int)
}

// fixed is the choice where nothing is ever measured.
func (c *Chooser) fixed(class Class, candidates []int) (v int, ok bool) {
	if v, ok := c.forced[class.Op]; ok {
		return v, true
	}
	return candidates[0], c.files == nil || len(candidates) < 2
}

// settled is the choice as far as there is one by now, and the first candidate otherwise.
func (c *Chooser) settled(class Class, candidates []int) (v int, ok bool) {
	if v, ok := c.fixed(class, candidates); ok {
		return v, true
	}
	key := class.key(candidates)
	if v, ok := c.chosen.Load(c.key + "\x00" + key); ok {
		return v.(int), true
	}
	if m, ok := c.load()[key]; ok {
		return m.best(), true
	}
	return candidates[0], false
}

// tuning is what Tune asks of the chooser while it compiles.
type tuning struct {
	ctx    context.Context
	before func(variant int)
}

// tune measures all candidates, whatever was known of them, and keeps nothing unless it
// comes to the end: times count beside others of the same work only.
func (c *Chooser) tune(class Class, candidates []int, measure func(variant int, budget time.Duration) (time.Duration, error)) int {
	m := newMeasurement(class, candidates)
	stopped := func(v int) bool {
		c.tuning.before(v)
		return c.tuning.ctx.Err() != nil
	}
	if !m.rounds(tuningRounds, classBudget/tuningRounds, stopped, measure) {
		return candidates[0]
	}
	c.save(m)
	c.log("%s, from the next start on: %s", c.describe(class), c.inWords(m, m.best()))
	return m.best()
}

// operation finds what a class belongs to, nil for what this program does not know.
func (c *Chooser) operation(name string) *Choosable {
	i := slices.IndexFunc(c.operations, func(o Choosable) bool { return o.Name == name })
	if i < 0 {
		return nil
	}
	return &c.operations[i]
}

func (c *Chooser) describe(class Class) string {
	return class.Op + " " + c.operation(class.Op).Describe(class)
}
