package panel

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"

	"inkshade/app/panel/keyboard"
	"inkshade/app/state/device"
	"inkshade/app/state/setting"
)

// A panel in which nothing can read is closed at once, though there are strokes on its paper.
func TestAPanelThatCannotReadCloses(t *testing.T) {
	none := device.SideStatus{State: device.Unavailable, Reasons: []error{errors.New("there is no such model")}}
	for _, known := range []bool{true, false} {
		opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
			closed := false
			s.win.SetOnClosed(func() { closed = true })
			s.ready(device.Status{})
			s.settle()
			s.dots(100)
			if !known {
				s.leave()
			}
			s.ready(device.Status{CPU: none, GPU: none})
			s.settle()
			if known {
				s.leave()
			}
			if !closed {
				t.Error("the panel is open")
			}
		})
	}
}

// A panel that is closed while text waits for a program stays until that is typed, or is closed once more.
func TestAPanelWithWaitingTextStays(t *testing.T) {
	for i := range setting.TypingTimes {
		opened(t, test.NewTempApp(t), t.TempDir(), nil, func(s *stage) {
			s.typing.SetSelectedIndex(i)
			closed := 0
			s.win.SetOnClosed(func() { closed++ })
			s.other.fail(keyboard.ErrNoFocus)
			s.dots(50)
			s.finish("\n")
			time.Sleep(2 * soon)
			s.settle()
			s.leave()
			s.settle()
			if closed > 0 || !strings.Contains(s.hint.Text, "waits") {
				t.Errorf("the panel is closed, or says %q", s.hint.Text)
			}
			s.other.fail(nil)
			time.Sleep(2 * keyboard.WatchEvery)
			if s.typed("i-\n"); closed == 0 {
				t.Error("the panel is open")
			}
		})
	}
}

// A panel that is closed while the keyboard is still being looked for types what is on its paper as soon as that is there.
func TestClosingWaitsForTheKeyboard(t *testing.T) {
	for _, none := range []error{nil, keyboard.ErrNone} {
		a := test.NewTempApp(t)
		opened(t, a, t.TempDir(), nil, func(s *stage) {
			closed := false
			s.win.SetOnClosed(func() { closed = true })
			typist := s.typist
			s.typist = nil
			s.dots(100)
			s.leave()
			s.settle()
			if closed {
				t.Error("the panel is closed before it has typed")
			}
			s.opts.keyboard = func(context.Context, uintptr, keyboard.Permission) (keyboard.Keyboard, error) { return s.other, none }
			s.connect(0)
			s.settle()
			if !closed {
				t.Error("the panel is open")
			}
			if none == nil {
				s.typed("i-")
			} else if got := a.Clipboard().Content(); got != "i-" {
				t.Errorf("copied %q", got)
			}
			if err := typist.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
