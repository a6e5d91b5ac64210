package train

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inkshade/app/state"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/pagetest"
	"inkshade/app/ui/uitest"
	"inkshade/app/ui/widget"
	"inkshade/glcompute"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/personal"
	"inkshade/recognizer/samples"
)

// share is how far a bar is filled.
func share(b *widget.Bar) float64 {
	if len(b.Spans) == 0 {
		return 0
	}
	return b.Spans[0].To
}

func TestTrainSaysWhatIsMissing(t *testing.T) {
	for count, want := range map[int]string{0: "There is nothing to learn from yet", 3: "2 more drawings are needed", 4: "1 more drawing is needed"} {
		dir := t.TempDir()
		pagetest.Drawn(t, dir, count)
		s, _ := openTrain(t, dir, &learner{})
		if got := s.train.head.title.Text; got != want {
			t.Errorf("%d samples: %q, want %q", count, got, want)
		}
		if !s.train.head.learn.Disabled() {
			t.Errorf("%d samples: the button is not disabled", count)
		}
		if s.train.start(); s.train.running != nil {
			t.Errorf("%d samples: a training began", count)
		}
		s.Close()
	}
}

func TestTrainingIsFollowedWhileTheWindowGoesOn(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	l := &learner{keep: true, pause: make(chan struct{})}
	s, e := openTrain(t, dir, l)
	p := s.train
	s.train.head.learn.OnTapped()
	s.Until("half of the steps are shown", func() bool { return len(p.course.right.Series[0].Points) >= 2 && share(p.head.meter) > 0 })
	if s.Command("cancel").Grey {
		t.Error("what runs cannot be cancelled")
	}
	_, rate, _ := strings.Cut(progressWords(personal.Progress{Stage: personal.Learning, Step: 1, Steps: 100, StepsPerSecond: 42, Remaining: 3 * time.Second}), " · ")
	if p.head.title.Text != language.ModelName("digits-mlp")+" · "+stageTitle(personal.Learning) || rate == "" || !strings.HasSuffix(p.head.words.Text, rate) {
		t.Errorf("head: %q, %q", p.head.title.Text, p.head.words.Text)
	}
	if !p.course.content.Visible() || p.idle.Visible() || p.report.content.Visible() {
		t.Error("the charts are not in front")
	}
	s.Open("empty")
	uitest.Stroke(s.Paper, uitest.Seven...)
	s.Answered("1")
	before := share(p.head.meter)
	p.running.Mu.Lock()
	p.running.ShownAt = time.Time{}
	p.running.Mu.Unlock()
	close(l.pause)
	s.Until("training has ended", func() bool { return p.running == nil && p.entry(p.shown) != nil && p.state.Active != 0 })
	if !s.Command("cancel").Grey {
		t.Error("what has ended can be cancelled")
	}
	if share(p.head.meter) != before {
		t.Error("the page was painted while it was not in front")
	}
	s.Open("train")
	if got := p.report.verdict.Text; got != verdict(p.entry(p.shown).Report, false) || !strings.Contains(got, "0.02") {
		t.Errorf("verdict: %q", got)
	}
	if words := p.head.words.Text; !strings.HasPrefix(words, language.About("digits-mlp", language.DrawingCount(30))) {
		t.Errorf("the page says %q", words)
	}
	if !p.report.content.Visible() || p.report.back.Hidden || !p.report.use.Hidden {
		t.Error("the report does not offer to take back what is in use")
	}
	s.Until("the engine has the new model", func() bool { return e.uses() == "learned" })
	if n := len(p.entries); n != 2 || !p.entries[0].Active {
		t.Errorf("history %+v", p.entries)
	}
}

