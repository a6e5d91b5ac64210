package train

import (
	"context"
	"errors"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/state"
	"inkshade/app/state/setting"
	"inkshade/app/ui/language"
	"inkshade/app/ui/page"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/personal"
)

// training is one training while it runs.
type training struct {
	base   string // the model that learns
	cancel func()
	done   chan struct{}
	after  func() // waits for its end; nil for nothing

	page.Pace
	latest      personal.Progress
	right, loss []widget.PlotPoint
}

// start begins to learn, unless that is under way or too little is there to learn from.
func (p *Page) start() {
	t, base, o := p.win.Book, p.base(), p.settings.options()
	if t == nil || !p.known || p.running != nil || p.state.Missing() > 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	run := &training{base: base, cancel: cancel, done: make(chan struct{})}
	p.running, p.failed, p.picked = run, nil, true
	p.course.begin(o.Steps)
	p.show()
	p.showProgress()
	p.win.Trace.Write(page.Event{Event: "training"})
	go func() {
		defer close(run.done)
		e, err := t.Train(ctx, base, o, func(progress personal.Progress) {
			if run.follow(progress) {
				p.win.Post(p.showProgress)
			}
		})
		p.win.Post(func() { p.finished(run, e, err) })
	}()
}

// openAndStart begins to learn once it is known what there is to learn from now.
func (p *Page) openAndStart() {
	if p.running == nil && p.win.InFront().Key == "draw" {
		p.turnTo(setting.LineMode.Get(p.win.App.Preferences()))
	}
	p.wanted, p.picked = true, true
	p.win.Open("train")
}

// follow takes an event, and tells whether it is time to show it.
func (r *training) follow(progress personal.Progress) bool {
	return r.Due(func() {
		r.latest = progress
		if progress.Stage == personal.Learning && progress.Step > 0 {
			step := float64(progress.Step)
			r.right = append(r.right, widget.PlotPoint{X: step, Y: progress.Accuracy})
			r.loss = append(r.loss, widget.PlotPoint{X: step, Y: progress.Loss})
		}
	})
}

// showProgress follows a training; a page that is not in front waits until it is.
func (p *Page) showProgress() {
	run := p.running
	if run == nil {
		return
	}
	var latest personal.Progress
	var right, loss []widget.PlotPoint
	run.Shown(func() { latest, right, loss = run.latest, run.right, run.loss })
	if p.content.Visible() {
		p.head.follow(latest, language.ModelName(run.base))
		if latest.Steps > 0 {
			p.course.right.Sizes[1] = float64(latest.Steps)
		}
		p.course.show(right, loss)
	}
}

// cancel asks a training to end; the model in force stays.
func (p *Page) cancel() {
	if p.running != nil {
		p.running.cancel()
		widget.Enable(p.head.cancel, false)
		p.head.words.SetColored(language.Tr("Cancelling…"), widget.ColorMuted)
		widget.Rearrange(p.head.content)
	}
}

// finished shows what came of a training, and puts the new model in use where it is in force.
func (p *Page) finished(ended *training, e state.Training, err error) {
	if p.running != ended {
		return
	}
	p.running = nil
	ended.cancel()
	defer widget.Run(ended.after)
	// What is held out now is no longer remembered.
	p.win.MemoryChanged()
	if err != nil {
		p.fail(err)
		p.win.Trace.Write(page.Event{Event: "trained", Reason: err.Error()})
		p.refresh()
		return
	}
	p.win.Trace.Write(page.Event{Event: "trained", Label: strconv.FormatInt(e.ID, 10)})
	p.shown = e.ID
	if e.Active {
		a := p.win.Using(language.Tr("Learned; the new model is in use."), ended.base, e.ID, e.Parent)
		a.Command = p.win.Book.Activate(ended.base, e.Parent, e.ID)
		p.win.Did(a)
		return
	}
	if !p.content.Visible() {
		p.win.Toast.Say(language.Tr("Learning is done: the Train page shows what changed."))
	}
	p.refresh()
}

// whenIdle does what a training must not run beside: at once, or once the person has said whether it is finished or cancelled first.
func (p *Page) whenIdle(do func()) {
	training := p.running
	if training == nil {
		do()
		return
	}
	then := func() {
		if p.running != training {
			do()
			return
		}
		training.after = do
		p.win.Toast.Say(language.Tr("Waiting until it has learned."))
	}
	p.win.ChooseAnswer(language.Tr("A model is learning"),
		page.Question(language.Tr("What it has learned so far is lost when you cancel it.")),
		page.Answer{Text: language.Tr("Back"), Do: nil}, page.Answer{Text: language.Tr("Cancel learning"), Do: func() {
			then()
			p.cancel()
		}}, page.Answer{Text: language.Tr("Finish learning first"), Do: then})
}

