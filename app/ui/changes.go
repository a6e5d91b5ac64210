package ui

import (
	"cmp"
	"slices"
	"time"

	"inkshade/glcompute/clock"
	"inkshade/recognizer/ink"
	"inkshade/recognizer/line"
)

// action is a change of what is kept that can be taken back and done again.
type action struct {
	text     string // what was done, for the person
	back     string // that it was taken back; empty says so of the text
	do, undo func() error
	shown    func(done bool) // shows it where it was done or, not done, taken back; nil for nothing more than all pages show
	lesson   *lesson         // nil where it is none
	at       time.Time       // when it was done or taken back
}

// reversible is an action whose doing tells how it is taken back.
func reversible(text string, do func() (undo func() error, err error)) action {
	var undo func() error
	return action{
		text: text,
		do:   func() (err error) { undo, err = do(); return err },
		undo: func() error { return undo() },
	}
}

// changes are what a person did to what is kept, on all pages, in the order in which it happened.
type changes struct {
	win     *Window
	past    []action // that can be undone, the newest last
	undone  []action // that can be done again, the one undone last at the end
	pending int      // changes on their way to the disk
}

// perform does a change, shows what came of it, and keeps the way back.
func (c *changes) perform(a action) {
	c.attempt(a.do, func() { c.did(a) })
}

func (c *changes) attempt(change func() error, done func()) {
	c.pending++
	c.win.save(change, func() {
		c.pending--
		done()
	}, func(err error) {
		c.pending--
		c.win.tell(err)
		c.win.keptChanged()
	})
}

// did keeps an action that was done for the first time.
func (c *changes) did(a action) {
	c.undone = nil
	c.settle(&c.past, a, true)
}

// settle keeps an action that was done, or taken back, and shows it.
func (c *changes) settle(list *[]action, a action, done bool) {
	a.at = clock.Now()
	*list = append(*list, a)
	if done {
		c.win.toast.offer(a.text, c.undo)
	} else {
		c.win.toast.say(cmp.Or(a.back, tr("Undone: {{.What}}", map[string]any{"What": a.text})))
	}
	c.win.keptChanged()
	if a.shown != nil {
		a.shown(done)
	}
}

// undo takes the newest action back, redo does again what was undone last: once everything that was asked for is on disk.
func (c *changes) undo() {
	if c.pending > 0 {
		c.win.saves.do(func() func() { return c.undo })
	} else if a, ok := pop(&c.past); ok {
		c.attempt(a.undo, func() { c.settle(&c.undone, a, false) })
	} else {
		c.win.toast.say(tr("There is nothing to undo."))
	}
}

func (c *changes) redo() {
	if c.pending > 0 {
		c.win.saves.do(func() func() { return c.redo })
	} else if a, ok := pop(&c.undone); ok {
		c.attempt(a.do, func() { c.settle(&c.past, a, true) })
	} else {
		c.win.toast.say(tr("There is nothing to redo."))
	}
}

// undoOn takes back what was done last, an action or what was drawn on a paper; redoOn does again
// what was undone last of both.
func (c *changes) undoOn(p *pad) func() {
	return c.newest(p, &c.past, p.history.changed, p.undo, c.undo)
}

func (c *changes) redoOn(p *pad) func() {
	return c.newest(p, &c.undone, p.history.undone, p.redo, c.redo)
}

func (c *changes) newest(p *pad, kept *[]action, drawn func() time.Time, ofPaper, ofKept func()) func() {
	return func() {
		p.end()
		if c.pending == 0 && last(*kept).at.Before(drawn()) {
			ofPaper()
		} else {
			ofKept()
		}
	}
}

// lessonAbout is what was said last of a drawing; nil for nothing.
func (c *changes) lessonAbout(k ink.Ink) *lesson {
	for i := len(c.past) - 1; i >= 0 && len(k) > 0; i-- {
		if l := c.past[i].lesson; l != nil && sameInk(l.ink, k) {
			return l
		}
	}
	return nil
}

// added is the action of having stored samples.
func (w *Window) added(text string, ids []int64) action {
	book := w.book
	var restore func() error
	return action{
		text: text,
		do:   func() error { return restore() },
		undo: func() (err error) { restore, err = book.Delete(ids...); return err },
	}
}

// keptChanged answers and shows in the light of what is kept now; pages that are not in front wait.
func (w *Window) keptChanged() {
	if w.book != nil {
		w.memoryChanged()
	}
	w.samples.changed()
	w.models.refresh()
	if w.train.content.Visible() {
		w.train.refresh()
	}
	w.lessonChanged()
	w.historyChanged()
}

// historyChanged shows on the Draw page what can be undone and redone.
func (w *Window) historyChanged() {
	h, c := &w.draw.paper().history, &w.changes
	if !w.draw.inLine {
		enable(w.draw.entry, len(h.now) > 0)
	}
	w.draw.tools.setHistory(len(h.past)+len(c.past) > 0, len(h.future)+len(c.undone) > 0, len(h.now) > 0)
}

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