// The key works from every page, with what was drawn since the Train page was last looked at.
func TestTheKeyLearnsWhatWasJustDrawn(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 3)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.Open("empty")
	for i := range 27 {
		k := ink.Ink{{{X: 0, Y: 0}, {X: float64(50 + i), Y: 40}, {X: 30, Y: 90}}}
		if err := s.Book.Keep(&samples.Sample{Label: string(rune('1' + i%3)), Ink: k}).Do(); err != nil {
			t.Fatal(err)
		}
	}
	s.Run(s.Command("learn"))
	s.Until("a model is in force", func() bool { return s.train.state.Active != 0 })
	if !s.train.content.Visible() {
		t.Error("the page did not come to the front")
	}
}

// With thousands of drawings preparing takes longer than learning: its share moves.
func TestPreparingShowsItsShare(t *testing.T) {
	s, _ := openTrain(t, t.TempDir(), &learner{})
	head := s.train.head
	head.follow(personal.Progress{Stage: personal.Preparing}, "Digits")
	if head.waiting == nil {
		t.Error("nothing moves before a share is known")
	}
	head.follow(personal.Progress{Stage: personal.Preparing, Prepared: 0.25}, "Digits")
	if head.waiting != nil || share(head.meter) != 0.25 || head.title.Text != "Digits · Preparing…" || head.words.Text != "25 % done" {
		t.Errorf("%q, %q, %g", head.title.Text, head.words.Text, share(head.meter))
	}
}

func TestTrainingIsTakenBackUsedAgainAndSurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, e := openTrain(t, dir, &learner{keep: true})
	s.trained()
	s.Until("in use", func() bool { return e.uses() == "learned" })
	id := s.train.shown
	s.train.takeBack()
	s.Until("the shipped model is in use", func() bool { return e.uses() == "learned," && s.train.state.Active == 0 })
	if s.train.report.use.Hidden || s.train.report.delete.Hidden || !s.train.report.back.Hidden {
		t.Error("the report of a model that is not in use must offer to use or delete it")
	}
	s.train.use(id)
	s.Until("in use again", func() bool { return e.uses() == "learned,,learned" && s.train.state.Active == id })
	s.Close()

	s, e = openTrain(t, dir, &learner{})
	s.Until("the model in force answers from the start", func() bool { return e.uses() == "learned" })
	if s.train.shown != id {
		t.Errorf("the report of model %d is open, not that of the one in use", s.train.shown)
	}
	s.Until("the drawings are there", func() bool { return len(s.train.report.drawings.items) == 2 })
	want := personal.Comparison{Samples: 6, Before: 4, After: 1}
	if got, r := s.train.report.verdict.Text, s.train.entry(id).Report; r.HeldOut != want || got != verdict(r, false) {
		t.Errorf("after a restart: %q of %+v", got, r.HeldOut)
	}
	if got := s.train.head.title.Text; s.train.state.New != 0 || got != headTitle(s.train) {
		t.Errorf("%d are new, title %q", s.train.state.New, got)
	}
}

// Version 0.1 answered by digits-mlp where nobody chose a model; what was trained from it still answers.
func TestWhatWasTrainedFromTheFormerUsualModelAnswers(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.trained()
	s.Close()
	for chosen, want := range map[string]string{"": "digits-mlp", "digits-cnn": "digits-cnn"} {
		s := open(t, &watchful{Engine: &uitest.Engine{Model: "digits-cnn"}})
		s.Keep(dir)
		s.Usual, s.Former, s.Collection.Chosen[page.ModelChoice] = "digits-cnn", "digits-mlp", chosen
		s.OpenBook(dir)
		looked := false
		s.Save(func() error { return nil }, func() { looked = true }, nil)
		s.Until("the samples were looked at", func() bool { return looked && s.Trained })
		s.Until(want, func() bool { return s.Status.Model == want })
		s.Close()
	}
}

