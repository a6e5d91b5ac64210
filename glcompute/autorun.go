package glcompute

import (
	"math"
	"slices"
	"time"
)

// The trial: a replay each to warm up (drivers compile late), then up to trialRounds timed
// ones each; it ends early when one device is clearTwice times as fast as the other. Each
// replay begins and ends with every device at rest.
const (
	trialRounds = 3
	clearTwice  = 2
)

// waiter is a device whose runs only send a replay without outputs; Wait returns when all
// that was sent is done.
type waiter interface{ Wait() error }

// candidate is a device on which the program of a run is compiled.
type candidate struct {
	device  int // index in auto.devices
	run     Run
	replays int
	best    time.Duration // of the timed replays
}

// autoRun is a program compiled on several devices until one has won.
type autoRun struct {
	dev        *auto
	program    *Program
	params     []*Parameter
	writes     []*Parameter
	candidates []*candidate
	trials     []Trial               // of all candidates at the moment of the decision
	inputs     map[*Tensor][]float32 // last bound, while there is more than one candidate
	turn       int
	last       Info // of the device that did the last replay
	closed     bool
}

func newAutoRun(a *auto, p *Program) *autoRun {
	r := &autoRun{dev: a, program: p, params: parameters(p), inputs: map[*Tensor][]float32{}}
	for _, op := range p.Ops() {
		for _, t := range op.Writes() {
			if t.Parameter != nil && !slices.Contains(r.writes, t.Parameter) {
				r.writes = append(r.writes, t.Parameter)
			}
		}
	}
	return r
}

func (r *autoRun) Do(bindings ...Binding) error {
	return r.replay(bindings, func(run Run, all []Binding) error { return run.Do(all...) })
}

func (r *autoRun) Measure(bindings ...Binding) (t Timing, err error) {
	err = r.replay(bindings, func(run Run, all []Binding) (err error) {
		t, err = run.Measure(all...)
		return err
	})
	return t, err
}

// replay lets the candidate whose turn it is do the work.
func (r *autoRun) replay(bindings []Binding, do func(Run, []Binding) error) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed || r.dev.closed {
		return ErrClosed
	}
	c := r.candidates[r.turn]
	for _, par := range r.params {
		if err := r.dev.bring(par, c.device); err != nil {
			return err
		}
	}
	if err := r.rest(); err != nil {
		return err
	}
	start := time.Now()
	if err := do(c.run, r.complete(bindings)); err != nil {
		return err
	}
	if err := r.rest(); err != nil {
		return err
	}
	elapsed := time.Since(start)
	r.last = r.dev.devices[c.device].Info()
	for _, par := range r.writes {
		where := r.dev.params[par]
		for i, s := range where.on {
			if i != c.device && s == valid {
				where.on[i] = stale
			}
		}
	}
	if r.decided() {
		r.inputs = nil // the winner has them all now
		return nil
	}
	r.remember(bindings)
	return r.judge(c, elapsed)
}

// rest waits for the devices as long as they are timed: not all do a replay before it
// returns, and what they do for others would slow it down.
func (r *autoRun) rest() error {
	if r.decided() {
		return nil
	}
	for _, c := range r.candidates {
		if w, ok := r.dev.devices[c.device].(waiter); ok {
			if err := w.Wait(); err != nil {
				return err
			}
		}
	}
	return nil
}

// complete adds the inputs that were bound in an earlier replay, which another device may
// have done, and not in this one.
func (r *autoRun) complete(bindings []Binding) []Binding {
	if len(r.inputs) == 0 {
		return bindings
	}
	all := slices.Clone(bindings)
	for t, data := range r.inputs {
		bound := func(b Binding) bool { return !b.Output && b.Tensor == t }
		if !slices.ContainsFunc(bindings, bound) {
			all = append(all, In(t, data))
		}
	}
	return all
}

func (r *autoRun) remember(bindings []Binding) {
	for _, b := range bindings {
		if !b.Output {
			r.inputs[b.Tensor] = append(r.inputs[b.Tensor][:0], b.Data...)
		}
	}
}

// judge counts one replay of a candidate and decides once it is clear who is faster.
func (r *autoRun) judge(c *candidate, elapsed time.Duration) error {
	c.replays++
	if c.replays > 1 && (c.best == 0 || elapsed < c.best) {
		c.best = elapsed
	}
	r.turn = (r.turn + 1) % len(r.candidates)
	if r.turn != 0 || c.replays < 2 {
		return nil
	}
	fastest := slices.MinFunc(r.candidates, byTime)
	second := time.Duration(math.MaxInt64)
	for _, other := range r.candidates {
		if other != fastest {
			second = min(second, other.best)
		}
	}
	if c.replays <= trialRounds && second < clearTwice*fastest.best {
		return nil
	}
	return r.decide(fastest)
}

func byTime(a, b *candidate) int { return int(a.best - b.best) }

// decide keeps one candidate and frees the others.
func (r *autoRun) decide(winner *candidate) error {
	for _, par := range r.params {
		if err := r.dev.bring(par, winner.device); err != nil {
			return err
		}
	}
	losers := r.candidates
	r.trials = r.times()
	r.candidates, r.turn = []*candidate{winner}, 0
	for _, c := range losers {
		if c == winner {
			continue
		}
		if err := c.run.Close(); err != nil {
			return err
		}
		for _, par := range r.params {
			r.dev.leave(par, c.device)
		}
	}
	return nil
}

func (r *autoRun) decided() bool { return len(r.candidates) == 1 }

// times are the shortest times of the candidates so far.
func (r *autoRun) times() []Trial {
	var all []Trial
	for _, c := range r.candidates {
		all = append(all, Trial{r.dev.devices[c.device].Info(), c.best})
	}
	return all
}

func (r *autoRun) choice() (Choice, bool) {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	c := Choice{
		Device:  r.dev.devices[r.candidates[r.turn].device].Info(),
		Last:    r.last,
		Decided: r.decided(),
		Trials:  r.trials,
	}
	if !c.Decided {
		c.Trials = r.times()
	}
	return c, true
}

func (r *autoRun) Close() error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed, r.inputs = true, nil
	var first error
	for _, c := range r.candidates {
		if err := c.run.Close(); err != nil && first == nil {
			first = err
		}
		if r.dev.closed {
			continue
		}
		for _, par := range r.params {
			r.dev.params[par].runs[c.device]--
		}
	}
	return first
}
