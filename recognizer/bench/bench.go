// Package bench measures what the devices of this machine can do: one drawing stage by
// stage, recognition over the size of the batch, training over the size of the network and
// of the batch as Takizawa et al. drew it (ENTCS 225, 2009), what four values in a texel
// gain, products, and the training step of Inkshade's own network. Devices are timed in
// turn, so that what else the machine does meets them alike; every reading is a median with
// its spread.
package bench

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"time"

	"inkshade"
	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/compute"
	"inkshade/glcompute/fragment"
	"inkshade/glcompute/message"
	"inkshade/recognizer"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Contestant is a device that takes part, under the name that it has in the report.
type Contestant struct {
	Name string
	Open func() (glcompute.Device, error)
	Only []Experiment // that it takes part in, to be compared and not used; none stands for all, but Packing is of fragment shaders
}

func (c Contestant) plays(e Experiment) bool {
	if c.Only != nil {
		return slices.Contains(c.Only, e)
	}
	return e != Packing || c.Name == string(glcompute.Fragment)
}

// Names of what takes part beside the kinds of devices.
const (
	UnpackedName          = "fragment-unpacked"  // one value in a texel instead of four
	TexturesName          = "fragment-textures"  // four, and products read from textures on every renderer
	UnpackedTexturesName  = "unpacked-textures"  // one, and products read from textures on every renderer
	FragmentReductionName = "fragment-reduction" // shaders with fixed variants: by reduction, or by tiles
	FragmentTilesName     = "fragment-tiles"
	ComputeReductionName  = "compute-reduction"
	ComputeTilesName      = "compute-tiles"
	OneCoreName           = "one-core"              // the algorithm of a step of prototypes on one core, in plain loops
	OneCoreBLASName       = "one-core-blas"         // and with the distances of a mini-batch by gonum's products
	MixedName             = string(glcompute.Mixed) // the processor and the fastest OpenGL device with shares by speed (Takizawa et al., 2009)
)

// Contestants are the devices of these kinds under the names of the kinds.
func Contestants(kinds ...glcompute.DeviceKind) (all []Contestant) {
	for _, k := range kinds {
		all = append(all, Contestant{Name: string(k), Open: func() (glcompute.Device, error) { return glcompute.Open(k) }})
	}
	return all
}

func fragments(name string, o fragment.Options, only ...Experiment) Contestant {
	return Contestant{name, func() (glcompute.Device, error) {
		o.Debug = glcompute.Usual().Debug
		return fragment.OpenWith(o)
	}, only}
}

func computes(name string, variants map[string]int, only ...Experiment) Contestant {
	return Contestant{name, func() (glcompute.Device, error) {
		return compute.OpenWith(compute.Options{Variants: variants, Debug: glcompute.Usual().Debug})
	}, only}
}

// Compared are what fragment shaders are compared with: one value in a texel in both figures
// of Takizawa et al., and reading from textures in Packing.
func Compared() []Contestant {
	return []Contestant{
		fragments(UnpackedName, fragment.Options{Unpacked: true}, HiddenUnits, TrainingSamples, Packing),
		fragments(TexturesName, fragment.Options{Reads: fragment.ReadsMemory}, Packing),
		fragments(UnpackedTexturesName, fragment.Options{Reads: fragment.ReadsMemory, Unpacked: true}, Packing),
	}
}

// Everything is what takes part when nothing else is asked for. The processor comes first.
func Everything() []Contestant {
	return append(Contestants(glcompute.CPU, glcompute.Fragment, glcompute.Compute), Compared()...)
}

