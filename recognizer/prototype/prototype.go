// Package prototype keeps what is left with a model of the samples it was trained with:
// means of clusters of each class. With a detector they tell a drawing that is like nothing the model
// knows, and they are what personal training replays, so that no training data is shipped. The
// temperature that calibrates the model's probabilities is kept with them.
package prototype

import (
	"math"
	"slices"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// Set is what a model keeps.
type Set struct {
	// Temperature divides the logits, so that of the answers given with probability p about
	// a share of p is right (Guo et al., "On calibration of modern neural networks", 2017).
	Temperature float64
	// Limit is the score beyond which a drawing is unknown; where PictureLimit is not 0, that is
	// the limit of a picture, of which a network that sees the pen misses a part.
	Limit, PictureLimit float64
	// Shapes are gradient features (feature.GradientSize values) by class: the means of
	// clusters of the class's images.
	Shapes [][][]float32
	// Inputs are inputs of the network by class: the means of clusters of the class's
	// training samples.
	Inputs [][][]float32
	// Spread is how far training samples are from what is kept of their class. It is there
	// for networks that see the pen, and their distances are measured by it; by the
	// edges alone, narrow classes would let too little pass.
	Spread Spread

	Detector *Detector // nil in older files
}

// Spread is, by class, the mean squared distance of training samples from the nearest of
// what is kept of their class, beside the mean of all classes.
type Spread struct {
	Gradient []float64 // of the gradient features; nil stands for 1
	Pen      []float64 // of the pen's features; nil for no comparison of these
}

// Score is the out-of-distribution score, how far a drawing is from anything the model has seen:
//
//	score = min over the classes c of (d²(c) + doubtWeight·(-ln p(c))) + w·(-ln P(known))
//
// with P by the detector and its weight w; the calibrated probability p(c), and the squared distance d²(c) to the nearest of
// what is kept of the class: of the gradient features, and of the pen's where the network
// sees them, each divided by the class's own spread; for a picture, which has no pen, the
// first counts twice. So a drawing must look like a class that the network takes it for: one
// that looks like a 3 and is surely an 8 for the network is no known 8. features are
// those of feature.Extractor.Compared. logits are the network's, before any restriction of
// classes; classes beyond those of the set have nothing kept, and P is 1 for them: they are
// never out of distribution, because whoever added them knows them.
func (s *Set) Score(features, logits []float32) float64 {
	sum := nn.LogSum(logits, s.Temperature, nil)
	doubt := func(class int) float64 { return doubtWeight * (sum - float64(logits[class])/s.Temperature) }
	unknown := s.Detector.Score(features)
	distance := func(class int) float64 {
		if class >= len(s.Shapes) {
			return 0
		}
		return unknown + s.distance(features, class)
	}
	best := max(slices.Index(logits, slices.Max(logits)), 0) // a NaN is nowhere
	score := doubt(best) + distance(best)
	for c := range logits {
		if d := doubt(c); c != best && d < score {
			score = min(score, d+distance(c))
		}
	}
	return score
}

// distance is d² of Score.
func (s *Set) distance(features []float32, class int) float64 {
	if len(s.Shapes[class]) == 0 {
		return 0
	}
	const g = feature.GradientSize
	unit := 1.0
	if s.Spread.Gradient != nil {
		unit = s.Spread.Gradient[class]
	}
	if s.Spread.Pen == nil {
		_, d := feature.Closest(features[:g], s.Shapes[class])
		return float64(d) / unit
	}
	if picture(features) {
		_, d := feature.Closest(features[:g], s.Shapes[class])
		return 2 * float64(d) / unit
	}
	nearest := math.Inf(1)
	for _, x := range s.Inputs[class] {
		nearest = min(nearest, float64(feature.SquaredDistance(features[:g], x[:g]))/unit+
			float64(feature.SquaredDistance(features[g:], x[g:len(features)]))/s.Spread.Pen[class])
	}
	return nearest
}

// picture tells whether the features of a network that sees the pen are without one.
func picture(features []float32) bool { return slices.Max(features[feature.GradientSize:]) == 0 }

// OutOfDistribution is the score in units of the limit: above 1 the drawing is unknown.
func (s *Set) OutOfDistribution(features, logits []float32) float64 {
	limit := s.Limit
	if s.PictureLimit > 0 && picture(features) {
		limit = s.PictureLimit
	}
	return s.Score(features, logits) / limit
}

// Classes is the number of classes of the model that the set was made for; 0 where nothing is kept of them.
func (s *Set) Classes() int { return len(s.Shapes) }

// Calibration is Temperature; 1 of nil, for a model that was not calibrated.
func (s *Set) Calibration() float64 {
	if s == nil {
		return 1
	}
	return s.Temperature
}

// doubtWeight weighs a probability against a distance in Score.
const doubtWeight = 2.0

// ShapesOf are the gradient features that inputs of the pen begin with.
func ShapesOf(inputs [][]float32) [][]float32 {
	shapes := make([][]float32, len(inputs))
	for i, x := range inputs {
		shapes[i] = x[:feature.GradientSize]
	}
	return shapes
}
