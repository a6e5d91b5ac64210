package ui

import (
	"sync"
	"time"
)

// frames is how often something long is followed: each change repaints the window.
const frames = 100 * time.Millisecond

// pace lets reports from a goroutine through to the window now and then, and none while the
// one before is on its way.
type pace struct {
	mu      sync.Mutex
	posted  bool
	shownAt time.Time
}

// due tells whether to post a report now.
func (p *pace) due() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.posted || time.Since(p.shownAt) < frames {
		return false
	}
	p.posted = true
	return true
}

// shown is called where a report reaches the window.
func (p *pace) shown() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.posted, p.shownAt = false, time.Now()
}

// alarm is a clock that each setting begins anew. It is used on the window's goroutine.
type alarm struct {
	post func(func())
	sets int
}

// after does f unless the alarm is set again, or stopped, before so much time has passed.
func (a *alarm) after(d time.Duration, f func()) {
	a.sets++
	mine := a.sets
	time.AfterFunc(d, func() {
		a.post(func() {
			if a.sets == mine {
				f()
			}
		})
	})
}

func (a *alarm) stop() { a.sets++ }
