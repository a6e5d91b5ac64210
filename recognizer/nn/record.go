package nn

import (
	"slices"

	"inkshade/glcompute"
)

// RecordForward records the network on a mini-batch and gives its input, see Parameters.Input,
// and the logits[batch][classes].
func RecordForward(p *glcompute.Program, batch int, params *Parameters) (input, logits *glcompute.Tensor) {
	input, values := RecordValues(p, batch, params)
	return input, values[len(values)-1]
}

// RecordValues is RecordForward with all values of the network by their numbers,
// [batch·positions][channels] each.
func RecordValues(p *glcompute.Program, batch int, params *Parameters) (input *glcompute.Tensor, values []*glcompute.Tensor) {
	input = params.Input(p, batch)
	p.Batch(batch, input)
	values, _ = params.record(p, params.divided(p, input, batch), nil, batch, len(params.layers))
	return input, values
}

// Input declares the tensor that samples are uploaded to, one row of Width values after another:
// [batch·positions][channels] of a single input, [batch][Width] of several.
func (params *Parameters) Input(p *glcompute.Program, batch int) *glcompute.Tensor {
	if inputs := params.net.Inputs; len(inputs) == 1 {
		return p.Input(batch*inputs[0].Shape.Positions(), inputs[0].Shape.Channels)
	}
	return p.Input(batch, params.Width())
}

// divided gives each of the network's inputs, [batch·positions][channels], of what Input declared.
func (params *Parameters) divided(p *glcompute.Program, input *glcompute.Tensor, batch int) (inputs []*glcompute.Tensor) {
	from := 0
	for _, in := range params.net.Inputs {
		x, s := input, in.Shape
		if len(params.net.Inputs) > 1 {
			x = p.Slice(x, from, s.Size())
			from += s.Size()
		}
		inputs = append(inputs, p.Reshape(x, batch*s.Positions(), s.Channels))
	}
	return inputs
}

// record records all layers on the inputs, nil for the one that sparse rows stand for, those from number frozen on
// as they train, and gives the network's values by their numbers.
func (params *Parameters) record(p *glcompute.Program, inputs []*glcompute.Tensor, sparse *glcompute.Sparse, batch, frozen int) (values []*glcompute.Tensor, masks []mask) {
	values = slices.Clone(inputs)
	shapes := params.net.mustShapes()
	for i, l := range params.net.Layers {
		r := Recorder{Program: p, Batch: batch, Shapes: l.reads(shapes), Training: i >= frozen}
		if slices.Contains(l.From, 0) {
			r.Sparse = sparse
		}
		for _, v := range l.From {
			r.Inputs = append(r.Inputs, values[v])
		}
		for _, par := range params.layers[i] {
			r.Parameters = append(r.Parameters, p.Variable(par))
		}
		values = append(values, l.Kind.Record(&r))
		masks = append(masks, r.masks...)
	}
	return values, masks
}
