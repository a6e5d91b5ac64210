package bench

import (
	"slices"
	"time"

	"inkshade/glcompute"
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

// lane is what one device does for one reading.
type lane struct {
	once   func() (time.Duration, error) // one replay and its time
	run    glcompute.Run                 // that it replays, of a device
	work   float64                       // of a replay, see task
	times  []time.Duration
	used   time.Duration // by the clock, all turns
	failed error
}

// most is the number of replays that a reading is taken from at most.
const most = 4096

// alternate gives the lanes their turns, another one beginning each round. A turn is as many
// replays as fit into its share of the budget, at least one, of which the first does not
// count where there are several: the device before has emptied the caches.
func (r *runner) alternate(lanes []*lane) error {
	share := r.pace.budget / time.Duration(r.pace.rounds)
	for round := range r.pace.rounds {
		for i := range lanes {
			l := lanes[(round+i)%len(lanes)]
			if l.failed != nil || round >= r.pace.least && l.used > r.pace.budget {
				continue
			}
			if err := r.turn(l, share); err != nil {
				return err
			}
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
			l.failed = err
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
func (r *runner) group(e Experiment, size int) ([]Reading, error) {
	var readings []Reading
	var lanes []*lane
	players := r.playing(e)
	for _, p := range players {
		reading, l := Reading{Experiment: e, Size: size, Device: p.Name}, &lane{failed: errLeftOut}
		switch due, ok := r.expected(e, size, p.Name); {
		case r.o.Prototypes.tooLarge(e, size):
			reading.Missing = message.Errorf("left out: the distances would take more than %d MB", e.largestDistances()>>20)
		case ok && due > r.pace.longest:
			reading.Missing = message.Errorf("left out: one replay would take about %s", due.Round(100*time.Millisecond))
		default:
			var end func()
			l, reading.Prepare, end = r.prepare(p.dev, e.record(r.o, size))
			defer end()
		}
		readings, lanes = append(readings, reading), append(lanes, l)
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
	}
	if e == PrototypeStep || e == PrototypeStep8 {
		for _, way := range []string{OneCoreName, OneCoreBLASName} {
			reading, l := Reading{Experiment: e, Size: size, Device: way}, r.oneCore(e, size, way)
			if l.failed != nil {
				reading.Missing = message.Errorf("left out: it would take too long")
			}
			readings, lanes = append(readings, reading), append(lanes, l)
		}
	}
	if err := r.alternate(lanes); err != nil {
		return nil, err
	}
	for i, l := range lanes {
		if l.failed == errLeftOut {
			continue
		}
		if readings[i].settle(l); l.failed != nil {
			players[i].drop(l.failed)
		}
	}
	if e == TrainingStep {
		return r.mixed(size, players, readings)
	}
	return readings, nil
}

// settle completes a reading with the times of its lane, or with why there are none.
func (x *Reading) settle(l *lane) {
	if l.failed != nil {
		x.Missing = l.failed
		return
	}
	if x.Spread = spreadOf(l.times); x.Median > 0 {
		x.GFLOPS = l.work / x.Median.Seconds() / 1e9
	}
}

var errLeftOut = message.Errorf("left out")

// prepare compiles a task and replays it once, which is when drivers finish their shaders.
func (r *runner) prepare(dev glcompute.Device, t task) (l *lane, took time.Duration, end func()) {
	begin := r.clock()
	run, err := dev.Compile(t.program)
	if err != nil {
		return &lane{failed: err}, 0, func() {}
	}
	end = func() { leave(dev, run, t) }
	l = &lane{run: run, work: t.work, once: func() (time.Duration, error) {
		start := r.clock()
		err := run.Do(t.bindings...)
		if t.finish != nil {
			t.finish(t.output)
		}
		return r.clock().Sub(start), err
	}}
	if t.inside {
		l.once = func() (time.Duration, error) {
			timing, err := run.Measure(t.bindings...)
			return timing.Compute, err
		}
	}
	_, l.failed = l.once()
	return l, r.clock().Sub(begin), end
}

// leave frees a task. What is left behind on a failing device, the device frees when it is closed.
func leave(dev glcompute.Device, run glcompute.Run, t task) {
	_ = run.Close()
	for _, p := range t.params {
		dev.Forget(p)
	}
}

// expected is how long a replay should take judging by the size before, if there is one: all work grows with the size,
// that of a product of square matrices with its cube.
func (r *runner) expected(e Experiment, size int, device string) (time.Duration, bool) {
	for _, x := range slices.Backward(r.report.Readings) {
		if x.Experiment == e && x.Device == device && x.Missing == nil {
			grows := float64(size) / float64(x.Size)
			if e == Product {
				grows *= grows * grows
			}
			return time.Duration(float64(x.Median) * grows), true
		}
	}
	return 0, false
}

// Spread is a number of times in short.
type Spread struct {
	Median, Fastest, Slowest time.Duration
	// Deviation is the median of the distances from the median (MAD).
	Deviation time.Duration
	Repeats   int
	// Disturbed says that the times differ more than those of a machine that does nothing
	// else: half of them by more than disturbedDeviation of the median, or the fastest takes
	// less than 1/disturbedRange of it.
	Disturbed bool
}

const (
	disturbedDeviation = 0.15
	disturbedRange     = 1.6
)

// spreadOf sorts times. Of an even number, a median is the lower one of the middle.
func spreadOf(times []time.Duration) Spread {
	if len(times) == 0 {
		return Spread{}
	}
	slices.Sort(times)
	s := Spread{Median: middle(times), Fastest: times[0], Slowest: times[len(times)-1], Repeats: len(times)}
	distances := make([]time.Duration, len(times))
	for i, t := range times {
		distances[i] = (t - s.Median).Abs()
	}
	slices.Sort(distances)
	s.Deviation = middle(distances)
	m := float64(s.Median)
	s.Disturbed = float64(s.Deviation) > disturbedDeviation*m || m > disturbedRange*float64(s.Fastest)
	return s
}

func middle(sorted []time.Duration) time.Duration { return sorted[(len(sorted)-1)/2] }
