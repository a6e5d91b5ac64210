package train

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"time"

	"inkshade/glcompute"
	"inkshade/glcompute/clock"
	"inkshade/glcompute/message"
	"inkshade/recognizer/nn"
)

// errDiverged is the failure of a training whose loss is no number any more.
var errDiverged = message.Errorf("the loss is no finite number any more; train again with a smaller rate")

// session is one training in work, the loop of steps and epochs. What batches are made of is the
// business of its feed.
type session struct {
	cfg          Config
	dev          glcompute.Device
	net, anchor  nn.Network // with the values of the start, and of what the decay pulls toward
	progress     func(Event)
	everyReading bool // events tell also of the reading that ends an epoch

	model   *nn.Model // whose labels and preprocessing are taught
	learner Learner
	feed    *feed
	hard    *hardness // nil when all samples come equally often
	held    judge     // nil without held-out samples

	readings       *readings
	right          []bool   // of the rows last read
	plateau        *plateau // nil when the rate does not follow the loss
	recent, epoch  window   // since the last event, since the epoch began
	result         Result
	best           nn.Network // empty until a state was evaluated
	started, begun time.Time  // with preparing; with the first step

	from   *checkpoint // that the training goes on from; nil where it begins
	waited int         // epochs without improvement
	saved  time.Time   // when the last checkpoint was
}

// window sums up what was read of the batches.
type window struct {
	Loss           float64
	Right, Samples int
}

// prepare makes the learner.
func (s *session) prepare(ctx context.Context) (err error) {
	s.right = make([]bool, s.cfg.Batch)
	outputs := s.feed.count
	if s.cfg.FollowLoss {
		s.plateau = &plateau{Factor: 1, Least: s.cfg.FinalRate, Best: math.Inf(1)}
	}
	learner := s.newDescending
	if s.cfg.Loss == nn.CTC {
		outputs, learner = 1, s.newLineLearner
	}
	if s.cfg.Learner != nil {
		outputs, learner = 1, func() (Learner, error) {
			return s.cfg.Learner(ctx, Lesson{
				Dev: s.dev, Model: s.model, Width: s.feed.width, Batch: s.cfg.Batch, Seed: s.cfg.Seed,
				Pass: s.pass, Samples: s.feed.fixed, Rows: s.feed.fixedRows,
			})
		}
	}
	if err := s.goOn(); err != nil {
		return err
	}
	if s.learner, err = learner(); err != nil {
		return err
	}
	s.feed.bare = s.learner.Holds()
	s.readings = newReadings(s.cfg.Batch, outputs)
	if s.held == nil {
		return nil
	}
	return s.held.ready(s.learner)
}

// judge measures the state that a learner keeps on held-out samples.
type judge interface {
	ready(l Learner) error
	judge(ctx context.Context, l Learner) (*Evaluation, error)
}

// pass goes through the batches of an epoch, which are not learned from.
func (s *session) pass(ctx context.Context, use func(input, classes []float32) error) error {
	n := s.feed.perEpoch
	f := &feed{rows: s.feed.rows, width: s.feed.width, count: s.feed.count, steps: n, perEpoch: n, filler: s.feed.filler}
	feeding, stop := context.WithCancel(ctx)
	defer f.done.Wait()
	defer stop()
	f.start(feeding, s.cfg.Workers)
	for step := range n {
		b, ok := f.next(ctx, step)
		if !ok {
			return context.Cause(ctx)
		}
		if err := use(b.input, b.target); err != nil {
			return err
		}
		f.release(step, b)
	}
	return nil
}

func (s *session) train(ctx context.Context) (*Result, error) { return s.end(ctx, s.run(ctx)) }