func TestAModelThatIsNotBetterIsNotInUse(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, e := openTrain(t, dir, &learner{})
	s.trained()
	if s.train.state.Active != 0 || e.uses() != "" {
		t.Errorf("model %d is in force, the engine got %q", s.train.state.Active, e.uses())
	}
	id := s.train.shown
	s.train.remove(id)
	s.Until("deleted", func() bool { return s.train.entry(id) == nil })
	s.Open("empty")
	s.Undo()
	s.Says("Undone")
	s.Open("train")
	s.Until("there again", func() bool { return s.train.entry(id) != nil })
}

func TestATrainingThatEndsEarlyLeavesTheModelBefore(t *testing.T) {
	for name, l := range map[string]*learner{
		"cancelled": {pause: make(chan struct{})},
		"failed":    {fail: errors.New("the GPU was lost")},
	} {
		dir := t.TempDir()
		pagetest.Drawn(t, dir, 30)
		s, e := openTrain(t, dir, l)
		s.train.start()
		if l.pause != nil {
			s.Until("progress", func() bool { return share(s.train.head.meter) > 0 })
			s.train.cancel()
		}
		s.Until("training has ended", func() bool { return s.train.running == nil && s.train.failed != nil })
		words := s.train.head.words.Text
		if words == headWords(s.train) || l.fail != nil && !strings.Contains(words, l.fail.Error()) {
			t.Errorf("%s: %q", name, words)
		}
		if s.train.state.Active != 0 || e.uses() != "" || s.train.head.learn.Hidden {
			t.Errorf("%s: model %d, engine %q", name, s.train.state.Active, e.uses())
		}
		s.AnswerBy("characters-mlp")
		s.Until("another model", func() bool { return s.train.model == "characters-mlp" && s.train.known })
		if words := s.train.head.words.Text; words != headWords(s.train) {
			t.Errorf("%s: of another model it says %q", name, words)
		}
		s.Close()
	}
}

func TestClosingTheWindowEndsATraining(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{pause: make(chan struct{})})
	s.train.start()
	s.Until("progress", func() bool { return share(s.train.head.meter) > 0 })
	begin := time.Now()
	s.Close()
	if took := time.Since(begin); took > closing {
		t.Errorf("closing took %v", took)
	}
	book, err := state.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if _, id, err := book.ActiveModel("digits-mlp", nil); id != 0 || err != nil {
		t.Errorf("model %d is in force, %v", id, err)
	}
}

func TestCellsOpenTheirDrawings(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.trained()
	r := s.train.report
	s.Until("changes", func() bool { return len(r.drawings.items) == 2 })
	if first := r.drawings.items[0]; first.words != "2 › 1" {
		t.Errorf("what got worse comes first, but there is %q", first.words)
	}
	shows := func(title string, n int) {
		t.Helper()
		s.Until(title, func() bool { return r.drawings.title.Text == title && len(r.drawings.items) == n })
	}
	g := r.matrix.geometry()
	e := uitest.Mouse(g.x+g.cell/2, g.y+g.cell*1.5, desktop.MouseButtonPrimary)
	r.matrix.MouseDown(e)
	shows("You meant 2, it answered 1: 1 drawing", 1)
	r.matrix.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	shows("2, answered right: 1 drawing", 1)
	r.matrix.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
	shows("You meant 1, it answered 2: 0 drawings", 0)
	r.choice.TypedKey(&fyne.KeyEvent{Name: fyne.KeyLeft}) // the answers before
	shows("Answers that changed, before › after", 2)
	r.matrix.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	r.matrix.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	shows("You meant 1, it answered 2: 4 drawings", 4)
	r.drawings.back.OnTapped()
	shows("Answers that changed, before › after", 2)
}

