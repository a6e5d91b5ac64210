package ui

import "inkshade/recognizer/ink"

// history is the drawing with what undo and redo need. A state is never changed once it
// is in past or future; strokes are shared between states.
type history struct {
	now          ink.Ink
	past, future []ink.Ink
}

func (h *history) push(next ink.Ink) {
	h.past = append(h.past, h.now)
	h.now, h.future = next, nil
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
	return true
}

func (h *history) undo() bool { return h.step(&h.past, &h.future) }
func (h *history) redo() bool { return h.step(&h.future, &h.past) }

// step goes to the newest state of one list, and keeps the present one in the other.
func (h *history) step(from, to *[]ink.Ink) bool {
	next, ok := pop(from)
	if ok {
		*to = append(*to, h.now)
		h.now = next
	}
	return ok
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
