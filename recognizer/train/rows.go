package train

import (
	"context"
	"math"
	"math/rand/v2"

	"inkshade/glcompute"
	"inkshade/recognizer/nn"
)

// Rows are samples as a network sees them, each with its class and the distribution over all
// classes that is to be learned.
type Rows struct {
	Inputs, Targets [][]float32
	Classes         []int
}

// RunRows trains the network of cfg.Start on rows, in steps that are one epoch, and gives a
// copy of it with what it learned. Of each mini-batch the share cfg.Replay are rows of replay,
// which remind the network of what it knew; loss and accuracy are those of the others. Frozen
// layers, and those after them up to where the network can be cut, are gone through once for each
// row and not at every step, which events tell of; a network without such a place is trained as a whole. Nothing is held
// out, and every reading is told of as an event, too. It fails as Run does, but gives no result then.
func RunRows(ctx context.Context, dev glcompute.Device, own, replay Rows, steps int, cfg Config, progress func(Event)) (*Result, error) {
	cfg.Epochs, cfg.Workers = 1, 1
	if err := cfg.Check(); err != nil {
		return nil, err
	}
	m := cfg.Start.Clone()
	frozen := cfg.Frozen
	lower, upper, ok := m.Network.Cut(frozen)
	for ; !ok; lower, upper, ok = m.Network.Cut(frozen) {
		if frozen++; frozen == len(m.Network.Layers) { // a network that cannot be cut
			frozen = 0
		}
	}
	s := newSession(cfg, dev, upper, progress)
	s.everyReading = true
	if frozen > 0 {
		for _, rows := range []*Rows{&own, &replay} {
			var err error
			if rows.Inputs, err = nn.Apply(ctx, dev, lower, rows.Inputs, func(n int) { s.progress(Event{Passed: n}) }); err != nil {
				return nil, err
			}
		}
	}
	if cfg.Anchor != nil {
		_, s.anchor, _ = m.WithValuesOf(cfg.Anchor).Cut(frozen)
	}
	s.cfg.Frozen = 0
	s.feed = &feed{
		rows: cfg.Batch, width: upper.Width(), count: upper.Classes(), steps: steps, perEpoch: steps, plan: mixture(cfg.Batch, own, replay, cfg.Replay, cfg.Seed),
	}
	defer s.close()
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	r, err := s.train(ctx)
	if err != nil {
		return nil, err
	}
	r.Model = m
	m.Network.PutValues(frozen, s.best)
	return r, nil
}

// mixture makes batches of rows in one random order after another, the last ones of each of what is replayed.
func mixture(rows int, own, replay Rows, share float64, seed int64) func(context.Context, int) (func(*batch), error) {
	type drawer struct {
		Rows
		rng   *rand.Rand
		order []int
	}
	var parts [2]drawer
	for i, all := range []Rows{own, replay} {
		parts[i] = drawer{Rows: all, rng: rand.New(rand.NewPCG(uint64(seed), uint64(i+1)))}
	}
	judged := rows
	if len(replay.Inputs) > 0 {
		judged -= int(math.Round(share * float64(rows)))
	}
	return func(context.Context, int) (func(*batch), error) {
		chosen := make([]int, rows)
		for row := range chosen {
			from := &parts[0]
			if row >= judged {
				from = &parts[1]
			}
			if len(from.order) == 0 {
				from.order = from.rng.Perm(len(from.Inputs))
			}
			chosen[row], from.order = from.order[0], from.order[1:]
		}
		return func(b *batch) {
			b.judged = judged
			for row, at := range chosen {
				from := own
				if row >= judged {
					from = replay
				}
				width, count := len(from.Inputs[at]), len(from.Targets[at])
				copy(b.Input[row*width:], from.Inputs[at])
				copy(b.Target[row*count:], from.Targets[at])
				b.classes[row] = from.Classes[at]
			}
		}, nil
	}
}
