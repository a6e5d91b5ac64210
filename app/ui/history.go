package ui

import (
	"slices"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// history is the drawing with what undo and redo need. A state is never changed once it
// is in past or future; strokes are shared between states.
type history struct {
	now          ink.Ink
	fixed        []line.Fixed // what was said of its characters, where it is a line
	scan         *scan        // that it was read from; nil where it was drawn
	past, future []state
}

// state is what a drawing was until it was changed or, in the future, undone.
type state struct {
	ink   ink.Ink
	fixed []line.Fixed
	scan  *scan
	until time.Time
}

// undoable is how many changes can be taken back: of a day's drawings the memory would fill.
const undoable = 1000

func (h *history) push(next ink.Ink) {
	h.past = append(h.past, state{h.now, h.fixed, h.scan, clock.Now()})
	h.past = slices.Delete(h.past, 0, max(len(h.past)-undoable, 0))
	h.now, h.scan, h.future = next, nil, nil
}

// add finishes a stroke.
func (h *history) add(s ink.Stroke) {
	h.push(append(h.now[:len(h.now):len(h.now)], s))
}

// clear empties the drawing; undo brings it back.
func (h *history) clear() bool {
	if len(h.now) == 0 {
		return false
	}
	h.push(nil)
	h.fixed = nil
	return true
}

func (h *history) undo() bool { return h.step(&h.past, &h.future) }
func (h *history) redo() bool { return h.step(&h.future, &h.past) }

// step goes to the newest state of one list, and keeps the present one in the other.
func (h *history) step(from, to *[]state) bool {
	next, ok := pop(from)
	if ok {
		*to = append(*to, state{h.now, h.fixed, h.scan, clock.Now()})
		h.now, h.fixed, h.scan = next.ink, next.fixed, next.scan
	}
	return ok
}

// changed and undone are when the last change was made and undone; the zero time where there is none.
func (h *history) changed() time.Time { return last(h.past).until }
func (h *history) undone() time.Time  { return last(h.future).until }

// last is the newest of a list, or the zero value of an empty one.
func last[T any](list []T) (newest T) {
	if n := len(list); n > 0 {
		newest = list[n-1]
	}
	return newest
}

// pop takes the newest off a list.
func pop[T any](list *[]T) (newest T, ok bool) {
	n := len(*list)
	if n == 0 {
		return newest, false
	}
	newest, *list = (*list)[n-1], (*list)[:n-1]
	return newest, true
}

// sameInk tells whether two drawings have the same points.
func sameInk(a, b ink.Ink) bool { return slices.EqualFunc(a, b, slices.Equal[ink.Stroke]) }
