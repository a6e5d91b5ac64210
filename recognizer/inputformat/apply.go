package inputformat

import (
	"context"
	"math"

	"inkshade/glcompute/message"
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// Keys of a model's metadata.
const (
	keyScale    = "scale"   // of the pixels in the model's own file
	keyInferred = "feeding" // Inferred.Reason
)

// smallestSide is the least side of a picture whose pixels are given as a plain row.
const smallestSide = 8

// Apply completes a model that does not state its input format: its labels and its preprocessing. f is
// what a person states, beside its metadata. The result is nil where nothing had to be inferred.
// An error says what is missing, or that the model answers well to no format that was tried.
func Apply(ctx context.Context, m *nn.Model, f Format) (*Inferred, error) {
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
		return nil, message.Errorf("it says itself that it sees %s, which has no range of pixels", x.Name)
	}
	size, err := pictureOf(m.Network)
	if err != nil {
		return nil, err
	}
	restoreScale(m)
	if f.Scale == (feature.Scale{}) {
		f.Scale = scaleOf(m)
		t, err := infer(ctx, m, size, f)
		if err != nil {
			return nil, err
		}
		setPicture(m, t.Picture)
		m.Metadata[keyInferred] = t.Reason.String()
		return &t, nil
	}
	size.Scale, size.Transposed = f.Scale, f.Transposed
	if f.Inverted {
		size.Scale = f.Scale.Inverted()
	}
	setPicture(m, size)
	return nil, nil
}

// pictureOf is the size of the one picture that a network sees. Unless it is much smaller or
// larger than ours, paper is put around it or cut off: LeNet has 32x32, sets without margins 20x20.
func pictureOf(net nn.Network) (feature.Picture, error) {
	if len(net.Inputs) != 1 {
		return feature.Picture{}, message.Errorf("it has %d inputs; export it with the picture as its only one", len(net.Inputs))
	}
	s := net.Inputs[0].Shape
	if s.Positions() == 1 {
		side := int(math.Round(math.Sqrt(float64(s.Channels))))
		s = nn.Shape{Height: side, Width: s.Channels / max(side, 1), Channels: 1}
		if side*side != net.Width() || side < smallestSide {
			return feature.Picture{}, message.Errorf("it takes %d values, which are no square picture with sides of %d or more; export it with an input of the shape [N,1,28,28] or [N,784]", net.Width(), smallestSide)
		}
	}
	if s.Channels != 1 {
		return feature.Picture{}, message.Errorf("it takes %s values, which are no grey picture; export it with an input of the shape [N,1,28,28] or [N,784]", s)
	}
	if max(s.Height, s.Width) > feature.LargestPicture {
		return feature.Picture{}, message.Errorf("it takes pictures of %s values; at most %d pixels along a side can be made", s, feature.LargestPicture)
	}
	p := feature.Picture{Height: s.Height, Width: s.Width}
	if min(s.Height, s.Width) < 20 || max(s.Height, s.Width) > 32 {
		p.Fit = feature.Resized
	}
	return p, nil
}

// preprocessing is the name of pictures; those of MNIST have their own.
func preprocessing(p feature.Picture) string {
	if p.Height == ink.Side && p.Width == ink.Side && p.Scale == (feature.Scale{Paper: 0, Ink: 1}) && !p.Transposed && p.Fit == feature.Padded {
		return nn.MNIST28
	}
	return p.String()
}

// widest is the span of a scale from which on it is divided by that.
const widest = 4

// setPicture states that a model sees such pictures, and keeps their scale in its metadata. Where its span is
// wide, as that of bytes, the scale is divided by it and the weights of the layers that see the
// pixels are multiplied: the answers are the same, and learning works at the usual rates, which
// are for inputs of about 1.
func setPicture(m *nn.Model, p feature.Picture) {
	m.Metadata[keyScale] = p.Scale.String()
	span := math.Abs(p.Scale.Ink - p.Paper)
	if weights := m.Network.FirstWeights(); span >= widest && weights != nil {
		for _, w := range weights {
			for i := range w {
				w[i] *= float32(span)
			}
		}
		p.Scale = feature.Scale{Paper: p.Paper / span, Ink: p.Scale.Ink / span}
	}
	m.Preprocessing = preprocessing(p)
}

// Scale is that of the pixels that the file of a model expects, where Apply has kept it; else the zero Scale.
func Scale(m *nn.Model) feature.Scale {
	s, err := feature.ParseScale(m.Metadata[keyScale])
	if err != nil {
		return feature.Scale{}
	}
	return s
}

// restoreScale takes back what setPicture did to the weights, before another format is set.
func restoreScale(m *nn.Model) {
	s := Scale(m)
	span := math.Abs(s.Ink - s.Paper)
	if m.Preprocessing == "" || span < widest {
		return
	}
	for _, w := range m.Network.FirstWeights() {
		for i := range w {
			w[i] /= float32(span)
		}
	}
}
