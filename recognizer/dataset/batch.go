package dataset

import (
	"context"
	"math/rand/v2"
)

// ApplyBatch distorts the images of src, 28x28 one after the other, into dst on all cores.
// The changes of image i depend on seed and i alone, so the result is the same on any
// number of cores. dst may be src. Wrong sizes panic.
func (d Distortion) ApplyBatch(dst, src []float32, seed int64) {
	if len(dst) != len(src) || len(src)%pixels != 0 {
		panicSizes(len(dst), len(src))
	}
	// The work cannot fail and is not cancelled, so there is no error.
	_ = forEach(context.Background(), len(src)/pixels, batchChunk, func(from, to int) error {
		var source rand.PCG
		rng := rand.New(&source)
		for i := from; i < to; i++ {
			source.Seed(uint64(seed), mix(uint64(i)+1))
			d.Apply(dst[i*pixels:(i+1)*pixels], src[i*pixels:(i+1)*pixels], rng)
		}
		return nil
	})
}

// batchChunk keeps a mini-batch of some dozens of images busy on all cores.
const batchChunk = 8
