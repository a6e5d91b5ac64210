package ui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inkshade/app/trainer"
	"inkshade/recognizer/personal"
)

// training is one training while it runs.
type training struct {
	base   string // the model that learns
	cancel func()
	done   chan struct{}
	after  func() // waits for its end; nil for nothing

	pace
	latest personal.Progress
	points []trainer.CurvePoint
}

// start begins to learn, unless that is under way or too little is there to learn from.
func (p *trainPage) start() {
	t, base, o := p.trainer, p.model, p.settings.options()
	if t == nil || !p.known || p.running != nil || p.state.Missing() > 0 {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	run := &training{base: base, cancel: cancel, done: make(chan struct{})}
	p.running, p.failed = run, nil
	p.course.begin(o.Steps)
	p.show()
	p.showProgress()
	p.win.trace.write(Event{Event: "training"})
	go func() {
		defer close(run.done)
		e, err := t.Train(ctx, base, o, func(progress personal.Progress) {
			if run.follow(progress) {
				p.win.opts.post(p.showProgress)
			}
		})
		p.win.opts.post(func() { p.finished(run, e, err) })
	}()
}

// menu is what can be done here from every page, by key.
func (p *trainPage) menu() *fyne.Menu {
	ctrl := fyne.KeyModifierShortcutDefault
	return fyne.NewMenu(tr("Learn"),
		withKey(tr("Learn My Handwriting"), fyne.KeyL, ctrl, p.openAndStart),
		withKey(tr("Cancel Learning"), fyne.KeyPeriod, ctrl, p.cancel),
		fyne.NewMenuItemSeparator(),
		withKey(tr("Go Back to the Previous Model"), fyne.KeyB, ctrl, p.takeBack))
}

// openAndStart begins to learn once it is known what there is to learn from now.
func (p *trainPage) openAndStart() {
	p.wanted = true
	p.win.openContent(p.content)
}

// follow takes an event, and tells whether it is time to show it.
func (r *training) follow(progress personal.Progress) bool {
	return r.due(func() {
		r.latest = progress
		if progress.Stage == personal.Learning && progress.Step > 0 {
			r.points = append(r.points, trainer.CurvePoint{Step: progress.Step, Loss: progress.Loss, Accuracy: progress.Accuracy})
		}
	})
}

// showProgress follows a training; a page that is not in front waits until it is.
func (p *trainPage) showProgress() {
	run := p.running
	if run == nil {
		return
	}
	var latest personal.Progress
	var points []trainer.CurvePoint
	run.shown(func() { latest, points = run.latest, run.points })
	if p.content.Visible() {
		p.head.follow(latest)
		p.course.show(points)
	}
}

// cancel asks a training to end; the model in force stays.
func (p *trainPage) cancel() {
	if p.running != nil {
		p.running.cancel()
		p.head.cancelling()
	}
}

// finished shows what came of a training, and puts the new model in use where it is in
// force.
func (p *trainPage) finished(ended *training, e trainer.Entry, err error) {
	if p.running != ended {
		return
	}
	p.running = nil
	ended.cancel()
	defer run(ended.after)
	// What is held out now is no longer remembered.
	p.win.memoryChanged()
	if err != nil {
		p.fail(err)
		p.win.trace.write(Event{Event: "trained", Reason: err.Error()})
		p.refresh()
		return
	}
	p.win.trace.write(Event{Event: "trained", Label: idText(e.ID)})
	p.shown = e.ID
	if e.InForce {
		p.win.changes.did(p.win.using(tr("Learned; the new model is in use."), ended.base, e.ID, e.Parent))
		return
	}
	if !p.content.Visible() {
		p.win.toast.say(tr("Learning is done: the Train page shows what changed."))
	}
	p.refresh()
}

// whenIdle does what a training must not run beside: at once, or once the person has said whether the training
// that runs is finished or cancelled first.
func (p *trainPage) whenIdle(do func()) {
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
		p.win.toast.say(tr("Waiting until it has learned."))
	}
	p.win.chooseAnswer(tr("A model is learning"),
		question(tr("What it has learned so far is lost when you cancel it.")),
		answer{tr("Back"), nil}, answer{tr("Cancel learning"), func() {
			then()
			p.cancel()
		}}, answer{tr("Finish learning first"), then})
}

