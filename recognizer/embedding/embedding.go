// Package embedding says how near drawings are, of symbols that nobody taught as well: a network that was trained to tell
// thousands of symbols apart gives each drawing a point, and drawings of one symbol lie near each other whoever drew them
// (docs/learning.md). It ships with Inkshade, is the same beside every model, and is opened with the first drawing.
package embedding

import (
	"bytes"
	"context"
	"math"
	"sync"

	"inkshade/glcompute"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// Size is the number of coordinates of a point: what the network gives for the drawing, and for the drawing turned by half a circle.
const Size = 2 * 128

// network is the network made ready on the processor.
type network struct {
	mu        sync.Mutex // held while it computes
	features  feature.Extractor
	inference *nn.Inference
}

// open opens the network that ships. That it cannot is a fault of the build.
var open = sync.OnceValue(func() *network {
	m := glcompute.Must(onnx.Read(context.Background(), bytes.NewReader(models.Embedding())))
	inference := glcompute.Must(nn.NewInference(glcompute.Must(glcompute.Open(glcompute.CPU)), m.Network))
	return &network{features: glcompute.Must(feature.ByName(m.Preprocessing)), inference: inference}
})

// Of gives the points of drawings, Size coordinates each, of length 1. images are their pictures of 28x28; inks their strokes,
// nil for a picture. The error is the cause of ctx when that ends, or one of the processor.
func Of(ctx context.Context, images []ink.Image, inks []ink.Ink) ([][]float32, error) {
	net := open()
	points := make([][]float32, len(images))
	for start := 0; start < len(images); start += nn.SmallBatch { // an answer waits for a few of many others at most
		n := min(nn.SmallBatch, len(images)-start)
		upright, turned := make([][]float32, n), make([][]float32, n)
		if err := dataset.InParallel(ctx, n, func(_ context.Context, i int) error {
			upright[i] = net.features.Vector(images[start+i], inks[start+i])
			turned[i] = feature.HalfTurn(upright[i])
			return nil
		}); err != nil {
			return nil, err
		}
		for _, rows := range [][][]float32{upright, turned} {
			net.mu.Lock()
			err := net.inference.Each(rows, func(i int, values []float32) { points[start+i] = appendUnit(points[start+i], values) })
			net.mu.Unlock()
			if err != nil {
				return nil, err
			}
		}
	}
	return points, nil
}

// OfInks is Of for strokes alone; ink without a point is an error.
func OfInks(ctx context.Context, inks []ink.Ink) ([][]float32, error) {
	images := make([]ink.Image, len(inks))
	if err := dataset.InParallel(ctx, len(inks), func(_ context.Context, i int) (err error) {
		images[i], err = ink.Rasterize(inks[i])
		return err
	}); err != nil {
		return nil, err
	}
	return Of(ctx, images, inks)
}

// Chain orders points so that after the first one each is followed by the nearest of those that are left. It gives their indices; the time grows
// with the square of their number, and the error is the cause of ctx when that ends.
func Chain(ctx context.Context, points [][]float32) ([]int, error) {
	chain := make([]int, len(points))
	for i := range chain {
		chain[i] = i
	}
	for i := 1; i < len(chain); i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		nearest, least := i, float32(math.Inf(1))
		for j := i; j < len(chain); j++ {
			if d := feature.SquaredDistance(points[chain[i-1]], points[chain[j]]); d < least {
				nearest, least = j, d
			}
		}
		chain[i], chain[nearest] = chain[nearest], chain[i]
	}
	return chain, nil
}

// appendUnit appends values to a point so that each of its two parts adds half to the square of its length.
func appendUnit(point, values []float32) []float32 {
	sum := 1e-12
	for _, v := range values {
		sum += float64(v) * float64(v)
	}
	scale := float32(math.Sqrt(0.5 / sum))
	for _, v := range values {
		point = append(point, v*scale)
	}
	return point
}
