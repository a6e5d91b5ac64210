package ui

import (
	"strings"
	"testing"
	"time"

	"inkshade/app/trainer"
	"inkshade/glcompute"
	"inkshade/glcompute/program"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/personal"
)

// A training on both devices says whether sharing won.
func TestSharedSaysWhatWon(t *testing.T) {
	devices := []program.Info{{Kind: glcompute.CPU}, {Kind: glcompute.Compute}}
	const ms = time.Millisecond
	won := nn.Sharing{Devices: devices, Rows: []int{60, 40}, Alone: []time.Duration{13 * ms, 20 * ms}, Together: 10 * ms}
	slower := nn.Sharing{Devices: devices, Rows: []int{100, 0}, Alone: []time.Duration{13 * ms, 20 * ms}, Together: 15 * ms}
	alone := nn.Sharing{Devices: devices, Rows: []int{0, 100}, Alone: []time.Duration{13 * ms, ms / 100}}
	lost := nn.Sharing{Devices: devices, Rows: []int{100, 0}, Alone: won.Alone, Together: won.Together, Lost: "llvmpipe: the OpenGL context was lost"}
	for _, c := range []struct {
		asked            glcompute.DeviceKind
		did, why, within string
		sharing          nn.Sharing
	}{
		{nn.MixedKind, "mixed", "", "shared every step, 60 % CPU, 40 % GPU: 1.3 times as fast as the faster of them alone.", won},
		{nn.MixedKind, "mixed", "", "together they were faster", nn.Sharing{}},
		{nn.MixedKind, "cpu", "", "because one alone was faster: CPU, 13.0 ms a step against 15.0 ms together.", slower},
		{nn.MixedKind, "compute", "", "because one alone was faster: GPU, compute shaders.", alone},
		{nn.MixedKind, "cpu", "", "The GPU failed, and the CPU went on alone: llvmpipe: the OpenGL context was lost", lost},
		{nn.MixedKind, "cpu", "", "because one alone was faster: CPU.", nn.Sharing{}},
		{nn.MixedKind, "cpu", "no OpenGL here", "", nn.Sharing{}}, // standIn says that
		{glcompute.CPU, "cpu", "", "", nn.Sharing{}},
		{glcompute.Auto, "compute", "", "", nn.Sharing{}},
	} {
		e := trainer.Entry{Options: trainer.Options{Device: c.asked}, Report: trainer.Report{
			Result: personal.Result{Device: c.did, Sharing: c.sharing}, Fallback: c.why,
		}}
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
