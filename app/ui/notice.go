package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// notice is a strip across the window for what a person must know and may take time to
// read. It stays until it is closed.
type notice struct {
	widget.BaseWidget
	text    string
	words   *widget.Label // can be selected, for paths
	close   *widget.Button
	changed func() // called when the strip appears or goes
}

func newNotice(changed func()) *notice {
	n := &notice{words: widget.NewLabel(""), changed: changed}
	n.words.Wrapping = fyne.TextWrapWord
	n.words.Selectable = true
	n.close = widget.NewButtonWithIcon("", theme.CancelIcon(), n.dismiss)
	n.close.Importance = widget.LowImportance
	n.ExtendBaseWidget(n)
	n.Hide()
	return n
}

// show adds a sentence to what stands there unread.
func (n *notice) show(text string) {
	if n.text != "" && n.text != text {
		text = n.text + "\n" + text
	}
	n.text = text
	n.words.SetText(text)
	n.Show()
	n.changed()
}

func (n *notice) dismiss() {
	n.text = ""
	n.Hide()
	n.changed()
}

// height is what the strip needs at the width given; 0 while it is hidden.
func (n *notice) height(width float32) float32 {
	if !n.Visible() {
		return 0
	}
	n.words.Resize(fyne.NewSize(width-2*noticeMargin-noticeClose-noticeBar, n.words.Size().Height))
	return max(n.words.MinSize().Height, noticeClose) + 2
}

const (
	noticeMargin = 14
	noticeClose  = 36
	noticeBar    = 6
)

// CreateRenderer implements fyne.Widget.
func (n *notice) CreateRenderer() fyne.WidgetRenderer {
	r := &noticeRenderer{
		notice: n,
		ground: canvas.NewRectangle(themed(colorCard)),
		bar:    canvas.NewRectangle(themed(theme.ColorNameWarning)),
	}
	return r
}

type noticeRenderer struct {
	notice      *notice
	ground, bar *canvas.Rectangle
}

func (r *noticeRenderer) MinSize() fyne.Size { return fyne.NewSize(300, noticeClose) }

func (r *noticeRenderer) Layout(size fyne.Size) {
	r.ground.Resize(size)
	r.bar.Resize(fyne.NewSize(noticeBar, size.Height))
	words := r.notice.words.MinSize().Height
	place(r.notice.words, noticeMargin+noticeBar, floor((size.Height-words)/2), size.Width-2*noticeMargin-noticeClose-noticeBar, words)
	place(r.notice.close, size.Width-noticeMargin-noticeClose, floor((size.Height-noticeClose)/2), noticeClose, noticeClose)
}

func (r *noticeRenderer) Refresh() {
	r.ground.FillColor, r.bar.FillColor = themed(colorCard), themed(theme.ColorNameWarning)
	r.Layout(r.notice.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *noticeRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.ground, r.bar, r.notice.words, r.notice.close}
}
func (r *noticeRenderer) Destroy() {}
