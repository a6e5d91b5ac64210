// Package prototype keeps what is left with a model of the samples it was trained with:
// means of clusters of each class. They tell a drawing that is like nothing the model knows,
// and they are what personal training rehearses, so that no training data is shipped. The
// temperature that calibrates the model's probabilities is kept with them.
package prototype

import (
	"math"

	"inkshade/recognizer/feature"
	"inkshade/recognizer/nn"
)

// Set is what a model keeps.
type Set struct {
	// Temperature divides the logits, so that of the answers given with probability p about
	// a share of p is right (Guo et al., "On calibration of modern neural networks", 2017).
	Temperature float64
	// Limit is the novelty beyond which a drawing is unknown.
	Limit float64
	// Shapes are gradient features (feature.GradientSize values) by class: the means of
	// clusters of the class's images.
	Shapes [][][]float32
	// Inputs are inputs of the network by class: the means of clusters of the class's
	// training samples.
	Inputs [][][]float32
}

// Novelty tells how far a drawing is from anything the model has seen:
//
//	novelty = d² + surprise·(-ln p)
//
// with the squared distance d² from its gradient features to the nearest shape of the
// class that the network answers, and the calibrated probability p of that class. The
// distance to another class does not count: a drawing that looks like a 3 and is taken
// for an 8 is no known 8. logits are the network's, before any restriction of classes;
// classes beyond those of the set have no shapes and are never novel, because whoever
// added them knows them.
func (s *Set) Novelty(gradient, logits []float32) float64 {
	class, p := s.answer(logits)
	if class >= len(s.Shapes) || len(s.Shapes[class]) == 0 {
		return 0
	}
	_, d := closest(gradient[:feature.GradientSize], s.Shapes[class])
	return float64(d) - surprise*math.Log(max(p, 1e-9))
}

// Unknown tells whether the novelty is beyond the limit.
func (s *Set) Unknown(gradient, logits []float32) bool {
	return s.Novelty(gradient, logits) > s.Limit
}

// surprise weighs a probability against a distance in Novelty.
const surprise = 2.0

// answer gives the best class and its calibrated probability.
func (s *Set) answer(logits []float32) (class int, p float64) {
	for i, v := range logits {
		if v > logits[class] {
			class = i
		}
	}
	sum := 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v-logits[class]) / s.Temperature)
	}
	return class, 1 / sum
}

// Of reads the set that a model keeps; nil when it keeps none.
func Of(m *nn.Model) (*Set, error) { return decode(m) }
