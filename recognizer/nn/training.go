package nn

import (
	"fmt"
	"math"

	"inkshade/glcompute"
)

// Training names the tensors of a recorded training step.
type Training struct {
	Input         *glcompute.Tensor // see Parameters.Input, uploaded; nil where Sparse is
	Sparse        *glcompute.Sparse // the input as sparse rows, uploaded, with TrainingOptions.NonZeros
	Target        *glcompute.Tensor // [batch][Loss.TargetSize], see Loss.Target, uploaded
	Settings      *glcompute.Tensor // as Program.SGD of glcompute has them, or Program.Adam, uploaded
	Loss          *glcompute.Tensor // [batch][1] loss of each row before the step
	Probabilities *glcompute.Tensor // [batch][classes] outputs before the step

	// With TrainingOptions.Warp the input is distorted on the device by these two, uploaded
	// as Program.Warp has them; otherwise nil.
	Affine, Grid *glcompute.Tensor

	masks []mask // of dropout
}

// TrainingOptions change a training step; the zero value is cross-entropy in one float.
type TrainingOptions struct {
	Loss Loss
	// Low keeps each parameter in two floats, of which it is the lower one, so that steps
	// too small for one are not lost; params.Zeros() at first. Nil for none.
	Low *Parameters
	// Second makes the update that of Program.Adam, with the momenta as its first moment
	// and this as its second; params.Zeros() at first. It goes without Low and without an
	// anchor. Nil for Program.SGD.
	Second *Parameters
	// Warp distorts square input images on the device by splines with that many control
	// points along an axis, at least 4; 0 leaves the input as it is.
	Warp int
	// Frozen layers, so many first ones, stay as they are and act as in use.
	Frozen int
	// NonZeros is the largest number of a mini-batch whose input goes up as sparse rows; 0 for
	// whole ones. It is for a single input that a dense layer reads, and goes without Warp.
	NonZeros int
	// Seed is what dropout comes from.
	Seed int64
}

// Record records a step: forward, the loss, the gradients of the mini-batch's mean loss (see
// Program.Gradients), and the update of every parameter that is learned as Program.SGD,
// Program.SGDTwoFloats or Program.Adam has it. The decay pulls parameters toward the anchor, or toward zero
// where there is none. All gradients are taken before the first update.
func (d OptimiserState) Record(p *glcompute.Program) (Training, error) {
	t, values := d.recordForward(p)
	t.Probabilities, t.Loss = d.Options.Loss.record(p, values[len(values)-1], t.Target)
	var variables []*glcompute.Tensor
	for _, par := range d.Params.Learned(d.Options.Frozen) {
		variables = append(variables, p.Variable(par))
	}
	gradients, err := p.Gradients(t.Loss, 1/float32(d.Batch), variables...)
	if err == nil {
		t.Settings = d.recordUpdates(p, variables, gradients)
	}
	return t, err
}

// recordForward records what goes up and the network, whose values it gives.
func (d OptimiserState) recordForward(p *glcompute.Program) (t Training, values []*glcompute.Tensor) {
	t.Target = p.Input(d.Batch, d.Options.Loss.TargetSize(d.Params.Classes()))
	var input *glcompute.Tensor
	if n := d.Options.NonZeros; n > 0 {
		t.Sparse = p.SparseInput(d.Batch, d.Params.Width(), n)
		values, t.masks = d.Params.record(p, []*glcompute.Tensor{nil}, t.Sparse, d.Batch, d.Options.Frozen)
		return t, values
	}
	if warp := d.Options.Warp; warp > 0 {
		s := d.Params.warped()
		t.Input = p.Input(d.Batch, s.Size())
		t.Affine, t.Grid = p.Input(d.Batch, 6), p.Input(d.Batch*2*warp, warp)
		p.Batch(d.Batch, t.Affine, t.Grid)
		input = p.Warp(t.Input, t.Affine, t.Grid, s.Width, s.Height)
	} else {
		t.Input = d.Params.Input(p, d.Batch)
		input = t.Input
	}
	p.Batch(d.Batch, t.Input, t.Target)
	values, t.masks = d.Params.record(p, d.Params.divided(p, input, d.Batch), nil, d.Batch, d.Options.Frozen)
	return t, values
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

// recordUpdates records that of every variable by its gradient and gives the settings to upload.
func (d OptimiserState) recordUpdates(p *glcompute.Program, variables, gradients []*glcompute.Tensor) (settings *glcompute.Tensor) {
	o := d.Options
	of := func(set *Parameters) func(i int) *glcompute.Tensor {
		all := set.Learned(o.Frozen)
		return func(i int) *glcompute.Tensor {
			if all == nil {
				return nil
			}
			return p.Variable(all[i])
		}
	}
	momentum, anchor, low, second := of(d.Momenta), of(d.Anchor), of(o.Low), of(o.Second)
	count := 3
	if o.Second != nil {
		if o.Low != nil || d.Anchor != nil {
			panic("nn: Adam keeps parameters in one float and has no anchor")
		}
		count = glcompute.AdamSettings
	}
	settings = p.Input(1, count)
	for i, w := range variables {
		switch {
		case o.Second != nil:
			p.Adam(w, momentum(i), second(i), gradients[i], settings)
		case o.Low != nil:
			p.SGDTwoFloats(w, low(i), momentum(i), gradients[i], anchor(i), settings)
		default:
			p.SGD(w, momentum(i), gradients[i], anchor(i), settings)
		}
	}
	return settings
}

// RecordAverage records one step of the exponential moving average of parameters (Polyak
// averaging), averages += rate·(params - averages), and gives the rate [1][1] to upload.
func RecordAverage(p *glcompute.Program, params, averages *Parameters) (rate *glcompute.Tensor) {
	rate = p.Input(1, 1)
	average, value := glcompute.Arg(0), glcompute.Arg(1)
	for i, par := range averages.All() {
		to, from := p.Variable(par), p.Variable(params.All()[i])
		p.Update("average", []*glcompute.Tensor{to}, []*glcompute.Expr{glcompute.Add(average, glcompute.Mul(glcompute.Arg(2), glcompute.Sub(value, average)))},
			glcompute.Whole(to), glcompute.Whole(from), glcompute.ValueOf(rate, 0))
	}
	return rate
}
