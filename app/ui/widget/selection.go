package widget

import (
	"slices"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// Tool is what the pen does to the paper.
type Tool int

const (
	Draws   Tool = iota
	Erases       // takes away strokes that it touches, as the secondary button always does
	Selects      // draws a frame around strokes, and moves those that have one around them
)

// selection is strokes that are moved or deleted together.
type selection struct {
	strokes       []int // by number in the drawing
	pressed       bool  // the pen is down
	from          ink.Point
	before, moved ink.Ink // the drawing as it was and with the strokes where the pen has them; nil while they are not moved
}

// grab begins to move the strokes that are selected, or to select others.
func (p *Pad) grab(q ink.Point) {
	b, some := p.selected()
	p.selection.pressed, p.selection.from = true, q
	if !some || q.X < b.MinX || q.X > b.MaxX || q.Y < b.MinY || q.Y > b.MaxY {
		p.Deselect()
	}
}

// pull goes on with that.
func (p *Pad) pull(to ink.Point) {
	s := &p.selection
	if len(s.strokes) == 0 {
		p.frameAround(rectangle(s.from, to))
		return
	}
	if s.before == nil {
		s.before = p.History.Now
	}
	s.moved = slices.Clone(s.before)
	for _, i := range s.strokes {
		s.moved[i] = scaled(ink.Ink{s.before[i]}, 1, s.from.X, s.from.Y, to.X, to.Y)[0]
	}
	p.History.Now = s.moved
	p.showSelection()
	p.Restamp()
}

// let ends it.
func (p *Pad) let(at ink.Point) {
	s := &p.selection
	if !s.pressed {
		return
	}
	s.pressed = false
	if s.before == nil {
		frame := rectangle(s.from, at)
		for i, stroke := range p.History.Now {
			inside := 0
			for _, q := range stroke {
				if q.X >= frame.MinX && q.X <= frame.MaxX && q.Y >= frame.MinY && q.Y <= frame.MaxY {
					inside++
				}
			}
			if 2*inside > len(stroke) || touches(stroke, s.from) && touches(stroke, at) && len(s.strokes) == 0 {
				s.strokes = append(s.strokes, i)
			}
		}
	} else {
		strokes, moved, said := s.strokes, s.moved, p.History.Fixed
		p.History.Now = s.before
		p.step(func() bool {
			p.History.push(moved)
			p.History.Fixed = said
			return true
		})
		s.strokes = strokes
	}
	s.before, s.moved = nil, nil
	p.View.Frame.Hide()
	p.showSelection()
}

func rectangle(a, b ink.Point) line.Box {
	return line.Box{MinX: min(a.X, b.X), MinY: min(a.Y, b.Y), MaxX: max(a.X, b.X), MaxY: max(a.Y, b.Y)}
}

// selected is the frame around the strokes that are selected.
func (p *Pad) selected() (b line.Box, some bool) {
	var of ink.Ink
	for _, i := range p.selection.strokes {
		of = append(of, p.History.Now[i])
	}
	b.MinX, b.MinY, b.MaxX, b.MaxY, some = of.Bounds()
	more := 2 * p.Nib()
	return line.Box{MinX: b.MinX - more, MinY: b.MinY - more, MaxX: b.MaxX + more, MaxY: b.MaxY + more}, some
}

func (p *Pad) showSelection() {
	if b, some := p.selected(); some {
		p.frameAround(b)
	}
}

func (p *Pad) frameAround(b line.Box) {
	left, top, right, bottom := p.around(b, 0, 1)
	Place(p.View.Frame, left, top, max(right-left, 1), max(bottom-top, 1))
	p.View.Frame.Show()
	p.View.paper.Refresh() // the canvas does not know yet of what was never seen
}

// Deselect leaves no stroke selected, and tells whether any was.
func (p *Pad) Deselect() bool {
	some := len(p.selection.strokes) > 0
	p.selection.strokes = nil
	p.View.Frame.Hide()
	return some
}

// EraseSelected takes the selected strokes off the paper, and tells whether there were any.
func (p *Pad) EraseSelected() bool {
	gone := Map(p.selection.strokes, func(i int) line.Part { return line.Part{Stroke: i} })
	if p.Deselect() {
		p.Erase(gone)
		return true
	}
	return false
}
