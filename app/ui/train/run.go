package train

import (
	"context"
	"errors"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

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
	latest personal.Progress
	points []state.CurvePoint
}

// start begins to learn, unless that is under way or too little is there to learn from.
func (p *Page) start() {
	t, base, o := p.win.Book, p.base(), p.settings.options()
	if t == nil || !p.known || p.running != nil || p.state.Missing() > 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	run := &training{base: base, cancel: cancel, done: make(chan struct{})}
	p.running, p.failed = run, nil
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
	p.wanted = true
	p.win.Open("train")
}

// follow takes an event, and tells whether it is time to show it.
func (r *training) follow(progress personal.Progress) bool {
	return r.Due(func() {
		r.latest = progress
		if progress.Stage == personal.Learning && progress.Step > 0 {
			r.points = append(r.points, state.CurvePoint{Step: progress.Step, Loss: progress.Loss, Accuracy: progress.Accuracy})
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
	var points []state.CurvePoint
	run.Shown(func() { latest, points = run.latest, run.points })
	if p.content.Visible() {
		p.head.follow(latest, language.ModelName(run.base))
		if latest.Steps > 0 {
			p.course.right.Sizes[1] = float64(latest.Steps)
		}
		p.course.show(points)
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

// finished shows what came of a training, and puts the new model in use where it is in
// force.
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

// whenIdle does what a training must not run beside: at once, or once the person has said whether the training
// that runs is finished or cancelled first.
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
	c.content = container.New(widget.EvenColumns{Gap: 24}, c.right, c.loss)
	return c
}

// begin empties the charts for a training of so many steps.
func (c *course) begin(steps int) {
	c.right.Sizes = []float64{0, float64(steps)}
	c.loss.Sizes = c.right.Sizes
	c.show(nil)
}

// measures shows the share of right answers, too, where that is measured.
func (c *course) measures(right bool) {
	c.content.Objects = []fyne.CanvasObject{c.loss}
	if right {
		c.content.Objects = []fyne.CanvasObject{c.right, c.loss}
	}
	c.content.Refresh()
}

func (c *course) show(points []state.CurvePoint) {
	var right, loss []widget.PlotPoint
	for _, p := range points {
		right = append(right, widget.PlotPoint{X: float64(p.Step), Y: p.Accuracy})
		loss = append(loss, widget.PlotPoint{X: float64(p.Step), Y: p.Loss})
	}
	c.right.Series[0].Points, c.loss.Series[0].Points = right, loss
	c.right.Refresh()
	c.loss.Refresh()
}
