package glcompute

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// The trial: a replay each to warm up (drivers compile late), then up to trialRounds timed
// ones each; it ends early when one way is clearTwice times as fast as the others. Each
// replay begins and ends with every device at rest.
const (
	trialRounds = 3
	clearTwice  = 2
)

// worthTrying is how long the processor works for a program before OpenGL that is drawn by the processor, too, is tried for it: the trial
// takes a good part of that, mostly to compile.
const worthTrying = time.Second

// way is one of the ways in which copies can do a program: one device alone, or both.
type way struct {
	run     Run
	uses    [2][]*Parameter // by device; empty for one that has no share in it
	shares  []float64       // of the samples, by device
	replays int
	best    time.Duration // of the timed replays
}

// owner is the device whose parameters change.
func (w *way) owner() int {
	return slices.IndexFunc(w.shares, func(s float64) bool { return s > 0 })
}

func (w *way) shared() bool { return slices.Max(w.shares) < 1 }

// cost is what the ways are compared by: sharing must win clearly.
func (w *way) cost() time.Duration {
	if w.shared() {
		return time.Duration(program.SharingWins * float64(w.best))
	}
	return w.best
}

// trialRun is a program with several ways of doing it, of which one has won after some replays.
type trialRun struct {
	dev     *copies
	program *Program
	params  []*Parameter
	writes  []*Parameter
	ways    []*way
	turn    int
	// together gives one more way once the speeds of the others are known, or says why there
	// is none; nil when it has been asked.
	together func(alone []time.Duration) (*way, error)
	alone    time.Duration         // how long the first device is still to work before the second is compiled for
	follows  bool                  // it is made where what it reads is, without a trial
	last     *way                  // that did the last replay
	inputs   map[*Tensor][]float32 // last bound, while another way may come to need them
	choice   program.Choice        // but for what Info finds out
	refused  error                 // that the second device does this program wrongly, and how
	closed   bool
}

// newTrial compiles p on devices. One that cannot do it is out of the choice; the error of the
// first comes back when none can.
func newTrial(c *copies, p *Program, devices ...int) (*trialRun, error) {
	if c.closed {
		return nil, ErrClosed
	}
	r := &trialRun{dev: c, program: p, params: p.Parameters(), inputs: map[*Tensor][]float32{}}
	for _, t := range p.Written() {
		r.writes = append(r.writes, t.Parameter)
	}
	r.choice.Alone = make([]time.Duration, len(c.devices))
	for _, dev := range c.devices {
		r.choice.Devices = append(r.choice.Devices, dev.Info())
	}
	var first error
	for _, i := range devices {
		if err := r.attempt(i); first == nil {
			first = err
		}
	}
	if len(r.ways) == 0 && first == nil {
		first = r.add(0)
	}
	if len(r.ways) > 0 {
		c.admit(r.ways...)
		return r, nil
	}
	var unsupported *UnsupportedError
	if errors.As(first, &unsupported) && c.info.Kind == Auto {
		return nil, &UnsupportedError{Device: Auto, Ops: unsupported.Ops}
	}
	return nil, first
}

// attempt adds the way of a device that is not lost. One that does the program wrongly, or is lost now, is left out.
func (r *trialRun) attempt(device int) error {
	if device >= len(r.dev.working()) {
		return nil
	}
	err := r.add(device)
	if err == nil {
		return nil
	}
	r.choice.Apart = message.Text("%s: %v", r.choice.Devices[device].Name, err)
	if errors.Is(err, ErrDiffers) {
		r.choice.Lost, r.refused = message.Text("%v", err), err
	} else if !r.dev.lose(err) {
		return err
	}
	return nil
}

func (r *trialRun) add(device int) error {
	run, err := r.dev.devices[device].Compile(r.program)
	if err != nil {
		return of(device, err)
	}
	w := &way{run: run, shares: make([]float64, len(r.dev.devices))}
	w.uses[device], w.shares[device] = r.params, 1
	r.ways = append(r.ways, w)
	return nil
}

func (r *trialRun) Do(bindings ...Binding) error { return r.replay(nil, bindings) }

func (r *trialRun) Measure(bindings ...Binding) (t Timing, err error) {
	err = r.replay(&t, bindings)
	return t, err
}

// replay has the way whose turn it is do the work, and another one where a device fails.
func (r *trialRun) replay(t *Timing, bindings []Binding) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed || r.dev.closed {
		return ErrClosed
	}
	if err := r.program.Check(bindings); err != nil {
		return err
	}
	for {
		if err := r.dropLost(); err != nil {
			return err
		}
		if r.follows {
			r.turn = max(0, slices.IndexFunc(r.ways, r.hasValues))
		}
		var other otherError
		switch err := r.try(r.ways[r.turn], t, bindings); {
		case err == nil:
			return nil
		case errors.As(err, &other) && errors.Is(err, ErrDiffers):
			r.refused = other.error
		case !r.dev.lose(err):
			return err
		}
	}
}