// PrototypeContestants take part in PrototypeExperiments: devices, and shaders that find distances
// and the nearest by reduction, or by tiles and by comparing and exchanging.
func PrototypeContestants() []Contestant {
	reduction := fragment.Options{Variants: fragment.ByReduction}
	tiles := fragment.Options{Variants: fragment.ByTiles}
	return append(Contestants(glcompute.CPU, glcompute.Fragment, glcompute.Compute),
		fragments(FragmentReductionName, reduction, PrototypeDistances, PrototypeNearest),
		fragments(FragmentTilesName, tiles, PrototypeDistances, PrototypeNearest),
		computes(ComputeReductionName, compute.ByReduction, PrototypeDistances, PrototypeNearest),
		computes(ComputeTilesName, compute.ByTiles, PrototypeDistances, PrototypeNearest))
}

// Options say what is measured.
type Options struct {
	Quick       bool           // fewer sizes, each for a shorter time
	Contestants []Contestant   // none stands for Everything
	Experiments []Experiment   // as far as a contestant takes part; none stands for all
	Prototypes  PrototypeShape // of PrototypeExperiments; the zero value stands for ChinesePrototypes
	Drawing     ink.Ink        // that is recognised stage by stage; none stands for a seven
	Model       *nn.Model      // that recognises it; nil stands for a network 784-800-10 with random weights

	clock func() time.Time // nil stands for clock.Now
}

// Event is a step of the way.
type Event struct {
	Done, Total int // groups of readings; a group is one size on every device
	Experiment  Experiment
	Size        int       // what is measured now
	Readings    []Reading // that have just been measured
	Drawings    []Drawing
	Device      *Device // that has just been opened, or could not be
}

// Run measures and calls progress (nil for none) on the calling goroutine. When ctx ends,
// the report so far comes back with the error of ctx; a replay is not broken off, which is
// bounded by the limit of the options' pace. A device that cannot be opened, or fails, is
// said in the report and does not end the run; the error is another only when no device
// is left.
func Run(ctx context.Context, o Options, progress func(Event)) (*Report, error) {
	r := newRunner(ctx, o, progress)
	defer r.close()
	if err := r.open(); err != nil {
		return r.report, err
	}
	if err := r.all(); err != nil {
		return r.finish(), err
	}
	r.report.Complete = true
	return r.finish(), nil
}

// player is an opened contestant.
type player struct {
	Contestant
	dev  glcompute.Device
	lost bool // it takes no part any more
}

// runner is one run of the measurements.
type runner struct {
	Options
	ctx         context.Context
	pace        pace
	progress    func(Event)
	report      *Report
	players     []*player
	done, total int // groups
}

func newRunner(ctx context.Context, o Options, progress func(Event)) *runner {
	if o.Contestants == nil {
		o.Contestants = Everything()
	}
	if o.Experiments == nil {
		o.Experiments = Experiments()
	}
	o.Experiments = wanted(o.Experiments, o.Contestants)
	o.Prototypes = cmp.Or(o.Prototypes, ChinesePrototypes)
	if o.Drawing == nil {
		o.Drawing = Seven
	}
	if o.clock == nil {
		o.clock = clock.Now
	}
	if progress == nil {
		progress = func(Event) {}
	}
	r := &runner{Options: o, ctx: ctx, pace: thorough, progress: progress}
	if o.Quick {
		r.pace = quick
	}
	for _, e := range o.Experiments {
		r.total += len(e.Sizes(o.Quick))
	}
	r.report = &Report{
		Version: inkshade.About().Version, Started: r.clock(), Quick: o.Quick,
		Machine: Machine{
			Cores: runtime.NumCPU(), Threads: runtime.GOMAXPROCS(0),
			System: runtime.GOOS + "/" + runtime.GOARCH, Go: runtime.Version(), Load: systemLoad(),
		},
	}
	return r
}

// wanted are the experiments in which somebody takes part; in Packing, somebody who is there
// to be compared.
func wanted(all []Experiment, contestants []Contestant) []Experiment {
	return slices.DeleteFunc(slices.Clone(all), func(e Experiment) bool {
		return !slices.ContainsFunc(contestants, func(c Contestant) bool { return c.plays(e) && (e != Packing || c.Only != nil) })
	})
}

