package train

import (
	"fmt"
	"strings"
	"testing"

	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/models"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/nn"
	"inkshade/recognizer/samples"
)

// Lines teach what reads words: it is trained, put in use, taken back and found again beside the model in use, which stays.
func TestLinesAreLearned(t *testing.T) {
	dir := t.TempDir()
	s, e := openTrain(t, dir, &learner{keep: true})
	p := s.train
	s.train.which.Change(1)
	s.Until("nothing to learn", func() bool { return p.known && p.state.Samples == 0 && p.head.title.Text == headTitle(p) })
	for i := range 30 {
		x := samples.Sample{Label: fmt.Sprint("word ", i), Context: true, Ink: ink.Ink{{{X: 0, Y: 0}, {X: float64(100 + i), Y: 9}}}}
		if err := s.Book.Keep(&x).Do(); err != nil {
			t.Fatal(err)
		}
	}
	s.Changed()
	s.Until("lines to learn", func() bool { return p.state.New == 30 && p.head.title.Text == headTitle(p) })
	words := func() *nn.Model { e.Mu.Lock(); defer e.Mu.Unlock(); return e.Words }
	p.head.learn.OnTapped()
	if len(p.course.content.Objects) != 1 {
		t.Error("a curve is shown that lines have not")
	}
	s.Until("learned", func() bool { return p.running == nil && p.state.Active != 0 && words() != nil })
	if got := p.report.verdict.Text; got != verdict(p.entry(p.shown).Report, true) {
		t.Errorf("verdict: %q", got)
	}
	if p.report.scroll.Visible() || p.state.New != 0 || p.state.HeldOut != 6 || p.head.title.Text != headTitle(p) ||
		!strings.HasPrefix(p.head.words.Text, language.About(models.Words, lineCount(30))) {
		t.Errorf("%d are new, %d held out, head: %q, %q", p.state.New, p.state.HeldOut, p.head.title.Text, p.head.words.Text)
	}
	s.Undo()
	s.Until("taken back", func() bool { return p.state.Active == 0 && words() == nil })
	s.Redo()
	s.Until("in use again", func() bool { return p.state.Active != 0 && words() != nil })
	if got := e.uses(); got != "" {
		t.Errorf("the model in use changed: %q", got)
	}
	// Characters have learned nothing.
	p.which.Change(0)
	s.Until("characters", func() bool { return p.known && len(p.entries) == 1 })
	if p.state.Samples != 0 || p.state.Active != 0 {
		t.Errorf("of characters: %+v", p.state)
	}
	// At the next start it reads words.
	s.Close()
	_, next := openTrain(t, dir, &learner{})
	s.Until("found again", func() bool { next.Mu.Lock(); defer next.Mu.Unlock(); return next.Words != nil })
}

// At first the page shows what the paper is for, or the only thing that there is enough of; then what was chosen.
func TestThePageBeginsWithWhatCanBeLearned(t *testing.T) {
	s, _ := openTrain(t, t.TempDir(), &learner{})
	p := s.train
	for i := range 14 {
		x := samples.Sample{Label: fmt.Sprint("word ", i), Context: true, Ink: ink.Ink{{{X: 0, Y: 0}, {X: float64(100 + i), Y: 9}}}}
		if err := s.Book.Keep(&x).Do(); err != nil {
			t.Fatal(err)
		}
	}
	s.Changed()
	s.Until("lines, of which alone there are enough", func() bool { return p.lines() && p.state.Samples == 14 })
	p.which.Change(0)
	s.Changed()
	s.Until("characters, as was chosen", func() bool { return !p.lines() && p.known })
	for _, lines := range []bool{true, false} {
		empty, _ := openTrain(t, t.TempDir(), &learner{})
		setting.LineMode.Set(empty.App.Preferences(), lines)
		empty.train.opened()
		empty.Until("what the paper is for", func() bool { return empty.train.known && empty.train.lines() == lines })
	}
}

// The menu's command learns what is written on Draw.
func TestLearningFollowsThePaper(t *testing.T) {
	s, _ := openTrain(t, t.TempDir(), &learner{})
	draw := s.Pages[1]
	draw.Key = "draw"
	for _, lines := range []bool{true, false} {
		setting.LineMode.Set(s.App.Preferences(), lines)
		s.Open("draw")
		if s.train.openAndStart(); s.train.lines() != lines {
			t.Errorf("on the paper for lines %v: lines are learned %v", lines, s.train.lines())
		}
	}
	s.train.turnTo(true)
	if s.train.openAndStart(); !s.train.lines() {
		t.Error("what is learned changed, though another page is in front")
	}
}
