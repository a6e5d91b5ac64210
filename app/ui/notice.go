package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// notice is a strip across the window for what a person must know and may take time to
// read. It stays until it is closed.
type notice struct {
	composed
	words   *widget.Label // can be selected, for paths
	close   *widget.Button
	changed func() // called when the strip appears or goes
}

const (
	noticeMargin = 14
	noticeClose  = 36
	noticeBar    = 6
)

func newNotice(changed func()) *notice {
	n := &notice{words: selectable(""), changed: changed}
	n.close = widget.NewButtonWithIcon("", theme.CancelIcon(), n.dismiss)
	n.close.Importance = widget.LowImportance
	ground, bar := newFill(colorCard, 0), newFill(theme.ColorNameWarning, 0)
	n.compose(n, container.New(arranged{atLeast(300, noticeClose), func(size fyne.Size) {
		ground.Resize(size)
		bar.Resize(fyne.NewSize(noticeBar, size.Height))
		middle(n.words, noticeMargin+noticeBar, 0, size.Width-2*noticeMargin-noticeClose-noticeBar, size.Height, n.words.MinSize().Height)
		middle(n.close, size.Width-noticeMargin-noticeClose, 0, noticeClose, size.Height, noticeClose)
	}}, ground, bar, n.words, n.close))
	n.Hide()
	return n
}

// show adds a sentence to what stands there unread.
func (n *notice) show(text string) {
	if before := n.words.Text; before != "" && before != text {
		text = before + "\n" + text
	}
	n.words.SetText(text)
	n.Show()
	n.changed()
}

func (n *notice) dismiss() {
	n.words.SetText("")
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
