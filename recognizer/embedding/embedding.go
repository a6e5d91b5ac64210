// Package embedding says how near drawings are, of symbols that nobody taught as well: a network that was trained to tell
// thousands of symbols apart gives each drawing a point, and drawings of one symbol lie near each other whoever drew them
// (docs/learning.md). It ships with Inkshade, is the same beside every model, and is opened with the first drawing.
package embedding

import (
	"bytes"
	"context"
	"math"
	"slices"
	"sync"

	"inkshade/glcompute"
	"inkshade/glcompute/cpu"
	"inkshade/models"
	"inkshade/recognizer/dataset"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/nn/onnx"
)

// Size is the number of coordinates of a point.
const Size = 128

// network is the network made ready on the processor.
type network struct {
	mu        sync.Mutex // held while it computes
	features  feature.Extractor
	inference *nn.Inference
}

// open opens the network that ships. That it cannot is a fault of the build.
var open = sync.OnceValue(func() *network {
	m := glcompute.Must(onnx.Read(context.Background(), bytes.NewReader(models.Embedding())))
	inference := glcompute.Must(nn.NewInference(glcompute.Must(cpu.Open()), m.Network))
	return &network{features: glcompute.Must(feature.ByName(m.Preprocessing)), inference: inference}
})

// Of gives the points of drawings, Size coordinates each, of length 1. images are their pictures of 28x28; inks their strokes,
// nil for a picture. The error is the cause of ctx when that ends, or one of the processor.
func Of(ctx context.Context, images []ink.Image, inks []ink.Ink) ([][]float32, error) {
	net := open()
	points := make([][]float32, 0, len(images))
	for start := 0; start < len(images); start += nn.LargeBatch {
		some := images[start:min(start+nn.LargeBatch, len(images))]
		rows := make([][]float32, len(some))
		if err := dataset.InParallel(ctx, len(some), func(_ context.Context, i int) error {
			rows[i] = net.features.Vector(some[i], inks[start+i])
			return nil
		}); err != nil {
			return nil, err
		}
		net.mu.Lock()
		err := net.inference.Each(rows, func(_ int, values []float32) { points = append(points, unit(values)) })
		net.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
	return points, nil
}

// unit is a copy of values with the length 1.
func unit(values []float32) []float32 {
	sum := 1e-12
	for _, v := range values {
		sum += float64(v) * float64(v)
	}
	point := slices.Clone(values)
	for i := range point {
		point[i] /= float32(math.Sqrt(sum))
	}
	return point
}
