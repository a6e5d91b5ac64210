package recognizer

import (
	"inkshade/recognizer/feature"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
)

// temperature divides the logits so that probabilities are calibrated; 1 for a model that
// was not.
func (r *Recognizer) temperature() float64 {
	if r.seen == nil {
		return 1
	}
	return r.seen.Temperature
}

// unknown tells whether the drawing is like nothing the model has seen (prototype.Novelty).
// A model that keeps no prototypes knows everything.
func (r *Recognizer) unknown(image ink.Image, row, logits []float32) bool {
	if r.seen == nil {
		return false
	}
	features := row
	if r.features.Name == nn.MNIST28 {
		features = make([]float32, feature.GradientSize)
		feature.Gradient(features, image.Pix)
	}
	return r.seen.Unknown(features, logits)
}