// What came of a training is gone through by keys alone: by Tab downward, and within the matrix and the history by arrows.
func TestKeysGoThroughWhatCameOfATraining(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.trained()
	p, c := s.train, s.Win.Canvas()
	s.Until("what changed", func() bool { return len(p.report.drawings.items) > 0 })
	s.Win.Resize(widget.Smallest)
	s.Toast.Close()
	pagetest.TabGoesDown(t, c, "report")
	p.settings.toggle()
	pagetest.TabGoesDown(t, c, "settings")

	labels := strings.Split("abcdefghijklmnopqrstuvwxyz", "")
	p.report.matrix.show(personal.Confusion{}, labels, 0)
	widget.Rearrange(p.report.content)
	c.Focus(p.report.matrix)
	for range labels {
		p.report.matrix.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	}
	if room := p.report.scroll; p.report.matrix.Size().Height <= room.Size().Height || room.Offset.Y+room.Size().Height < p.report.matrix.Size().Height-20 {
		t.Errorf("the last row is chosen, and %v of %v are seen from %v", room.Size(), p.report.matrix.Size(), room.Offset)
	}
	c.Focus(p.history)
	p.history.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if p.shown != 0 {
		t.Errorf("the key down opens entry %d, not what ships", p.shown)
	}
}

func TestManyClassesShowThoseWithMistakes(t *testing.T) {
	var c personal.Confusion
	for i := range 30 {
		l := string(rune('A' + i))
		c.Labels = append(c.Labels, l)
		c.Cells = append(c.Cells, personal.Cell{Want: l, Got: l, Samples: []int64{int64(i)}})
	}
	c.Cells = append(c.Cells, personal.Cell{Want: "D", Got: "B", Samples: []int64{99}})
	shown, left := matrixLabels(personal.Confusion{}, c)
	if !slices.Equal(shown, []string{"B", "D"}) || left != 28 {
		t.Errorf("shown %v, left %d", shown, left)
	}
	c.Cells = c.Cells[:30]
	if shown, left := matrixLabels(c, c); len(shown) != 30 || left != 0 {
		t.Errorf("without a mistake: shown %v, left %d", shown, left)
	}
	var all personal.Confusion
	for i := range 4000 {
		all.Labels = append(all.Labels, fmt.Sprint(i))
		all.Cells = append(all.Cells, personal.Cell{Want: fmt.Sprint(i), Got: fmt.Sprint((i + 1) % 4000), Samples: []int64{int64(i)}})
	}
	if shown, left := matrixLabels(personal.Confusion{}, all); len(shown) != mostClasses || left != 4000-mostClasses {
		t.Errorf("of thousands of classes %d are shown and %d left out", len(shown), left)
	}
}

func TestSettingsGoIntoTheTrainingAndBack(t *testing.T) {
	s := open(t, &watchful{Engine: &uitest.Engine{}})
	v := s.train.settings
	if v.options() != state.DefaultOptions() {
		t.Errorf("at first: %+v", v.options())
	}
	v.device.SetSelectedIndex(2)
	for _, c := range v.scales {
		c.slider.SetValue(2)
	}
	v.seed.SetText("77")
	o, normal := v.options(), state.DefaultOptions()
	if o.Device != glcompute.Fragment || o.Steps != 2*normal.Steps || o.Rate != 2*normal.Rate || o.Anchor != 2*normal.Anchor ||
		o.Copies != 2*normal.Copies || o.Distortion.Rotate != 2*normal.Distortion.Rotate || o.Seed != 77 {
		t.Errorf("changed: %+v", o)
	}
	for _, c := range v.scales {
		c.slider.SetValue(-scaleReach)
	}
	if got := v.options(); got.Anchor != 0 || got.Distortion.Rotate != 0 || got.Steps == 0 || got.Copies == 0 {
		t.Errorf("all the way to the left: %+v", got)
	}
	v.toDefaults()
	if v.options() != state.DefaultOptions() {
		t.Errorf("reset: %+v", v.options())
	}
}

