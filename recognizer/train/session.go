package train

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
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

	checkpoint
	data           uint64 // the checksum; 0 until it is needed
	readings       *readings
	right          []bool // of the rows last read
	result         Result
	best           nn.Network // empty until a state was evaluated
	started, begun time.Time  // with preparing; with the first step
	saved          time.Time  // when the last checkpoint was
}

func newSession(cfg Config, dev glcompute.Device, net nn.Network, progress func(Event)) *session {
	if progress == nil {
		progress = func(Event) {}
	}
	return &session{cfg: cfg, dev: dev, net: net, progress: progress, started: clock.Now()}
}

// window sums up what was read of the batches.
type window struct {
	Loss           float64
	Right, Samples int
}

func (s *session) prepare(ctx context.Context) (err error) {
	s.right = make([]bool, s.cfg.Batch)
	outputs, learner := s.feed.count, s.newDescending
	if s.cfg.FollowLoss {
		s.Plateau = plateau{Factor: 1, Least: s.cfg.FinalRate, Best: math.Inf(1)}
	}
	if s.cfg.Loss == nn.CTC {
		outputs = 1
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
	if e, ok := s.held.(*evaluator); ok {
		net, err := s.learner.Inference()
		if err != nil {
			return err
		}
		return net.Prepare(len(e.samples))
	}
	return nil
}

// judge measures a network on held-out samples.
type judge interface {
	judge(ctx context.Context, net *nn.Inference) (*Evaluation, error)
}

// judge measures the state that the learner keeps.
func (s *session) judge(ctx context.Context) (*Evaluation, error) {
	net, err := s.learner.Inference()
	if err != nil {
		return nil, err
	}
	return s.held.judge(ctx, net)
}

// pass goes through the batches of an epoch, which are not learned from.
func (s *session) pass(ctx context.Context, use func(input, classes []float32) error) error {
	f := *s.feed
	f.steps = f.perEpoch
	for b, err := range f.batches(ctx) {
		if err == nil {
			err = use(b.Input, b.Target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *session) train(ctx context.Context) (*Result, error) { return s.end(ctx, s.run(ctx)) }

func (s *session) run(ctx context.Context) (err error) {
	if (s.cfg.Start != nil || s.cfg.Learner != nil) && s.held != nil && s.Steps == 0 {
		before, err := s.judge(ctx)
		if err == nil {
			err = s.keep(before, 0)
		}
		if err != nil {
			return err
		}
	}
	s.begun = clock.Now()
	s.saved = s.begun
	if s.Steps/s.feed.perEpoch > len(s.History) { // an epoch's steps were done, and it was not measured
		if over, err := s.endEpoch(ctx); over || err != nil {
			return err
		}
	}
	for b, err := range s.feed.batches(ctx) {
		if err == nil {
			err = s.step(ctx, b)
		}
		if err != nil {
			return err
		}
		if s.Steps%s.feed.perEpoch == 0 {
			if over, err := s.endEpoch(ctx); over || err != nil {
				return err
			}
		}
		if clock.Since(s.saved) >= checkpointEvery {
			if err := s.save(); err != nil {
				return err
			}
		}
	}
	s.result.Ending = Finished
	return nil
}

// step does one training step, asks for its loss when it is time for an event, and takes what
// has come of the steps before; all at the end of an epoch.
func (s *session) step(ctx context.Context, b *batch) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	n := s.Steps
	last := (n+1)%s.feed.perEpoch == 0
	read := last || (n+1)%max(1, s.cfg.ReportEvery) == 0
	step := b.Batch
	step.Settings = s.settingsOf(n)
	if read || s.hard != nil {
		r, err := s.ask(b, n/s.feed.perEpoch+1, read, last)
		if err != nil {
			return err
		}
		// The epoch ends with the last, and a device that is lost is noticed.
		step.Loss, step.Probabilities, step.Later = r.loss, r.probabilities, !last
	}
	if err := s.learner.Step(step); err != nil {
		return message.Errorf("a training step on the %s device: %w", s.dev.Info().Kind, err)
	}
	s.Steps++
	if !last {
		return s.take(0)
	}
	if err := s.take(s.readings.asked); err != nil {
		return err
	}
	if slices.ContainsFunc(s.readings.slots[:], func(r reading) bool { return r.diverged }) {
		return errDiverged
	}
	if s.hard != nil {
		s.hard.publish()
	}
	return nil
}

// endEpoch evaluates the state and keeps it when it is the best, or when nothing is held
// out. It tells whether there were enough epochs without improvement.
func (s *session) endEpoch(ctx context.Context) (over bool, err error) {
	var e *Evaluation
	best, epoch := false, len(s.History)+1
	if s.held != nil {
		if e, err = s.judge(ctx); err != nil {
			return false, err
		}
		old := s.HoldOut
		if best = old == nil || e.Errors < old.Errors || e.Errors == old.Errors && e.Loss < old.Loss; best {
			if err := s.keep(e, epoch); err != nil {
				return false, err
			}
		}
	}
	if err := s.learner.Save(); err != nil {
		return false, err
	}
	if s.cfg.FollowLoss {
		s.Plateau.follow(s.Since.meanLoss())
	}
	event := s.event(epoch, s.Steps, &s.Since)
	event.EpochDone, event.HoldOut, event.Best = true, e, best
	s.Recent = window{}
	s.History = append(s.History, event)
	s.progress(event)
	if s.Waited++; best {
		s.Waited = 0
	}
	if s.held != nil && s.cfg.Patience > 0 && s.Waited >= s.cfg.Patience && epoch < s.cfg.Epochs {
		s.result.Ending = Stopped
		return true, nil
	}
	return false, nil
}

// keep brings the state to the host as the best so far.
func (s *session) keep(e *Evaluation, epoch int) error {
	net, err := s.learner.Network()
	if err != nil {
		return err
	}
	s.best, s.HoldOut, s.Epoch = net, e, epoch
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
		r.Ending = Cancelled
		r.Lost = s.save()
	}
	if failure != nil && !cancelled {
		r.Ending = Failed
	}
	if len(s.best.Layers) == 0 {
		if failure != nil && !cancelled {
			return nil, failure
		}
		if err := s.keep(nil, len(s.History)); err != nil {
			return nil, errors.Join(failure, err)
		}
	}
	if err := s.best.Check(); err != nil {
		return nil, errors.Join(failure, err)
	}
	r.Epoch, r.HoldOut, r.History, r.Steps, r.Device = s.Epoch, s.HoldOut, s.History, s.Steps, s.learner.Info()
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
	if s.cfg.FollowLoss {
		rate *= s.Plateau.Factor
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