func (r *runner) open() error {
	var problems []error
	for _, c := range r.Contestants {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		d := Device{Name: c.Name, Compared: c.Only != nil}
		if dev, err := c.Open(); err != nil {
			d.Missing = err
			problems = append(problems, err)
		} else {
			d.Info = dev.Info()
			r.players = append(r.players, &player{Contestant: c, dev: dev})
			if d.Info.Kind == glcompute.CPU {
				r.report.Machine.Processor = d.Info.Name
			}
		}
		r.report.Devices = append(r.report.Devices, d)
		r.tell(Event{Device: &d})
	}
	if len(r.players) == 0 {
		return message.Errorf("no device can be measured: %w", errors.Join(problems...))
	}
	return nil
}

func (r *runner) all() (err error) {
	for _, e := range r.Experiments {
		for _, size := range e.Sizes(r.Quick) {
			if err := r.ctx.Err(); err != nil {
				return err
			}
			done := Event{Experiment: e, Size: size}
			r.tell(done)
			if e == OneDrawing {
				done.Drawings, err = r.drawing()
				r.report.Drawings = append(r.report.Drawings, done.Drawings...)
			} else {
				done.Readings, err = r.group(e, size)
				r.report.Readings = append(r.report.Readings, done.Readings...)
			}
			if err != nil {
				return err
			}
			r.done++
			r.tell(done)
		}
	}
	return nil
}

func (r *runner) tell(e Event) {
	e.Done, e.Total = r.done, r.total
	r.progress(e)
}

func (r *runner) finish() *Report {
	r.report.Elapsed = r.clock().Sub(r.report.Started)
	r.report.Crossovers = Compare(r.report)
	return r.report
}

// playing are the players of an experiment that have not been lost.
func (r *runner) playing(e Experiment) []*player {
	return slices.DeleteFunc(slices.Clone(r.players), func(p *player) bool { return p.lost || !p.plays(e) })
}

func (r *runner) close() {
	for _, p := range r.players {
		// What a closing device has to say changes no reading.
		_ = p.dev.Close()
	}
}

// drawing recognises the drawing on every device with stages and passes apart.
func (r *runner) drawing() (drawings []Drawing, err error) {
	model := r.model()
	features, err := feature.ByName(model.Preprocessing)
	if err != nil {
		return nil, err
	}
	players := r.playing(OneDrawing)
	lanes, taken := make([]*lane, len(players)), make([][]recognizer.Timing, len(players))
	for i, p := range players {
		l := &lane{player: p}
		lanes[i] = l
		begin := r.clock()
		inference, err := nn.NewInference(p.dev, model.Network)
		if l.Missing = err; err != nil {
			continue
		}
		defer inference.Close()
		l.once = func() (time.Duration, error) {
			t, err := recognizer.MeasureOnce(r.Drawing, features, inference, r.clock)
			taken[i] = append(taken[i], t)
			return t.Total(), err
		}
		_, l.Missing = l.once()
		l.Prepare, taken[i] = r.clock().Sub(begin), nil // not while the device made itself ready
	}
	if err := r.alternate(lanes); err != nil {
		return nil, err
	}
	for i, l := range lanes {
		d := Drawing{Device: players[i].Name, Network: model.Network.Folded().Sizes(), Missing: l.Missing}
		if l.Missing == nil {
			d.Timing, d.Total, d.Prepare = recognizer.MedianTiming(taken[i]), l.Spread, l.Prepare
		}
		drawings = append(drawings, d)
	}
	return drawings, nil
}

func (o Options) model() *nn.Model {
	if o.Model != nil {
		return o.Model
	}
	labels := make([]string, network[len(network)-1])
	for i := range labels {
		labels[i] = string(rune('0' + i))
	}
	return &nn.Model{Network: perceptron(), Labels: labels, Preprocessing: nn.MNIST28}
}
