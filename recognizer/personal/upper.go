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

func newLower(dev program.Device, net nn.Network) (*lower, error) {
	l := &lower{dev: dev}
	if len(net.Layers) == 0 {
		return l, nil
	}
	l.params = nn.NewParameters(net)
	p := program.New()
	l.input, l.output = nn.RecordForward(p, nn.LargeBatch, l.params)
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
		width := len(in) / nn.LargeBatch
		for i, r := range part {
			copy(in[i*width:], r)
		}
		buf := make([]float32, l.output.Len())
		if err := l.run.Do(program.In(l.input, in), program.Out(l.output, buf)); err != nil {
			return nil, fmt.Errorf("running the network on the %s device: %w", l.dev.Info().Kind, err)
		}
		width = len(buf) / nn.LargeBatch
		for i := range part {
			out = append(out, buf[i*width:(i+1)*width])
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
// last that have at most budget parameters together, and at least the last one.
func frozenLayers(net nn.Network, budget int) int {
	layers := net.Describe()
	n := len(layers) - 1
	trained := layers[n].Parameters
	for n > 0 && trained+layers[n-1].Parameters <= budget {
		n--
		trained += layers[n].Parameters
	}
	return n
}
