package recognizer

import "inkshade/recognizer/ink"

// temperature divides the logits so that probabilities are calibrated; 1 for a model that
// was not.
func (r *Recognizer) temperature() float64 {
	if r.seen == nil {
		return 1
	}
	return r.seen.Temperature
}

// novelty is how far the drawing is from what the model has seen (prototype.Beyond). A model that keeps no prototypes knows everything.
func (r *Recognizer) novelty(image ink.Image, row, logits []float32) float64 {
	if r.seen == nil {
		return 0
	}
	return r.seen.Beyond(r.features.Compared(row, image.Pix), logits)
}
