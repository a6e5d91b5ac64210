package ui

import (
	"testing"

	"inkshade/app/trainer"
	"inkshade/recognizer/personal"
)

// Whoever reads the history must see why a model was not put in use.
func TestDecisionSaysWhy(t *testing.T) {
	said := map[string]personal.Reason{}
	for _, reason := range []personal.Reason{personal.Worse, personal.WorseAlone, personal.Forgets, "of an older version"} {
		e := trainer.Entry{Report: trainer.Report{Result: personal.Result{Reason: reason}}}
		words := decision(&e)
		if other, ok := said[words]; ok {
			t.Errorf("%s and %s: both %q", reason, other, words)
		}
		said[words] = reason
		e.InForce = true
		if got := decision(&e); got == words {
			t.Errorf("%s, put in use by the person: %q", reason, got)
		}
	}
}