// closing is how long the window waits at its end for a training to notice that.
const closing = 5 * time.Second

// stop ends a training with the window.
func (p *Page) stop() {
	if p.running == nil {
		return
	}
	p.running.cancel()
	select {
	case <-p.running.done:
	case <-time.After(closing):
	}
}

func cancelled(err error) bool { return errors.Is(err, context.Canceled) }

// course is how the loss and the share of right answers go while a training runs.
type course struct {
	right, loss *widget.Plot
	content     *fyne.Container
}

func newCourse() *course {
	c := &course{
		right: widget.NewCurve(language.Tr("Answered right"), theme.ColorNameSuccess, func(v float64) string { return language.Number("%.0f %%", 100*v) }),
		loss:  widget.NewCurve(language.Tr("Loss (mean cross-entropy)"), theme.ColorNamePrimary, func(v float64) string { return language.Number("%.2g", v) }),
	}
	c.right.Top = 1
	c.begin(1)
	c.content = widget.Evenly(24, c.right, c.loss)
	return c
}

func (c *course) begin(steps int) {
	c.right.Sizes = []float64{0, float64(steps)}
	c.loss.Sizes = c.right.Sizes
	c.show(nil, nil)
}

// measures shows the share of right answers, too, where that is measured.
func (c *course) measures(right bool) {
	c.content.Objects = []fyne.CanvasObject{c.loss}
	if right {
		c.content.Objects = []fyne.CanvasObject{c.right, c.loss}
	}
	c.content.Refresh()
}

func (c *course) show(right, loss []widget.PlotPoint) {
	c.right.Series[0].Points, c.loss.Series[0].Points = right, loss
	c.right.Refresh()
	c.loss.Refresh()
}

// head says what there is to learn from, begins, and follows a training.
type head struct {
	title, words *widget.Label
	learn        *widget.Press
	cancel       *widget.Button
	meter        *widget.Bar
	waiting      *fyne.Animation // of the meter where nobody knows how long something takes; nil for none
	front        func() bool     // whether it can be seen
	compact      bool
	content      *fyne.Container
}

func newHead(start func(), cancel *widget.Button, front func() bool) *head {
	h := &head{
		front:  front,
		title:  widget.NewLabel("", 19, theme.ColorNameForeground).Bold(),
		words:  widget.NewLabel("", 13, widget.ColorMuted).Wrapped(3),
		learn:  widget.NewPressWithIcon(language.Tr("Learn my handwriting"), theme.MediaPlayIcon(), start),
		cancel: cancel,
		meter:  widget.NewBar(),
	}
	h.learn.Importance = toolkit.HighImportance
	h.content = container.New(widget.Arranged{Least: func() fyne.Size { return fyne.NewSize(400, h.height()) }, Put: h.put}, h.title, h.words, h.meter, h.learn, h.cancel)
	return h
}

// show is for a page on which nothing runs, or a training that has just begun.
func (h *head) show(p *Page) {
	defer widget.Rearrange(h.content)
	h.wait(false)
	for _, o := range []fyne.CanvasObject{h.cancel, h.meter} {
		widget.Show(o, p.running != nil)
	}
	widget.Show(h.learn, p.running == nil)
	if p.running != nil {
		return
	}
	widget.Enable(h.cancel, true)
	widget.Enable(h.learn, p.win.Book != nil && p.known && p.state.Missing() == 0)
	h.title.SetColored(headTitle(p), theme.ColorNameForeground)
	switch {
	case cancelled(p.failed):
		h.words.SetColored(language.Tr("Learning was cancelled. The model in use is the one before."), widget.ColorMuted)
	case p.failed != nil && p.win.Book == nil:
		h.words.SetColored(language.Tr("Nothing can be learned: {{.Reason}}", map[string]any{"Reason": language.Said(p.failed)}), theme.ColorNameError)
	case p.failed != nil:
		h.words.SetColored(language.Tr("It failed, and the model in use is the one before: {{.Reason}}", map[string]any{"Reason": language.Said(p.failed)}), theme.ColorNameError)
	default:
		h.words.SetColored(headWords(p), widget.ColorMuted)
	}
}