func (r *trialRun) try(w *way, t *Timing, bindings []Binding) error {
	owner := w.owner()
	for _, par := range r.params {
		if err := r.dev.bring(par, owner); err != nil {
			return err
		}
	}
	if w.shared() { // no replay before spares it what carrying costs
		for _, par := range r.writes {
			r.dev.changed(par, owner)
		}
	}
	all := bindings
	if w != r.last {
		all = r.complete(bindings)
	}
	trying := !r.decided()
	if trying {
		if err := r.dev.rest(); err != nil {
			return err
		}
	}
	start := clock.Now()
	err := program.Replay(w.run, t, all)
	if err == nil && trying {
		err = r.dev.devices[owner].Wait()
	}
	if err != nil {
		return of(owner, err)
	}
	elapsed := clock.Since(start)
	r.last = w
	for _, par := range r.writes {
		r.dev.changed(par, owner)
	}
	if len(r.ways) == 1 && r.alone <= 0 && !w.shared() {
		r.inputs = nil // this way has them all now, and no other comes
		return nil
	}
	for _, b := range bindings {
		if !b.Output {
			r.inputs[b.Tensor] = append(r.inputs[b.Tensor][:0], b.Data...)
		}
	}
	if !trying {
		return nil
	}
	if r.alone > 0 {
		if r.alone -= elapsed; r.alone <= 0 {
			_ = r.attempt(1) // choice.Apart has it
			r.dev.admit(r.ways[1:]...)
		}
		return nil
	}
	r.choice.Measuring += elapsed
	return r.judge(w, elapsed)
}

// complete adds the inputs that were bound in an earlier replay, which another way may have
// done, and not in this one.
func (r *trialRun) complete(bindings []Binding) []Binding {
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

// judge counts one replay of a way and decides once it is clear which is the fastest.
func (r *trialRun) judge(w *way, elapsed time.Duration) error {
	w.replays++
	if w.replays > 1 && (w.best == 0 || elapsed < w.best) {
		w.best = elapsed
	}
	if w.shared() {
		r.choice.Together = w.best
	} else {
		r.choice.Alone[w.owner()] = w.best
	}
	r.turn = (r.turn + 1) % len(r.ways)
	if r.turn != 0 || w.replays < 2 {
		return nil
	}
	ways := slices.SortedStableFunc(slices.Values(r.ways), func(a, b *way) int { return cmp.Compare(a.cost(), b.cost()) })
	if w.replays <= trialRounds && ways[1].cost() < clearTwice*ways[0].cost() {
		return nil
	}
	return r.decide(ways[0])
}

// decide keeps one way and frees the others. Where all devices could do the work together,
// that is tried beside it next.
func (r *trialRun) decide(winner *way) error {
	for _, par := range r.params {
		if err := r.dev.bring(par, winner.owner()); err != nil {
			return err
		}
	}
	losers := r.ways
	r.ways, r.turn = []*way{winner}, 0
	for _, w := range losers {
		if w == winner {
			continue
		}
		if err := r.retire(w); err != nil {
			return err
		}
	}
	if r.together == nil {
		return nil
	}
	w, err := r.together(r.choice.Alone)
	r.together = nil
	if err != nil {
		r.choice.Apart = message.Text("%v", err)
		return nil
	}
	winner.replays = 0
	r.ways = append(r.ways, w)
	return nil
}

func (r *trialRun) retire(w *way) error {
	err := w.run.Close()
	for device, used := range w.uses {
		for _, par := range used {
			r.dev.leave(par, device)
		}
	}
	return err
}

func (r *trialRun) decided() bool { return len(r.ways) == 1 && r.alone <= 0 || r.follows }

// hasValues reports whether the device has the parameters that other programs change; those that
// this one changes need to be brought only once.
func (r *trialRun) hasValues(w *way) bool {
	return !slices.ContainsFunc(r.params, func(par *Parameter) bool {
		return !r.dev.has(par, w.owner()) && !slices.Contains(r.writes, par)
	})
}

// dropLost leaves the ways of the second device out of the choice where it is lost or does this program wrongly. That of the
// first remains.
func (r *trialRun) dropLost() error {
	why := cmp.Or(r.dev.lost, r.refused)
	lost := func(w *way) bool { return why != nil && w.shares[len(w.shares)-1] > 0 && len(w.shares) > 1 }
	ways := r.ways
	if !slices.ContainsFunc(ways, lost) {
		return nil
	}
	r.choice.Lost = message.Text("%v", why)
	r.ways = slices.DeleteFunc(slices.Clone(ways), lost)
	if len(r.ways) == 0 {
		if err := r.add(0); err != nil {
			return err
		}
		r.dev.admit(r.ways...)
	}
	for _, w := range ways {
		if lost(w) {
			_ = r.retire(w) // what a lost device held went with it
		}
	}
	r.turn, r.together = 0, nil
	return nil
}

func (r *trialRun) Info() Info {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	w := r.last
	if w == nil {
		w = r.ways[r.turn]
	}
	info := w.run.Info()
	info.Fallback = r.dev.info.Fallback
	if r.refused != nil && r.dev.info.Kind != Mixed { // which tells of it in Choice.Lost
		info.Fallback = cmp.Or(info.Fallback, r.choice.Lost)
	}
	if len(r.dev.devices) > 1 && (r.dev.info.Kind == Auto || r.dev.info.Kind == Mixed) {
		c := r.choice
		c.Shares, c.Alone = w.shares, slices.Clone(c.Alone)
		c.Decided = r.decided() && (w == r.ways[r.turn] || r.follows)
		info.Choice = &c
	}
	return info
}

func (r *trialRun) Close() error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed, r.inputs = true, nil
	var errs []error
	for _, w := range r.ways {
		errs = append(errs, w.run.Close())
		if r.dev.closed {
			continue
		}
		for device, used := range w.uses {
			for _, par := range used {
				r.dev.params[par].runs[device]--
			}
		}
	}
	return errors.Join(errs...)
}
