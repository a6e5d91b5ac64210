// Package keyboard types into the program that has the keyboard, as if a person did. It keeps and tells nothing of what it types.
package keyboard

import (
	"errors"
	"time"

	"inkshade/glcompute/message"
)

// Keyboard types into whatever program has the focus. Its methods come from one goroutine.
type Keyboard interface {
	// Type types a text; a line break is Enter, a \b Backspace, which takes back the character before the caret. What was typed
	// before an error stays typed; n is how many characters that is. It does not wait for what Passes.
	Type(text string) (n int, err error)
	// Touched tells whether a person has typed or clicked elsewhere, or another program got the focus, since the last
	// call of Type: then what was typed is no longer what stands before the caret. It is to be asked at least every WatchEvery.
	Touched() bool
	// Moved tells whether another program has the focus than the one that was typed into last; false where the system does not tell.
	Moved() bool
	// Close gives back what was borrowed of the system.
	Close() error
}

// each types a text by one character after the other.
func each(text string, tap func(r rune) error) (n int, err error) {
	for _, r := range text {
		if err := tap(r); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// unwatched is how long a keyboard counts as untouched after it typed where the system does not tell what a person types.
const unwatched = 5 * time.Second

// ErrNone means that this system lets no program type into others.
var ErrNone = message.Errorf("this desktop lets no program type into others; the text goes to the clipboard")

// What keeps anything from being typed for the moment.
var (
	ErrNoFocus = message.Errorf("no other program has the keyboard: click into the one that shall have the text")
	ErrHeld    = message.Errorf("a key like Shift or Ctrl is held down: release it")
)

// Passes tells whether typing failed for the moment only: it is to be tried again.
func Passes(err error) bool { return errors.Is(err, ErrNoFocus) || errors.Is(err, ErrHeld) }

// Permission is what a person agreed to once, so that they are not asked again: a word of the desktop's own. Only the
// desktop portal asks.
type Permission struct {
	Token string
	Keep  func(token string) // called with the word of the next time; nil forgets it
}

// WatchEvery is how often Touched must be asked to see each key: people hold one for some 80 ms.
const WatchEvery = 25 * time.Millisecond