// run makes all steps.
func (s *session) run(ctx context.Context) error {
	if (s.cfg.Start != nil || s.cfg.Learner != nil) && s.held != nil && s.from == nil {
		before, err := s.held.judge(ctx, s.learner)
		if err != nil {
			return err
		}
		s.result.Before = before
		if err := s.keep(before, 0); err != nil {
			return err
		}
	}
	s.begun = clock.Now()
	feeding, stop := context.WithCancel(ctx)
	defer s.feed.done.Wait()
	defer stop()
	s.feed.start(feeding, s.cfg.Workers)

	s.saved = s.begun
	for epoch := len(s.result.History) + 1; epoch <= s.cfg.Epochs; epoch++ { // one whose steps are done may still have to be measured
		for end := epoch * s.feed.perEpoch; s.result.Steps < end; {
			if err := s.step(ctx, epoch); err != nil {
				return err
			}
			if s.result.Steps < end {
				if err := s.saveWhenDue(); err != nil {
					return err
				}
			}
		}
		best, err := s.endEpoch(ctx, epoch)
		if err != nil {
			return err
		}
		if s.waited++; best {
			s.waited = 0
		}
		if err := s.saveWhenDue(); err != nil {
			return err
		}
		if s.held != nil && s.cfg.Patience > 0 && s.waited >= s.cfg.Patience && epoch < s.cfg.Epochs {
			s.result.Ending = Stopped
			return nil
		}
	}
	s.result.Ending = Finished
	return nil
}

// step does one training step, asks for its loss when it is time for an event, and takes what
// has come of the steps before; all at the end of an epoch.
func (s *session) step(ctx context.Context, epoch int) error {
	n := s.result.Steps
	b, ok := s.feed.next(ctx, n)
	if !ok || ctx.Err() != nil {
		return context.Cause(ctx)
	}
	last := (n+1)%s.feed.perEpoch == 0
	read := last || (n+1)%max(1, s.cfg.ReportEvery) == 0
	step := nn.Batch{Columns: b.columns, Input: b.input, Samples: b.samples, Target: b.target, Settings: s.settingsOf(n)}
	if s.feed.warp > 0 {
		step.Affine, step.Grid = b.affine, b.grid
	}
	if read || s.hard != nil {
		r, err := s.ask(b, epoch, read, last)
		if err != nil {
			return err
		}
		// The epoch ends with the last, and a device that is lost is noticed.
		step.Loss, step.Probabilities, step.Later = r.loss, r.probabilities, !last
	}
	if err := s.learner.Step(step); err != nil {
		return message.Errorf("a training step on the %s device: %w", s.dev.Info().Kind, err)
	}
	s.feed.release(n, b)
	s.result.Steps++
	if !last {
		return s.take(0)
	}
	if err := s.takeEpoch(); err != nil {
		return err
	}
	if s.hard != nil {
		s.hard.publish(epoch)
	}
	return nil
}

// endEpoch evaluates the state and keeps it when it is the best, or when nothing is held
// out.
func (s *session) endEpoch(ctx context.Context, epoch int) (best bool, err error) {
	var e *Evaluation
	if s.held != nil {
		if e, err = s.held.judge(ctx, s.learner); err != nil {
			return false, err
		}
		old := s.result.HoldOut
		if best = old == nil || e.Errors < old.Errors || e.Errors == old.Errors && e.Loss < old.Loss; best {
			if err := s.keep(e, epoch); err != nil {
				return false, err
			}
		}
	}
	if err := s.learner.Save(); err != nil {
		return false, err
	}
	if s.plateau != nil {
		s.plateau.follow(s.epoch.meanLoss())
	}
	event := s.event(epoch, s.result.Steps, &s.epoch)
	s.recent = window{}
	event.EpochDone, event.HoldOut, event.Best = true, e, best
	s.result.History = append(s.result.History, event)
	s.tell(event)
	return best, nil
}

// keep brings the state to the host as the best so far.
func (s *session) keep(e *Evaluation, epoch int) error {
	net, err := s.learner.Network()
	if err != nil {
		return err
	}
	s.best, s.result.HoldOut, s.result.Epoch = net, e, epoch
	return nil
}

// end makes the result, without a model; failure is nil when training came to its end.
func (s *session) end(ctx context.Context, failure error) (*Result, error) {
	r := &s.result
	cancelled := failure != nil && ctx.Err() != nil
	switch {
	case failure == nil && s.cfg.Checkpoint != "": // what is done is not continued
		if err := os.Remove(s.cfg.Checkpoint); !errors.Is(err, fs.ErrNotExist) {
			failure = err
		}
	case cancelled:
		if err := s.save(); err != nil {
			failure = errors.Join(failure, err)
		}
	}
	switch {
	case cancelled:
		r.Ending = Cancelled
	case failure != nil:
		r.Ending = Failed
	}
	if len(s.best.Layers) == 0 {
		if failure != nil && !cancelled {
			return nil, failure
		}
		if err := s.keep(nil, len(r.History)); err != nil {
			return nil, errors.Join(failure, err)
		}
	}
	if err := s.best.Check(); err != nil {
		return nil, errors.Join(failure, err)
	}
	r.Device = s.learner.Info()
	if failure != nil {
		failure = message.Errorf("training ended after %d of %d steps: %w", r.Steps, s.feed.steps, failure)
	}
	return r, failure
}