// follow shows how far a training of a model has come.
func (h *head) follow(g personal.Progress, model string) {
	h.title.SetColored(model+" · "+stageTitle(g.Stage), theme.ColorNameForeground)
	h.words.SetColored(progressWords(g), widget.ColorMuted)
	share := g.Prepared
	if g.Stage == personal.Learning {
		share = float64(g.Step) / float64(max(g.Steps, 1))
	}
	h.wait(share == 0)
	if share > 0 {
		h.meter.Set(widget.Span{From: 0, To: share, Color: theme.ColorNamePrimary})
	}
}

// wait moves a part of the meter to and fro, or stops it.
func (h *head) wait(on bool) {
	if on == (h.waiting != nil) {
		return
	}
	if !on {
		h.waiting.Stop()
		h.waiting = nil
		return
	}
	const part = 0.15
	h.waiting = fyne.NewAnimation(900*time.Millisecond, func(at float32) {
		if h.front() {
			from := float64(at) * (1 - part)
			h.meter.Set(widget.Span{From: from, To: from + part, Color: theme.ColorNamePrimary})
		}
	})
	h.waiting.AutoReverse, h.waiting.RepeatCount = true, fyne.AnimationRepeatForever
	h.waiting.Start()
}

// height is that of the title and three lines of words, as large as there is room for.
func (h *head) height() float32 {
	h.title.SetSize(19)
	if h.compact {
		h.title.SetSize(17)
	}
	return h.title.LineHeight() + 4 + h.words.Most()
}

// put places the words left, the button right, the meter under the words.
func (h *head) put(size fyne.Size) {
	a := widget.Whole(size)
	button := a.Right(widget.Floor(max(h.learn.MinSize().Width+16, 200)), 24)
	widget.Middle(h.learn, button.Pos.X, 0, button.Size.Width, size.Height, 44)
	widget.Middle(h.cancel, button.Pos.X, 0, button.Size.Width, size.Height, 44)
	meter := a
	meter.Top(h.title.LineHeight()+4+h.words.LineHeight(), 6)
	meter.Top(8, 0).Put(h.meter)
	if !h.meter.Visible() {
		a.Top(widget.Floor((h.words.Most()-h.words.Height(a.Size.Width))/2), 0)
	}
	a.Top(h.title.LineHeight(), 4).Put(h.title)
	a.Put(h.words)
}

// newIdle says what learning does, as long as there is no training to look at: steps under each other in the middle.
func newIdle() *fyne.Container {
	const disc, steps = 34, 3
	all := widget.Under(0, widget.NewLabel(language.Tr("What learning does"), 16, theme.ColorNameForeground).Bold())
	for i, text := range [steps][2]string{
		{language.Tr("One in five drawings is kept for testing"), language.Tr("The model never learns from them, and so they show honestly whether learning helped. Corrections are always learned.")},
		{language.Tr("The model in use learns from all others"), language.Tr("It sees them in many small variations, and replays what it knew, so that this is not forgotten. Nothing leaves this machine.")},
		{language.Tr("You see before and after, and decide"), language.Tr("A better model is put in use at once. Every training stays in the history and can be undone.")},
	} {
		number := widget.NewLabel(string(rune('1'+i)), 15, theme.ColorNamePrimary).Bold().Aligned(fyne.TextAlignCenter)
		detail := widget.NewLabel(text[1], 13, widget.ColorMuted).Wrapped(3)
		all.Add(widget.Beside(16, widget.Under(0, widget.Sized(disc, disc, container.NewStack(widget.NewFill(widget.ColorTrack, disc/2), number))),
			widget.Under(2, widget.NewLabel(text[0], 16, theme.ColorNameForeground).Bold(), widget.Sized(0, detail.Most(), detail))))
	}
	return container.New(widget.Arranged{Least: widget.AtLeast(300, 270), Put: func(size fyne.Size) {
		widget.Space(all, 0)
		room, width := size.Height-all.MinSize().Height, min(size.Width, 620)
		widget.Space(all, widget.Floor(min(max(room/(steps+1), 0), 24)))
		widget.Place(all, widget.Floor((size.Width-width)/2), widget.Floor(max((size.Height-all.MinSize().Height)/2, 0)), width, size.Height)
	}}, all)
}
