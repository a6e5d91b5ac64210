package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer/personal"
)

// trainHead says what there is to learn from, begins, and follows a training.
type trainHead struct {
	title, words *label
	learn        *widget.Button
	cancel       *toolButton
	meter        *meter
	compact      bool
	content      *fyne.Container
}

func newTrainHead(start, cancel func()) *trainHead {
	h := &trainHead{
		title:  newLabel("", 19, theme.ColorNameForeground).bold(),
		words:  newLabel("", 13, colorMuted).wrapped(2),
		learn:  widget.NewButtonWithIcon(tr("Learn my handwriting"), theme.MediaPlayIcon(), start),
		cancel: newToolButton(theme.CancelIcon(), tr("Cancel"), keyName("Ctrl+."), cancel),
		meter:  newMeter(),
	}
	h.learn.Importance = widget.HighImportance
	h.content = container.New(&trainHeadLayout{h}, h.title, h.words, h.meter, h.learn, h.cancel)
	return h
}

// show is for a page on which nothing runs, or a training that has just begun.
func (h *trainHead) show(p *trainPage) {
	if p.running != nil {
		h.learn.Hide()
		h.cancel.Show()
		h.meter.Show()
		h.content.Layout.Layout(nil, h.content.Size())
		return
	}
	h.cancel.setEnabled(true)
	h.cancel.Hide()
	h.meter.Hide()
	h.learn.Show()
	ready := p.trainer != nil && p.known && p.state.Missing() == 0
	if ready {
		h.learn.Enable()
	} else {
		h.learn.Disable()
	}
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
	h.content.Layout.Layout(nil, h.content.Size())
}

// follow shows how far a training has come.
func (h *trainHead) follow(g personal.Progress) {
	h.title.show(stageTitle(g.Stage), theme.ColorNameForeground)
	h.words.show(progressWords(g), colorMuted)
	h.meter.set(doneShare(g))
}

func (h *trainHead) cancelling() {
	h.cancel.setEnabled(false)
	h.words.show(tr("Cancelling…"), colorMuted)
	h.content.Layout.Layout(nil, h.content.Size())
}

// doneShare is how much of a training is done, 0 to 1; the two ends of it take a small part
// each.
func doneShare(g personal.Progress) float64 {
	const before, after = 0.06, 0.06
	switch {
	case g.Stage == personal.Learning && g.Steps > 0:
		return before + (1-before-after)*float64(g.Step)/float64(g.Steps)
	case g.Stage == personal.Measuring:
		return 1 - after/2
	}
	return before / 2
}

func (h *trainHead) height() float32 {
	return h.title.lineHeight() + 4 + 2*h.words.lineHeight()
}

// trainHeadLayout: words left, the button right, the meter under the words.
type trainHeadLayout struct{ head *trainHead }

func (l *trainHeadLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(400, l.head.height())
}

func (l *trainHeadLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	h := l.head
	h.title.resize(19)
	if h.compact {
		h.title.resize(17)
	}
	button := fyne.NewSize(floor(max(h.learn.MinSize().Width+16, 200)), 44)
	left := size.Width - button.Width - 24
	y := floor((size.Height - button.Height) / 2)
	words, top := h.title.lineHeight()+4, float32(0)
	if len(h.words.wrap(left)) < 2 && !h.meter.Visible() {
		top = floor(h.words.lineHeight() / 2)
	}
	place(h.learn, size.Width-button.Width, y, button.Width, button.Height)
	place(h.cancel, size.Width-button.Width, y, button.Width, button.Height)
	place(h.title, 0, top, left, h.title.lineHeight())
	place(h.words, 0, top+words, left, size.Height-top-words)
	place(h.meter, 0, words+h.words.lineHeight()+6, left, 8)
}

// meter is a bar that fills.
type meter struct {
	widget.BaseWidget
	share float64
}

func newMeter() *meter {
	m := &meter{}
	m.ExtendBaseWidget(m)
	return m
}

func (m *meter) set(share float64) { m.share = share; m.Refresh() }

// CreateRenderer implements fyne.Widget.
func (m *meter) CreateRenderer() fyne.WidgetRenderer {
	r := &meterRenderer{meter: m, track: canvas.NewRectangle(themed(colorTrack)), fill: canvas.NewRectangle(themed(theme.ColorNamePrimary))}
	r.track.CornerRadius, r.fill.CornerRadius = 4, 4
	return r
}

type meterRenderer struct {
	meter       *meter
	track, fill *canvas.Rectangle
}

func (r *meterRenderer) MinSize() fyne.Size { return fyne.NewSize(40, 8) }

func (r *meterRenderer) Layout(size fyne.Size) {
	r.track.Resize(size)
	share := float32(min(max(r.meter.share, 0), 1))
	r.fill.Resize(fyne.NewSize(max(floor(size.Width*share), size.Height), size.Height))
}

func (r *meterRenderer) Refresh() {
	r.track.FillColor, r.fill.FillColor = themed(colorTrack), themed(theme.ColorNamePrimary)
	r.Layout(r.meter.Size())
	r.track.Refresh()
	r.fill.Refresh()
}

func (r *meterRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.track, r.fill} }
func (r *meterRenderer) Destroy()                     {}