// close frees what the session holds on the device.
func (s *session) close() {
	if s.learner != nil {
		s.learner.Close()
	}
}

// average keeps the exponential moving average of the parameters on the device.
type average struct {
	params    *nn.Parameters
	run       glcompute.Run
	rateInput *glcompute.Tensor
	every     int     // steps between updates
	rate      float64 // of one update, in the long run
	updates   int
}

// averageStride is the largest number of steps between two updates of the average. One
// update costs about as much memory traffic as the update of the weights, and the average
// over thousands of steps hardly changes when most of them are left out.
const averageStride = 8

// newAverage begins with the values of the parameters, or with those of a training that goes on.
func (s *session) newAverage(params *nn.Parameters) (a *average, err error) {
	a = &average{params: nn.NewParameters(params.Network()), every: max(1, min(averageStride, s.feed.steps/100))}
	a.rate = 1 - math.Pow(s.cfg.Average, float64(a.every))
	if s.from != nil {
		a.updates, err = s.from.Averaged, copyAll(dataOf(a.params.All()), s.from.Average)
	}
	if err != nil {
		return nil, err
	}
	p := glcompute.NewProgram()
	a.rateInput = nn.RecordAverage(p, params, a.params)
	if a.run, err = s.dev.Compile(p); err != nil {
		err = message.Errorf("preparing the average on the %s device: %w", s.dev.Info().Kind, err)
	}
	return a, err
}

// step updates the average after a training step when it is time. The first updates
// weigh more, so that the start is soon forgotten.
func (a *average) step(step int) error {
	if (step+1)%a.every != 0 {
		return nil
	}
	rate := max(a.rate, 9/float64(10+a.updates))
	a.updates++
	return a.run.Do(glcompute.In(a.rateInput, []float32{float32(rate)}))
}

// Optimizer is the rule by which a step follows the gradient.
type Optimizer string

const (
	SGD  Optimizer = "sgd"  // gradient descent with momentum; see program.SGD
	Adam Optimizer = "adam" // adaptive moments; see program.Adam. It suits a rate of about AdamRate.
)

// Optimizers lists all of them.
var Optimizers = []Optimizer{SGD, Adam}

// AdamRate is the rate of Kingma and Ba, "Adam: a method for stochastic optimization" (2015).
const AdamRate = 0.001

// The other constants of Adam are theirs too.
const (
	adamBeta2   = 0.999
	adamEpsilon = 1e-8
)

// settingsOf are those of a step, counted from 0.
func (s *session) settingsOf(step int) []float32 {
	rate := s.cfg.rateAt(step, s.feed.steps, s.feed.perEpoch)
	if s.plateau != nil {
		rate *= s.plateau.Factor
	}
	if s.cfg.Optimizer != Adam {
		return []float32{float32(rate), float32(s.cfg.Momentum), float32(s.cfg.Decay)}
	}
	t := float64(step + 1)
	return []float32{
		float32(rate), float32(s.cfg.Momentum), adamBeta2, adamEpsilon, float32(s.cfg.Decay),
		float32(1 - math.Pow(s.cfg.Momentum, t)), float32(1 - math.Pow(adamBeta2, t)),
	}
}

// rateAt is the learning rate of a step: linear warm-up, then half a cosine from Rate to
// FinalRate·Rate (Loshchilov and Hutter, 2017), or Rate, of which the loss makes less.
func (c *Config) rateAt(step, steps, perEpoch int) float64 {
	warm := min(c.WarmUp*float64(perEpoch), float64(steps)/2)
	at := float64(step) + 0.5
	if at < warm {
		return c.Rate * at / warm
	}
	if c.FollowLoss {
		return c.Rate
	}
	progress := (at - warm) / (float64(steps) - warm)
	return c.Rate * (c.FinalRate + (1-c.FinalRate)*(1+math.Cos(math.Pi*progress))/2)
}
