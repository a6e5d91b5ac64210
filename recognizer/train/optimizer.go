package train

import "math"

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
