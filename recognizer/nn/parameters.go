package nn

import (
	"fmt"
	"slices"

	"inkshade/glcompute"
	"inkshade/glcompute/message"
)

// Parameters are the parameters of a network as they live on devices. All programs recorded
// with the same Parameters share them.
type Parameters struct {
	net     Network                  // without its values
	layers  [][]*glcompute.Parameter // of each layer, in the order of Layer.Parameters
	learned [][]*glcompute.Parameter // those of them that gradients are taken by
}

// NewParameters copies the parameters of a network that has been checked.
func NewParameters(net Network) *Parameters {
	return newParameters(net, "", func(layer, k int) []float32 { return slices.Clone(net.Layers[layer].Values[k]) })
}

// Zeros makes parameters of the same shapes that are all zero: the momenta of SGD.
func (p *Parameters) Zeros() *Parameters {
	return newParameters(p.net, "-momentum", func(int, int) []float32 { return nil })
}

// newParameters makes all parameters of a network; values may be nil for zeros.
func newParameters(net Network, suffix string, values func(layer, k int) []float32) *Parameters {
	p := &Parameters{net: Network{Inputs: net.Inputs}}
	shapes := net.mustShapes()
	for i, l := range net.Layers {
		var own, learned []*glcompute.Parameter
		for k, info := range l.Parameters(shapes) {
			par := glcompute.NewParameter(fmt.Sprint(info.Name, i+1, suffix), info.Rows, info.Cols, values(i, k))
			own = append(own, par)
			if !info.Kept {
				learned = append(learned, par)
			}
		}
		p.layers, p.learned = append(p.layers, own), append(p.learned, learned)
		p.net.Layers = append(p.net.Layers, Layer{Kind: l.Kind, From: l.From})
	}
	return p
}

// All lists every parameter, layer by layer. Nil has none.
func (p *Parameters) All() []*glcompute.Parameter {
	if p == nil {
		return nil
	}
	return slices.Concat(p.layers...)
}

// Learned lists those that gradients are taken by, of the layers from number frozen on. Nil has
// none.
func (p *Parameters) Learned(frozen int) []*glcompute.Parameter {
	if p == nil {
		return nil
	}
	return slices.Concat(p.learned[frozen:]...)
}

// Width is the number of values of a sample.
func (p *Parameters) Width() int { return p.net.Width() }

// Classes is the number of logits.
func (p *Parameters) Classes() int { return p.net.Classes() }

// Network copies the values the host has; call Download first for those of a device.
func (p *Parameters) Network() Network {
	net := p.net.Clone()
	for i := range net.Layers {
		for _, par := range p.layers[i] {
			net.Layers[i].Values = append(net.Layers[i].Values, slices.Clone(par.Data))
		}
	}
	return net
}

// Download copies all values from the device to the host.
func (p *Parameters) Download(dev glcompute.Device) error { return download(dev, p.All()) }

func download(dev glcompute.Device, all []*glcompute.Parameter) error {
	for _, par := range all {
		if err := dev.Download(par); err != nil {
			return message.Errorf("reading %s back: %w", par.Name, err)
		}
	}
	return nil
}

// Forget frees the device's copies.
func (p *Parameters) Forget(dev glcompute.Device) {
	for _, par := range p.All() {
		dev.Forget(par)
	}
}
