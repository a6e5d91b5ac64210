package foreign

import (
	"math"
	"slices"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// widest is the span of a scale from which on it is divided by that.
const widest = 4

// feed says that a model sees such pictures, and keeps their scale in its metadata. Where its span is
// wide, as that of bytes, the scale is divided by it and the weights of the layers that see the
// pixels are multiplied: the answers are the same, and learning works at the usual rates, which
// are for inputs of about 1.
func feed(m *nn.Model, p feature.Picture) {
	m.Metadata[keyScale] = p.Scale.String()
	span := math.Abs(p.Scale.Ink - p.Paper)
	if weights := firstWeights(m.Network); span >= widest && weights != nil {
		for _, w := range weights {
			for i := range w {
				w[i] *= float32(span)
			}
		}
		p.Scale = feature.Scale{Paper: p.Paper / span, Ink: p.Scale.Ink / span}
	}
	m.Preprocessing = preprocessing(p)
}

// Scale is that of the pixels that the file of a model expects, where Feed has kept it; else the zero Scale.
func Scale(m *nn.Model) feature.Scale {
	s, err := feature.ParseScale(m.Metadata[keyScale])
	if err != nil {
		return feature.Scale{}
	}
	return s
}

// unfeed takes back what feed did to the weights, before a model is fed otherwise.
func unfeed(m *nn.Model) {
	s := Scale(m)
	span := math.Abs(s.Ink - s.Paper)
	if m.Preprocessing == "" || span < widest {
		return
	}
	for _, w := range firstWeights(m.Network) {
		for i := range w {
			w[i] /= float32(span)
		}
	}
}

// firstWeights are those of all layers that see the input; nil where one has none that multiply it.
func firstWeights(net nn.Network) (weights [][]float32) {
	seen := []int{0} // values of the network that are the input
	for i, l := range net.Layers {
		if !slices.ContainsFunc(l.From, func(v int) bool { return slices.Contains(seen, v) }) {
			continue
		}
		switch l.Kind.(type) {
		case nn.Reshape, nn.Pick:
			seen = append(seen, len(net.Inputs)+i)
		case nn.Dense, nn.Convolution:
			weights = append(weights, l.Values[0])
		default:
			return nil
		}
	}
	return weights
}
