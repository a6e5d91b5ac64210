package ui

import (
	"strings"
	"testing"

	"inkshade/app/trainer"
	"inkshade/glcompute"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// A training on both devices says whether sharing won.
func TestSharedSaysWhatWon(t *testing.T) {
	for _, c := range []struct {
		asked            glcompute.DeviceKind
		did, why, within string
	}{
		{nn.MixedKind, "mixed", "", "together they were faster"},
		{nn.MixedKind, "cpu", "", "because one alone was faster: CPU."},
		{nn.MixedKind, "compute", "", "because one alone was faster: GPU, compute shaders."},
		{nn.MixedKind, "cpu", "no OpenGL here", ""}, // standIn says that
		{glcompute.CPU, "cpu", "", ""},
		{glcompute.Auto, "compute", "", ""},
	} {
		e := trainer.Entry{Options: trainer.Options{Device: c.asked}, Report: trainer.Report{Result: personal.Result{Device: c.did}, Fallback: c.why}}
		if got := shared(&e); !strings.Contains(got, c.within) || (got == "") != (c.within == "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// A model that was put in use is not in use any more when it was taken back, and also when a
// later one has followed it.
func TestDecisionOfAFormerModelFitsBothEnds(t *testing.T) {
	e := trainer.Entry{Report: trainer.Report{Result: personal.Result{Keep: true, Reason: personal.Better}}}
	if got := decision(&e); !strings.Contains(got, "another model is in use now") {
		t.Errorf("%q", got)
	}
}

// Whoever reads the history must see why a model was not put in use.
func TestDecisionSaysWhy(t *testing.T) {
	told := map[string]personal.Reason{}
	for _, reason := range []personal.Reason{personal.Worse, personal.WorseAlone, personal.Forgets, "of an older version"} {
		e := trainer.Entry{Report: trainer.Report{Result: personal.Result{Reason: reason}}}
		words := decision(&e)
		if other, ok := told[words]; ok {
			t.Errorf("%s and %s: both %q", reason, other, words)
		}
		told[words] = reason
		e.InForce = true
		if got := decision(&e); got == words {
			t.Errorf("%s, put in use by the person: %q", reason, got)
		}
	}
}
