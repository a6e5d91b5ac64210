package ui

import "fyne.io/fyne/v2"

// scrollRoom is room for the scroll bar beside notes and bars.
const scrollRoom = 8

// put places what is going on and the buttons on top, the chart left, the drawing and the notes
// right.
func (p *latencyPage) put(size fyne.Size) {
	d := densityOf(size)
	margin, gap := d.margin, d.gap
	right := d.of(floor(min(max(size.Width*0.32, 380), 520)), 344)
	p.inner = d.inner
	x := size.Width - margin
	for _, b := range []*button{p.table, p.picture, p.start} {
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
	middle(p.pace, x, 0, pace, toolHeight, 30)
	sh := p.status.lineHeight()
	place(p.status, margin, 0, x-margin-10, sh)
	place(p.detail, margin, sh+1, x-margin-10, p.detail.lineHeight())

	y := float32(toolHeight) + 6
	full := size.Width - 2*margin
	place(p.progress, margin, y, full, 4)
	y += gap

	height := size.Height - margin - y
	left := full - gap - right
	place(p.cards[0], margin, y, left, height)
	drawing := floor(min(height*d.of(0.54, 0.68), 2*p.inner+380))
	x = margin + left + gap
	place(p.cards[1], x, y, right, drawing)
	place(p.cards[2], x, y+drawing+gap, right, height-drawing-gap)
	p.scroll.Refresh()
}

// putChart places the choice, the chart, its words.
func (p *latencyPage) putChart(size fyne.Size) {
	place(p.experiment, 0, 0, min(size.Width, float32(len(charted))*108), 30)
	words := p.words.most()
	place(p.plot, 0, 42, size.Width, size.Height-42-words-8)
	place(p.words, 0, size.Height-words, size.Width, words)
}

// putDrawing places the title and the total, the choice of the device and its name, the bars, and
// under them which drawing it is.
func (p *latencyPage) putDrawing(size fyne.Size) {
	h := p.drawing.lineHeight()
	place(p.drawing, 0, 0, size.Width-80, h)
	place(p.total, size.Width-80, 0, 80, h)
	place(p.device, 0, h+8, size.Width, 28)
	y := h + 42
	place(p.nothing, 0, y+4, size.Width, p.nothing.most())
	over, under := p.renderer.height(size.Width), p.caption.height(size.Width)
	place(p.renderer, 0, y, size.Width, p.renderer.most())
	place(p.caption, 0, size.Height-under, size.Width, p.caption.most())
	height := size.Height - y - over - under - 8
	p.waterfall.room = 0
	if p.waterfall.MinSize().Height > height {
		p.waterfall.room = scrollRoom
	}
	place(p.bars, 0, y+over+4, size.Width, height)
}
