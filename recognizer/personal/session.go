package personal

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
)

// rows are samples as the trained layers see them, each with its target distribution.
type rows struct {
	input, target [][]float32
	class         []int
}

// session is the learning itself: the layers above the frozen ones, on the device.
type session struct {
	settings                Settings
	dev                     program.Device
	params, momenta, anchor *nn.Parameters
	rec                     nn.Training
	run                     program.Run
	own, rehearsal          rows
	progress                func(Progress)
	started                 time.Time

	loss float64 // of the last event
}

func newSession(dev program.Device, upper, anchor nn.Network, own, rehearsal rows, s Settings) (*session, error) {
	params := nn.NewParameters(upper)
	l := &session{settings: s, dev: dev, params: params, momenta: params.Zeros(), anchor: nn.NewParameters(anchor), own: own, rehearsal: rehearsal}
	p := program.New()
	l.rec = nn.RecordTraining(p, s.Batch, l.params, l.momenta, l.anchor)
	var err error
	if l.run, err = dev.Compile(p); err != nil {
		l.close()
		return nil, fmt.Errorf("preparing the training on the %s device: %w", dev.Info().Kind, err)
	}
	return l, nil
}

var errDiverged = errors.New("the loss is no finite number any more; train again with a smaller rate")

// learn does all steps and gives the layers they made.
func (l *session) learn(ctx context.Context) (nn.Network, error) {
	s := l.settings
	old := int(math.Round(s.Rehearsal * float64(s.Batch)))
	if len(l.rehearsal.input) == 0 {
		old = 0
	}
	ownDraw := drawer{n: len(l.own.input), rng: rand.New(rand.NewPCG(uint64(s.Seed), 1))}
	oldDraw := drawer{n: len(l.rehearsal.input), rng: rand.New(rand.NewPCG(uint64(s.Seed), 2))}
	input, target := make([]float32, l.rec.Input.Len()), make([]float32, l.rec.Target.Len())
	loss, probabilities := make([]float32, l.rec.Loss.Len()), make([]float32, l.rec.Probabilities.Len())
	classes := make([]int, s.Batch)
	begin := time.Now()
	for step := range s.Steps {
		if ctx.Err() != nil {
			return nn.Network{}, context.Cause(ctx)
		}
		for row := range s.Batch {
			from, at := &l.own, 0
			if row < s.Batch-old {
				at = ownDraw.next()
			} else {
				from, at = &l.rehearsal, oldDraw.next()
			}
			copy(input[row*l.rec.Input.Cols:(row+1)*l.rec.Input.Cols], from.input[at])
			copy(target[row*l.rec.Target.Cols:(row+1)*l.rec.Target.Cols], from.target[at])
			classes[row] = from.class[at]
		}
		bindings := []program.Binding{
			program.In(l.rec.Input, input), program.In(l.rec.Target, target),
			program.In(l.rec.Settings, []float32{float32(l.rate(step)), float32(s.Momentum), float32(s.Anchor)}),
		}
		tell := (step+1)%tellEvery == 0 || step+1 == s.Steps
		if tell {
			bindings = append(bindings, program.Out(l.rec.Loss, loss), program.Out(l.rec.Probabilities, probabilities))
		}
		if err := l.run.Do(bindings...); err != nil {
			return nn.Network{}, fmt.Errorf("a training step on the %s device: %w", l.dev.Info().Kind, err)
		}
		if tell {
			if err := l.tell(step+1, s.Batch-old, loss, probabilities, classes, time.Since(begin)); err != nil {
				return nn.Network{}, err
			}
		}
	}
	if err := l.params.Download(l.dev); err != nil {
		return nn.Network{}, err
	}
	net := l.params.Network()
	return net, net.Check()
}

// tellEvery is the number of steps between two readings of the loss.
const tellEvery = 5

func (l *session) tell(done, own int, loss, probabilities []float32, classes []int, spent time.Duration) error {
	sum, right := 0.0, 0
	width := l.rec.Probabilities.Cols
	for row := range own {
		sum += float64(loss[row])
		p := probabilities[row*width : (row+1)*width]
		if p[classes[row]] == slices.Max(p) {
			right++
		}
	}
	l.loss = sum / float64(own)
	if math.IsNaN(l.loss) || math.IsInf(l.loss, 0) {
		return errDiverged
	}
	if l.progress == nil {
		return nil
	}
	perStep := spent / time.Duration(done)
	l.progress(Progress{
		Stage: Learning, Step: done, Steps: l.settings.Steps, Loss: l.loss, Accuracy: float64(right) / float64(own),
		StepsPerSecond: 1 / max(perStep.Seconds(), 1e-9),
		Elapsed:        time.Since(l.started), Remaining: perStep * time.Duration(l.settings.Steps-done),
	})
	return nil
}

// rate is the learning rate of a step: a tenth of the steps up to Rate, then half a cosine
// down to nothing (Loshchilov and Hutter, 2017).
func (l *session) rate(step int) float64 {
	steps := float64(l.settings.Steps)
	at, warm := float64(step)+0.5, steps/10
	if at < warm {
		return l.settings.Rate * at / warm
	}
	return l.settings.Rate * (1 + math.Cos(math.Pi*(at-warm)/(steps-warm))) / 2
}

func (l *session) close() {
	if l.run != nil {
		l.run.Close()
	}
	for _, p := range []*nn.Parameters{l.params, l.momenta, l.anchor} {
		p.Forget(l.dev)
	}
}

// drawer goes through 0..n-1 in one random order after another.
type drawer struct {
	n     int
	rng   *rand.Rand
	order []int
}

func (d *drawer) next() int {
	if len(d.order) == 0 {
		d.order = d.rng.Perm(d.n)
	}
	at := d.order[0]
	d.order = d.order[1:]
	return at
}
