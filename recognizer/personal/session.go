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
	settings       Settings
	dev            program.Device
	descent        nn.Descent
	steps          *nn.Steps
	own, rehearsal rows
	progress       func(Progress)
	started        time.Time

	loss float64 // of the last event
}

func newSession(dev program.Device, upper, anchor nn.Network, own, rehearsal rows, s Settings) (*session, error) {
	params := nn.NewParameters(upper)
	l := &session{settings: s, dev: dev, own: own, rehearsal: rehearsal}
	l.descent = nn.Descent{Batch: s.Batch, Params: params, Momenta: params.Zeros(), Anchor: nn.NewParameters(anchor)}
	var err error
	l.steps, err = nn.NewSteps(dev, l.descent)
	return l, err
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
	width, count := len(l.own.input[0]), len(l.own.target[0])
	input, target := make([]float32, s.Batch*width), make([]float32, s.Batch*count)
	loss, probabilities := make([]float32, s.Batch), make([]float32, s.Batch*count)
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
			copy(input[row*width:(row+1)*width], from.input[at])
			copy(target[row*count:(row+1)*count], from.target[at])
			classes[row] = from.class[at]
		}
		batch := nn.Batch{
			Input: input, Target: target,
			Settings: []float32{float32(l.rate(step)), float32(s.Momentum), float32(s.Anchor)},
		}
		tell := (step+1)%tellEvery == 0 || step+1 == s.Steps
		if tell {
			batch.Loss, batch.Probabilities = loss, probabilities
		}
		if err := l.steps.Step(batch); err != nil {
			return nn.Network{}, fmt.Errorf("a training step on the %s device: %w", l.dev.Info().Kind, err)
		}
		if tell {
			if err := l.tell(step+1, s.Batch-old, loss, probabilities, classes, time.Since(begin)); err != nil {
				return nn.Network{}, err
			}
		}
	}
	if err := l.descent.Params.Download(l.dev); err != nil {
		return nn.Network{}, err
	}
	net := l.descent.Params.Network()
	return net, net.Check()
}

// tellEvery is the number of steps between two readings of the loss.
const tellEvery = 5

func (l *session) tell(done, own int, loss, probabilities []float32, classes []int, spent time.Duration) error {
	sum, right := 0.0, 0
	width := len(probabilities) / len(classes)
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
	if l.steps != nil {
		l.steps.Close()
	}
	l.descent.Forget(l.dev)
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
