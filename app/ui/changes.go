package ui

// action is a change of what is kept that can be taken back and done again.
type action struct {
	text     string // what was done, for the person
	do, undo func() error
}

// changes are what a person did on a page.
type changes struct {
	win    *Window
	then   func()   // shows what is kept now
	past   []action // that can be undone, the newest last
	undone []action // that can be done again
}

// perform does a change, shows what came of it, and keeps the way back.
func (c *changes) perform(a action) {
	c.attempt(a.do, func() { c.did(a) })
}

func (c *changes) attempt(change func() error, done func()) {
	c.win.save(change, func() {
		done()
		c.then()
	}, c.win.tell)
}

// did keeps an action that was done for the first time.
func (c *changes) did(a action) {
	c.past, c.undone = append(c.past, a), nil
	c.win.toast.offer(a.text, c.undo)
}

// undo takes the newest action back.
func (c *changes) undo() {
	if a, ok := pop(&c.past); ok {
		c.attempt(a.undo, func() {
			c.undone = append(c.undone, a)
			c.win.toast.say(tr("Taken back: {{.What}}", map[string]any{"What": a.text}))
		})
	}
}

// redo does again what was undone last.
func (c *changes) redo() {
	if a, ok := pop(&c.undone); ok {
		c.attempt(a.do, func() {
			c.past = append(c.past, a)
			c.win.toast.offer(a.text, c.undo)
		})
	}
}
