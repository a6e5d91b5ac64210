package train

import (
	"math/rand/v2"
	"slices"
)

// What comes back from the device steers the training on (feedback in the pixel-shader
// patent, CN1627251, Microsoft, 2004): the learning rate follows the loss, and samples
// that are answered wrongly are shown more often.

// A rate that follows the loss is halved when the mean loss of an epoch has not come down
// by a hundredth for two epochs.
const (
	plateauEpochs = 2
	plateauFall   = 0.99
	plateauFactor = 0.5
)

// plateau is what the rate is multiplied by while it follows the loss.
type plateau struct {
	Factor, Least float64
	Best          float64
	Waited        int
}

// follow takes the mean loss of an epoch.
func (p *plateau) follow(loss float64) {
	if loss < plateauFall*p.Best {
		p.Best, p.Waited = loss, 0
		return
	}
	if p.Waited++; p.Waited < plateauEpochs {
		return
	}
	p.Waited = 0
	p.Factor = max(p.Least, p.Factor*plateauFactor)
}

// hardness draws the samples of each epoch so that those answered wrongly come more often.
// Weights change while an epoch runs and count from the next one on, so that the result
// does not depend on how far ahead batches are prepared.
type hardness struct {
	boost   float64   // how much more often a sample comes that is always answered wrongly
	weights []float64 // of the samples, 1 for one that is always answered rightly
	pcg     *rand.PCG
	last    []int      // order that was drawn
	orders  chan []int // it, until the epoch begins
}

func newHardness(boost float64, samples int, seed int64) *hardness {
	h := &hardness{
		boost: boost, weights: slices.Repeat([]float64{1}, samples), pcg: rand.NewPCG(uint64(seed), 0x4841), orders: make(chan []int, 1),
	}
	h.publish()
	return h
}

// note takes the answers to the samples of a batch. A weight goes half way to what the
// answer says, so that two right answers make up for a wrong one, nearly.
func (h *hardness) note(samples []int, right []bool) {
	for i, s := range samples {
		target := 1.0
		if !right[i] {
			target += h.boost
		}
		h.weights[s] = (h.weights[s] + target) / 2
	}
}

// publish draws the order of the next epoch by the weights as they are: as many places as there
// are samples, each sample as many of them as its share of the weights, one more or less.
func (h *hardness) publish() {
	total := 0.0
	for _, w := range h.weights {
		total += w
	}
	rng := rand.New(h.pcg)
	n := len(h.weights)
	order := make([]int, 0, n)
	reached, next := 0.0, rng.Float64()
	for i, w := range h.weights {
		for reached += w / total * float64(n); next < reached && len(order) < n; next++ {
			order = append(order, i)
		}
	}
	for len(order) < n { // the weights' shares add up to a little less than n by rounding
		order = append(order, n-1)
	}
	rng.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	h.last = order
	h.orders <- order
}
