package nn

import (
	"context"
	"slices"

	"inkshade/glcompute"
)

// Apply gives what the last layer of a network makes of each row: the logits, or of the lower part
// of a network that was cut the hidden activations there. tell, which may be nil, is called now and then with the number of
// rows since the last call. When ctx ends, its cause is returned.
func Apply(ctx context.Context, dev glcompute.Device, net Network, rows [][]float32, tell func(rows int)) ([][]float32, error) {
	inf := InferenceOf(dev, NewParameters(net.Folded()))
	inf.owned = true
	defer inf.Close()
	out := make([][]float32, 0, len(rows))
	for part := range slices.Chunk(rows, 4*LargeBatch) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err := inf.Each(part, func(_ int, result []float32) { out = append(out, slices.Clone(result)) }); err != nil {
			return nil, err
		}
		if tell != nil {
			tell(len(part))
		}
	}
	return out, nil
}
