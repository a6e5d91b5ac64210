package bench

import (
	"errors"
	"slices"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
)

// pace is how long is measured.
type pace struct {
	rounds  int           // turns of each device
	least   int           // turns after which a device that is over its time has no more
	budget  time.Duration // of a device for one reading
	longest time.Duration // of a replay; larger sizes are left out when more is expected
}

var (
	thorough = pace{rounds: 7, least: 3, budget: 400 * time.Millisecond, longest: 4 * time.Second}
	quick    = pace{rounds: 5, least: 3, budget: 70 * time.Millisecond, longest: 600 * time.Millisecond}
)

// lane is what one contestant does for one reading, and what comes of it.
type lane struct {
	Reading
	player *player                       // whose device does it alone; nil for none
	once   func() (time.Duration, error) // one replay and its time
	work   float64                       // of a replay, see task
	times  []time.Duration
	used   time.Duration // by the clock, all turns
	free   func()        // on the device; nil for nothing
}

// most is the number of replays that a reading is taken from at most.
const most = 4096

// alternate gives the lanes their turns, another one beginning each round, and completes their readings. A turn is as many
// replays as fit into its share of the budget, at least one, of which the first does not
// count where there are several: the device before has emptied the caches.
func (r *runner) alternate(lanes []*lane) error {
	share := r.pace.budget / time.Duration(r.pace.rounds)
	for round := range r.pace.rounds {
		for i := range lanes {
			l := lanes[(round+i)%len(lanes)]
			if l.Missing != nil || round >= r.pace.least && l.used > r.pace.budget {
				continue
			}
			if err := r.turn(l, share); err != nil {
				return err
			}
		}
	}
	for _, l := range lanes {
		if l.Missing != nil {
			if l.player != nil && (errors.Is(l.Missing, glcompute.ErrLost) || errors.Is(l.Missing, glcompute.ErrClosed)) {
				l.player.lost = true
			}
			continue
		}
		if l.Spread = spreadOf(l.times); l.Median > 0 {
			l.GFLOPS = l.work / l.Median.Seconds() / 1e9
		}
	}
	return nil
}

func (r *runner) turn(l *lane, share time.Duration) error {
	begin := r.clock()
	var turn []time.Duration
	for {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		t, err := l.once()
		if err != nil {
			l.Missing = err
			return nil
		}
		turn = append(turn, t)
		if r.clock().Sub(begin) >= share || len(turn) > most/r.pace.rounds {
			break
		}
	}
	l.used += r.clock().Sub(begin)
	if len(turn) > 1 {
		turn = turn[1:]
	}
	l.times = append(l.times, turn...)
	return nil
}

// group measures one size on every device.
func (r *runner) group(e Experiment, size int) (readings []Reading, err error) {
	var lanes []*lane
	defer func() {
		for _, l := range lanes {
			if l.free != nil {
				l.free()
			}
		}
	}()
	for _, p := range r.playing(e) {
		l := r.lane(e, size, p.Name)
		l.player = p
		if lanes = append(lanes, l); l.Missing == nil {
			r.prepare(l, p.dev, e.record(r.Options, size))
		}
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
	}
	if e == PrototypeStep || e == PrototypeStep8 {
		lanes = append(lanes, r.oneCore(e, size, OneCoreName), r.oneCore(e, size, OneCoreBLASName))
	}
	if err := r.alternate(lanes); err != nil {
		return nil, err
	}
	if e == TrainingStep {
		if lanes, err = r.mixed(size, lanes); err != nil {
			return nil, err
		}
	}
	for _, l := range lanes {
		readings = append(readings, l.Reading)
	}
	return readings, nil
}

// lane is one that does nothing yet, and says so where it would take too much.
func (r *runner) lane(e Experiment, size int, name string) *lane {
	l := &lane{Reading: Reading{Experiment: e, Size: size, Device: name}}
	switch due := r.expected(e, size, name); {
	case r.Prototypes.tooLarge(e, size):
		l.Missing = message.Errorf("left out: the distances would take more than %d MB", e.largestDistances()>>20)
	case due > r.pace.longest:
		l.Missing = message.Errorf("left out: one replay would take about %s", due.Round(100*time.Millisecond))
	}
	return l
}

