package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
)

// toastTime is how long a sentence stands there that needs no answer.
const toastTime = 8 * time.Second

// toast says what has just happened and lets it be undone, over the page and without
// taking anything away from it.
type toast struct {
	composed
	clock alarm
	words *label
	undo  *widget.Button
	act   func()
	over  func() area // where it may float
	layer *fyne.Container
}

// area is a part of the window.
type area struct {
	pos  fyne.Position
	size fyne.Size
}

const (
	toastHeight = 40  // of one line
	toastWidth  = 620 // of several at most
)

func newToast(post func(func())) *toast {
	t := &toast{clock: alarm{post: post}, words: newLabel("", 14, theme.ColorNameForeground).wrapped(8)}
	t.undo = widget.NewButton(tr("Undo"), t.takeBack)
	t.undo.Importance = widget.LowImportance
	ground := newFill(theme.ColorNameOverlayBackground, toastHeight/2).edged(colorAccentSoft, 1)
	t.compose(t, container.New(arranged{atLeast(120, toastHeight), func(size fyne.Size) {
		ground.Resize(size)
		right := size.Width - 18
		if t.act != nil {
			m := t.undo.MinSize()
			right = size.Width - 8 - m.Width
			middle(t.undo, right, 0, m.Width, size.Height, m.Height)
		}
		middle(t.words, 18, 0, right-18, size.Height, t.words.height(right-18))
	}}, ground, t.words, t.undo))
	// The layer keeps the toast over its place when the window changes its size.
	t.layer = container.New(arranged{atLeast(0, 0), func(fyne.Size) { t.place() }}, t)
	t.Hide()
	return t
}

// say shows a sentence for a while.
func (t *toast) say(text string) { t.offer(text, nil) }

// offer shows a sentence with a way back; a nil undo has none.
func (t *toast) offer(text string, undo func()) {
	t.act = undo
	t.words.set(text)
	show(t.undo, undo != nil)
	t.place()
	t.Show()
	t.layer.Refresh() // Fyne does not know yet where a toast belongs that was never painted
	t.clock.after(toastTime, t.hide)
}

// reword says more about what has just happened; the clock runs on.
func (t *toast) reword(text string) {
	t.words.set(text)
	t.place()
	t.Refresh()
}

func (t *toast) hide() {
	t.act = nil
	t.Hide()
}

// canUndo tells whether there is something on offer.
func (t *toast) canUndo() bool { return t.Visible() && t.act != nil }

func (t *toast) takeBack() {
	if act := t.act; act != nil {
		t.hide()
		act()
	}
}

// place centres the toast at the lower edge of what it floats over, as high as its words need.
func (t *toast) place() {
	a := t.over()
	if a.size.Width <= 0 {
		return
	}
	a.pos = a.pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.layer))
	beside := float32(36)
	if t.act != nil {
		beside += t.undo.MinSize().Width
	}
	width := floor(min(t.words.width(t.words.text)+beside+1, toastWidth, a.size.Width-16))
	height := toastHeight - t.words.lineHeight() + t.words.height(width-beside)
	place(t, floor(a.pos.X+(a.size.Width-width)/2), floor(a.pos.Y+a.size.Height-height-10), width, height)
}

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
