package ui

// latest does work away from the window's goroutine, one piece at a time; of what is asked for
// meanwhile the newest alone is done. It is used on the window's goroutine.
type latest struct {
	win  *Window
	busy bool
	next func() (then func())
}

// do asks for work; what it returns runs on the window's goroutine.
func (l *latest) do(work func() (then func())) {
	if l.busy {
		l.next = work
		return
	}
	l.busy = true
	l.win.off(func() {
		then := work()
		l.win.opts.post(func() {
			l.busy = false
			next := l.next
			l.next = nil
			if next != nil {
				l.do(next)
			}
			run(then)
		})
	})
}