// mixed adds to the lanes of a training step that of both kinds of devices together,
// after them because the shares follow from them.
func (r *runner) mixed(size int, lanes []*lane) ([]*lane, error) {
	var cpu, gpu *lane
	for _, l := range lanes {
		switch {
		case l.Missing != nil:
		case l.player.dev.Info().Kind == glcompute.CPU:
			cpu = l
		case gpu == nil || l.Median < gpu.Median:
			gpu = l
		}
	}
	if cpu == nil || gpu == nil {
		return lanes, nil
	}
	l := &lane{Reading: Reading{Experiment: TrainingStep, Size: size, Device: MixedName}}
	lanes = append(lanes, l)
	a, b := cpu.Median.Seconds(), gpu.Median.Seconds()
	share := b / (a + b)
	if min(share, 1-share)*float64(size) < 0.5 {
		slower := cpu
		if share > 0.5 {
			slower = gpu
		}
		l.Missing = message.Errorf("left out: the %s device is too slow for a share of %d", slower.Device, size)
		return lanes, nil
	}
	run := r.prepare(l, glcompute.Split(share, cpu.player.dev, gpu.player.dev), TrainingStep.record(r.Options, size)) // the devices stay open
	if l.Missing == nil && run.Info().Kind != glcompute.Mixed {
		l.Missing = message.Errorf("%s", run.Info().Choice)
	}
	return lanes, r.alternate([]*lane{l})
}

// prepare compiles a task for a lane and replays it once, which is when drivers finish their shaders.
func (r *runner) prepare(l *lane, dev glcompute.Device, t task) (run glcompute.Run) {
	begin := r.clock()
	if run, l.Missing = dev.Compile(t.program); l.Missing != nil {
		return nil
	}
	l.free = func() { leave(dev, run, t) }
	l.work, l.once = t.work, func() (time.Duration, error) {
		start := r.clock()
		err := run.Do(t.bindings...)
		if t.finish != nil {
			t.finish(t.output)
		}
		return r.clock().Sub(start), err
	}
	if t.inside {
		l.once = func() (time.Duration, error) {
			timing, err := run.Measure(t.bindings...)
			return timing.Compute, err
		}
	}
	_, l.Missing = l.once()
	l.Prepare = r.clock().Sub(begin)
	return run
}

// leave frees a task. What is left behind on a failing device, the device frees when it is closed.
func leave(dev glcompute.Device, run glcompute.Run, t task) {
	_ = run.Close()
	for _, p := range t.program.Parameters() {
		dev.Forget(p)
	}
}

// expected is how long a replay should take judging by the size before, 0 if there is none: all work grows with the size,
// that of a product of square matrices with its cube.
func (r *runner) expected(e Experiment, size int, device string) time.Duration {
	measured := r.report.Of(e, device)
	if len(measured) == 0 {
		return 0
	}
	last := measured[len(measured)-1]
	grows := float64(size) / float64(last.Size)
	if e == Product {
		grows *= grows * grows
	}
	return time.Duration(float64(last.Median) * grows)
}

// Spread is a number of times in short.
type Spread struct {
	Median, Fastest, Slowest time.Duration
	Deviation                time.Duration // median of the distances from the median (MAD)
	Repeats                  int
	Disturbed                bool // the times differ more than those of a machine that does nothing else
}

const (
	disturbedDeviation = 0.15 // of the median: half of disturbed times differ by more from it
	disturbedRange     = 1.6  // or the median is more than so many times the fastest
)

// spreadOf sorts times.
func spreadOf(times []time.Duration) Spread {
	if len(times) == 0 {
		return Spread{}
	}
	slices.Sort(times)
	s := Spread{Median: clock.Median(times), Fastest: times[0], Slowest: times[len(times)-1], Repeats: len(times)}
	distances := make([]time.Duration, len(times))
	for i, t := range times {
		distances[i] = (t - s.Median).Abs()
	}
	s.Deviation = clock.Median(distances)
	m := float64(s.Median)
	s.Disturbed = float64(s.Deviation) > disturbedDeviation*m || m > disturbedRange*float64(s.Fastest)
	return s
}
