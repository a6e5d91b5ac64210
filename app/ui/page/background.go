package page

import (
	"sync"
	"time"

	"inkshade/app/ui/language"
	"inkshade/app/ui/widget"
)

// Latest does work off the window's goroutine, on which it is used, one piece at a time; of what is asked for meanwhile the newest alone.
type Latest struct {
	On   *Frame
	Busy bool
	Next func() (then func())
}

// Do asks for work; what it returns runs on the window's goroutine.
func (l *Latest) Do(work func() (then func())) {
	if l.Busy {
		l.Next = work
		return
	}
	l.Busy = true
	l.On.Off(func() {
		then := work()
		l.On.Post(func() {
			l.Busy = false
			next := l.Next
			l.Next = nil
			if next != nil {
				l.Do(next)
			}
			widget.Run(then)
		})
	})
}

// Pace lets reports from a goroutine through to the window now and then, and none while the one before is on its way.
type Pace struct {
	Mu      sync.Mutex
	posted  bool
	ShownAt time.Time
}

// Due notes a report, if anything is to be noted, and tells whether to post it now.
func (p *Pace) Due(note func()) bool {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	widget.Run(note)
	if p.posted || time.Since(p.ShownAt) < widget.Frames {
		return false
	}
	p.posted = true
	return true
}

// Shown reads what was noted, where a report reaches the window.
func (p *Pace) Shown(read func()) {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	p.posted, p.ShownAt = false, time.Now()
	widget.Run(read)
}

// Alarm is a clock that each setting begins anew. It is used on the window's goroutine.
type Alarm struct {
	Post func(func())
	sets int
}

// After does f unless the alarm is set again, or stopped, before so much time has passed.
func (a *Alarm) After(d time.Duration, f func()) {
	a.sets++
	mine := a.sets
	time.AfterFunc(d, func() {
		a.Post(func() {
			if a.sets == mine {
				f()
			}
		})
	})
}

func (a *Alarm) Stop() { a.sets++ }

// Save does what waits for the disk away from the window, and then on the window's goroutine what follows, or failed.
func (f *Frame) Save(work func() error, then func(), failed func(error)) {
	Fetch(f, func() (struct{}, error) { return struct{}{}, work() }, func(struct{}) { widget.Run(then) }, failed)
}

// Fetch does the same with what gives something.
func Fetch[T any](f *Frame, work func() (T, error), then func(T), failed func(error)) {
	f.State.Do(func() func() {
		found, err := work()
		if err != nil {
			return func() { failed(err) }
		}
		return func() { then(found) }
	})
}

// Tell says for a while what went wrong, warn until a person has read it.
func (f *Frame) Tell(err error) { f.Toast.Say(language.Sentence(language.Said(err))) }
func (f *Frame) Warn(err error) { f.Notice.Say(language.Sentence(language.Said(err))) }

// Off does something long on a goroutine of its own; Close waits for it.
func (f *Frame) Off(do func()) { f.offs.Go(do) }

// AtEnd does something once nothing that was given to Off runs any more, when the window closes.
func (f *Frame) AtEnd(do func()) { f.last = append(f.last, do) }

// Ending shows nothing any more that is still to come.
func (f *Frame) Ending() { f.closed.Store(true) }

// Close ends what runs off the window and stores what waits for the disk, once the window's loop has ended.
func (f *Frame) Close() {
	f.Ending()
	f.Each(func(p *Page) func() { return p.Close })
	f.cease()
	f.State.Wait()
	f.offs.Wait()
	for _, do := range f.last {
		do()
	}
}

// Away does what gives something as Off does, and then what follows on the window's goroutine.
func Away[T any](f *Frame, work func() (T, error), then func(T, error)) {
	f.Off(func() {
		found, err := work()
		f.Post(func() { then(found, err) })
	})
}
