package widget

import (
	"math"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// history is the drawing with what undo and redo need. States do not change once kept, and share strokes.
type history struct {
	state
	Past, Future []state
	renewed      func() // there is a new change, and nothing to be redone; nil for nothing
}

// state is what a drawing is, or was until it was changed or, in the future, undone.
type state struct {
	Now    ink.Ink
	Fixed  []line.Fixed // what was said of its characters, where it is a line
	Source any          // that it was read from; nil where it was drawn
	until  time.Time
}

// keep puts the present state behind others.
func (h *history) keep(behind *[]state) {
	h.until = clock.Now()
	*behind = append(*behind, h.state)
}

// undoable is how many changes can be taken back: of a day's drawings the memory would fill.
const undoable = 1000

func (h *history) push(next ink.Ink) {
	h.keep(&h.Past)
	h.Past = slices.Delete(h.Past, 0, max(len(h.Past)-undoable, 0))
	h.Now, h.Source, h.Future = next, nil, nil
	Run(h.renewed)
}

func (h *history) add(s ink.Stroke) {
	h.push(append(h.Now[:len(h.Now):len(h.Now)], s))
}

// clear empties the drawing; undo brings it back.
func (h *history) clear() bool {
	if len(h.Now) == 0 {
		return false
	}
	h.push(nil)
	h.Fixed = nil
	return true
}

// drop goes to the newest state and forgets the present one.
func (h *history) drop() bool {
	ok := h.step(&h.Past, &h.Future)
	Pop(&h.Future)
	return ok
}

func (h *history) Undo() bool { return h.step(&h.Past, &h.Future) }
func (h *history) redo() bool { return h.step(&h.Future, &h.Past) }

// step goes to the newest state of one list, and keeps the present one in the other.
func (h *history) step(from, to *[]state) bool {
	next, ok := Pop(from)
	if ok {
		h.keep(to)
		h.state = next
	}
	return ok
}

// Changed and undone are when the last change was made and undone; the zero time where there is none.
func (h *history) Changed() time.Time { return Last(h.Past).until }
func (h *history) Undone() time.Time  { return Last(h.Future).until }

// Last is the newest of a list, or the zero value of an empty one.
func Last[T any](list []T) (newest T) {
	if n := len(list); n > 0 {
		newest = list[n-1]
	}
	return newest
}

// Map makes something of all in a list.
func Map[T, R any](list []T, of func(T) R) []R {
	made := make([]R, len(list))
	for i, x := range list {
		made[i] = of(x)
	}
	return made
}

// Pop takes the newest off a list.
func Pop[T any](list *[]T) (newest T, ok bool) {
	n := len(*list)
	if n == 0 {
		return newest, false
	}
	newest, *list = (*list)[n-1], (*list)[:n-1]
	return newest, true
}

// SameInk tells whether two drawings have the same points.
func SameInk(a, b ink.Ink) bool { return slices.EqualFunc(a, b, slices.Equal[ink.Stroke]) }

// eraserReach in page units is how far from a stroke the eraser takes it.
const eraserReach = 24.0

// erase takes away the strokes that are touched on the way from where the eraser was to at.
func (p *Pad) erase(at fyne.Position) {
	to, from := p.point(at), p.erased
	if p.erased = to; !p.erasing {
		p.erasing, from = true, to
	}
	steps := math.Ceil(math.Hypot(to.X-from.X, to.Y-from.Y) / eraserReach)
	for n := range int(steps) + 1 {
		share := float64(n) / max(steps, 1)
		q := ink.Point{X: from.X + share*(to.X-from.X), Y: from.Y + share*(to.Y-from.Y)}
		if i := slices.IndexFunc(p.History.Now, func(s ink.Stroke) bool { return touches(s, q) }); i >= 0 {
			p.Done = false
			p.Erase([]line.Part{{Stroke: i}})
		}
	}
}

// touches tells whether a point is within the eraser's reach of a stroke.
func touches(s ink.Stroke, q ink.Point) bool {
	for i, b := range s {
		a := s[max(i-1, 0)]
		dx, dy := b.X-a.X, b.Y-a.Y
		along := min(max(((q.X-a.X)*dx+(q.Y-a.Y)*dy)/max(dx*dx+dy*dy, 1e-9), 0), 1)
		if math.Hypot(q.X-a.X-along*dx, q.Y-a.Y-along*dy) <= eraserReach {
			return true
		}
	}
	return false
}
