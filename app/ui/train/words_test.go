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
	now, never := e, e
	now.Active, never.Report.Keep = true, false
	if got := decision(&e); got == decision(&now) || got == decision(&never) {
		t.Errorf("%q, as of one that is in use or never was", got)
	}
}

// A model that is no better is put in use where it knows more, and that is said.
func TestDecisionSaysWhatIsNew(t *testing.T) {
	e := state.Training{Active: true, Report: state.Report{Result: personal.Result{Keep: true, Reason: personal.AsGood}}}
	better := e
	better.Report.Reason = personal.Better
	if got := decision(&e); got == decision(&better) {
		t.Errorf("%q, as of one that is better", got)
	}
	if got := language.Few(strings.Split("ABCDEFGHIJKLMN", "")); !strings.HasPrefix(got, "A B C D E F G H I J K L ") || !strings.Contains(got, "2") || strings.Contains(got, "N") {
		t.Errorf("%q", got)
	}
}

// A slow training says how long a step takes.
func TestSlowStepsAreTimed(t *testing.T) {
	for rate, want := range map[float64]string{42: "42 ", 2: "2 ", 1.25: "0.8 s ", 0.4: "2.5 s "} {
		g := personal.Progress{Stage: personal.Learning, Step: 3, Steps: 9}
		step := progressWords(g)
		g.StepsPerSecond = rate
		if got := progressWords(g); !strings.HasPrefix(got, step+" · "+want) {
			t.Errorf("%v a second: %q", rate, got)
		}
	}
}

// Few characters say as little as few drawings.
func TestFewCharactersSayLittle(t *testing.T) {
	words := func(n int, lines bool) string {
		return verdict(state.Report{Result: personal.Result{HeldOut: personal.Comparison{Samples: n, Before: 2, After: 2}}}, lines)
	}
	few, ok := strings.CutPrefix(words(7, true), strings.Replace(words(70, true), "70", "7", 1))
	if !ok || few == "" || strings.HasSuffix(words(0, true), few) || strings.HasSuffix(words(7, false), few) {
		t.Errorf("of 7 characters: %q, of 70: %q, of none: %q, of 7 drawings: %q", words(7, true), words(70, true), words(0, true), words(7, false))
	}
	r := state.Report{Learned: 12, Result: personal.Result{HeldOut: personal.Comparison{Samples: 7, Before: 2, After: 1}}}
	if got := learnedWords(r, true); !strings.Contains(got, "7") || strings.Contains(got, "12") || got == learnedWords(r, false) {
		t.Errorf("%q", got)
	}
	if r.HeldOut.Samples = 0; !strings.Contains(learnedWords(r, true), lineCount(12)) {
		t.Errorf("%q", learnedWords(r, true))
	}
}

// What is left out of a training is said.
func TestDrawingsCutOutOfTextAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{})
	before := s.train.head.words.Text
	s.train.state.Cut = 7
	if got, ok := strings.CutPrefix(headWords(s.train), before); !ok || !strings.Contains(got, "7") {
		t.Errorf("without any %q, with 7 %q", before, headWords(s.train))
	}
}

// What is new to the model is said of the one that was put in use, not of the one before.
func TestNewLabelsAreThoseOfTheModelInUse(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	// new is what is said of new labels: what is missing where there are none.
	new := func() string {
		words, unknown := s.train.head.words.Text, s.train.state.Unknown
		defer func() { s.train.state.Unknown = unknown }()
		s.train.state.Unknown = nil
		return strings.TrimPrefix(words, headWords(s.train))
	}
	if got := new(); got != "" {
		t.Errorf("before, %q", got)
	}
	s.trained() // the new model knows 1 and 2
	s.Until("what it does not know", func() bool { return strings.HasSuffix(new(), " 3.") })
}

// What the page says of what there is to learn from is another thing in each case.
func TestEachCaseHasATitleOfItsOwn(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{})
	told := map[string]state.Readiness{}
	for _, r := range []state.Readiness{{}, {Samples: 3, New: 3}, {Samples: 30}, {Samples: 30, New: 30}, {Samples: 30, New: 30, Active: 1}} {
		s.train.state = r
		title := headTitle(s.train)
		if other, ok := told[title]; ok || strings.Contains(title, " 0 ") || strings.HasPrefix(title, "0 ") {
			t.Errorf("of %+v: %q, as of %+v", r, title, other)
		}
		told[title] = r
	}
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
