package glbench

import (
	"fmt"
	"testing"

	"inkshade/glcompute/expr"
	"inkshade/glcompute/internal/program"
)

// timeSmall times a training step of 2-h-1 (tanh, sigmoid, mean squared error) with everything
// on the device, the setting of Takizawa et al. (2009).
func timeSmall(b *testing.B, dev program.Device) {
	for _, s := range []struct{ hidden, samples int }{{64, 1024}, {64, 16384}, {1024, 1024}} {
		b.Run(fmt.Sprintf("2-%d-1 with %d samples", s.hidden, s.samples), func(b *testing.B) {
			smallTraining(b, dev, s.hidden, s.samples)
		})
	}
}

func smallTraining(b *testing.B, dev program.Device, hidden, samples int) {
	p := program.New()
	variable := func(rows, cols int) *program.Tensor { return p.Variable(parameter(rows, cols)) }
	x, target, settings := variable(samples, 2), variable(samples, 1), variable(1, 3)
	w := []*program.Tensor{variable(2, hidden), variable(1, hidden), variable(hidden, 1), variable(1, 1)}
	h := p.Layer(x, w[0], w[1], expr.Tanh)
	y := p.Layer(h, w[2], w[3], expr.Sigmoid)
	losses := p.MeanSquaredError(y, target)
	loss := p.Sum(program.AlongColumns, losses)
	for i, g := range program.Must(p.Gradients(losses, 1/float32(samples), w...)) {
		p.SGD(w[i], variable(g.Rows, g.Cols), g, nil, settings)
	}
	const products = 2 * (3 + 3 + 1) // of each hidden unit and sample: forward, gradients, backward
	replay(b, dev, p, products*float64(hidden)*float64(samples), program.Out(loss, make([]float32, 1)))
}
