package glcompute

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/glcompute/internal/program"
	"inkshade/glcompute/message"
)

// split deals the samples of a mini-batch out to two devices in proportion to their measured
// speeds, where that is faster than the faster of them alone, which otherwise does them all
// (Takizawa et al., ENTCS 225, 2009). The first device owns everything that lasts: both sum
// up over their samples, the owner adds the sums and makes the update, and the new parameters
// go to the other with the next replay. So no copy can drift away from another, and where the
// other device fails the owner goes on alone and nothing is lost. The same shares give the
// same parameters. A program without a mini-batch is made where its parameters are.
type split struct {
	*copies
	share float64 // of the owner; 0 measures
}

// Split gives a device that shares mini-batches (Program.Batch) between two, which it closes with
// itself. The owner, best the processor, has the share of their samples, above 0 and below 1;
// 0 measures who is faster, alone or together, in the first replays of each program.
func Split(share float64, owner, other Device) Device {
	return newSplit(share, owner, other)
}

func newSplit(share float64, devices ...Device) *copies {
	s := split{newCopies(Mixed, devices), share}
	s.compile = s.trial
	return s.copies
}

// OpenMixed is OpenOrCPU(Mixed) with a share of every mini-batch for the processor, above 0 and
// below 1; 0 measures.
func (o Options) OpenMixed(share float64) Device {
	devices, reason := o.openBoth()
	c := newSplit(share, devices...)
	c.info.Fallback = reason
	return c
}

// trial compiles the program for one device after the other, or for both where their shares are said.
func (s split) trial(p *Program) (Run, error) {
	if s.share == 0 || len(s.devices) < 2 {
		r, err := newTrial(s.copies, p, 0, 1)
		switch {
		case err != nil || r.decided():
		case p.Samples() == 0:
			r.follows, r.choice.Apart = true, message.Text("%v", errTooFew)
		default:
			r.together = func(alone []time.Duration) (*way, error) { return s.measured(r, alone) }
		}
		return r, err
	}
	r, err := newTrial(s.copies, p, 0)
	if err != nil {
		return nil, err
	}
	w, err := s.together(r, s.share)
	if err != nil {
		r.choice.Apart = message.Text("%v", err)
		return r, nil
	}
	return r, r.decide(w)
}

// measured is the way of both devices in proportion to their speeds.
func (s split) measured(r *trialRun, alone []time.Duration) (*way, error) {
	a, b := alone[0].Seconds(), alone[1].Seconds()
	share := b / (a + b)
	n := float64(r.program.Samples())
	if least := min(share, 1-share); n > 1 && math.Round(least*n) == 0 {
		return nil, message.Errorf("the other would be too slow for a share")
	}
	return s.together(r, share)
}

var errTooFew = message.Errorf("too few rows at once to share")

// together compiles the program for both devices, at least a sample for each.
func (s split) together(r *trialRun, share float64) (*way, error) {
	samples := r.program.Samples()
	if samples < 2 {
		return nil, errTooFew
	}
	first := min(max(int(math.Round(share*float64(samples))), 1), samples-1)
	division, err := r.program.Divide(first, samples-first)
	if err != nil {
		return nil, err
	}
	d := &dividedRun{dev: s.copies, division: division, joint: &r.choice.Joint}
	w := &way{
		run: d, uses: [2][]*Parameter{r.params, division.Parts[1].Program.Parameters()},
		shares: []float64{float64(first) / float64(samples), float64(samples-first) / float64(samples)},
	}
	d.shares = w.shares
	if err := d.compile(); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	s.admit(w)
	return w, nil
}

// dividedRun is a program whose samples two devices share.
type dividedRun struct {
	dev      *copies
	division *program.Division
	shares   []float64
	runs     []Run         // of the parts
	rest     Run           // of the owner
	totals   [][][]float32 // by part and number
	compiled time.Duration
	joint    *program.JointTime
}

