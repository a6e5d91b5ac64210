package nn

import (
	"fmt"
	"math"

	"inkshade/glcompute/program"
)

// RecordForward records the network on a mini-batch and gives its input, see Parameters.Input,
// and the logits[batch][classes].
func RecordForward(p *program.Program, batch int, params *Parameters) (input, logits *program.Tensor) {
	input = params.Input(p, batch)
	p.Batch(batch, input)
	values, _ := params.record(p, input, batch, len(params.layers))
	return input, values[len(values)-1]
}

// Input declares the tensor that samples are uploaded to, one row of Width values after another:
// [batch·positions][channels] of a single input, [batch][Width] of several.
func (params *Parameters) Input(p *program.Program, batch int) *program.Tensor {
	if inputs := params.net.Inputs; len(inputs) == 1 {
		return p.Input(batch*inputs[0].Shape.Positions(), inputs[0].Shape.Channels)
	}
	return p.Input(batch, params.Width())
}

// record records all layers on what Input declared, those from number frozen on as they train, and
// gives the network's values by their numbers.
func (params *Parameters) record(p *program.Program, input *program.Tensor, batch, frozen int) (values []*program.Tensor, masks []mask) {
	from := 0
	for _, in := range params.net.Inputs {
		x, s := input, in.Shape
		if len(params.net.Inputs) > 1 {
			x = p.Slice(x, from, s.Size())
			from += s.Size()
		}
		values = append(values, p.Reshape(x, batch*s.Positions(), s.Channels))
	}
	shapes := params.net.mustShapes()
	_, perceptron := params.perceptron()
	perceptron = perceptron && (frozen == 0 || frozen == len(params.layers))
	for i, l := range params.net.Layers {
		r := Recorder{Program: p, Batch: batch, Shapes: l.reads(shapes), Training: i >= frozen, perceptron: perceptron}
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

// Training names the tensors of a recorded training step.
type Training struct {
	Input         *program.Tensor // see Parameters.Input, uploaded
	Target        *program.Tensor // [batch][classes], see Loss.Target, uploaded
	Settings      *program.Tensor // as program.SGD has them, or program.Adam, uploaded
	Loss          *program.Tensor // [batch][1] loss of each row before the step
	Probabilities *program.Tensor // [batch][classes] outputs before the step

	// With TrainingOptions.Warp the input is distorted on the device by these two, uploaded
	// as program.Warp has them; otherwise nil.
	Affine, Grid *program.Tensor

	masks []mask // of dropout
}

// TrainingOptions change a training step; the zero value is cross-entropy in one float.
type TrainingOptions struct {
	Loss Loss
	// Low keeps each parameter in two floats, of which it is the lower one, so that steps
	// too small for one are not lost; params.Zeros() at first. Nil for none.
	Low *Parameters
	// Second makes the update that of program.Adam, with the momenta as its first moment
	// and this as its second; params.Zeros() at first. It goes without Low and without an
	// anchor. Nil for program.SGD.
	Second *Parameters
	// Warp distorts square input images on the device by splines with that many control
	// points along an axis, at least 4; 0 leaves the input as it is.
	Warp int
	// Frozen layers, so many first ones, stay as they are and act as in use.
	Frozen int
	// Seed is what dropout comes from.
	Seed int64
}

// RecordTraining records one step of gradient descent on the batch's mean cross-entropy:
// see RecordTrainingWith.
func RecordTraining(p *program.Program, batch int, params, momenta, anchor *Parameters) Training {
	return RecordTrainingWith(p, batch, params, momenta, anchor, TrainingOptions{})
}

// RecordTrainingWith records one step of gradient descent on the batch's mean loss:
// forward, loss, backward by the chain rule
//
//	dz = dy ∘ f'(z)    dW = xᵀ·dz    db = Σ_rows dz    dx = dz·Wᵀ
//
// and the update of every parameter that is learned as program.SGD or program.Adam has it. On a batch of one
// the products of dW are outer products. momenta (params.Zeros()) are kept between steps. The decay
// pulls weights and biases toward anchor, or toward zero where anchor is nil. All
// gradients are taken before the first update.
func RecordTrainingWith(p *program.Program, batch int, params, momenta, anchor *Parameters, o TrainingOptions) Training {
	t, gradients := recordPass(p, batch, params, o)
	t.Settings = recordUpdates(p, gradients, params, momenta, anchor, o)
	return t
}

// recordPass records forward, loss and backward, and gives the gradients in the order of
// Parameters.Learned.
func recordPass(p *program.Program, batch int, params *Parameters, o TrainingOptions) (t Training, gradients []*program.Tensor) {
	t.Target = p.Input(batch, params.Classes())
	var input *program.Tensor
	if o.Warp > 0 {
		s := params.warped()
		t.Input = p.Input(batch, s.Size())
		t.Affine, t.Grid = p.Input(batch, 6), p.Input(batch*2*o.Warp, o.Warp)
		p.Batch(batch, t.Affine, t.Grid)
		input = p.Warp(t.Input, t.Affine, t.Grid, s.Width, s.Height)
	} else {
		t.Input = params.Input(p, batch)
		input = t.Input
	}
	p.Batch(batch, t.Input, t.Target)
	values, masks := params.record(p, input, batch, o.Frozen)
	t.masks = masks
	logits := values[len(values)-1]
	if functions, ok := params.perceptron(); ok && o.Frozen == 0 {
		var dz *program.Tensor
		t.Probabilities, t.Loss, dz = o.Loss.record(p, logits, t.Target)
		return t, recordBackward(p, values, dz, params, functions)
	}
	t.Probabilities, t.Loss = o.Loss.recordForward(p, logits, t.Target)
	var variables []*program.Tensor
	for _, par := range params.Learned(o.Frozen) {
		variables = append(variables, p.Variable(par))
	}
	return t, p.Gradients(t.Loss, 1/float32(batch), variables...)
}

// warped is the shape of the square images that are distorted on the device.
func (params *Parameters) warped() Shape {
	s := params.net.Inputs[0].Shape
	if side := int(math.Round(math.Sqrt(float64(s.Channels)))); s.Positions() == 1 && side*side == s.Channels {
		s = Shape{side, side, 1}
	}
	if len(params.net.Inputs) != 1 || s.Height != s.Width || s.Channels != 1 {
		panic(fmt.Sprintf("nn: an input of %s holds no square images to distort", s))
	}
	return s
}

// recordBackward records the gradients of all layers of a perceptron from dz, that of the logits.
func recordBackward(p *program.Program, values []*program.Tensor, dz *program.Tensor, params *Parameters, functions []program.Activation) []*program.Tensor {
	gradients := make([]*program.Tensor, 2*len(params.layers))
	for i := len(params.layers) - 1; i >= 0; i-- {
		x := values[i]
		gradients[2*i], gradients[2*i+1] = recordGradients(p, x, dz)
		if i > 0 {
			dx := p.MatMul(dz, p.Variable(params.layers[i][0]), false, true)
			dz = p.ActivationGrad(dx, x, functions[i-1])
		}
	}
	return gradients
}

// recordGradients records those of a layer's weights and bias. A single sample needs
// neither inner products nor sums.
func recordGradients(p *program.Program, x, dz *program.Tensor) (weights, bias *program.Tensor) {
	if x.Rows == 1 {
		return p.Outer(x, dz), dz
	}
	return p.MatMul(x, dz, true, false), p.ColumnSums(dz)
}

// recordUpdates records that of every parameter by its gradient, both in the order of
// Parameters.Learned, and gives the settings to upload. anchor may be nil.
func recordUpdates(p *program.Program, gradients []*program.Tensor, params, momenta, anchor *Parameters, o TrainingOptions) (settings *program.Tensor) {
	if o.Second != nil {
		if o.Low != nil || anchor != nil {
			panic("nn: Adam keeps parameters in one float and has no anchor")
		}
		settings = p.Input(1, program.AdamSettings)
		first, second := momenta.Learned(o.Frozen), o.Second.Learned(o.Frozen)
		for i, par := range params.Learned(o.Frozen) {
			p.Adam(p.Variable(par), p.Variable(first[i]), p.Variable(second[i]), gradients[i], settings)
		}
		return settings
	}
	settings = p.Input(1, 3)
	momentum, pulls, lows := momenta.Learned(o.Frozen), anchor.Learned(o.Frozen), o.Low.Learned(o.Frozen)
	for i, par := range params.Learned(o.Frozen) {
		var pull *program.Tensor
		if anchor != nil {
			pull = p.Variable(pulls[i])
		}
		if o.Low != nil {
			p.SGDTwoFloats(p.Variable(par), p.Variable(lows[i]), p.Variable(momentum[i]), gradients[i], pull, settings)
			continue
		}
		p.SGD(p.Variable(par), p.Variable(momentum[i]), gradients[i], pull, settings)
	}
	return settings
}

// RecordAverage records one step of the exponential moving average of parameters
// (Polyak averaging), averages -= rate·(averages - params), and gives the settings
// [1][3] to upload: rate, 0, 0. The step is written as one of gradient descent on
// |averages-params|²/2, which every executor has; scratch has the shapes of params.
func RecordAverage(p *program.Program, params, averages, scratch *Parameters) (settings *program.Tensor) {
	settings = p.Input(1, 3)
	from, to, via := params.All(), averages.All(), scratch.All()
	if len(from) != len(to) || len(from) != len(via) {
		panic(fmt.Sprintf("nn: average of %d parameters into %d with %d of scratch", len(from), len(to), len(via)))
	}
	for i := range from {
		target := p.Variable(to[i])
		p.SGD(target, p.Variable(via[i]), p.Combine(target, p.Variable(from[i]), 1, -1), nil, settings)
	}
	return settings
}