func TestTrainIsNotClippedAtAnySize(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.trained()
	s.train.settings.toggle()
	for _, size := range uitest.Sizes {
		s.Win.Resize(size)
		page := s.train.content.Size()
		inside := func(what string, o fyne.CanvasObject, within fyne.Size) {
			t.Helper()
			p, b := o.Position(), o.Size()
			if p.X < 0 || p.Y < 0 || p.X+b.Width > within.Width+0.5 || p.Y+b.Height > within.Height+0.5 {
				t.Errorf("%v: %s at %v of size %v leaves %v", size, what, p, b, within)
			}
		}
		for i, c := range s.train.cards {
			inside(fmt.Sprint("card ", i), c, page)
		}
		for i, o := range s.train.report.content.Objects {
			if o.Visible() {
				inside(fmt.Sprintf("part %d of the report, %T", i, o), o, s.train.report.content.Size())
			}
		}
		if m := s.train.report.matrix; s.train.report.scroll.Size().Height < m.MinSize().Height-0.5 {
			t.Errorf("%v: the matrix of three classes must be scrolled", size)
		}
		for i, o := range s.train.head.content.Objects {
			inside(fmt.Sprintf("part %d of the head", i), o, s.train.head.content.Size())
		}
		for _, row := range s.train.settings.form.Objects {
			if name := row.(*fyne.Container).Objects[0].(*widget.Label); name.Width(name.Text) > name.Size().Width {
				t.Errorf("%v: the setting %s is cut", size, name.Text)
			}
		}
	}
}

// In the smallest window no setting hides its name, in no language.
func TestSettingsAreNamedWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	look := widget.NewTheme(widget.Light)
	test.NewTempApp(t).Settings().SetTheme(look)
	for _, l := range language.All {
		language.Use(l.Code)
		form := newSettings(look, func() {}).form
		form.Resize(fyne.NewSize(260, form.MinSize().Height))
		for _, row := range form.Objects {
			parts := row.(*fyne.Container).Objects
			if name, control := parts[0].(*widget.Label), parts[2]; name.Width(name.Text) > control.Position().X {
				t.Errorf("%s: %s is %v wide, with %v before the setting", l.Name, name.Text, name.Width(name.Text), control.Position().X)
			}
		}
	}
}

// In the smallest window nothing is cut of what says how to begin, in no language.
func TestHowToBeginIsSaidWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	for _, l := range language.All {
		s, _ := openTrain(t, t.TempDir(), &learner{})
		language.Use(l.Code)
		s.App.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		s.Win.Resize(uitest.Sizes[0])
		s.Until("known", func() bool { return s.train.known })
		h := s.train.head
		for _, lines := range []int{0, 1} {
			for s.train.state.Samples = range 3 {
				s.train.which.Selected = lines
				h.words.Set(headWords(s.train))
				if !h.words.Whole(h.words.Size().Width) {
					t.Errorf("%s: of %q is shown %q", l.Name, h.words.Text, h.words.Wrap(h.words.Size().Width))
				}
			}
		}
		s.Close()
	}
}

// Nor of what came of a training.
func TestWhatCameOfATrainingIsSaidWhole(t *testing.T) {
	t.Cleanup(func() { language.Use("en") })
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.trained()
	s.train.settings.toggle()
	s.Win.Resize(uitest.Sizes[0])
	e := *s.train.entry(s.train.shown)
	e.Report.Replay.After, e.Report.Network = 69, personal.Comparison{Samples: 6, Before: 4, After: 1}
	for _, l := range language.All {
		language.Use(l.Code)
		s.App.Settings().SetTheme(widget.NewTheme(widget.Light)) // with its fonts
		r := s.train.report
		r.back.Rename(nil, language.Tr("Go back to the previous model"))
		r.use.Rename(nil, language.Tr("Use this model"))
		r.delete.Rename(nil, language.Tr("Delete"))
		for _, e.Active = range []bool{true, false} {
			for _, e.Report.Reason = range []personal.Reason{personal.AsGood, personal.Worse, personal.WorseAlone, personal.Forgets} {
				for _, e.Report.Keep = range []bool{true, false} {
					r.show(&e)
					for _, words := range []*widget.Label{r.verdict, r.decision} {
						if !words.Whole(words.Size().Width) {
							t.Errorf("%s: of %q is shown %q", l.Name, words.Text, words.Wrap(words.Size().Width))
						}
					}
				}
			}
		}
		s.train.state.Samples, s.train.state.Unknown, s.train.state.Cut = 34, []string{"α", "β", "γ", "δ"}, 0
		h := s.train.head
		h.words.Set(headWords(s.train))
		if !h.words.Whole(h.words.Size().Width) {
			t.Errorf("%s: of %q is shown %q", l.Name, h.words.Text, h.words.Wrap(h.words.Size().Width))
		}
	}
}

