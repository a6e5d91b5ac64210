package train

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
	"inkshade/recognizer/personal"
)

// head says what there is to learn from, begins, and follows a training.
type head struct {
	title, words *widget.Label
	learn        *toolkit.Button
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
		words:  widget.NewLabel("", 13, widget.ColorMuted).Wrapped(2),
		learn:  toolkit.NewButtonWithIcon(language.Tr("Learn my handwriting"), theme.MediaPlayIcon(), start),
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

// height is that of the title and two lines of words, as large as there is room for.
func (h *head) height() float32 {
	h.title.SetSize(19)
	if h.compact {
		h.title.SetSize(17)
	}
	return h.title.LineHeight() + 4 + 2*h.words.LineHeight()
}

// put places the words left, the button right, the meter under the words.
func (h *head) put(size fyne.Size) {
	width := widget.Floor(max(h.learn.MinSize().Width+16, 200))
	left := size.Width - width - 24
	words, top := h.title.LineHeight()+4, float32(0)
	if len(h.words.Wrap(left)) < 2 && !h.meter.Visible() {
		top = widget.Floor(h.words.LineHeight() / 2)
	}
	widget.Middle(h.learn, size.Width-width, 0, width, size.Height, 44)
	widget.Middle(h.cancel, size.Width-width, 0, width, size.Height, 44)
	widget.Place(h.title, 0, top, left, h.title.LineHeight())
	widget.Place(h.words, 0, top+words, left, size.Height-top-words)
	widget.Place(h.meter, 0, words+h.words.LineHeight()+6, left, 8)
}

// newIdle says what learning does, as long as there is no training to look at: steps under
// each other in the middle.
func newIdle() *fyne.Container {
	const disc, gap = 34, 16
	head := widget.NewLabel(language.Tr("What learning does"), 16, theme.ColorNameForeground).Bold()
	steps := container.New(widget.Rows{})
	texts := [][2]string{
		{language.Tr("One in five of your drawings is kept for testing"), language.Tr("The model never learns from them, and so they show honestly whether learning helped. Corrections are always learned.")},
		{language.Tr("The model in use learns from all others"), language.Tr("It sees them in many small variations, and replays what it knew, so that this is not forgotten. Nothing leaves this machine.")},
		{language.Tr("You see before and after, and decide"), language.Tr("A better model is put in use at once. Every training stays in the history and can be undone.")},
	}
	row := float32(104) // a step
	for i, text := range texts {
		ground, number := widget.NewFill(widget.ColorTrack, disc/2), widget.NewLabel(string(rune('1'+i)), 15, theme.ColorNamePrimary).Bold().Aligned(fyne.TextAlignCenter)
		title, detail := widget.NewLabel(text[0], 15, theme.ColorNameForeground).Bold(), widget.NewLabel(text[1], 13, widget.ColorMuted).Wrapped(3)
		steps.Add(container.New(widget.Arranged{Least: func() fyne.Size { return fyne.NewSize(300, row) }, Put: func(size fyne.Size) {
			widget.Place(ground, 0, 0, disc, disc)
			widget.Middle(number, 0, 0, disc, disc, number.LineHeight())
			left, h := float32(disc+gap), title.LineHeight()
			widget.Place(title, left, 0, size.Width-left, h)
			widget.Place(detail, left, h+2, size.Width-left, detail.Most())
		}}, ground, number, title, detail))
	}
	return container.New(widget.Arranged{Least: widget.AtLeast(300, 270), Put: func(size fyne.Size) {
		n := float32(len(texts))
		width := min(size.Width, 620)
		x := widget.Floor((size.Width - width) / 2)
		row = widget.Floor(min(max((size.Height-70)/n, 72), 104))
		th := head.LineHeight()
		y := widget.Floor(max((size.Height-th-20-row*n)/2, 0))
		widget.Place(head, x, y, width, th)
		widget.Place(steps, x, y+th+20, width, row*n)
	}}, head, steps)
}
