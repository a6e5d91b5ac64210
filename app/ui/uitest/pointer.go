// Package uitest is what tests of the window's packages share. Only tests import it.
package uitest

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inkshade/recognizer/ink"
)

// Seven and Dash are strokes well inside a paper of any layout.
var (
	Seven = []fyne.Position{{X: 120, Y: 100}, {X: 180, Y: 98}, {X: 240, Y: 100}, {X: 200, Y: 190}, {X: 170, Y: 280}}
	Dash  = []fyne.Position{{X: 130, Y: 190}, {X: 180, Y: 190}, {X: 250, Y: 188}}
)

// SevenInk is a seven as it is stored.
var SevenInk = ink.Ink{{{X: 0, Y: 0}, {X: 30, Y: 2}, {X: 60, Y: 0}, {X: 40, Y: 50}, {X: 25, Y: 100}}}

// Mouse is an event of a button, 0 for none, at a place.
func Mouse(x, y float32, b desktop.MouseButton) *desktop.MouseEvent {
	e := &desktop.MouseEvent{Button: b}
	e.Position = fyne.NewPos(x, y)
	return e
}

// Paper is what can be drawn on.
type Paper interface {
	desktop.Mouseable
	desktop.Hoverable
	fyne.Draggable
}

// Stroke sends the events of a stroke in the order in which Fyne's desktop driver does:
// a move without button, down, moves below the drag threshold, drags, up, drag end.
func Stroke(p Paper, points ...fyne.Position) {
	first := points[0]
	p.MouseMoved(Mouse(first.X, first.Y, 0))
	p.MouseDown(Mouse(first.X, first.Y, desktop.MouseButtonPrimary))
	p.MouseMoved(Mouse(first.X+1, first.Y, desktop.MouseButtonPrimary))
	last := first
	for _, q := range points[1:] {
		e := &fyne.DragEvent{Dragged: fyne.NewDelta(q.X-last.X, q.Y-last.Y)}
		e.Position = q
		p.Dragged(e)
		last = q
	}
	p.MouseUp(Mouse(last.X, last.Y, desktop.MouseButtonPrimary))
	p.DragEnd()
}
