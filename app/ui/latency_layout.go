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
	right := d.of(floor(min(max(size.Width*0.32, 380), 520)), 330)
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
	drawing := floor(min(height*0.55, 2*inner+320))
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

// latencyDrawingLayout: the title and the total, the choice of the device, the bars.
type latencyDrawingLayout struct{ page *latencyPage }

func (l *latencyDrawingLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 200) }

func (l *latencyDrawingLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	h := p.drawing.lineHeight()
	place(p.drawing, 0, 0, size.Width-80, h)
	place(p.total, size.Width-80, 0, 80, h)
	place(p.device, 0, h+8, size.Width, 28)
	place(p.waterfall, 0, h+46, size.Width, size.Height-h-46)
}

// latencyNotesLayout: the title and under it the notes, as many as there is room for.
type latencyNotesLayout struct{ page *latencyPage }

func (l *latencyNotesLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(280, 80) }

func (l *latencyNotesLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	p := l.page
	h := p.know.lineHeight()
	place(p.know, 0, 0, size.Width, h)
	y := h + 6
	for _, n := range p.notes {
		h := float32(len(n.wrap(size.Width))) * n.lineHeight()
		n.Hidden = y+h > size.Height
		place(n, 0, y, size.Width, float32(n.lines)*n.lineHeight())
		if h > 0 {
			y += h + 8
		}
	}
}
