package recognizer

import (
	"errors"

	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Inside shows what happens in a network for one drawing. It keeps its layers as they are, which
// Recognizer folds into each other, and answers without a memory. It is not safe for use by several
// goroutines at once.
type Inside struct {
	*Recognizer
	params *nn.Parameters
	run    glcompute.Run
	input  *glcompute.Tensor
	values []*glcompute.Tensor // of all layers
	chosen *glcompute.Tensor   // [1][classes], 1 for the class that is asked for
	spoke  *glcompute.Tensor   // its logit's gradient by the input
}

// View is what Inside shows.
type View struct {
	Answer
	Input  []float32   // what the network was given
	Layers [][]float32 // results of all layers, [positions][channels]
	// Spoke is how much each value of the input spoke for the best candidate: the gradient of its
	// logit times the value (Shrikumar et al., "Not just a black box", 2016).
	Spoke []float32
}

// NewInside makes a model ready to be looked into. The device stays the caller's.
func NewInside(m *nn.Model, dev glcompute.Device) (*Inside, error) {
	rec, err := New(m, dev)
	if err == nil && rec.ReadsLines() {
		err = errReadsLines
		rec.Close()
	}
	if err != nil {
		return nil, err
	}
	s := &Inside{Recognizer: rec, params: nn.NewParameters(m.Network)}
	p := glcompute.NewProgram()
	var values []*glcompute.Tensor
	s.input, values = nn.RecordValues(p, 1, s.params)
	s.values = values[len(m.Network.Inputs):]
	s.chosen = p.Input(1, len(m.Labels))
	logits := s.values[len(s.values)-1]
	logit := p.Elementwise("chosen", glcompute.Mul(glcompute.Arg(0), glcompute.Arg(1)), logits, s.chosen)
	gradients, err := p.Gradients(logit, 1, s.input)
	if err == nil {
		s.spoke = gradients[0]
		s.run, err = dev.Compile(p)
	}
	if err != nil {
		rec.Close()
		return nil, err
	}
	return s, nil
}

// Look computes all values for a drawing; pen is nil where it was traced in a picture. Ink without a point is ink.ErrEmpty.
func (s *Inside) Look(k, pen ink.Ink) (View, error) {
	a, err := s.one(k, pen)
	if err != nil {
		return View{}, err
	}
	v := View{Answer: a, Input: s.features.Vector(a.Image, pen), Spoke: make([]float32, s.input.Len())}
	chosen := make([]float32, s.chosen.Len())
	chosen[s.model.Class(a.Candidates[0].Label)] = 1
	all := []glcompute.Binding{glcompute.In(s.input, v.Input), glcompute.In(s.chosen, chosen), glcompute.Out(s.spoke, v.Spoke)}
	for _, t := range s.values {
		v.Layers = append(v.Layers, make([]float32, t.Len()))
		all = append(all, glcompute.Out(t, v.Layers[len(v.Layers)-1]))
	}
	if err := s.run.Do(all...); err != nil {
		return View{}, err
	}
	for i, x := range v.Input {
		v.Spoke[i] *= x
	}
	return v, nil
}

// OnImage brings what Look says of the values of an input onto the 28x28 image that they were made
// of; see feature.Extractor.OnImage.
func (s *Inside) OnImage(values []float32) []float32 { return s.features.OnImage(values) }

// Close frees what it holds on the device.
func (s *Inside) Close() error {
	err := s.run.Close()
	s.params.Forget(s.dev)
	return errors.Join(err, s.Recognizer.Close())
}
