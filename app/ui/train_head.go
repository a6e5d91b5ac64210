package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/personal"
)

// trainHead says what there is to learn from, begins, and follows a training.
type trainHead struct {
	title, words *label
	learn        *widget.Button
	cancel       *button
	meter        *bar
	waiting      *fyne.Animation // of the meter where nobody knows how long something takes; nil for none
	front        func() bool     // whether it can be seen
	compact      bool
	content      *fyne.Container
}

func newTrainHead(start, cancel func(), front func() bool) *trainHead {
	h := &trainHead{
		front:  front,
		title:  newLabel("", 19, theme.ColorNameForeground).bold(),
		words:  newLabel("", 13, colorMuted).wrapped(2),
		learn:  widget.NewButtonWithIcon(tr("Learn my handwriting"), theme.MediaPlayIcon(), start),
		cancel: newToolButton(theme.CancelIcon(), tr("Cancel"), keyName("Ctrl+."), cancel),
		meter:  newBar(),
	}
	h.learn.Importance = widget.HighImportance
	h.content = container.New(arranged{func() fyne.Size { return fyne.NewSize(400, h.height()) }, h.put}, h.title, h.words, h.meter, h.learn, h.cancel)
	return h
}

// show is for a page on which nothing runs, or a training that has just begun.
func (h *trainHead) show(p *trainPage) {
	defer rearrange(h.content)
	h.wait(false)
	for _, o := range []fyne.CanvasObject{h.cancel, h.meter} {
		show(o, p.running != nil)
	}
	show(h.learn, p.running == nil)
	if p.running != nil {
		return
	}
	enable(h.cancel, true)
	enable(h.learn, p.trainer != nil && p.known && p.state.Missing() == 0)
	h.title.show(headTitle(p), theme.ColorNameForeground)
	switch {
	case cancelled(p.failed):
		h.words.show(tr("Learning was cancelled. The model in use is the one before."), colorMuted)
	case p.failed != nil && p.trainer == nil:
		h.words.show(tr("Nothing can be learned: {{.Reason}}", map[string]any{"Reason": said(p.failed.Error())}), theme.ColorNameError)
	case p.failed != nil:
		h.words.show(tr("It failed, and the model in use is the one before: {{.Reason}}", map[string]any{"Reason": said(p.failed.Error())}), theme.ColorNameError)
	default:
		h.words.show(headWords(p), colorMuted)
	}
}

// follow shows how far a training has come.
func (h *trainHead) follow(g personal.Progress) {
	h.title.show(stageTitle(g.Stage), theme.ColorNameForeground)
	h.words.show(progressWords(g), colorMuted)
	share := g.Prepared
	if g.Stage == personal.Learning {
		share = float64(g.Step) / float64(max(g.Steps, 1))
	}
	h.wait(share == 0)
	if share > 0 {
		h.meter.show(span{0, share, theme.ColorNamePrimary})
	}
}

// wait moves a part of the meter to and fro, or stops it.
func (h *trainHead) wait(on bool) {
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
			h.meter.show(span{from, from + part, theme.ColorNamePrimary})
		}
	})
	h.waiting.AutoReverse, h.waiting.RepeatCount = true, fyne.AnimationRepeatForever
	h.waiting.Start()
}

func (h *trainHead) cancelling() {
	enable(h.cancel, false)
	h.words.show(tr("Cancelling…"), colorMuted)
	rearrange(h.content)
}

func (h *trainHead) height() float32 {
	return h.title.lineHeight() + 4 + 2*h.words.lineHeight()
}

// put places the words left, the button right, the meter under the words.
func (h *trainHead) put(size fyne.Size) {
	h.title.resize(19)
	if h.compact {
		h.title.resize(17)
	}
	width := floor(max(h.learn.MinSize().Width+16, 200))
	left := size.Width - width - 24
	words, top := h.title.lineHeight()+4, float32(0)
	if len(h.words.wrap(left)) < 2 && !h.meter.Visible() {
		top = floor(h.words.lineHeight() / 2)
	}
	middle(h.learn, size.Width-width, 0, width, size.Height, 44)
	middle(h.cancel, size.Width-width, 0, width, size.Height, 44)
	place(h.title, 0, top, left, h.title.lineHeight())
	place(h.words, 0, top+words, left, size.Height-top-words)
	place(h.meter, 0, words+h.words.lineHeight()+6, left, 8)
}

// newTrainIdle says what learning does, as long as there is no training to look at: steps under
// each other in the middle.
func newTrainIdle() *fyne.Container {
	const disc, gap = 34, 16
	head := newLabel(tr("What learning does"), 16, theme.ColorNameForeground).bold()
	steps := container.New(rows{})
	texts := [][2]string{
		{tr("One in five of your drawings is kept for testing"), tr("The model never learns from them, and so they show honestly whether learning helped. Corrections are always learned.")},
		{tr("The model in use learns from all others"), tr("It sees them in many small variations, and replays what it knew, so that this is not forgotten. Nothing leaves this machine.")},
		{tr("You see before and after, and decide"), tr("A better model is put in use at once. Every training stays in the history and can be undone.")},
	}
	row := float32(104) // a step
	for i, text := range texts {
		ground, number := newFill(colorTrack, disc/2), newLabel(string(rune('1'+i)), 15, theme.ColorNamePrimary).bold().aligned(fyne.TextAlignCenter)
		title, detail := newLabel(text[0], 15, theme.ColorNameForeground).bold(), newLabel(text[1], 13, colorMuted).wrapped(3)
		steps.Add(container.New(arranged{func() fyne.Size { return fyne.NewSize(300, row) }, func(size fyne.Size) {
			place(ground, 0, 0, disc, disc)
			middle(number, 0, 0, disc, disc, number.lineHeight())
			left, h := float32(disc+gap), title.lineHeight()
			place(title, left, 0, size.Width-left, h)
			place(detail, left, h+2, size.Width-left, detail.most())
		}}, ground, number, title, detail))
	}
	return container.New(arranged{atLeast(300, 270), func(size fyne.Size) {
		n := float32(len(texts))
		width := min(size.Width, 620)
		x := floor((size.Width - width) / 2)
		row = floor(min(max((size.Height-70)/n, 72), 104))
		th := head.lineHeight()
		y := floor(max((size.Height-th-20-row*n)/2, 0))
		place(head, x, y, width, th)
		place(steps, x, y+th+20, width, row*n)
	}}, head, steps)
}
