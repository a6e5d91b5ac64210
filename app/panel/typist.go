// Package panel lets a person write by hand into other programs.
package panel

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"inkshade/app/panel/keyboard"
	"inkshade/recognizer/ink"
)

// Typist keeps what stands in another program the same as what stands in the panel. Its methods return at once; a goroutine
// of its own types. What cannot be typed now waits until it can.
type Typist struct {
	keyboard keyboard.Keyboard
	tell     func(Stuck)

	mu     sync.Mutex
	shown  []Piece // of the text that goes on
	jobs   []job
	wake   chan struct{}
	closed chan struct{}
	ended  chan error

	// Of the goroutine alone.
	now   standing
	since time.Time // when the next job could not be done for the first time; the zero time where it was not tried
	told  string    // of which text it was told that it waits
}

// Piece is a part of a text.
type Piece struct {
	Text string
	Ink  []*ink.Point // the first points of the strokes that it was read from
}

// standing is what the other program has of the text that goes on.
type standing struct {
	typed []rune       // stands before the caret
	fixed int          // so many of its characters are no longer to be replaced
	part  bool         // of a text that is not typed to its end
	ink   []*ink.Point // of the text that was typed last
	stays string       // stands somewhere before what was typed by others
	ended []*ink.Point // of what stays
	moved bool         // stays is in another program
}

// Stuck is text that is not typed.
type Stuck struct {
	Text  string // of one that waits, what is missing
	Err   error  // why; nil for a text that waited and is typed
	Waits bool   // it will be typed as soon as that is possible, else it is lost
	Stays bool   // another stands where it is to be, and is not replaced
}

// job is a text that the other program shall have.
type job struct {
	text []Piece
	end  bool // the next text begins behind it
}

func textOf(all []Piece) string {
	var b strings.Builder
	for _, p := range all {
		b.WriteString(strings.ReplaceAll(p.Text, "\b", ""))
	}
	return b.String()
}

const (
	soon = 500 * time.Millisecond // how long text may wait before that is told
	last = 2 * time.Second        // and while the typist is closed, when another program is about to get the keyboard
)

// NewTypist makes one for a keyboard, which it closes with itself. tell is called on the typist's goroutine of what is not typed,
// and when what waited is.
func NewTypist(k keyboard.Keyboard, tell func(Stuck)) *Typist {
	t := &Typist{keyboard: k, tell: tell, wake: make(chan struct{}, 1), closed: make(chan struct{}), ended: make(chan error, 1)}
	go t.loop()
	return t
}

// Show lets the other program have a text in place of the one shown before. When something else was typed there meanwhile
// nothing is replaced: only what was read from later strokes is typed.
func (t *Typist) Show(text ...Piece) {
	t.mu.Lock()
	t.shown = text
	t.add(job{text: text})
	t.mu.Unlock()
}

// Finish types something behind the text, a space or a line break, say, or nothing; the next text begins after it.
func (t *Typist) Finish(with string) {
	t.mu.Lock()
	t.add(job{text: append(t.shown[:len(t.shown):len(t.shown)], Piece{Text: with}), end: true})
	t.shown = nil
	t.mu.Unlock()
}

// Back takes back the character before the caret, whatever it is; the text goes on without it.
func (t *Typist) Back() {
	t.mu.Lock()
	t.add(job{text: t.shown, end: true})
	t.jobs = append(t.jobs, job{text: []Piece{{Text: "\b"}}, end: true})
	t.shown = nil
	t.mu.Unlock()
}

// add takes the place of a job that nobody waits for any more, and wakes the goroutine. The caller holds the lock.
func (t *Typist) add(j job) {
	if n := len(t.jobs); n > 0 && !t.jobs[n-1].end {
		t.jobs = t.jobs[:n-1]
	}
	t.jobs = append(t.jobs, j)
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
	closed, ends := t.closed, time.Time{}
	for {
		select {
		case <-t.wake:
		case <-watch.C:
			t.watch()
		case <-closed:
			closed, ends = nil, time.Now().Add(last)
		}
		if waits := t.work(); closed == nil && (!waits || time.Now().After(ends)) {
			t.ended <- t.keyboard.Close()
			return
		}
	}
}

// watch notices what is typed or clicked elsewhere while something could still be replaced.
func (t *Typist) watch() {
	if len(t.now.typed) > t.now.fixed && t.keyboard.Touched() {
		t.now.fixed = len(t.now.typed)
	}
}

// work does the jobs, and tells whether some wait.
func (t *Typist) work() (waits bool) {
	for {
		t.mu.Lock()
		if len(t.jobs) == 0 {
			t.mu.Unlock()
			return false
		}
		j := t.jobs[0]
		t.jobs = t.jobs[1:]
		t.mu.Unlock()
		stays, err := t.do(j)
		if keyboard.Passes(err) {
			t.mu.Lock()
			t.jobs = append([]job{j}, t.jobs...)
			t.mu.Unlock()
			t.wait(err)
			return true
		}
		if j.end {
			t.now = standing{}
		}
		switch {
		case err != nil:
			t.tell(Stuck{Text: textOf(j.text), Err: err})
		case stays || t.told != "":
			t.tell(Stuck{Stays: stays})
		}
		t.since, t.told = time.Time{}, ""
	}
}

// wait tells what waits, once it has done so for some time and whenever that changes, from where it parts from what stands there.
func (t *Typist) wait(err error) {
	if t.since.IsZero() {
		t.since = time.Now()
	}
	if time.Since(t.since) < soon {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var all strings.Builder
	for _, j := range t.jobs {
		all.WriteString(textOf(j.text))
	}
	missing := []rune(all.String())
	for _, r := range t.now.stays + string(t.now.typed) {
		if len(missing) == 0 || missing[0] != r {
			break
		}
		missing = missing[1:]
	}
	if text := cmp.Or(string(missing), all.String()); text != t.told { // all where something is to be deleted
		t.told = text
		t.tell(Stuck{Text: text, Err: err, Waits: true})
	}
}

// do makes what was typed the text of a job, with as few keys as that takes. stays tells that something else stands where it is not
// to be replaced.
func (t *Typist) do(j job) (stays bool, err error) {
	t.watch()
	now := &t.now
	if now.fixed > 0 && !now.part {
		*now = standing{stays: now.stays + string(now.typed), ended: append(now.ended, now.ink...)}
	}
	if now.stays != "" && len(now.typed) == 0 {
		now.moved = t.keyboard.Moved()
	}
	var before, text string
	var read []*ink.Point
	for _, p := range j.text {
		read = append(read, p.Ink...)
		switch {
		case slices.ContainsFunc(p.Ink, func(first *ink.Point) bool { return slices.Contains(now.ended, first) }):
			before += p.Text
		case now.moved && text == "" && len(p.Ink) > 0: // parted from nothing
			text = strings.TrimPrefix(p.Text, " ")
		default:
			text += p.Text
		}
	}
	wanted, same := []rune(text), now.fixed
	for same < min(len(now.typed), len(wanted)) && now.typed[same] == wanted[same] {
		same++
	}
	erased, more := len(now.typed)-same, wanted[min(same, len(wanted)):]
	n := 0
	if erased+len(more) > 0 {
		n, err = t.keyboard.Type(strings.Repeat("\b", erased) + string(more))
	}
	now.typed = append(now.typed[:len(now.typed)-min(n, erased)], more[:max(n-erased, 0)]...)
	if now.part = err != nil && (now.part || n > 0); err == nil {
		now.ink = read
	}
	return before != now.stays, err
}
