package train

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// batch is the input of one step.
type batch struct {
	input   []float32 // [rows][inputs]
	target  []float32 // [rows][classes]
	classes []int     // [rows] the right class
	samples []int     // [rows] which sample it is

	affine, grid []float32 // how the device distorts the input; nil when it does not
}

// feed prepares the batches of all steps in goroutines, ahead of the device. Batch n
// depends on the seed and n alone, not on how many goroutines there are.
type feed struct {
	samples   []dataset.Sample
	class     []int // of each sample
	count     int   // of classes
	quota     []int // samples of each class in an epoch; nil for all
	rows      int   // of a batch
	steps     int
	perEpoch  int
	features  feature.Extractor
	distort   dataset.Distortion
	warp      int // control points with which the device distorts; 0 when it does not
	loss      nn.Loss
	hard      *hardness // nil when all samples come equally often
	smoothing float64
	pictures  float64 // share of the samples whose strokes are kept from the network
	seed      int64

	workers []feedWorker
	done    sync.WaitGroup
}

// feedWorker prepares every len(workers)-th batch; it has two, one in work while the
// other waits or is used.
type feedWorker struct {
	free, ready chan *batch
}

// affineValues are those of one affine map.
const affineValues = 6

// start begins preparing; the goroutines end with ctx or after the last batch.
func (f *feed) start(ctx context.Context, workers int) {
	workers = max(1, min(workers, f.steps))
	f.workers = make([]feedWorker, workers)
	for w := range f.workers {
		fw := feedWorker{free: make(chan *batch, 2), ready: make(chan *batch, 2)}
		for range cap(fw.free) {
			fw.free <- &batch{
				input:   make([]float32, f.rows*f.features.Size),
				target:  make([]float32, f.rows*f.count),
				classes: make([]int, f.rows),
				samples: make([]int, f.rows),
				affine:  make([]float32, f.rows*affineValues),
				grid:    make([]float32, f.rows*2*f.warp*f.warp),
			}
		}
		f.workers[w] = fw
		f.done.Go(func() { f.work(ctx, w, fw) })
	}
}

func (f *feed) work(ctx context.Context, first int, fw feedWorker) {
	p := preparer{feed: f, pcg: rand.NewPCG(0, 0), epoch: -1}
	p.rng = rand.New(p.pcg)
	for step := first; step < f.steps; step += len(f.workers) {
		select {
		case b := <-fw.free:
			if !p.await(ctx, step) {
				return
			}
			p.prepare(b, step)
			fw.ready <- b
		case <-ctx.Done():
			return
		}
	}
}

// next waits for the batch of a step; false means that ctx ended first.
func (f *feed) next(ctx context.Context, step int) (*batch, bool) {
	select {
	case b := <-f.workers[step%len(f.workers)].ready:
		return b, true
	case <-ctx.Done():
		return nil, false
	}
}

// release hands back the batch of a step.
func (f *feed) release(step int, b *batch) { f.workers[step%len(f.workers)].free <- b }

// preparer is what one goroutine needs to prepare batches.
type preparer struct {
	*feed
	pcg   *rand.PCG
	rng   *rand.Rand
	epoch int
	hard  []int // the drawn order of the samples; nil without hardness
	order []int // of the samples in the epoch
	image [pixels]float32
	ink   ink.Ink
}

// await has what the epoch of a step begins with; false means that ctx ended first.
func (p *preparer) await(ctx context.Context, step int) (ok bool) {
	epoch := step / p.perEpoch
	if p.feed.hard == nil || epoch == p.epoch {
		return true
	}
	p.hard, ok = p.feed.hard.order(ctx, epoch)
	return ok
}

func (p *preparer) prepare(b *batch, step int) {
	epoch := step / p.perEpoch
	if epoch != p.epoch {
		p.shuffle(epoch)
	}
	for row := range p.rows {
		position := step%p.perEpoch*p.rows + row
		// The last batch of an epoch is filled up with samples from its beginning.
		sample := p.order[position%len(p.order)]
		b.classes[row], b.samples[row] = p.class[sample], sample
		p.fillTarget(b.target[row*p.count:(row+1)*p.count], p.class[sample])
		p.seedFor(epoch, position+1)
		input := b.input[row*p.features.Size : (row+1)*p.features.Size]
		if p.warp > 0 {
			p.features.Fill(input, p.samples[sample].Image.Pix, nil)
			values := 2 * p.warp * p.warp
			p.distort.DrawWarp(b.affine[row*affineValues:(row+1)*affineValues], b.grid[row*values:(row+1)*values], p.rng)
			continue
		}
		p.fillInput(input, &p.samples[sample])
	}
}

func (p *preparer) shuffle(epoch int) {
	p.epoch = epoch
	p.seedFor(epoch, 0)
	if p.hard != nil {
		p.order = slices.Clone(p.hard)
	} else {
		p.order = p.rng.Perm(len(p.samples))
	}
	if p.quota == nil {
		return
	}
	left := slices.Clone(p.quota)
	p.order = slices.DeleteFunc(p.order, func(sample int) bool {
		left[p.class[sample]]--
		return left[p.class[sample]] < 0
	})
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

// seedFor restarts the random numbers for one place in the training. The multipliers
// spread neighbouring places apart (splitmix64's and a prime).
func (p *preparer) seedFor(epoch, position int) {
	p.pcg.Seed(uint64(p.seed)^uint64(epoch)*0x9e3779b97f4a7c15, uint64(position)*0xbf58476d1ce4e5b9)
}

func (p *preparer) fillTarget(target []float32, class int) {
	other := float32(p.smoothing / float64(p.count))
	for i := range target {
		target[i] = p.loss.Target(other)
	}
	target[class] = p.loss.Target(other + float32(1-p.smoothing))
}

// fillInput distorts the strokes where the network sees them, else the image.
func (p *preparer) fillInput(dst []float32, s *dataset.Sample) {
	if p.features.Pen && s.Ink != nil && p.rng.Float64() >= p.pictures {
		p.ink = p.distort.ApplyInk(p.ink, s.Ink, p.rng)
		if err := ink.RasterizeInto(p.image[:], p.ink); err == nil {
			p.features.Fill(dst, p.image[:], p.ink)
			return
		}
	}
	image := s.Image.Pix
	if p.distort != (dataset.Distortion{}) {
		p.distort.Apply(p.image[:], image, p.rng)
		image = p.image[:]
	}
	p.features.Fill(dst, image, nil)
}
