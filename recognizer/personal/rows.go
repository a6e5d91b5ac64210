package personal

import (
	"context"
	"math/rand/v2"

	"inkshade/glcompute/message"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/prototype"
)

// inputs gives the network's input for every sample as it is, and its image.
func inputs(ctx context.Context, in feature.Extractor, samples []Sample) ([][]float32, []ink.Image, error) {
	rows, images := make([][]float32, len(samples)), make([]ink.Image, len(samples))
	return rows, images, dataset.InParallel(ctx, len(samples), func(_ context.Context, i int) (err error) {
		s := samples[i]
		if images[i], err = ink.Rasterize(s.Ink); err != nil {
			return message.Errorf("sample %d (%s) cannot be used: %w", s.ID, s.Label, err)
		}
		rows[i] = in.Vector(images[i], s.Ink)
		return nil
	})
}

// distorted gives copies inputs of each sample, sample by sample, made of its strokes
// distorted. Copy c of sample i depends on seed, i and c alone. tell is called now and then with the number of copies
// since the last call.
func distorted(ctx context.Context, in feature.Extractor, samples []Sample, copies int, d dataset.Distortion, seed int64, tell func(rows int)) ([][]float32, error) {
	rows := make([][]float32, len(samples)*copies)
	const part = 256
	for start := 0; start < len(rows); start += part {
		n := min(part, len(rows)-start)
		if err := dataset.InParallel(ctx, n, func(_ context.Context, i int) error {
			i += start
			k := samples[i/copies].Ink
			strokes := d.ApplyInk(nil, k, rand.New(rand.NewPCG(uint64(seed), spread(i))))
			image, err := ink.Rasterize(strokes)
			if err != nil {
				strokes = k
				image, _ = ink.Rasterize(k) // has ink: inputs was called before
			}
			rows[i] = in.Vector(image, strokes)
			return nil
		}); err != nil {
			return nil, err
		}
		tell(n)
	}
	return rows, nil
}

// replayed gives rounds variations of each prototype, and its class. A picture is distorted as in
// training; features are mixed with another prototype of the class, and of one in ten
// the pen's part is left out, as for pictures.
func replayed(ctx context.Context, in feature.Extractor, set *prototype.Set, rounds int, d dataset.Distortion, seed int64) (rows [][]float32, classes []int, err error) {
	var pcg rand.PCG
	rng := rand.New(&pcg)
	n := 0
	for class, group := range set.Inputs {
		for _, p := range group {
			if ctx.Err() != nil {
				return nil, nil, context.Cause(ctx)
			}
			for range rounds {
				n++
				pcg.Seed(uint64(seed), spread(n))
				row := make([]float32, len(p))
				if !in.Edges && !in.Fine {
					d.Apply(row, p, rng)
				} else {
					mix(row, p, group[rng.IntN(len(group))], rng)
					if in.Pen > 0 && rng.Float64() < pictureShare {
						in.WithoutPen(row)
					}
				}
				rows, classes = append(rows, row), append(classes, class)
			}
		}
	}
	return rows, classes, nil
}

// pictureShare is the share of replayed rows without a pen.
const pictureShare = 0.1

// mix writes a point between a and the middle of a and b.
func mix(dst, a, b []float32, rng *rand.Rand) {
	t := float32(rng.Float64() / 2)
	for i, v := range a {
		dst[i] = v + t*(b[i]-v)
	}
}

// spread makes neighbouring numbers different in all bits (a multiplier of SplitMix64).
func spread(n int) uint64 { return uint64(n+1) * 0xbf58476d1ce4e5b9 }
