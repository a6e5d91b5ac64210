package device

import (
	"inkshade/models"
	"inkshade/recognizer"
	"inkshade/recognizer/ink"
)

const (
	wide    = 1.5 // times its height: wider than nearly all single characters (docs/models.md)
	nearest = 2   // the OutOfDistribution up to which ink that is no letter is taken for a Chinese character
)

// Suggest names the shipped model of single characters that knows a drawing, maybe traced in a picture, which the one in use
// does not; empty for none. characters is how many it was cut into. It is asked from one goroutine.
func (e *Engine) Suggest(k ink.Ink, traced bool, characters int) string {
	left, top, right, bottom, _ := k.Bounds()
	broad := right-left > wide*(bottom-top)
	if broad && characters > 1 {
		return ""
	}
	letters := models.Named("characters")
	a, ok := e.ask(letters, k, traced)
	switch {
	case ok && !a.Unknown:
		if e.offers(a) {
			return letters
		}
	case ok && !broad:
		chinese := models.Named("chinese")
		if a, ok := e.ask(chinese, k, traced); ok && a.OutOfDistribution <= nearest && e.offers(a) {
			return chinese
		}
	}
	return ""
}

// offers tells whether an answer of another model is allowed, and one that the model in use cannot give.
func (e *Engine) offers(a recognizer.Answer) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	best := a.Candidates[0].Label
	return (e.allowed == nil || e.allowed(best)) && e.model != nil && e.model.Class(best) < 0
}

// ask has another model answer, on the processor.
func (e *Engine) ask(name string, k ink.Ink, traced bool) (recognizer.Answer, bool) {
	rec := e.others[name]
	if rec == nil {
		var err error
		if rec, err = e.onCPU(name, nil); err != nil {
			return recognizer.Answer{}, false
		}
		e.others[name] = rec
	}
	recognize := rec.Recognize
	if traced {
		recognize = rec.RecognizeTraced
	}
	a, err := recognize(k)
	return a, err == nil
}
