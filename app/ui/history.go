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

func (h *history) undo() bool {
	if len(h.past) == 0 {
		return false
	}
	h.future = append(h.future, h.now)
	h.now = h.past[len(h.past)-1]
	h.past = h.past[:len(h.past)-1]
	return true
}

func (h *history) redo() bool {
	if len(h.future) == 0 {
		return false
	}
	h.past = append(h.past, h.now)
	h.now = h.future[len(h.future)-1]
	h.future = h.future[:len(h.future)-1]
	return true
}
