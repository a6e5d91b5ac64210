package train

import (
	"strings"
	"testing"
	"time"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/pagetest"
	"inkshade/glcompute"
	"inkshade/glcompute/message"
	"inkshade/recognizer/personal"
)

// A training on both devices says whether sharing won.
func TestSharedSaysWhatWon(t *testing.T) {
	devices := []glcompute.Info{{Kind: glcompute.CPU}, {Kind: glcompute.Compute}}
	const ms = time.Millisecond
	choice := func(cpu, gpu float64, alone time.Duration, together time.Duration, lost string) *glcompute.Choice {
		return &glcompute.Choice{
			Devices: devices, Shares: []float64{cpu, gpu}, Decided: true, Alone: []time.Duration{13 * ms, alone}, Together: together, Lost: message.Text("%s", lost),
		}
	}
	won, slower, alone := choice(0.6, 0.4, 20*ms, 10*ms, ""), choice(1, 0, 20*ms, 15*ms, ""), choice(0, 1, ms/100, 0, "")
	lost := choice(1, 0, 20*ms, 10*ms, "llvmpipe: the OpenGL context was lost")
	undecided := choice(1, 0, 20*ms, 0, "")
	undecided.Decided = false
	for _, c := range []struct {
		asked            glcompute.DeviceKind
		did, why, within string
		choice           *glcompute.Choice
	}{
		{glcompute.Mixed, "mixed", "", "shared every step, 60 % CPU, 40 % GPU: 1.3 times as fast as the faster of them alone.", won},
		{glcompute.Mixed, "mixed", "", "together they were faster", nil},
		{glcompute.Mixed, "cpu", "", "so they are not combined: CPU, 13.0\u00a0ms a step against 15.0\u00a0ms together.", slower},
		{glcompute.Mixed, "compute", "", "so they are not combined: GPU, compute shaders.", alone},
		{glcompute.Mixed, "cpu", "", "The GPU failed, and the CPU went on alone: llvmpipe: the OpenGL context was lost", lost},
		{glcompute.Mixed, "cpu", "", "so they are not combined: CPU.", nil},
		{glcompute.Mixed, "cpu", "", "", undecided},
		{glcompute.Mixed, "cpu", "no OpenGL here", "", nil}, // standIn says that
		{glcompute.CPU, "cpu", "", "", nil},
		{glcompute.Auto, "compute", "", "", slower},
	} {
		e := state.Training{Options: state.Options{Device: c.asked}, Report: state.Report{
			Result: personal.Result{Device: c.did, Choice: c.choice}, Fallback: message.Text("%s", c.why),
		}}
		if got := shared(&e); !strings.Contains(got, c.within) || (got == "") != (c.within == "") {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// A model that was put in use is not in use any more when it was taken back, and also when a
// later one has followed it.
func TestDecisionOfAFormerModelFitsBothEnds(t *testing.T) {
	e := state.Training{Report: state.Report{Result: personal.Result{Keep: true, Reason: personal.Better}}}
	if got := decision(&e); !strings.Contains(got, "another model is in use now") {
		t.Errorf("%q", got)
	}
}

// A model that is no better is put in use where it knows more, and that is said.
func TestDecisionSaysWhatIsNew(t *testing.T) {
	e := state.Training{Active: true, Report: state.Report{Result: personal.Result{Keep: true, Reason: personal.AsGood}}}
	if got := decision(&e); !strings.Contains(got, "knows more") {
		t.Errorf("%q", got)
	}
	if got := language.Few(strings.Split("ABCDEFGHIJKLMN", "")); got != "A B C D E F G H I J K L and 2 more" {
		t.Errorf("%q", got)
	}
}

// A slow training says how long a step takes.
func TestSlowStepsAreTimed(t *testing.T) {
	for rate, want := range map[float64]string{42: "42 steps a second", 2: "2 steps a second", 1.25: "0.8 s a step", 0.4: "2.5 s a step"} {
		g := personal.Progress{Stage: personal.Learning, Step: 3, Steps: 9, StepsPerSecond: rate}
		if got := progressWords(g); got != "Step 3 of 9 · "+want {
			t.Errorf("%v a second: %q", rate, got)
		}
	}
}

// Few characters say as little as few drawings.
func TestFewCharactersSayLittle(t *testing.T) {
	for n, want := range map[int]bool{0: false, 7: true, 70: false} {
		r := state.Report{Result: personal.Result{HeldOut: personal.Comparison{Samples: n, Before: 2, After: 2}}}
		if got := verdict(r, true); strings.Contains(got, "So few characters say little") != want {
			t.Errorf("of %d characters: %q", n, got)
		}
	}
	r := state.Report{Learned: 12, Result: personal.Result{HeldOut: personal.Comparison{Samples: 7, Before: 2, After: 1}}}
	if got := learnedWords(r, true); got != "of 7 characters kept: 2 wrong before, 1 after" {
		t.Errorf("%q", got)
	}
	if r.HeldOut.Samples = 0; learnedWords(r, true) != "12 lines learned, not measured" {
		t.Errorf("%q", learnedWords(r, true))
	}
}

// What is left out of a training is said.
func TestDrawingsCutOutOfTextAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{})
	if got := s.train.head.words.Text; strings.Contains(got, "running text") {
		t.Errorf("without any: %q", got)
	}
	s.train.state.Cut = 7
	if got := headWords(s.train); !strings.Contains(got, "7 more were cut out of running text") {
		t.Errorf("%q", got)
	}
}

// What is new to the model is said of the one that was put in use, not of the one before.
func TestNewLabelsAreThoseOfTheModelInUse(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	if got := s.train.head.words.Text; strings.Contains(got, "New to the model") {
		t.Errorf("before, %q", got)
	}
	s.trained() // the new model knows 1 and 2
	s.Until("what it does not know", func() bool { return strings.HasSuffix(s.train.head.words.Text, "New to the model: 3.") })
}

// Whoever reads the history must see why a model was not put in use.
func TestDecisionSaysWhy(t *testing.T) {
	told := map[string]personal.Reason{}
	for _, reason := range []personal.Reason{personal.Worse, personal.WorseAlone, personal.Forgets, "of an older version"} {
		e := state.Training{Report: state.Report{Result: personal.Result{Reason: reason}}}
		words := decision(&e)
		if other, ok := told[words]; ok {
			t.Errorf("%s and %s: both %q", reason, other, words)
		}
		told[words] = reason
		e.Active = true
		if got := decision(&e); got == words {
			t.Errorf("%s, put in use by the person: %q", reason, got)
		}
	}
}
