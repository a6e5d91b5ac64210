package foreign

import (
	"fmt"
	"math"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Metadata that keep how a model from elsewhere is fed: the scale of pixels in its own file, and how
// that did on the sample characters.
const (
	keyScale = "scale"
	keyTrial = "feeding"
)

// smallestSide is the least side of a picture whose pixels are given as a plain row.
const smallestSide = 8

// Feed completes a model that does not say how it is fed: its labels and its preprocessing. f is
// what a person says about it, beside its metadata. The trial is nil where nothing had to be tried.
// An error says what is missing, or that the model answers well to nothing that was tried.
func Feed(m *nn.Model, f Feeding) (*Trial, error) {
	if f.Labels != nil {
		m.Labels = f.Labels
	}
	if err := m.Check(); err != nil {
		return nil, err
	}
	if m.Preprocessing != "" && f.Scale == (feature.Scale{}) && !f.Inverted && !f.Transposed {
		return nil, nil
	}
	if x, err := feature.ByName(m.Preprocessing); err == nil && (x.Edges || x.Fine) {
		return nil, fmt.Errorf("it says itself that it sees %s, which has no range of pixels", x.Name)
	}
	size, err := pictureOf(m.Network)
	if err != nil {
		return nil, err
	}
	unfeed(m)
	if f.Scale == (feature.Scale{}) {
		f.Scale = scaleOf(m)
		t, err := try(m, size, f)
		if err != nil {
			return nil, err
		}
		feed(m, t.Picture)
		m.Metadata[keyTrial] = t.Reason
		return &t, nil
	}
	size.Scale, size.Transposed = f.Scale, f.Transposed
	if f.Inverted {
		size.Scale = f.Scale.Inverted()
	}
	feed(m, size)
	return nil, nil
}

// pictureOf is the size of the one picture that a network sees. Unless it is much smaller or
// larger than ours, paper is put around it or cut off: LeNet has 32x32, sets without margins 20x20.
func pictureOf(net nn.Network) (feature.Picture, error) {
	if len(net.Inputs) != 1 {
		return feature.Picture{}, fmt.Errorf("it has %d inputs; export it with the picture as its only one", len(net.Inputs))
	}
	s := net.Inputs[0].Shape
	if s.Positions() == 1 {
		side := int(math.Round(math.Sqrt(float64(s.Channels))))
		s = nn.Shape{Height: side, Width: s.Channels / max(side, 1), Channels: 1}
		if side*side != net.Width() || side < smallestSide {
			return feature.Picture{}, fmt.Errorf("it takes %d values, which are no square picture with sides of %d or more; export it with an input of the shape [N,1,28,28] or [N,784]", net.Width(), smallestSide)
		}
	}
	if s.Channels != 1 {
		return feature.Picture{}, fmt.Errorf("it takes %s values, which are no grey picture; export it with an input of the shape [N,1,28,28] or [N,784]", s)
	}
	p := feature.Picture{Height: s.Height, Width: s.Width}
	if min(s.Height, s.Width) < 20 || max(s.Height, s.Width) > 32 {
		p.Fit = feature.Resized
	}
	return p, nil
}

// preprocessing is the name of pictures; those of MNIST have their own.
func preprocessing(p feature.Picture) string {
	if p.Height == ink.Side && p.Width == ink.Side && p.Scale == (feature.Scale{Paper: 0, Ink: 1}) && !p.Transposed {
		return nn.MNIST28
	}
	return p.String()
}
