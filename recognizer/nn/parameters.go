package nn

import (
	"fmt"
	"slices"

	"inkshade/glcompute/program"
)

// Parameters are the weights and biases of a network as they live on devices. All
// programs recorded with the same Parameters share them.
type Parameters struct {
	Weights, Bias []*program.Parameter // one of each for every layer
	activations   []program.Activation
}

// NewParameters copies the parameters of a network.
func NewParameters(net Network) *Parameters {
	p := &Parameters{}
	for i, l := range net.Layers {
		p.Weights = append(p.Weights, program.NewParameter(fmt.Sprintf("weights%d", i+1), l.In, l.Out, slices.Clone(l.Weights)))
		p.Bias = append(p.Bias, program.NewParameter(fmt.Sprintf("bias%d", i+1), 1, l.Out, slices.Clone(l.Bias)))
		p.activations = append(p.activations, l.Activation)
	}
	return p
}

// Zeros makes parameters of the same shapes that are all zero: the momenta of SGD.
func (p *Parameters) Zeros() *Parameters {
	z := &Parameters{activations: p.activations}
	for i := range p.Weights {
		w, b := p.Weights[i], p.Bias[i]
		z.Weights = append(z.Weights, program.NewParameter(w.Name+"-momentum", w.Rows, w.Cols, nil))
		z.Bias = append(z.Bias, program.NewParameter(b.Name+"-momentum", b.Rows, b.Cols, nil))
	}
	return z
}

// All lists every parameter, layer by layer: weights, bias. Nil has none.
func (p *Parameters) All() []*program.Parameter {
	if p == nil {
		return nil
	}
	var all []*program.Parameter
	for i := range p.Weights {
		all = append(all, p.Weights[i], p.Bias[i])
	}
	return all
}

// Network copies the values the host has; call Download first for those of a device.
func (p *Parameters) Network() Network {
	var net Network
	for i, w := range p.Weights {
		net.Layers = append(net.Layers, Layer{
			In: w.Rows, Out: w.Cols,
			Weights:    slices.Clone(w.Data),
			Bias:       slices.Clone(p.Bias[i].Data),
			Activation: p.activations[i],
		})
	}
	return net
}

// Download copies all values from the device to the host.
func (p *Parameters) Download(dev program.Device) error {
	for _, par := range p.All() {
		if err := dev.Download(par); err != nil {
			return fmt.Errorf("reading %s back: %w", par.Name, err)
		}
	}
	return nil
}

// Forget frees the device's copies.
func (p *Parameters) Forget(dev program.Device) {
	for _, par := range p.All() {
		dev.Forget(par)
	}
}
