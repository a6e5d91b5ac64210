package keyboard

import (
	"context"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"

	"inkshade/glcompute/message"
)

var (
	user32              = windows.NewLazySystemDLL("user32.dll")
	sendInput           = user32.NewProc("SendInput")
	getForegroundWindow = user32.NewProc("GetForegroundWindow")
	getAsyncKeyState    = user32.NewProc("GetAsyncKeyState")
	getCursorPos        = user32.NewProc("GetCursorPos")
	windowFromPoint     = user32.NewProc("WindowFromPoint")
	getAncestor         = user32.NewProc("GetAncestor")
)

const (
	inputKeyboard   = 1
	keyUp           = 0x2
	keyUnicode      = 0x4
	virtualBack     = 0x08
	virtualReturn   = 0x0d
	virtualShift    = 0x10
	virtualMenu     = 0x12 // Alt; 0x11 is Ctrl
	ancestorTop     = 2
	asyncKeyPressed = 0x8000
)

// input is INPUT of winuser.h with a KEYBDINPUT in it; the union is as long as MOUSEINPUT.
type input struct {
	kind  uint32
	_     uint32
	key   uint16
	scan  uint16
	flags uint32
	time  uint32
	_     uint32
	extra uintptr
	_     [8]byte
}

// system types with SendInput.
type system struct {
	own   uintptr
	focus uintptr // the window that was typed into
	moved bool
}

// Open gives the keyboard of Windows. own is the native handle of the window that may be clicked in meanwhile.
func Open(_ context.Context, own uintptr, _ Permission) (Keyboard, error) {
	return &system{own: own}, sendInput.Find()
}

// Type implements Keyboard. Each character goes as its UTF-16, whatever the layout.
func (s *system) Type(text string) (n int, err error) {
	return each(text, func(r rune) error {
		switch r {
		case '\n':
			return s.tap(input{key: virtualReturn})
		case '\b':
			return s.tap(input{key: virtualBack})
		}
		var keys []input
		for _, unit := range utf16.Encode([]rune{r}) {
			keys = append(keys, input{scan: unit, flags: keyUnicode})
		}
		return s.tap(keys...)
	})
}

// tap presses and releases keys, where another program has the keyboard and no modifier is held.
func (s *system) tap(keys ...input) error {
	focus, _, _ := getForegroundWindow.Call()
	switch {
	case focus == 0, ours(windows.HWND(focus)):
		return ErrNoFocus
	case s.pressed(virtualShift, virtualMenu):
		return ErrHeld
	}
	s.focus, s.moved = focus, false
	for _, k := range keys {
		k.kind = inputKeyboard
		up := k
		up.flags |= keyUp
		both := []input{k, up}
		if sent, _, err := sendInput.Call(2, uintptr(unsafe.Pointer(&both[0])), unsafe.Sizeof(k)); sent != 2 {
			return message.Errorf("the system did not take the keys: %w", err)
		}
	}
	return nil
}

// ours tells whether a window is one of this program, in whatever process.
func ours(window windows.HWND) bool {
	var process uint32
	_, _ = windows.GetWindowThreadProcessId(window, &process)
	of := file(process)
	return of != "" && of == file(windows.GetCurrentProcessId())
}

// file is the path of a process's program; none where it cannot be had.
func file(process uint32) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, process)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	path := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(path))
	if windows.QueryFullProcessImageName(h, 0, &path[0], &size) != nil {
		return ""
	}
	return windows.UTF16ToString(path[:size])
}

// pressed tells whether a key between two virtual ones is held.
func (s *system) pressed(from, to uintptr) bool {
	for key := from; key <= to; key++ {
		if state, _, _ := getAsyncKeyState.Call(key); state&asyncKeyPressed != 0 {
			return true
		}
	}
	return false
}

func (s *system) Touched() bool {
	const firstKey, lastKey, leftButton, rightButton = 0x08, 0xfe, 0x01, 0x02
	focus, _, _ := getForegroundWindow.Call()
	s.moved = s.moved || focus != s.focus || s.pressed(firstKey, lastKey) || s.pressed(leftButton, rightButton) && !s.overOwn()
	return s.moved
}

func (s *system) Moved() bool {
	focus, _, _ := getForegroundWindow.Call()
	return focus != s.focus
}

func (s *system) overOwn() bool {
	var at struct{ x, y int32 }
	getCursorPos.Call(uintptr(unsafe.Pointer(&at)))
	// A POINT is passed by value, as one word of 64 bits.
	under, _, _ := windowFromPoint.Call(uintptr(uint32(at.x)) | uintptr(uint32(at.y))<<32)
	top, _, _ := getAncestor.Call(under, ancestorTop)
	return top == s.own
}

func (s *system) Close() error { return nil }
