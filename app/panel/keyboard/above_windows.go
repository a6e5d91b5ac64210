package keyboard

import (
	"context"

	"golang.org/x/sys/windows"
)

var (
	getWindowLong       = windows.NewLazySystemDLL("user32.dll").NewProc("GetWindowLongPtrW")
	setWindowLong       = windows.NewLazySystemDLL("user32.dll").NewProc("SetWindowLongPtrW")
	setWindowPos        = windows.NewLazySystemDLL("user32.dll").NewProc("SetWindowPos")
	setForegroundWindow = windows.NewLazySystemDLL("user32.dll").NewProc("SetForegroundWindow")
)

// Above is to be asked before a window is shown, which takes the keyboard for a moment. It gives what keeps the window, once it is
// shown, above the others and lets it take the keyboard no more; the keyboard goes back to who had it.
func Above() func(ctx context.Context, own uintptr) error {
	owner, _, _ := getForegroundWindow.Call()
	return func(_ context.Context, own uintptr) error {
		const (
			extendedStyle           = ^uintptr(19) // GWL_EXSTYLE, -20
			noActivate              = 0x08000000   // WS_EX_NOACTIVATE
			topmost                 = ^uintptr(0)  // HWND_TOPMOST, -1
			noSize, noMove, noFocus = 0x1, 0x2, 0x10
		)
		style, _, _ := getWindowLong.Call(own, extendedStyle)
		if style, _, err := setWindowLong.Call(own, extendedStyle, style|noActivate); style == 0 && err != windows.ERROR_SUCCESS {
			return err
		}
		if ok, _, err := setWindowPos.Call(own, topmost, 0, 0, 0, 0, noSize|noMove|noFocus); ok == 0 {
			return err
		}
		_, _, _ = setForegroundWindow.Call(owner)
		return nil
	}
}
