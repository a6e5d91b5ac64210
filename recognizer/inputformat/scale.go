package inputformat

import (
	"math"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

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
