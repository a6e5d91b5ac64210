package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inkshade/recognizer"
)

// manyPanel is what the Draw page has for a model of many classes: the grid of candidates, and a line
// of text to which every confirmed character is appended.
type manyPanel struct {
	grid       *glyphGrid
	text       *widget.Entry
	copy, more *button
	drawing    uint64    // that the last character came from
	last       string    // what was appended for it
	shownAt    time.Time // the last answer; while the pen is down, new characters every so often are enough
	content    *fyne.Container
}

const panelRow = 36 // height of the line of text

func newManyPanel() *manyPanel {
	p := &manyPanel{grid: newGlyphGrid(), text: widget.NewEntry(), copy: newQuietButton(13, nil), more: newQuietButton(13, nil)}
	p.text.SetPlaceHolder(tr("Confirmed characters"))
	p.text.Scroll = fyne.ScrollNone
	p.copy.rename(nil, tr("Copy"))
	p.more.rename(theme.MoreHorizontalIcon(), tr("More"))
	const gap = 8
	p.content = container.New(arranged{
		func() fyne.Size { return p.grid.content.MinSize().AddWidthHeight(0, gap+panelRow) },
		func(size fyne.Size) {
			y, x := size.Height-panelRow, size.Width
			place(p.grid.content, 0, 0, size.Width, y-gap)
			for _, b := range []*button{p.more, p.copy} {
				least := b.MinSize()
				x -= least.Width
				middle(b, x, y, least.Width, panelRow, least.Height)
			}
			place(p.text, 0, y, x-gap, panelRow)
		},
	}, p.grid.content, p.text, p.copy, p.more)
	p.content.Hide()
	return p
}

// collect appends what a drawing is, in place of what was said of the same drawing before.
func (p *manyPanel) collect(label string, drawing uint64) {
	text := p.text.Text
	if drawing == p.drawing {
		text = strings.TrimSuffix(text, p.last)
	}
	p.drawing, p.last = drawing, label
	p.write(text + label)
}

// takeBack removes the last character of the line.
func (p *manyPanel) takeBack() {
	if text := []rune(p.text.Text); len(text) > 0 {
		p.drawing = 0
		p.write(string(text[:len(text)-1]))
	}
}

func (p *manyPanel) write(text string) {
	p.text.SetText(text)
	p.text.CursorColumn = len([]rune(text))
	p.text.Refresh()
}

// setMany shows the candidates as a model of many classes has them, or as bars.
func (d *drawPage) setMany(many bool) {
	d.isMany = many
	d.setMore(false)
	d.several.Hide()
	show(d.many.content, many && !d.inLine)
	show(d.candidates.content, !many || d.inLine)
	d.candidates.fill()
	rearrange(d.content)
}

// setMore shows as many candidates as have room in place of all that is beside the paper.
func (d *drawPage) setMore(on bool) {
	if on == d.many.grid.more || on && !d.many.content.Visible() {
		return
	}
	show(d.cards[0], !on && !d.inLine)
	show(d.cards[2], !on)
	d.many.grid.setMore(on)
	d.many.more.rename(nil, map[bool]string{false: tr("More"), true: tr("Fewer")}[on])
	rearrange(d.content)
}

// connectMany connects what a model of many classes has on the Draw page.
func (w *Window) connectMany() {
	d := w.draw
	d.many.grid.pick = func(c recognizer.Candidate) {
		d.entry.SetText("")
		w.win.Canvas().Unfocus()
		w.teach(c.Label)
		d.setMore(false)
	}
	d.many.copy.onTap = func() {
		if d.many.text.Text != "" {
			w.copyText(d.many.text.Text)
		}
	}
	d.many.more.onTap = func() { d.setMore(!d.many.grid.more) }
	d.entry.OnChanged = func(typed string) { d.many.grid.offer(w.readable(typed), typed) }
}

// readable are the characters that can be read as what is typed, where the model has many.
func (w *Window) readable(typed string) []recognizer.Candidate {
	if !w.draw.many.content.Visible() {
		return nil
	}
	all := w.draw.many.grid.answer
	if all == nil {
		for _, l := range w.header.status.Labels {
			all = append(all, recognizer.Candidate{Label: l})
		}
	}
	return readAs(typed, all)
}

// teachTyped teaches what was typed or, where that is the pinyin of characters, the first of these.
func (w *Window) teachTyped(typed string) {
	if c := w.readable(typed); len(c) > 0 {
		typed = c[0].Label
	}
	w.teach(typed)
}

// manyKey does what a key does where the model has many classes, and tells whether it did anything.
func (w *Window) manyKey(k fyne.KeyName) bool {
	d := w.draw
	switch {
	case !d.many.content.Visible():
		return false
	case k == fyne.KeyPageDown:
		d.setMore(true)
	case k == fyne.KeyPageUp, k == fyne.KeyEscape && d.many.grid.more:
		d.setMore(false)
	case k == fyne.KeyReturn, k == fyne.KeyEnter:
		if w.last.drawing == w.worker.sequence() && !w.last.answer.Unknown {
			d.many.grid.pickNth(0)
		}
	case k == fyne.KeyBackspace && (len(d.pad.drawing()) == 0 || d.pad.done):
		d.many.takeBack()
	default:
		return false
	}
	return true
}

// manyRune takes a candidate by its number, 0 being the tenth, and tells whether r is one.
func (w *Window) manyRune(r rune) bool {
	if !w.draw.many.content.Visible() || r < '0' || r > '9' {
		return false
	}
	w.draw.many.grid.pickNth((int(r-'0') + firstGlyphs - 1) % firstGlyphs)
	return true
}