// closing is how long the window waits at its end for a training to notice that.
const closing = 5 * time.Second

// stop ends a training with the window.
func (p *trainPage) stop() {
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

func idText(id int64) string { return strconv.FormatInt(id, 10) }

// trainCourse is how the loss and the share of right answers go while a training runs.
type trainCourse struct {
	right, loss *plot
	content     *fyne.Container
}

func newTrainCourse() *trainCourse {
	c := &trainCourse{
		right: newCurve(tr("Answered right"), theme.ColorNameSuccess, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) }),
		loss:  newCurve(tr("Loss (mean cross-entropy)"), theme.ColorNamePrimary, func(v float64) string { return fmt.Sprintf("%.2g", v) }),
	}
	c.right.top = 1
	c.begin(1)
	c.content = container.New(evenColumns{gap: 24}, c.right, c.loss)
	return c
}

func newCurve(title string, c fyne.ThemeColorName, format func(float64) string) *plot {
	p := newPlot()
	p.title, p.unit, p.format, p.linear, p.series = title, tr("steps"), format, true, []plotSeries{{color: c}}
	return p
}

// begin empties the charts for a training of so many steps.
func (c *trainCourse) begin(steps int) {
	c.right.sizes = []float64{0, float64(steps)}
	c.loss.sizes = c.right.sizes
	c.show(nil)
}

func (c *trainCourse) show(points []trainer.CurvePoint) {
	var right, loss []plotPoint
	for _, p := range points {
		right = append(right, plotPoint{x: float64(p.Step), y: p.Accuracy})
		loss = append(loss, plotPoint{x: float64(p.Step), y: p.Loss})
	}
	c.right.series[0].points, c.loss.series[0].points = right, loss
	c.right.Refresh()
	c.loss.Refresh()
}

// comparison shows wrong answers before and after as two bars under a title.
type comparison struct {
	composed
	rows   [2]barRow
	slight float64 // a change of the share below this counts as none
}

func newComparison(title string, slight float64) *comparison {
	const row = 20
	c := &comparison{slight: slight}
	head := newLabel(title, 13, theme.ColorNameForeground).bold()
	objs := []fyne.CanvasObject{head}
	for i, name := range []string{tr("before"), tr("after")} {
		c.rows[i] = barRow{newLabel(name, 12, colorMuted), newLabel("", 12, theme.ColorNameForeground).aligned(fyne.TextAlignTrailing), newBar()}
		objs = append(objs, c.rows[i].objects()...)
	}
	c.rows[1].value.bold()
	c.compose(c, container.New(arranged{atLeast(200, head.lineHeight()+4+2*row), func(size fyne.Size) {
		place(head, 0, 0, size.Width, head.lineHeight())
		var name, value float32
		for _, r := range c.rows {
			name, value = max(name, r.name.width(r.name.text)+10), max(value, r.value.width(r.value.text)+12)
		}
		for i, r := range c.rows {
			r.put(head.lineHeight()+4+float32(i)*row, size.Width, row, name, value, 8)
		}
	}}, objs...))
	return c
}

func (c *comparison) show(of personal.Comparison) {
	tones := [2]fyne.ThemeColorName{colorPreprocess, c.tone(of)}
	for i, wrong := range [2]int{of.Before, of.After} {
		c.rows[i].value.set(tr("not measured"))
		c.rows[i].bar.show()
		if of.Samples > 0 {
			c.rows[i].value.set(errorRate(wrong, of.Samples))
			c.rows[i].bar.show(span{0, float64(wrong) / float64(max(of.Before, of.After, 1)), tones[i]})
		}
	}
	c.Refresh()
}

// tone is the colour of what came after.
func (c *comparison) tone(of personal.Comparison) fyne.ThemeColorName {
	switch d := of.ErrorAfter() - of.ErrorBefore(); {
	case of.After == of.Before || d < c.slight && d > -c.slight:
		return theme.ColorNamePrimary
	case d < 0:
		return theme.ColorNameSuccess
	}
	return theme.ColorNameError
}
