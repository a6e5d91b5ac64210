// Package panel lets a person write by hand into other programs.
package panel

import (
	"sync"
	"time"

	"inkshade/app/panel/keyboard"
)

// Typist keeps what stands in another program the same as what stands in the panel. Its methods return at once; a goroutine
// of its own types.
type Typist struct {
	keyboard keyboard.Keyboard
	failed   func(error)

	mu     sync.Mutex
	shown  []rune // of the text that goes on
	jobs   []job
	wake   chan struct{}
	closed chan struct{}
	ended  chan error

	// Of the goroutine alone.
	typed []rune // of the text that goes on; stands before the caret of the other program
	fixed int    // so many of its characters are no longer to be replaced
}

// job is a text that the other program shall have.
type job struct {
	text []rune
	end  bool // the next text begins behind it
	back bool // in place of a text: a character less
}

// NewTypist makes one for a keyboard, which it closes with itself. failed is called on the typist's goroutine when typing
// fails.
func NewTypist(k keyboard.Keyboard, failed func(error)) *Typist {
	t := &Typist{keyboard: k, failed: failed, wake: make(chan struct{}, 1), closed: make(chan struct{}), ended: make(chan error, 1)}
	go t.loop()
	return t
}

// Show lets the other program have a text in place of the one shown before. When something else was typed there meanwhile
// nothing is replaced: only what is longer is typed.
func (t *Typist) Show(text string) {
	t.mu.Lock()
	t.shown = []rune(text)
	t.add(job{text: t.shown})
	t.mu.Unlock()
}

// Finish types something behind the text, a space or a line break, say, or nothing; the next text begins after it.
func (t *Typist) Finish(with string) {
	t.mu.Lock()
	t.add(job{text: append(t.shown[:len(t.shown):len(t.shown)], []rune(with)...), end: true})
	t.shown = nil
	t.mu.Unlock()
}

// Back takes back the character before the caret, whatever it is; the text goes on without it.
func (t *Typist) Back() {
	t.mu.Lock()
	t.shown = nil
	t.jobs = append(t.jobs, job{back: true, end: true})
	t.signal()
	t.mu.Unlock()
}

// add takes the place of a job that nobody waits for any more. The caller holds the lock.
func (t *Typist) add(j job) {
	if n := len(t.jobs); n > 0 && !t.jobs[n-1].end {
		t.jobs = t.jobs[:n-1]
	}
	t.jobs = append(t.jobs, j)
	t.signal()
}

func (t *Typist) signal() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Close types what was asked for and gives the keyboard back.
func (t *Typist) Close() error {
	close(t.closed)
	return <-t.ended
}

func (t *Typist) loop() {
	watch := time.NewTicker(keyboard.WatchEvery)
	defer watch.Stop()
	for {
		select {
		case <-t.wake:
			t.work()
		case <-watch.C:
			t.watch()
		case <-t.closed:
			t.work()
			t.ended <- t.keyboard.Close()
			return
		}
	}
}

// watch notices what is typed or clicked elsewhere while something could still be replaced.
func (t *Typist) watch() {
	if len(t.typed) > t.fixed && t.keyboard.Touched() {
		t.fixed = len(t.typed)
	}
}

func (t *Typist) work() {
	for {
		t.mu.Lock()
		if len(t.jobs) == 0 {
			t.mu.Unlock()
			return
		}
		j := t.jobs[0]
		t.jobs = t.jobs[1:]
		t.mu.Unlock()
		if err := t.do(j); err != nil {
			t.failed(err)
		}
	}
}

// do makes what was typed the text of a job, with as few keys as that takes.
func (t *Typist) do(j job) error {
	if j.back {
		t.typed, t.fixed = nil, 0
		return t.keyboard.Erase(1)
	}
	t.watch()
	same := t.fixed
	for same < min(len(t.typed), len(j.text)) && t.typed[same] == j.text[same] {
		same++
	}
	if n := len(t.typed) - same; n > 0 {
		if err := t.keyboard.Erase(n); err != nil {
			return err
		}
		t.typed = t.typed[:same]
	}
	if same < len(j.text) {
		n, err := t.keyboard.Type(string(j.text[same:]))
		t.typed = append(t.typed, j.text[same:same+n]...)
		if err != nil {
			return err
		}
	}
	if j.end {
		t.typed, t.fixed = nil, 0
	}
	return nil
}
