package keyboard

import (
	"context"
	"time"
	"unicode/utf16"

	"github.com/ebitengine/purego"

	"inkshade/glcompute/message"
)

const (
	applicationServices = "/System/Library/Frameworks/ApplicationServices.framework/ApplicationServices"
	keyReturn           = 36
	keyDelete           = 51
	hidEventTap         = 0
)

// events types with the events of Quartz.
type events struct {
	create  func(source uintptr, key uint16, down bool) uintptr
	setText func(event, length uintptr, text *uint16)
	post    func(tap uint32, event uintptr)
	release func(event uintptr)
	typed   time.Time
}

// Open gives the keyboard of macOS.
func Open(context.Context, uintptr, Permission) (Keyboard, error) {
	library, err := purego.Dlopen(applicationServices, purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, message.Errorf("%w (%w)", ErrNone, err)
	}
	var trusted func() bool
	purego.RegisterLibFunc(&trusted, library, "AXIsProcessTrusted")
	if !trusted() {
		return nil, message.Errorf("%w (allow it in System Settings, Privacy and Security, Accessibility)", ErrNone)
	}
	e := &events{}
	purego.RegisterLibFunc(&e.create, library, "CGEventCreateKeyboardEvent")
	purego.RegisterLibFunc(&e.setText, library, "CGEventKeyboardSetUnicodeString")
	purego.RegisterLibFunc(&e.post, library, "CGEventPost")
	purego.RegisterLibFunc(&e.release, library, "CFRelease")
	return e, nil
}

func (e *events) Type(text string) (n int, err error) {
	return each(text, func(r rune) error {
		switch r {
		case '\n':
			e.tap(keyReturn, nil)
		case '\b':
			e.tap(keyDelete, nil)
		default:
			e.tap(0, utf16.Encode([]rune{r}))
		}
		return nil
	})
}

// tap presses and releases a key; with a text it makes that.
func (e *events) tap(key uint16, text []uint16) {
	for _, down := range []bool{true, false} {
		event := e.create(0, key, down)
		if len(text) > 0 {
			e.setText(event, uintptr(len(text)), &text[0])
		}
		e.post(hidEventTap, event)
		e.release(event)
	}
	e.typed = time.Now()
}

// Touched implements Keyboard: without a further permission the system does not tell what a person types.
func (e *events) Touched() bool { return time.Since(e.typed) > unwatched }

func (e *events) Moved() bool { return false }

func (e *events) Close() error { return nil }
