package panel

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/app/panel/keyboard"
)

// paper is the other program: what was typed into it.
type paper struct {
	mu      sync.Mutex
	text    []rune
	keys    int
	touched bool
	broken  error
	closed  bool
}

func (p *paper) Type(text string) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil {
		return 0, p.broken
	}
	for _, r := range text {
		p.keys++
		if r == '\b' {
			p.text = p.text[:len(p.text)-1]
		} else {
			p.text = append(p.text, r)
		}
	}
	p.touched = false
	return len([]rune(text)), nil
}

func (p *paper) Touched() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.touched
}

func (p *paper) Close() error { p.closed = true; return nil }

func (p *paper) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = err
}

func (p *paper) content() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.text)
}

// typing does something with a typist whose jobs are done at once, and gives what the other program has then.
func typing(p *paper, do func(t *Typist)) (told Stuck) {
	t := &Typist{keyboard: p, tell: func(s Stuck) { told = s }, wake: make(chan struct{}, 1)}
	do(t)
	t.work()
	return told
}

func TestCorrectionsAreTypedWithFewKeys(t *testing.T) {
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		for _, text := range []string{"h", "ha", "hal", "hello", "hello 学"} {
			y.Show(text)
			y.work()
		}
		y.Finish("\n")
		y.Show("next")
	})
	if got := string(p.text); got != "hello 学\nnext" {
		t.Errorf("typed %q", got)
	}
	if p.keys != 3+2+4+2+1+4 {
		t.Errorf("%d keys", p.keys)
	}
}

func TestWhatWasTouchedIsNotReplaced(t *testing.T) {
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		y.Show("cat")
		y.work()
		p.text, p.touched = append(p.text, '!'), true
		y.Show("cut")
		y.work()
		y.Show("cuts")
		y.Finish(" ")
		y.Show("x")
	})
	if got := string(p.text); got != "cat!s x" {
		t.Errorf("typed %q", got)
	}
}

func TestFailuresAreTold(t *testing.T) {
	p := &paper{broken: errors.New("no keys")}
	if s := typing(p, func(y *Typist) { y.Show("cat") }); !errors.Is(s.Err, p.broken) || s.Text != "cat" || s.Waits {
		t.Errorf("told %+v", s)
	}
}

// What waits keeps its order, and what of it was corrected meanwhile is typed as it is now.
func TestWhatWaitsIsTypedInOrder(t *testing.T) {
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		y.Show("ca")
		y.work()
		p.broken = keyboard.ErrHeld
		y.Show("cat")
		y.work()
		y.Show("cut")
		y.Finish(" ")
		y.work()
		y.Back()
		y.Show("dog")
		if !y.work() {
			t.Error("nothing waits")
		}
		p.broken = nil
	})
	if got := string(p.text); got != "cutdog" {
		t.Errorf("typed %q", got)
	}
}

// A text that failed does not become a part of the next.
func TestATextThatFailedIsOver(t *testing.T) {
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		y.Show("cat")
		y.work()
		p.broken = errors.New("no keys")
		y.Finish(" ")
		y.work()
		p.broken = nil
		y.Show("dog")
	})
	if got := string(p.text); got != "catdog" {
		t.Errorf("typed %q", got)
	}
}

// A program that gets the keyboard when the panel closes still gets what waited, and one that never does delays it shortly.
func TestClosingWaitsForAProgram(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, after := range []time.Duration{last / 2, 2 * last} {
			p := &paper{broken: keyboard.ErrNoFocus}
			y := NewTypist(p, func(Stuck) {})
			y.Show("cat")
			time.AfterFunc(after, func() { p.fail(nil) })
			began := time.Now()
			if err := y.Close(); err != nil || time.Since(began) > last+time.Second || (p.content() == "cat") != (after < last) {
				t.Errorf("after %v typed %q: %v", time.Since(began), p.content(), err)
			}
			time.Sleep(2 * last)
		}
	})
}

func TestClosingTypesWhatWasAskedFor(t *testing.T) {
	p := &paper{}
	y := NewTypist(p, func(s Stuck) { t.Error(s) })
	y.Show("cat")
	if err := y.Close(); err != nil || string(p.text) != "cat" || !p.closed {
		t.Errorf("typed %q, closed %v: %v", string(p.text), p.closed, err)
	}
}
