package panel

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"inkshade/app/panel/keyboard"
	"inkshade/recognizer/ink"
)

// paper is the other program: what was typed into it.
type paper struct {
	mu      sync.Mutex
	text    []rune
	keys    int
	touched bool
	moved   bool
	broken  error
	closed  bool
	most    int // so many are typed of the first text; 0 for all
}

func (p *paper) Type(text string) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken != nil {
		return 0, p.broken
	}
	for i, r := range []rune(text) {
		if p.most > 0 && i == p.most {
			p.most = 0
			return i, keyboard.ErrHeld
		}
		p.keys++
		if r == '\b' {
			p.text = p.text[:len(p.text)-1]
		} else {
			p.text = append(p.text, r)
		}
	}
	p.touched, p.moved = false, false
	return len([]rune(text)), nil
}

func (p *paper) Touched() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.touched
}

func (p *paper) Moved() bool { return p.moved }

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
			y.Show(Piece{Text: text})
			y.work()
		}
		y.Finish("\n")
		y.Show(Piece{Text: "next"})
	})
	if got := string(p.text); got != "hello 学\nnext" {
		t.Errorf("typed %q", got)
	}
	if p.keys != 3+2+4+2+1+4 {
		t.Errorf("%d keys", p.keys)
	}
}

// strokes give a piece for each of some texts, which was read from a stroke of that number.
func strokes(all ...string) (text []Piece) {
	for i, of := range all {
		text = append(text, Piece{of, []*ink.Point{&points[i]}})
	}
	return text
}

var points [9]ink.Point

// What others typed behind a text ends it: however it is read later, what was written behind it is typed once and whole.
func TestWhatWasTouchedIsNotReplaced(t *testing.T) {
	for _, later := range [][]string{{"o", "o", "t"}, {"", "o", "t"}, {"oo", "o", "tt"}, {"j", "o", "t"}} {
		p := &paper{}
		told := typing(p, func(y *Typist) {
			show := func(text ...string) {
				y.Show(strokes(text...)...)
				y.work()
			}
			show("j", "o", "t")
			p.text, p.touched = append(p.text, []rune("ab")...), true
			show(later...)
			show(append(later, " l")...)
			show(append(later, " l", "l")...)
			show(append(later, " l", "i")...)
			p.text, p.touched = append(p.text, '!'), true
			show(append(later, " l", "i", "n")...)
		})
		if got := string(p.text); got != "jotab li!n" || told.Stays != (later[0] != "j") {
			t.Errorf("read as %q later: typed %q, told %+v", later, got, told)
		}
	}
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		y.Show(strokes("c", "at")...)
		y.work()
		p.touched = true
		y.Finish(" ")
		y.Show(strokes("c", "ut")...) // of other ink as far as is known
	})
	if got := string(p.text); got != "cat cut" {
		t.Errorf("typed %q", got)
	}
}

// What goes on in another program begins there without the space that parted it from what stands in the one before.
func TestAnotherProgramGetsNoSpaceFirst(t *testing.T) {
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		y.Show(strokes("j", "o")...)
		y.work()
		p.text, p.touched, p.moved = []rune("|"), true, true
		for _, read := range []string{" k", " h", " hi"} {
			y.Show(strokes("j", "o", read)...)
			y.work()
		}
		y.Show(strokes("j", "o", " hi", " l")...)
	})
	if got := string(p.text); got != "|hi l" {
		t.Errorf("typed %q", got)
	}
}

// A text in whose middle another program got the keyboard is typed to its end, and ended with it.
func TestATextThatWasInterruptedIsTypedOnce(t *testing.T) {
	p := &paper{most: 2}
	_ = typing(p, func(y *Typist) {
		y.Show(strokes("ca", "t")...)
		if !y.work() {
			t.Error("nothing waits")
		}
		p.touched = true
		y.watch()
		if !y.work() {
			y.Show(strokes("cu", "t", "s")...)
		}
	})
	if got := string(p.text); got != "cats" {
		t.Errorf("typed %q", got)
	}
}

func TestFailuresAreTold(t *testing.T) {
	p := &paper{broken: errors.New("no keys")}
	if s := typing(p, func(y *Typist) { y.Show(Piece{Text: "cat"}) }); !errors.Is(s.Err, p.broken) || s.Text != "cat" || s.Waits {
		t.Errorf("told %+v", s)
	}
}

// What waits keeps its order, and what of it was corrected meanwhile is typed as it is now.
func TestWhatWaitsIsTypedInOrder(t *testing.T) {
	p := &paper{}
	_ = typing(p, func(y *Typist) {
		y.Show(Piece{Text: "ca"})
		y.work()
		p.broken = keyboard.ErrHeld
		y.Show(Piece{Text: "cat"})
		y.work()
		y.Show(Piece{Text: "cut"})
		y.Finish(" ")
		y.work()
		y.Back()
		y.Show(Piece{Text: "dog"})
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
		y.Show(Piece{Text: "cat"})
		y.work()
		p.broken = errors.New("no keys")
		y.Finish(" ")
		y.work()
		p.broken = nil
		y.Show(Piece{Text: "dog"})
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
			y.Show(Piece{Text: "cat"})
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
	y.Show(Piece{Text: "cat"})
	if err := y.Close(); err != nil || string(p.text) != "cat" || !p.closed {
		t.Errorf("typed %q, closed %v: %v", string(p.text), p.closed, err)
	}
}
