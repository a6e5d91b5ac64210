package nn

import (
	"fmt"
	"math"

	"inkshade/glcompute/program"
)

// RecordForward records the network on x[batch][in] and gives the logits[batch][classes].
// It panics when x does not fit the first layer.
func RecordForward(p *program.Program, x *program.Tensor, params *Parameters) *program.Tensor {
	outputs := recordLayers(p, x, params)
	return outputs[len(outputs)-1]
}

// recordLayers records the forward pass and gives the output of every layer.
func recordLayers(p *program.Program, x *program.Tensor, params *Parameters) []*program.Tensor {
	var outputs []*program.Tensor
	for i := range params.Weights {
		x = p.Linear(x, p.Variable(params.Weights[i]), p.Variable(params.Bias[i]), params.activations[i])
		outputs = append(outputs, x)
	}
	return outputs
}

// Training names the tensors of a recorded training step.
type Training struct {
	Input         *program.Tensor // [batch][in], uploaded
	Target        *program.Tensor // [batch][classes], see Loss.Target, uploaded
	Settings      *program.Tensor // as program.SGD has them, or program.Adam, uploaded
	Loss          *program.Tensor // [batch][1] loss of each row before the step
	Probabilities *program.Tensor // [batch][classes] outputs before the step

	// With TrainingOptions.Warp the input is distorted on the device by these two, uploaded
	// as program.Warp has them; otherwise nil.
	Affine, Grid *program.Tensor
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
// and the update of every parameter as program.SGD or program.Adam has it. On a batch of one the products
// of dW are outer products. momenta (params.Zeros()) are kept between steps. The decay
// pulls weights and biases toward anchor, or toward zero where anchor is nil. All
// gradients are taken before the first update.
func RecordTrainingWith(p *program.Program, batch int, params, momenta, anchor *Parameters, o TrainingOptions) Training {
	t, gradients := recordPass(p, batch, params, o)
	t.Settings = recordUpdates(p, gradients, params, momenta, anchor, o)
	return t
}

// recordPass records forward, loss and backward, and gives the gradients in the order of
// Parameters.All.
func recordPass(p *program.Program, batch int, params *Parameters, o TrainingOptions) (t Training, gradients []*program.Tensor) {
	last := len(params.Weights) - 1
	t.Input, t.Target = p.Input(batch, params.Weights[0].Rows), p.Input(batch, params.Weights[last].Cols)
	input := t.Input
	if o.Warp > 0 {
		side := squareSide(t.Input)
		t.Affine, t.Grid = p.Input(batch, 6), p.Input(batch*2*o.Warp, o.Warp)
		input = p.Warp(t.Input, t.Affine, t.Grid, side, side)
	}
	outputs := recordLayers(p, input, params)
	var dz *program.Tensor
	t.Probabilities, t.Loss, dz = o.Loss.record(p, outputs[last], t.Target)
	dWeights, dBias := recordBackward(p, input, outputs, dz, params)
	for i := range dWeights {
		gradients = append(gradients, dWeights[i], dBias[i])
	}
	return t, gradients
}

// recordBackward records the gradients of all layers from dz, that of the logits.
func recordBackward(p *program.Program, input *program.Tensor, outputs []*program.Tensor, dz *program.Tensor, params *Parameters) (dWeights, dBias []*program.Tensor) {
	dWeights = make([]*program.Tensor, len(outputs))
	dBias = make([]*program.Tensor, len(outputs))
	for i := len(outputs) - 1; i >= 0; i-- {
		x := input
		if i > 0 {
			x = outputs[i-1]
		}
		dWeights[i], dBias[i] = recordGradients(p, x, dz)
		if i > 0 {
			dx := p.MatMul(dz, p.Variable(params.Weights[i]), false, true)
			dz = p.ActivationGrad(dx, x, params.activations[i-1])
		}
	}
	return dWeights, dBias
}

// recordGradients records those of a layer's weights and bias. A single sample needs
// neither inner products nor sums.
func recordGradients(p *program.Program, x, dz *program.Tensor) (weights, bias *program.Tensor) {
	if x.Rows == 1 {
		return p.Outer(x, dz), dz
	}
	return p.MatMul(x, dz, true, false), p.ColumnSums(dz)
}

func squareSide(images *program.Tensor) int {
	side := int(math.Round(math.Sqrt(float64(images.Cols))))
	if side*side != images.Cols {
		panic(fmt.Sprintf("nn: %s holds no square images to distort", images))
	}
	return side
}

// recordUpdates records that of every parameter by its gradient, both in the order of
// Parameters.All, and gives the settings to upload. anchor may be nil.
func recordUpdates(p *program.Program, gradients []*program.Tensor, params, momenta, anchor *Parameters, o TrainingOptions) (settings *program.Tensor) {
	if o.Second != nil {
		if o.Low != nil || anchor != nil {
			panic("nn: Adam keeps parameters in one float and has no anchor")
		}
		settings = p.Input(1, program.AdamSettings)
		first, second := momenta.All(), o.Second.All()
		for i, par := range params.All() {
			p.Adam(p.Variable(par), p.Variable(first[i]), p.Variable(second[i]), gradients[i], settings)
		}
		return settings
	}
	settings = p.Input(1, 3)
	momentum, pulls, lows := momenta.All(), anchor.All(), o.Low.All()
	for i, par := range params.All() {
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
