package panel

import (
	"errors"
	"sync"
	"testing"
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
	n := len([]rune(text))
	p.text, p.keys, p.touched = append(p.text, []rune(text)...), p.keys+n, false
	return n, nil
}

func (p *paper) Erase(n int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.keys, p.touched = p.text[:len(p.text)-n], p.keys+n, false
	return nil
}

func (p *paper) Touched() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.touched
}

func (p *paper) Close() error { p.closed = true; return nil }

// typing does something with a typist whose jobs are done at once, and gives what the other program has then.
func typing(p *paper, do func(t *Typist)) (failed error) {
	t := &Typist{keyboard: p, failed: func(err error) { failed = err }, wake: make(chan struct{}, 1)}
	do(t)
	t.work()
	return failed
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
	if err := typing(p, func(y *Typist) { y.Show("cat") }); !errors.Is(err, p.broken) {
		t.Errorf("told %v", err)
	}
}

func TestClosingTypesWhatWasAskedFor(t *testing.T) {
	p := &paper{}
	y := NewTypist(p, func(err error) { t.Error(err) })
	y.Show("cat")
	if err := y.Close(); err != nil || string(p.text) != "cat" || !p.closed {
		t.Errorf("typed %q, closed %v: %v", string(p.text), p.closed, err)
	}
}