func (d *dividedRun) compile() error {
	begin := clock.Now()
	for i, part := range d.division.Parts {
		run, err := d.dev.devices[i].Compile(part.Program)
		if err != nil {
			return message.Errorf("%s: %w", d.dev.devices[i].Info().Name, err)
		}
		d.runs = append(d.runs, run)
		totals := make([][]float32, len(d.division.Totals))
		for n, t := range d.division.Totals {
			totals[n] = make([]float32, t.From[i].Len())
		}
		d.totals = append(d.totals, totals)
	}
	var err error
	d.rest, err = d.dev.devices[0].Compile(d.division.Rest.Program)
	d.compiled = clock.Since(begin)
	return err
}

func (d *dividedRun) Do(bindings ...Binding) error {
	return d.replay(bindings, func(run Run, _ *Timing, all []Binding) error { return run.Do(all...) }, new(Timing))
}

// Measure gives the times of the slower device in each stage, and all passes of both. What is
// for carrying parameters and sums is an upload.
func (d *dividedRun) Measure(bindings ...Binding) (t Timing, err error) {
	err = d.replay(bindings, program.Replay, &t)
	return t, err
}

func (d *dividedRun) replay(bindings []Binding, do func(Run, *Timing, []Binding) error, t *Timing) error {
	begin := clock.Now()
	other := d.division.Parts[1].Program.Parameters()
	for _, par := range other {
		if !d.dev.has(par, 1) {
			if err := d.dev.fetch(par); err != nil {
				return err
			}
		}
	}
	fetched := clock.Since(begin)
	parts, rest := d.division.Bind(bindings)
	times, errs := make([]Timing, 3), make([]error, 2)
	var carried time.Duration
	var both sync.WaitGroup
	for i := range parts {
		for n, t := range d.division.Totals {
			parts[i] = append(parts[i], Out(t.From[i], d.totals[i][n]))
		}
		both.Go(func() {
			if i == 1 {
				if carried, errs[i] = d.carry(other); errs[i] != nil {
					return
				}
			}
			errs[i] = do(d.runs[i], &times[i], parts[i])
		})
	}
	both.Wait()
	if err := cmp.Or(errs[0], of(1, errs[1])); err != nil {
		return err
	}
	computed := clock.Now()
	for n, t := range d.division.Totals {
		sum := d.totals[0][n]
		for k, v := range d.totals[1][n] {
			sum[k] += v
		}
		rest = append(rest, In(t.To, sum))
	}
	if len(rest) > 0 || len(d.division.Rest.Program.Ops()) > 0 {
		if err := do(d.rest, &times[2], rest); err != nil {
			return err
		}
	}
	d.joint.Shares = d.shares
	d.joint.Add(clock.Since(begin), fetched+carried+clock.Since(computed))
	*t = Timing{
		Compile:  d.compiled,
		Upload:   fetched + carried + max(times[0].Upload, times[1].Upload) + times[2].Upload,
		Compute:  max(times[0].Compute, times[1].Compute) + times[2].Compute,
		Readback: max(times[0].Readback, times[1].Readback) + times[2].Readback,
		Passes:   slices.Concat(times[0].Passes, times[1].Passes, times[2].Passes),
	}
	return nil
}

// carry sends the other device the parameters that the owner has changed.
func (d *dividedRun) carry(params []*Parameter) (time.Duration, error) {
	begin := clock.Now()
	for _, par := range params {
		if d.dev.has(par, 1) {
			continue
		}
		if err := d.dev.send(par, 1); err != nil {
			return 0, err
		}
	}
	return clock.Since(begin), nil
}

func (d *dividedRun) Info() Info {
	var c program.Choice
	for _, dev := range d.dev.devices {
		c.Devices = append(c.Devices, dev.Info())
	}
	info := c.Devices[0]
	info.Kind = Mixed
	info.Name = c.List(d.shares, func(d Info) string { return d.Name })
	info.Version = c.List(d.shares, func(d Info) string { return d.Version })
	return info
}

func (d *dividedRun) Close() error {
	var errs []error
	for _, run := range d.runs {
		errs = append(errs, run.Close())
	}
	if d.rest != nil {
		errs = append(errs, d.rest.Close())
	}
	return errors.Join(errs...)
}
