package ui

import "fyne.io/fyne/v2"

// latencyLayout: what is going on and the buttons on top, the chart left, the drawing and
// the notes right.
type latencyLayout struct{ page *latencyPage }

func (l *latencyLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return smallest.SubtractWidthHeight(0, headerHeight(smallest.Height))
}

func (l *latencyLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	d := densityOf(size)
	margin, gap, inner := d.margin, d.gap, d.inner
	right := d.of(floor(min(max(size.Width*0.32, 380), 520)), 344)
	for _, c := range p.cards {
		c.setMargin(inner)
	}
	x := size.Width - margin
	for _, b := range []*toolButton{p.table, p.picture, p.start} {
		w := b.MinSize().Width
		if b == p.start && !d.compact {
			w += 60 // for the key
		}
		x -= w
		place(b, x, 0, w, toolHeight)
		x -= 8
	}
	pace := float32(170)
	x -= pace + 4
	place(p.pace, x, floor((toolHeight-30)/2), pace, 30)
	sh := p.status.lineHeight()
	place(p.status, margin, 0, x-margin-10, sh)
	place(p.detail, margin, sh+1, x-margin-10, p.detail.lineHeight())

	y := float32(toolHeight) + 6
	full := size.Width - 2*margin
	place(p.track, margin, y, full, 4)
	place(p.bar, margin, y, full*p.done, 4)
	y += 4 + gap - 4

	height := size.Height - margin - y
	left := full - gap - right
	place(p.cards[0], margin, y, left, height)
	drawing := floor(min(height*d.of(0.54, 0.68), 2*inner+380))
	x = margin + left + gap
	place(p.cards[1], x, y, right, drawing)
	place(p.cards[2], x, y+drawing+gap, right, height-drawing-gap)
}

// latencyChartLayout: the choice, the chart, its words.
type latencyChartLayout struct{ page *latencyPage }

func (l *latencyChartLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(420, 300) }

func (l *latencyChartLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	place(p.experiment, 0, 0, min(size.Width, 520), 30)
	words := float32(p.words.lines) * p.words.lineHeight()
	place(p.plot, 0, 42, size.Width, size.Height-42-words-8)
	place(p.words, 0, size.Height-words, size.Width, words)
}

// latencyDrawingLayout: the title and the total, the choice of the device and its name, the
// bars, and under them which drawing it is.
type latencyDrawingLayout struct{ page *latencyPage }

func (l *latencyDrawingLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

func (l *latencyDrawingLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	h := p.drawing.lineHeight()
	place(p.drawing, 0, 0, size.Width-80, h)
	place(p.total, size.Width-80, 0, 80, h)
	place(p.device, 0, h+8, size.Width, 28)
	y := h + 42
	place(p.nothing, 0, y+4, size.Width, p.nothing.MinSize().Height)
	line := p.renderer.lineHeight()
	over := line * float32(len(p.renderer.wrap(size.Width)))
	place(p.renderer, 0, y, size.Width, 2*line)
	under := line * float32(len(p.caption.wrap(size.Width)))
	place(p.caption, 0, size.Height-under, size.Width, 2*line)
	height := size.Height - y - over - under - 8
	p.waterfall.room = 0
	if p.waterfall.MinSize().Height > height {
		p.waterfall.room = noteScroll
	}
	place(p.bars, 0, y+over+4, size.Width, height)
}

// latencyKnowLayout: the title and under it the notes.
type latencyKnowLayout struct{ page *latencyPage }

func (l *latencyKnowLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 80) }

func (l *latencyKnowLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	h := p.know.lineHeight()
	place(p.know, 0, 0, size.Width, h)
	place(p.scroll, 0, h+6, size.Width, size.Height-h-6)
}

// latencyNotesLayout puts the notes under each other; they scroll where they are many.
type latencyNotesLayout struct{ page *latencyPage }

const (
	noteGap    = 8
	noteScroll = 8 // room for the scroll bar
)

func (l *latencyNotesLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(120, l.arrange(l.page.scroll.Size().Width, false))
}

func (l *latencyNotesLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.arrange(size.Width, true)
}

// arrange returns the height that is needed and, when move is set, places everything.
func (l *latencyNotesLayout) arrange(width float32, move bool) float32 {
	y := float32(0)
	for _, n := range l.page.notes {
		lines := len(n.wrap(width - noteScroll))
		if move {
			place(n, 0, y, width-noteScroll, float32(n.lines)*n.lineHeight())
		}
		if lines > 0 {
			y += float32(lines)*n.lineHeight() + noteGap
		}
	}
	return y
}
