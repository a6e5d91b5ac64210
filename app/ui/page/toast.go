package page

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	toolkit "fyne.io/fyne/v2/widget"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
)

// toastTime is how long a sentence stands there that needs no answer.
const toastTime = 8 * time.Second

// toast says what has just happened and lets it be undone, over the page and without
// taking anything away from it.
type toast struct {
	widget.Composed
	clock Alarm
	Words *widget.Label
	Undo  *toolkit.Button
	act   func()
	Over  func() widget.Area // where it may float
	Layer *fyne.Container
}

const (
	ToastHeight = 40  // of one line
	toastWidth  = 620 // of several at most
)

func newToast(post func(func())) *toast {
	t := &toast{clock: Alarm{Post: post}, Words: widget.NewLabel("", 14, theme.ColorNameForeground).Wrapped(8)}
	t.Undo = toolkit.NewButton(language.Tr("Undo"), t.TakeBack)
	t.Undo.Importance = toolkit.LowImportance
	ground := widget.NewFill(theme.ColorNameOverlayBackground, ToastHeight/2).Edged(widget.ColorAccentSoft, 1)
	t.Compose(t, container.New(widget.Arranged{Least: widget.AtLeast(120, ToastHeight), Put: func(size fyne.Size) {
		ground.Resize(size)
		right := size.Width - 18
		if t.act != nil {
			m := t.Undo.MinSize()
			right = size.Width - 8 - m.Width
			widget.Middle(t.Undo, right, 0, m.Width, size.Height, m.Height)
		}
		widget.Middle(t.Words, 18, 0, right-18, size.Height, t.Words.Height(right-18))
	}}, ground, t.Words, t.Undo))
	// The layer keeps the toast over its place when the window changes its size.
	t.Layer = container.New(widget.Arranged{Least: widget.AtLeast(0, 0), Put: func(fyne.Size) { t.Place() }}, t)
	t.Hide()
	return t
}

// Say shows a sentence for a while.
func (t *toast) Say(text string) { t.offer(text, nil) }

// offer shows a sentence with a way back; a nil undo has none.
func (t *toast) offer(text string, undo func()) {
	t.act = undo
	t.Words.Set(text)
	widget.Show(t.Undo, undo != nil)
	t.Place()
	t.Show()
	t.Layer.Refresh() // Fyne does not know yet where a toast belongs that was never painted
	t.clock.After(toastTime, t.Close)
}

// Reword says more about what has just happened; the clock runs on.
func (t *toast) Reword(text string) {
	t.Words.Set(text)
	t.Place()
	t.Refresh()
}

func (t *toast) Close() {
	t.act = nil
	t.Hide()
}

// CanUndo tells whether there is something on offer.
func (t *toast) CanUndo() bool { return t.Visible() && t.act != nil }

func (t *toast) TakeBack() {
	if act := t.act; act != nil {
		t.Close()
		act()
	}
}

// Place centres the toast at the lower edge of what it floats over, as high as its words need.
func (t *toast) Place() {
	a := t.Over()
	if a.Size.Width <= 0 {
		return
	}
	a.Pos = a.Pos.Subtract(fyne.CurrentApp().Driver().AbsolutePositionForObject(t.Layer))
	beside := float32(36)
	if t.act != nil {
		beside += t.Undo.MinSize().Width
	}
	width := widget.Floor(min(t.Words.Width(t.Words.Text)+beside+1, toastWidth, a.Size.Width-16))
	height := ToastHeight - t.Words.LineHeight() + t.Words.Height(width-beside)
	widget.Place(t, widget.Floor(a.Pos.X+(a.Size.Width-width)/2), widget.Floor(a.Pos.Y+a.Size.Height-height-10), width, height)
}

// notice is a strip across the window for what a person must know and may take time to
// read. It stays until it is closed.
type notice struct {
	widget.Composed
	Words   *toolkit.Label // can be selected, for paths
	Close   *toolkit.Button
	changed func() // called when the strip appears or goes
}

const (
	noticeMargin = 14
	noticeClose  = 36
	noticeBar    = 6
)

func newNotice(changed func()) *notice {
	n := &notice{Words: widget.Selectable(""), changed: changed}
	n.Close = toolkit.NewButtonWithIcon("", theme.CancelIcon(), n.Dismiss)
	n.Close.Importance = toolkit.LowImportance
	ground, bar := widget.NewFill(widget.ColorCard, 0), widget.NewFill(theme.ColorNameWarning, 0)
	n.Compose(n, container.New(widget.Arranged{Least: widget.AtLeast(300, noticeClose), Put: func(size fyne.Size) {
		ground.Resize(size)
		bar.Resize(fyne.NewSize(noticeBar, size.Height))
		widget.Middle(n.Words, noticeMargin+noticeBar, 0, size.Width-2*noticeMargin-noticeClose-noticeBar, size.Height, n.Words.MinSize().Height)
		widget.Middle(n.Close, size.Width-noticeMargin-noticeClose, 0, noticeClose, size.Height, noticeClose)
	}}, ground, bar, n.Words, n.Close))
	n.Hide()
	return n
}

// Say adds a sentence to what stands there unread.
func (n *notice) Say(text string) {
	if before := n.Words.Text; before != "" && before != text {
		text = before + "\n" + text
	}
	n.Words.SetText(text)
	n.Show()
	n.changed()
}

func (n *notice) Dismiss() {
	n.Words.SetText("")
	n.Hide()
	n.changed()
}

// Height is what the strip needs at the width given; 0 while it is hidden.
func (n *notice) Height(width float32) float32 {
	if !n.Visible() {
		return 0
	}
	n.Words.Resize(fyne.NewSize(width-2*noticeMargin-noticeClose-noticeBar, n.Words.Size().Height))
	return max(n.Words.MinSize().Height, noticeClose) + 2
}
