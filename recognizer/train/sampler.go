package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"inkshade/glcompute"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// sampler makes batches of samples, in another order each epoch, distorted. Batch n depends on the seed and n alone.
type sampler struct {
	*feed
	samples  []dataset.Sample
	class    []int // of each sample
	quota    []int // samples of each class in an epoch; nil for all
	features feature.Extractor
	hard     *hardness // nil when all samples come equally often
	cfg      *Config

	epoch int   // in work, from 0
	order []int // of the samples in it; nil before the first
	rooms sync.Pool
}

// newSampler makes the feed of a training on samples with the labels of m.
func newSampler(cfg *Config, m *nn.Model, in feature.Extractor, samples []dataset.Sample) *sampler {
	p := &sampler{samples: samples, features: in, cfg: cfg, rooms: sync.Pool{New: newRoom}}
	p.feed = &feed{rows: cfg.Batch, width: in.Size, count: len(m.Labels), workers: cfg.Workers, plan: p.plan}
	if cfg.Learner != nil { // is told the numbers of classes
		p.count = 1
	}
	if cfg.Distortion == (dataset.Distortion{}) && (in.Pen == 0 || cfg.Pictures == 0) {
		p.fixed, p.fixedRows = len(samples), p.rowsFrom
	}
	if cfg.DistortOnDevice {
		p.warp = cfg.Distortion.WarpGrid()
	}
	if cfg.HardSamples > 0 {
		p.hard = newHardness(cfg.HardSamples, len(samples), cfg.Seed)
	}
	index := classIndex(m.Labels)
	for _, sample := range samples {
		p.class = append(p.class, index[sample.Label])
	}
	size := len(samples)
	if cfg.IsolatedShares {
		if quota, sum := isolatedQuota(samples, p.class, len(m.Labels)); sum > 0 {
			p.quota, size = quota, sum
		}
	}
	p.perEpoch = (size + cfg.Batch - 1) / cfg.Batch
	p.steps = p.perEpoch * cfg.Epochs
	return p
}

func (p *sampler) plan(ctx context.Context, step int) (func(*batch), error) {
	epoch, first := step/p.perEpoch, step%p.perEpoch*p.rows
	if epoch != p.epoch || p.order == nil {
		if err := p.shuffle(ctx, epoch); err != nil {
			return nil, err
		}
	}
	order := p.order
	return func(b *batch) {
		room := p.rooms.Get().(*room)
		defer p.rooms.Put(room)
		for row := range p.rows {
			sample := order[(first+row)%len(order)] // the last batch of an epoch is filled up with samples from its beginning
			b.Samples[row] = sample
			b.classes[row] = p.target(b.Target[row*p.count:(row+1)*p.count], p.class[sample])
			if p.bare {
				continue
			}
			room.pcg.Seed(seedsOf(p.cfg.Seed, epoch, first+row+1))
			input := b.Input[row*p.width : (row+1)*p.width]
			if p.warp > 0 {
				p.features.Fill(input, p.samples[sample].Image, nil)
				values := 2 * p.warp * p.warp
				p.cfg.Distortion.DrawWarp(b.Affine[row*affineValues:(row+1)*affineValues], b.Grid[row*values:(row+1)*values], room.rng)
				continue
			}
			p.input(input, &p.samples[sample], room)
		}
	}, nil
}

// target writes that of a row, and gives the output that should be the largest.
func (p *sampler) target(target []float32, class int) (output int) {
	if p.cfg.Learner != nil {
		target[0] = float32(class)
		return 0
	}
	other := float32(p.cfg.Smoothing / float64(p.count))
	for i := range target {
		target[i] = p.cfg.Loss.Target(other)
	}
	target[class] = p.cfg.Loss.Target(other + float32(1-p.cfg.Smoothing))
	return class
}

// rowsFrom writes the rows of samples from number first on, one after another.
func (p *sampler) rowsFrom(ctx context.Context, dst []float32, first int) error {
	return dataset.InParallel(ctx, len(dst)/p.width, func(_ context.Context, i int) error {
		room := p.rooms.Get().(*room)
		defer p.rooms.Put(room)
		room.pcg.Seed(seedsOf(p.cfg.Seed, 0, first+i+1))
		p.input(dst[i*p.width:(i+1)*p.width], &p.samples[first+i], room)
		return nil
	})
}

// shuffle puts the samples in the order of an epoch; it fails when ctx ended before that was known.
func (p *sampler) shuffle(ctx context.Context, epoch int) error {
	if p.hard != nil {
		select {
		case order := <-p.hard.orders:
			p.order = slices.Clone(order)
		case <-ctx.Done():
			return ctx.Err()
		}
	} else {
		p.order = rand.New(rand.NewPCG(seedsOf(p.cfg.Seed, epoch, 0))).Perm(len(p.samples))
	}
	p.epoch = epoch
	if p.quota != nil {
		left := slices.Clone(p.quota)
		p.order = slices.DeleteFunc(p.order, func(sample int) bool {
			left[p.class[sample]]--
			return left[p.class[sample]] < 0
		})
	}
	return nil
}

// isolatedQuota counts each class among the samples that are not cut out of running text.
func isolatedQuota(samples []dataset.Sample, class []int, count int) (quota []int, sum int) {
	quota = make([]int, count)
	for i, s := range samples {
		if !s.Context {
			quota[class[i]]++
			sum++
		}
	}
	return quota, sum
}

// seedsOf are those of one place in a training. The multipliers spread neighbouring places apart (splitmix64's and a prime).
func seedsOf(seed int64, epoch, position int) (a, b uint64) {
	return uint64(seed) ^ uint64(epoch)*0x9e3779b97f4a7c15, uint64(position) * 0xbf58476d1ce4e5b9
}

// room is what the making of a row needs.
type room struct {
	pcg   rand.PCG
	rng   *rand.Rand
	image ink.Image
	fine  []float32
	ink   ink.Ink
}

func newRoom() any {
	r := &room{
		image: ink.Image{Width: ink.Side, Height: ink.Side, Pix: make([]float32, pixels)},
		fine:  make([]float32, ink.DetailSide*ink.DetailSide),
	}
	r.rng = rand.New(&r.pcg)
	return r
}

// input distorts the strokes where the network sees them, else the image.
func (p *sampler) input(dst []float32, s *dataset.Sample, r *room) {
	if p.features.Fine {
		p.cfg.Distortion.ApplyDetail(r.fine, s, r.rng)
		feature.Directions(dst, r.fine)
		return
	}
	if p.features.Pen > 0 && s.Ink != nil && r.rng.Float64() >= p.cfg.Pictures {
		r.ink = p.cfg.Distortion.ApplyInk(r.ink, s.Ink, r.rng)
		if err := ink.RasterizeInto(r.image.Pix, r.ink); err == nil {
			p.features.Fill(dst, r.image, r.ink)
			return
		}
	}
	if p.cfg.Distortion == (dataset.Distortion{}) {
		p.features.Fill(dst, s.Image, nil)
		return
	}
	p.cfg.Distortion.Apply(r.image.Pix, s.Image.Pix, r.rng)
	p.features.Fill(dst, r.image, nil)
}

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
