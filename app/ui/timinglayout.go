package ui

import (
	"fyne.io/fyne/v2"
)

// timingLayout places the lines of the timing card from top to bottom. Its heights depend
// on the density and on brief only, never on what is shown.
type timingLayout struct{ view *timingView }

// gaps between the blocks of the card.
func (l *timingLayout) gaps() (block, line, bar float32) {
	if l.view.compact {
		return 8, 1, 8
	}
	return 14, 4, 12
}

func (l *timingLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(300, l.arrange(fyne.NewSize(300, 0), false))
}

func (l *timingLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) { l.arrange(size, true) }

// arrange returns the height that is needed and, when move is set, places everything.
func (l *timingLayout) arrange(size fyne.Size, move bool) float32 {
	v := l.view
	block, line, bar := l.gaps()
	put := func(o fyne.CanvasObject, x, y, w, h float32) {
		if move {
			place(o, x, y, w, h)
		}
	}
	height := func(x *label) float32 { return x.MinSize().Height }

	y := float32(0)
	put(v.title, 0, y, size.Width-120, height(v.title))
	put(v.repeats, size.Width-150, y+2, 150, height(v.repeats))
	y += height(v.title) + block - 2
	for _, side := range []Side{CPU, GPU} {
		d := v.lines[side]
		h := height(d.name)
		const nameWidth, totalWidth = 44, 92
		put(d.name, 0, y, nameWidth, h)
		put(d.total, size.Width-totalWidth, y, totalWidth, h)
		pills := d.badge.MinSize()
		put(d.badge, nameWidth, y+floor((h-pills.Height)/2)+1, min(pills.Width, size.Width-nameWidth-totalWidth), pills.Height)
		y += h
		put(d.device, 0, y, size.Width, height(d.device))
		y += height(d.device) + line
		put(d.bar, 0, y, size.Width, bar)
		y += bar + block
	}
	if !v.brief {
		y = l.table(size, y-block/2, put)
	}
	for _, o := range v.table() {
		if move && o.Visible() == v.brief {
			show(o, !v.brief)
		}
	}
	put(v.note, 0, y+line+2, size.Width, height(v.note))
	return y + line + 2 + height(v.note)
}

func show(o fyne.CanvasObject, visible bool) {
	if visible {
		o.Show()
	} else {
		o.Hide()
	}
}

// table places the legend, which heads the columns, and both rows of numbers.
func (l *timingLayout) table(size fyne.Size, y float32, put func(fyne.CanvasObject, float32, float32, float32, float32)) float32 {
	v := l.view
	const rowHead, swatch = 40, 8
	column := floor((size.Width - rowHead) / float32(len(stages)))
	h := v.note.lineHeight()
	put(v.unit, 0, y, rowHead, h)
	for i, head := range v.heads {
		right := rowHead + float32(i+1)*column
		text := min(head.name.width(head.name.text)+2, column-swatch-6)
		put(head.name, right-text, y, text, h)
		put(head.swatch, right-text-swatch-5, y+floor((h-swatch)/2), swatch, swatch)
	}
	y += h + 2
	for _, side := range []Side{CPU, GPU} {
		d := v.lines[side]
		put(d.row, 0, y, rowHead, h)
		for i, c := range d.cells {
			put(c, rowHead+float32(i)*column, y, column, h)
		}
		y += h + 1
	}
	return y
}