// What a training must not run beside asks whether it is finished or cancelled first.
func TestATrainingIsAskedAboutBeforeTheModelChanges(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	l := &learner{keep: true, pause: make(chan struct{})}
	s, e := openTrain(t, dir, l)
	p := s.train
	p.start()
	if p.head.waiting == nil {
		t.Error("nothing moves while it prepares")
	}
	s.Until("progress", func() bool { return len(p.course.right.Series[0].Points) > 0 })
	if p.head.waiting != nil {
		t.Error("the meter still moves to and fro")
	}
	s.WhenIdle(func() { s.AnswerBy("characters-mlp") })
	s.Button("Back")
	s.WhenIdle(func() { s.AnswerBy("characters-mlp") })
	s.Button("Finish learning first")
	s.Says("Waiting until it has learned")
	if s.Status.Model != "digits-mlp" {
		t.Error("the model changed beside the training")
	}
	close(l.pause)
	s.Until("the other model", func() bool { return s.Status.Model == "characters-mlp" })
	if _, id, err := s.Book.ActiveModel("digits-mlp", nil); id == 0 || err != nil {
		t.Errorf("what was learned is not in force: %v", err)
	}
	before := e.uses()
	s.Undo() // of a model that does not answer now
	s.Until("taken back", func() bool { _, id, _ := s.Book.ActiveModel("digits-mlp", nil); return id == 0 })
	if s.Status.Model != "characters-mlp" || e.uses() != before {
		t.Errorf("the engine got %q, then %q, and %s answers", before, e.uses(), s.Status.Model)
	}

	l.pause = make(chan struct{})
	s.Until("its state", func() bool { return p.known && p.model == "characters-mlp" })
	p.start()
	s.Until("progress", func() bool { return len(p.course.right.Series[0].Points) > 0 })
	closed := false
	p.whenIdle(func() { closed = true }) // as closing the window does
	s.Button("Cancel learning")
	s.Until("closed", func() bool { return closed && p.running == nil })
	if !cancelled(p.failed) {
		t.Errorf("it ended with %v", p.failed)
	}
}

func TestTheHistorySaysWhereAModelCameFrom(t *testing.T) {
	dir := t.TempDir()
	pagetest.Drawn(t, dir, 30)
	s, _ := openTrain(t, dir, &learner{keep: true})
	s.trained()
	first := s.train.shown
	s.Until("in force", func() bool { return s.train.state.Active == first })
	s.train.start()
	s.Until("the second", func() bool { return s.train.running == nil && len(s.train.entries) == 3 })
	at := language.Day(s.train.entry(first).Time)
	facts := func(id int64, line int, end string) {
		t.Helper()
		row := widget.NewListCard("", 6, 4, 3)
		s.train.fill(row, *s.train.entry(id))
		if got := row.Lines[line].Text; !strings.HasSuffix(got, end) {
			t.Errorf("model %d: %q, want %q", id, got, end)
		}
	}
	facts(0, 0, "as it came with Inkshade")
	facts(first, 2, "from the shipped model")
	facts(first+1, 2, "from that of "+at)
	s.train.model = "/models/mine.onnx"
	facts(0, 0, "opened by you")
	facts(first, 2, "from mine")
}
