package personal

import (
	"context"
	"fmt"
	"slices"

	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
)

// lower runs the layers that stay as they are, so that each drawing goes through them once
// and not at every step.
type lower struct {
	dev    program.Device
	params *nn.Parameters // nil where no layer is frozen
	input  *program.Tensor
	output *program.Tensor
	run    program.Run
}

func newLower(dev program.Device, layers []nn.Layer) (*lower, error) {
	l := &lower{dev: dev}
	if len(layers) == 0 {
		return l, nil
	}
	l.params = nn.NewParameters(nn.Network{Layers: layers})
	p := program.New()
	l.input = p.Input(nn.LargeBatch, layers[0].In)
	l.output = nn.RecordForward(p, l.input, l.params)
	var err error
	if l.run, err = dev.Compile(p); err != nil {
		return nil, fmt.Errorf("preparing the network on the %s device: %w", dev.Info().Kind, err)
	}
	return l, nil
}

// apply gives what the frozen layers make of rows. When ctx ends, its cause is returned.
func (l *lower) apply(ctx context.Context, rows [][]float32) ([][]float32, error) {
	if l.params == nil {
		return rows, nil
	}
	var out [][]float32
	in := make([]float32, l.input.Len())
	for part := range slices.Chunk(rows, nn.LargeBatch) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		clear(in)
		for i, r := range part {
			copy(in[i*l.input.Cols:], r)
		}
		buf := make([]float32, l.output.Len())
		if err := l.run.Do(program.In(l.input, in), program.Out(l.output, buf)); err != nil {
			return nil, fmt.Errorf("running the network on the %s device: %w", l.dev.Info().Kind, err)
		}
		for i := range part {
			out = append(out, buf[i*l.output.Cols:(i+1)*l.output.Cols])
		}
	}
	return out, nil
}

func (l *lower) close() {
	if l.params == nil {
		return
	}
	l.run.Close()
	l.params.Forget(l.dev)
}

// frozenLayers is the number of first layers that stay as they are: all but so many of the
// last that have at most budget weights together, and at least the last one.
func frozenLayers(net nn.Network, budget int) int {
	n, weights := len(net.Layers)-1, len(net.Layers[len(net.Layers)-1].Weights)
	for n > 0 && weights+len(net.Layers[n-1].Weights) <= budget {
		n--
		weights += len(net.Layers[n].Weights)
	}
	return n
}

// anchorOf is the shipped model with the classes of extended: what its own classes are
// pulled toward comes from the shipped model, and that of classes it does not have from extended.
// Where the two are not alike in their layers, extended is its own anchor.
func anchorOf(shipped, extended *nn.Model) nn.Network {
	anchor := extended.Network.Clone()
	if shipped == nil || !slices.Equal(hidden(shipped.Network), hidden(anchor)) {
		return anchor
	}
	last := len(anchor.Layers) - 1
	for i, l := range shipped.Network.Layers[:last] {
		copy(anchor.Layers[i].Weights, l.Weights)
		copy(anchor.Layers[i].Bias, l.Bias)
	}
	from, to := shipped.Network.Layers[last], anchor.Layers[last]
	for c, label := range shipped.Labels {
		at := extended.Class(label)
		if at < 0 {
			continue
		}
		to.Bias[at] = from.Bias[c]
		for r := range from.In {
			to.Weights[r*to.Out+at] = from.Weights[r*from.Out+c]
		}
	}
	return anchor
}

// hidden lists the sizes of all layers but the last one's output.
func hidden(net nn.Network) []int { return net.Sizes()[:len(net.Layers)] }
