package glcompute

import (
	"cmp"
	"errors"
	"math"
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

// way is one of the ways in which several devices can do a program: one alone, or all.
type way struct {
	run     Run
	uses    [][]*Parameter // by device; empty for one that has no share in it
	shares  []float64      // of the samples, by device
	replays int
	best    time.Duration // of the timed replays
}

// owner is the device whose parameters change.
func (w *way) owner() int {
	return slices.IndexFunc(w.shares, func(s float64) bool { return s > 0 })
}

// shared reports whether more than one device has a share.
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
	follows  bool                  // it is made where what it reads is, without a trial
	last     *way                  // that did the last replay
	inputs   map[*Tensor][]float32 // last bound, while another way may come to need them
	choice   program.Choice        // but for what Info finds out
	refused  map[int]error         // devices that do this program wrongly, and how
	closed   bool
}

// newTrial compiles p on devices. One that cannot do it is out of the choice; the error of the
// first comes back when none can.
func newTrial(c *copies, p *Program, devices ...int) (*trialRun, error) {
	if c.closed {
		return nil, ErrClosed
	}
	r := &trialRun{dev: c, program: p, params: parameters(p), inputs: map[*Tensor][]float32{}}
	r.choice.Alone = make([]time.Duration, len(c.devices))
	for _, dev := range c.devices {
		r.choice.Devices = append(r.choice.Devices, dev.Info())
	}
	for _, op := range p.Ops() {
		for _, t := range op.Writes() {
			if t.Parameter != nil && !slices.Contains(r.writes, t.Parameter) {
				r.writes = append(r.writes, t.Parameter)
			}
		}
	}
	var first error
	for _, i := range devices {
		if c.lost[i] != nil {
			continue
		}
		w, err := r.alone(i)
		if err == nil {
			r.ways = append(r.ways, w)
			continue
		}
		r.choice.Apart = message.Text("%s: %v", r.choice.Devices[i].Name, err)
		if errors.Is(err, ErrDiffers) {
			r.choice.Lost = message.Text("%v", err)
			r.refused = map[int]error{i: err}
		} else if !c.lose(i, err) && first == nil {
			first = err
		}
	}
	if len(r.ways) == 0 && first == nil {
		var w *way
		if w, first = r.alone(0); first == nil {
			r.ways = append(r.ways, w)
		}
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

// alone compiles the program for one device.
func (r *trialRun) alone(device int) (*way, error) {
	n := len(r.dev.devices)
	w := &way{uses: make([][]*Parameter, n), shares: make([]float64, n)}
	w.uses[device], w.shares[device] = r.params, 1
	var err error
	w.run, err = r.dev.devices[device].Compile(r.program)
	return w, err
}

func (r *trialRun) Do(bindings ...Binding) error {
	return r.replay(bindings, func(run Run, all []Binding) error { return run.Do(all...) })
}

func (r *trialRun) Measure(bindings ...Binding) (t Timing, err error) {
	err = r.replay(bindings, func(run Run, all []Binding) (err error) {
		t, err = run.Measure(all...)
		return err
	})
	return t, err
}

// replay has the way whose turn it is do the work, and another one where a device fails.
func (r *trialRun) replay(bindings []Binding, do func(Run, []Binding) error) error {
	r.dev.mu.Lock()
	defer r.dev.mu.Unlock()
	if r.closed || r.dev.closed {
		return ErrClosed
	}
	for _, b := range bindings {
		if err := b.Check(r.program); err != nil {
			return err
		}
	}
	for {
		if err := r.dropLost(); err != nil {
			return err
		}
		if r.follows {
			r.turn = max(0, slices.IndexFunc(r.ways, r.hasValues))
		}
		w := r.ways[r.turn]
		err := r.try(w, bindings, do)
		if err == nil {
			return nil
		}
		device := w.owner()
		var failed *deviceError
		if errors.As(err, &failed) {
			device, err = failed.device, failed.err
		}
		if errors.Is(err, ErrDiffers) && device > 0 {
			if r.refused == nil {
				r.refused = map[int]error{}
			}
			r.refused[device] = err
			continue
		}
		if !r.dev.lose(device, err) {
			return err
		}
	}
}

func (r *trialRun) try(w *way, bindings []Binding, do func(Run, []Binding) error) error {
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
	if err := do(w.run, all); err != nil {
		return err
	}
	if trying {
		if err := r.dev.devices[owner].Wait(); err != nil {
			return err
		}
	}
	elapsed := clock.Since(start)
	r.last = w
	for _, par := range r.writes {
		r.dev.changed(par, owner)
	}
	if len(r.ways) == 1 && !w.shared() {
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
	fastest := slices.MinFunc(r.ways, func(a, b *way) int { return int(a.cost() - b.cost()) })
	second := time.Duration(math.MaxInt64)
	for _, other := range r.ways {
		if other != fastest {
			second = min(second, other.cost())
		}
	}
	if w.replays <= trialRounds && second < clearTwice*fastest.cost() {
		return nil
	}
	return r.decide(fastest)
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

// retire frees what a way holds.
func (r *trialRun) retire(w *way) error {
	err := w.run.Close()
	for device, used := range w.uses {
		for _, par := range used {
			r.dev.leave(par, device)
		}
	}
	return err
}

func (r *trialRun) decided() bool { return len(r.ways) == 1 || r.follows }

// hasValues reports whether the device has the parameters that other programs change; those that
// this one changes need to be brought only once.
func (r *trialRun) hasValues(w *way) bool {
	return !slices.ContainsFunc(r.params, func(par *Parameter) bool {
		return r.dev.params[par].on[w.owner()] != valid && !slices.Contains(r.writes, par)
	})
}

// dropLost leaves the ways of devices that are lost, or do this program wrongly, out of the choice, of which that of
// the first device remains.
func (r *trialRun) dropLost() error {
	lost := func(w *way) bool {
		for i, share := range w.shares {
			if why := cmp.Or(r.dev.lost[i], r.refused[i]); share > 0 && why != nil {
				r.choice.Lost = message.Text("%v", why)
				return true
			}
		}
		return false
	}
	if !slices.ContainsFunc(r.ways, lost) {
		return nil
	}
	left := slices.DeleteFunc(slices.Clone(r.ways), lost)
	if len(left) == 0 {
		w, err := r.alone(0)
		if err != nil {
			return err
		}
		r.dev.admit(w)
		left = append(left, w)
	}
	for _, w := range r.ways {
		if !slices.Contains(left, w) {
			_ = r.retire(w) // what a lost device held went with it
		}
	}
	r.ways, r.turn, r.together = left, 0, nil
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
	if len(r.refused) > 0 && r.dev.info.Kind != Mixed { // which tells of it in Choice.Lost
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

// parameters lists those that p uses.
func parameters(p *Program) []*Parameter {
	var list []*Parameter
	for _, t := range p.Tensors() { // one for each parameter
		if t.Parameter != nil {
			list = append(list, t.Parameter)
		}
	}
	return list
}
