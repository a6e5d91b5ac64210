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

// unknown tells whether the drawing is like nothing the model has seen (prototype.Novelty).
// A model that keeps no prototypes knows everything.
func (r *Recognizer) unknown(image ink.Image, row, logits []float32) bool {
	if r.seen == nil {
		return false
	}
	return r.seen.Unknown(r.features.Compared(row, image.Pix), logits)
}
