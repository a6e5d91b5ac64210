package widget

import (
	"math"
	"slices"

	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// Tool is what the pen does to the paper.
type Tool int

const (
	Draws   Tool = iota
	Erases       // takes away strokes that it touches, as the secondary button always does
	Selects      // goes around strokes, or from corner to corner, and moves those that have a frame around them
)

// selection is strokes that are moved or deleted together.
type selection struct {
	strokes  []int // by number in the drawing
	pressed  bool  // the pen is down
	from, to ink.Point
	reach    line.Box // of the pen since then
	before   ink.Ink  // the drawing as it was before the strokes were moved; nil while they are not
}

// grab begins to move the strokes that are selected, or to select others.
func (p *Pad) grab(q ink.Point) {
	b, some := p.selected()
	s := &p.selection
	s.pressed, s.from, s.to, s.reach = true, q, q, rectangle(q, q)
	if !some || !within(b, q) {
		p.Deselect()
	}
}

// pull goes on with that.
func (p *Pad) pull(to ink.Point) {
	s := &p.selection
	s.to = to
	s.reach = line.Box{MinX: min(s.reach.MinX, to.X), MinY: min(s.reach.MinY, to.Y), MaxX: max(s.reach.MaxX, to.X), MaxY: max(s.reach.MaxY, to.Y)}
	if len(s.strokes) == 0 {
		p.frameAround(s.frame())
		return
	}
	if s.before == nil {
		s.before = p.History.Now
	}
	p.History.Now = slices.Clone(s.before)
	for _, i := range s.strokes {
		p.History.Now[i] = scaled(ink.Ink{s.before[i]}, 1, s.from.X, s.from.Y, to.X, to.Y)[0]
	}
	p.showSelection()
	p.Restamp()
}

// let ends it.
func (p *Pad) let() {
	s := &p.selection
	if !s.pressed {
		return
	}
	s.pressed = false
	if s.before == nil {
		frame := s.frame()
		for i, stroke := range p.History.Now {
			inside := 0
			for _, q := range stroke {
				if within(frame, q) {
					inside++
				}
			}
			if 2*inside > len(stroke) || touches(stroke, s.from) && touches(stroke, s.to) && len(s.strokes) == 0 {
				s.strokes = append(s.strokes, i)
			}
		}
	} else {
		strokes, moved, said := s.strokes, p.History.Now, p.History.Fixed
		p.History.Now, p.Done = s.before, false
		p.step(func() bool {
			p.History.push(moved)
			p.History.Fixed = said
			return true
		})
		s.strokes = strokes
	}
	s.before = nil
	p.View.Frame.Hide()
	p.showSelection()
}

// frame is what the pen went around, where it came back, or what lies between the corners where it began and is.
func (s *selection) frame() line.Box {
	r := s.reach
	if math.Hypot(s.to.X-s.from.X, s.to.Y-s.from.Y) < math.Hypot(r.MaxX-r.MinX, r.MaxY-r.MinY)/2 {
		return r
	}
	return rectangle(s.from, s.to)
}

func rectangle(a, b ink.Point) line.Box {
	return line.Box{MinX: min(a.X, b.X), MinY: min(a.Y, b.Y), MaxX: max(a.X, b.X), MaxY: max(a.Y, b.Y)}
}

func within(b line.Box, q ink.Point) bool {
	return q.X >= b.MinX && q.X <= b.MaxX && q.Y >= b.MinY && q.Y <= b.MaxY
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
