package train

import (
	"context"
	"math/rand/v2"
	"slices"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// sampler says what batches are made of: samples in another order each epoch, distorted. Batch n
// depends on the seed and n alone.
type sampler struct {
	*feed
	samples  []dataset.Sample
	class    []int // of each sample
	quota    []int // samples of each class in an epoch; nil for all
	features feature.Extractor
	distort  dataset.Distortion
	targets  targets
	hard     *hardness // nil when all samples come equally often
	pictures float64   // share of the samples whose strokes are kept from the network
	seed     int64
}

// targets say what is to be learned of a row of one of count classes.
type targets struct {
	loss      nn.Loss
	count     int
	smoothing float64
	numbers   bool // the number of the class, for a Learner
}

// size is the number of values of a target.
func (t targets) size() int {
	if t.numbers {
		return 1
	}
	return t.count
}

// fill writes the target of a row, and gives the output that should be its largest.
func (t targets) fill(target []float32, class int) (output int) {
	if t.numbers {
		target[0] = float32(class)
		return 0
	}
	other := float32(t.smoothing / float64(t.count))
	for i := range target {
		target[i] = t.loss.Target(other)
	}
	target[class] = t.loss.Target(other + float32(1-t.smoothing))
	return class
}

// newSampler makes the feed of a training on samples with the labels of m, and what fills it.
func newSampler(cfg *Config, m *nn.Model, in feature.Extractor, samples []dataset.Sample) *sampler {
	p := &sampler{
		samples: samples, features: in, distort: cfg.Distortion, targets: targets{loss: cfg.Loss, count: len(m.Labels), smoothing: cfg.Smoothing, numbers: cfg.Learner != nil}, pictures: cfg.Pictures, seed: cfg.Seed,
	}
	p.feed = &feed{rows: cfg.Batch, width: in.Size, count: p.targets.size(), filler: func() filler { return p.newPreparer() }}
	if cfg.Distortion == (dataset.Distortion{}) && (in.Pen == 0 || cfg.Pictures == 0) {
		p.fixed, p.fixedRows = len(samples), p.rowsFrom
	}
	if cfg.DistortOnDevice {
		p.warp = cfg.Distortion.WarpGrid()
	}
	if cfg.HardSamples > 0 {
		p.hard = newHardness(cfg.HardSamples, len(samples), cfg.Epochs, cfg.Seed)
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

// preparer is what one goroutine needs to prepare batches.
type preparer struct {
	*sampler
	pcg   *rand.PCG
	rng   *rand.Rand
	epoch int
	order []int // of the samples in the epoch
	image ink.Image
	fine  []float32
	ink   ink.Ink
}

func (p *sampler) newPreparer() *preparer {
	pcg := rand.NewPCG(0, 0)
	return &preparer{
		sampler: p, pcg: pcg, rng: rand.New(pcg), epoch: -1,
		image: ink.Image{Width: ink.Side, Height: ink.Side, Pix: make([]float32, pixels)},
		fine:  make([]float32, ink.DetailSide*ink.DetailSide),
	}
}

func (p *preparer) fill(ctx context.Context, b *batch, step int) bool {
	epoch := step / p.perEpoch
	if epoch != p.epoch && !p.shuffle(ctx, epoch) {
		return false
	}
	for row := range p.rows {
		position := step%p.perEpoch*p.rows + row
		// The last batch of an epoch is filled up with samples from its beginning.
		sample := p.order[position%len(p.order)]
		b.samples[row] = sample
		b.classes[row] = p.targets.fill(b.target[row*p.count:(row+1)*p.count], p.class[sample])
		if p.bare {
			continue
		}
		p.seedFor(epoch, position+1)
		input := b.input[row*p.width : (row+1)*p.width]
		if p.warp > 0 {
			p.features.Fill(input, p.samples[sample].Image, nil)
			values := 2 * p.warp * p.warp
			p.distort.DrawWarp(b.affine[row*affineValues:(row+1)*affineValues], b.grid[row*values:(row+1)*values], p.rng)
			continue
		}
		p.fillInput(input, &p.samples[sample])
	}
	return true
}

// rowsFrom writes the rows of samples from number first on, one after another.
func (p *sampler) rowsFrom(ctx context.Context, dst []float32, first int) error {
	return dataset.InParallel(ctx, len(dst)/p.width, func(_ context.Context, i int) error {
		row := p.newPreparer()
		row.seedFor(0, first+i+1)
		row.fillInput(dst[i*p.width:(i+1)*p.width], &p.samples[first+i])
		return nil
	})
}

// shuffle puts the samples in the order of an epoch; false means that ctx ended before that was known.
func (p *preparer) shuffle(ctx context.Context, epoch int) (ok bool) {
	p.epoch = epoch
	if p.hard != nil {
		if p.order, ok = p.hard.order(ctx, epoch); !ok {
			return false
		}
		p.order = slices.Clone(p.order)
	} else {
		p.seedFor(epoch, 0)
		p.order = p.rng.Perm(len(p.samples))
	}
	if p.quota == nil {
		return true
	}
	left := slices.Clone(p.quota)
	p.order = slices.DeleteFunc(p.order, func(sample int) bool {
		left[p.class[sample]]--
		return left[p.class[sample]] < 0
	})
	return true
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

// seedFor restarts the random numbers for one place in the training.
func (p *preparer) seedFor(epoch, position int) { p.pcg.Seed(seedsOf(p.seed, epoch, position)) }

// seedsOf are those of one place in a training. The multipliers spread neighbouring places apart (splitmix64's and a prime).
func seedsOf(seed int64, epoch, position int) (a, b uint64) {
	return uint64(seed) ^ uint64(epoch)*0x9e3779b97f4a7c15, uint64(position) * 0xbf58476d1ce4e5b9
}

// fillInput distorts the strokes where the network sees them, else the image.
func (p *preparer) fillInput(dst []float32, s *dataset.Sample) {
	if p.features.Fine {
		p.distort.ApplyDetail(p.fine, s, p.rng)
		feature.Directions(dst, p.fine)
		return
	}
	if p.features.Pen > 0 && s.Ink != nil && p.rng.Float64() >= p.pictures {
		p.ink = p.distort.ApplyInk(p.ink, s.Ink, p.rng)
		if err := ink.RasterizeInto(p.image.Pix, p.ink); err == nil {
			p.features.Fill(dst, p.image, p.ink)
			return
		}
	}
	if p.distort == (dataset.Distortion{}) {
		p.features.Fill(dst, s.Image, nil)
		return
	}
	p.distort.Apply(p.image.Pix, s.Image.Pix, p.rng)
	p.features.Fill(dst, p.image, nil)
}
